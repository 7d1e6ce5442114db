"""What a redaction takes out is written nowhere: not in an agent's log, not in a report."""

from __future__ import annotations

import io
import re
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from viscritic.agent.log import SCREENS_NAME, StepLog
from viscritic.cli import app
from viscritic.errors import ConfigError, ScreenError
from viscritic.redaction import load_redaction, redact
from viscritic.screen import Screen, screen_digest

ROOT = Path(__file__).parents[2]
RUN = ROOT / "examples" / "runs" / "todo"
MODULE = "import numpy\n\ndef blacken(screen):\n    return numpy.zeros_like(screen)\n\nnothing = 3\n"


def blacken(screen: Screen) -> Screen:
    return np.zeros_like(screen)


def test_the_log_keeps_the_redacted_screen_alone(tmp_path: Path) -> None:
    screen = np.full((40, 60, 3), 200, np.uint8)
    with StepLog(tmp_path, blacken) as log:
        name = log.keep(screen)
    (file,) = (tmp_path / SCREENS_NAME).iterdir()
    assert file.stem == name == screen_digest(np.zeros_like(screen))  # nor does the name tell what it was
    with Image.open(file) as image:
        assert image.getextrema() == ((0, 0),) * 3
    assert screen.min() == 200  # the caller's screen is what it was


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_report_shows_the_redacted_screens_alone(
    workers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_redaction.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))  # for the workers
    monkeypatch.syspath_prepend(tmp_path)
    options = ["--report", "out.html", "--redact", "my_redaction:blacken", "--workers", workers, "--limit", "1"]
    ran = CliRunner().invoke(app, ["audit", str(RUN), "--quiet", *options])
    assert ran.exit_code in (0, 1, 3), (ran.output, ran.exception)
    shown = re.findall(r"data:image/webp;base64,([A-Za-z0-9+/=]+)", Path("out.html").read_text())
    assert shown
    for data in shown:
        with Image.open(io.BytesIO(b64decode(data))) as image:
            assert max(high for _, high in image.convert("RGB").getextrema()) <= 2  # type: ignore[misc]


def test_a_redaction_that_fails_or_gives_no_screen_ends_it(tmp_path: Path) -> None:
    screen = np.zeros((20, 20, 3), np.uint8)

    def fail(_: Screen) -> Screen:
        raise RuntimeError("the card number is 4111")

    with pytest.raises(ScreenError, match="raised RuntimeError") as failed:
        redact(screen, fail)
    assert "4111" not in str(failed.value)
    for wrong in (screen[:10], screen.astype(float), None):
        with pytest.raises(ScreenError, match="the function gave"):
            redact(screen, lambda _, wrong=wrong: wrong)  # type: ignore[misc]
    with StepLog(tmp_path, fail) as log, pytest.raises(ScreenError):
        log.keep(screen)
    assert not list((tmp_path / SCREENS_NAME).iterdir())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no_colon", "module:function"), (":f", "module:function"), ("absent_module:f", "cannot be loaded"),
        ("my_redaction:absent", "cannot be loaded"), ("my_redaction:nothing", "is no function"),
    ],
)  # fmt: skip
def test_a_name_that_is_no_function_is_refused(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_redaction.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=words):
        load_redaction(name)

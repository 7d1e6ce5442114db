from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rich.console import Console

from viscritic.errors import ConfigError, DataError
from viscritic.evaluate import Predictions, compare
from viscritic.evaluate.mistakes import worst_mistakes
from viscritic.sample_folder import SampleFolder
from viscritic.trajectory import OUTCOMES

PLOTS = {"reliability.png", "curves.png", "confusion.png", "f1_by_app.png", "accuracy_by_cause.png", "mistakes.png"}


@pytest.fixture
def console() -> Console:
    return Console(file=io.StringIO(), width=80)


def printed(console: Console) -> str:
    return console.file.getvalue()


@pytest.fixture
def systems(drawn_folder: SampleFolder) -> dict[str, Predictions]:
    """A good critic with one confident mistake, and a coin."""
    samples, rng = list(drawn_folder), np.random.default_rng(0)
    ids = tuple(sample.id for sample in samples)
    labels = np.array([sample.success for sample in samples])
    good = np.clip(0.8 * labels + 0.1 + rng.normal(0, 0.03, len(ids)), 0, 1)
    good[5] = 0.99  # the clock ticked and nothing else
    outcomes = 0.9 * np.eye(5)[[OUTCOMES.index(sample.outcome) for sample in samples]] + 0.02
    progress = np.array([sample.progress for sample in samples])
    return {
        "critic": Predictions(ids, good, progress, outcomes),
        "coin | toss": Predictions(ids, rng.random(len(ids)), np.full(len(ids), np.nan)),
    }


def test_everything_is_written_and_agrees(drawn_folder, systems, console, tmp_path: Path) -> None:
    samples = list(drawn_folder)
    result = compare(samples, drawn_folder, systems, dict.fromkeys(systems, 0.5), tmp_path, console=console)
    assert json.loads((tmp_path / "report.json").read_text()) == result
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert written == PLOTS | {"report.json", "report.md", "predictions/critic.jsonl", "predictions/coin-toss.jsonl"}
    assert set(result["plots"]) == PLOTS
    assert result["data"]["samples_sha256"] == drawn_folder.manifest["samples_sha256"]
    assert result["data"]["origins"] == {"observed": 48}
    assert result["systems"]["critic"]["metrics"]["recall"]["value"] == 1.0
    gap = result["differences"]["coin | toss"]
    f1s = [result["systems"][name]["metrics"]["f1"]["value"] for name in systems]
    assert gap["f1"]["value"] == pytest.approx(f1s[0] - f1s[1])
    assert gap["f1"]["interval"][0] > 0
    back = Predictions.load(tmp_path / result["systems"]["critic"]["predictions"])
    np.testing.assert_array_equal(back.success, systems["critic"].success)


def test_plots_are_readable_pictures_that_are_not_blank(drawn_folder, systems, console, tmp_path: Path) -> None:
    compare(list(drawn_folder), drawn_folder, systems, dict.fromkeys(systems, 0.5), tmp_path, console=console)
    for name in PLOTS:
        with Image.open(tmp_path / name) as image:
            assert image.format == "PNG"
            assert min(image.size) > 400
            assert np.asarray(image.convert("L")).std() > 8


def test_names_of_any_letters_are_drawn(make_sample, drawn_folder, console, tmp_path: Path) -> None:
    """Dollars are no mathematics, underscores hide nothing, and letters that the font lacks do not warn."""
    screens = next(iter(drawn_folder))
    fields = {"pre": screens.pre, "post": screens.post, "app": "_记事本 $x_1$", "instruction": "保存 $5 and $6"}
    samples = [make_sample(i % 2, trajectory=f"t{i}", **fields) for i in range(4)]
    ids = tuple(sample.id for sample in samples)
    systems = {"_kritik $$ 评论 1": Predictions(ids, np.array([0.9, 0.2, 0.1, 0.8]), np.full(4, np.nan), np.eye(5)[:4])}
    result = compare(samples, drawn_folder, systems, dict.fromkeys(systems, 0.5), tmp_path, console=console)
    assert len(result["plots"]) == 5  # no outcome is known


def test_the_terminal_fits_80_columns_and_marks_the_best(drawn_folder, systems, tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard")
    result = compare(list(drawn_folder), drawn_folder, systems, dict.fromkeys(systems, 0.5), tmp_path, console=console)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", printed(console))
    assert max(map(len, plain.splitlines())) <= 80
    assert "…" not in plain
    for name in systems:
        f1 = result["systems"][name]["metrics"]["f1"]
        assert f"{f1['value']:.3f}" in plain
        assert f"{f1['interval'][0]:.2f}\u2013{f1['interval'][1]:.2f}" in plain
    bold = re.findall(r"\x1b\[1m([^\x1b]*)", printed(console))
    assert any(f"{result['systems']['critic']['metrics']['f1']['value']:.3f}" in text for text in bold)
    assert not any(f"{result['systems']['coin | toss']['metrics']['f1']['value']:.3f}" in text for text in bold)


def test_markdown_tables_are_rectangular(drawn_folder, systems, console, tmp_path: Path) -> None:
    compare(list(drawn_folder), drawn_folder, systems, dict.fromkeys(systems, 0.5), tmp_path, console=console)
    text = (tmp_path / "report.md").read_text()
    tables = [block.splitlines() for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)]
    assert len(tables) >= 4
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1
    assert r"coin \| toss" in text
    assert "macro-F1, progress rho, progress r of coin | toss: " not in text  # two reasons, two notes
    assert "- macro-F1 of coin | toss: the system predicts no outcomes" in text


def test_one_class_is_reported_and_not_drawn(drawn_folder, systems, console, tmp_path: Path) -> None:
    samples = [sample for sample in drawn_folder if sample.success]
    result = compare(samples, drawn_folder, systems, dict.fromkeys(systems, 0.5), tmp_path, console=console)
    assert result["systems"]["critic"]["metrics"]["f1"] == {"value": None, "reason": "every sample is a success"}
    assert result["differences"]["coin | toss"] == {
        "f1": {"value": None, "reason": "every sample is a success"},
        "p_value": None,
    }
    assert set(result["plots"]) == {"reliability.png", "accuracy_by_cause.png", "confusion.png"}
    assert not (tmp_path / "curves.png").exists()
    assert "every sample is a success" in " ".join(printed(console).split())  # wherever the line breaks


def test_many_systems_apps_and_one_of_each_are_drawn(make_sample, drawn_folder, console, tmp_path: Path) -> None:
    screens = next(iter(drawn_folder))
    many = [
        make_sample(i % 2, app=f"application-{i // 4}", trajectory=f"t{i // 2}", pre=screens.pre, post=screens.post)
        for i in range(160)
    ]
    ids = tuple(sample.id for sample in many)
    rng = np.random.default_rng(1)
    systems = {f"system {n}": Predictions(ids, rng.random(160), np.full(160, np.nan)) for n in range(9)}
    for chosen in (systems, {"system 0": systems["system 0"]}):
        out = tmp_path / str(len(chosen))
        result = compare(many, drawn_folder, chosen, dict.fromkeys(chosen, 0.5), out, resamples=50, console=console)
        assert len(result["plots"]) == 5
        assert len(result["differences"]) == len(chosen) - 1


@pytest.mark.parametrize(
    ("names", "thresholds", "message"),
    [
        ([], {}, "there is no system"),
        (["a"], {}, "only one of the two mappings names a"),
        (["a", "A"], {"a": 0.5, "A": 0.5}, "must differ in their letters and digits, got a, A"),
        (["../"], {"../": 0.5}, "must differ in their letters"),
        (["a"], {"a": 2.0}, "between 0 and 1, got 2.0"),
    ],
)
def test_wrong_systems_are_refused(drawn_folder, systems, names, thresholds, message) -> None:
    with pytest.raises((DataError, ConfigError), match=message):
        compare(list(drawn_folder), drawn_folder, dict.fromkeys(names, systems["critic"]), thresholds, "unused")
    assert not Path("unused").exists()


def test_the_worst_mistakes_come_first() -> None:
    labels = np.array([True, False, True, False, True])
    scores = np.array([0.1, 0.6, 0.3, 0.2, 0.9])
    assert worst_mistakes(labels, scores, 0.5) == [0, 2, 1]
    assert worst_mistakes(labels, scores, 0.5, count=1) == [0]


@pytest.mark.parametrize("module", ["sklearn", "skimage", "scipy", "matplotlib"])
def test_a_missing_module_names_the_extra(module: str) -> None:
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from viscritic.errors import MissingExtraError\n"
        "try:\n    import viscritic.evaluate\n"
        "except MissingExtraError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        done.stdout.strip()
        == f"viscritic.evaluate needs the module '{module}': install it with  pip install 'viscritic[train]'"
    )


def test_torch_is_not_needed() -> None:
    # A finder, since scipy takes a `None` in sys.modules for the module itself.
    code = (
        "import sys\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('torch', 'lightning', 'hydra'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Block())\n"
        "import viscritic.evaluate\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

"""scripts/fuzz.py: a few inputs for every way in, and all that was found before."""

from __future__ import annotations

import json
import logging
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOUND = ROOT / "tests" / "fuzz"
INPUTS = {"images": 150, "actions": 300, "trajectories": 8, "bundles": 60, "http": 20, "macros": 60, "arguments": 20}


@pytest.fixture
def fuzz(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import fuzz

    monkeypatch.setattr(fuzz, "prepare", lambda: None)
    logging.disable(logging.CRITICAL)
    yield fuzz
    logging.disable(logging.NOTSET)
    for name in [name for name in sys.modules if name == "fuzz" or name.startswith("fuzz_")]:
        del sys.modules[name]


@pytest.mark.filterwarnings("ignore")  # Pillow and numpy warn of what they are fed
@pytest.mark.parametrize("surface", INPUTS)
def test_only_the_package_s_errors_come_out(surface: str, fuzz: Any, tmp_path: Path) -> None:
    row = fuzz.fuzz(surface, INPUTS[surface], 7, 60, tmp_path, None)
    assert not row.get("found"), row
    assert row.get("refused", 0) + row.get("taken", 0) == INPUTS[surface]
    assert row["refused"] > 0
    assert not list(tmp_path.iterdir())


@pytest.mark.filterwarnings("ignore")
def test_what_was_found_stays_mended(fuzz: Any) -> None:
    assert fuzz.replay(FOUND, 60) == []


def test_the_same_seed_gives_the_same_inputs(fuzz: Any) -> None:
    surface = fuzz.open_surface("images", None)
    assert [surface.make(Random(1)) for _ in range(2)] == [surface.make(Random(1))] * 2
    assert surface.make(Random(1)) != surface.make(Random(2))


def test_a_defect_is_kept_and_ends_in_exit_code_1(
    fuzz: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken:
        def make(self, chance: Random) -> bytes:
            return bytes([chance.randrange(256)])

        def feed(self, data: bytes) -> None:
            raise KeyError("a defect")

    monkeypatch.setattr(fuzz, "open_surface", lambda *_: Broken())
    options = [
        "--surface",
        "images",
        "--inputs",
        "5",
        "--findings",
        str(tmp_path / "found"),
        "--log",
        str(tmp_path / "log"),
    ]
    monkeypatch.setattr(sys, "argv", ["fuzz.py", *options])
    with pytest.raises(SystemExit) as ended:
        fuzz.main()
    assert ended.value.code == 1
    row = json.loads((tmp_path / "log").read_text())
    assert row["found"] == 5
    assert len(list((tmp_path / "found" / "images").iterdir())) == 3  # of one defect no more are kept
    assert "KeyError" in capsys.readouterr().err
    (tmp_path / "log").write_text(2 * (tmp_path / "log").read_text())
    table = fuzz.make_table(tmp_path / "log").splitlines()
    assert table[2].startswith("| images | 10 | 0 | 0 | 10 | 0.00 s |")


@pytest.mark.parametrize("names", [["a", "a/b"], ["a/b", "a"], ["a" * 300]])
def test_a_zip_whose_names_cannot_be_is_refused(names: list[str], tmp_path: Path) -> None:
    from viscritic.audit.archive import unpacked
    from viscritic.errors import DataError

    with zipfile.ZipFile(tmp_path / "odd.zip", "w") as archive:
        for name in names:
            archive.writestr(name, b"1")
    with pytest.raises(DataError, match=r"odd\.zip cannot be unpacked") as refused, unpacked(tmp_path / "odd.zip"):
        pass
    assert "viscritic-" not in str(refused.value)  # where it would have lain is no one's business

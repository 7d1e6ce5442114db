"""How programs end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from viscritic.cli.ending import bad_input_told, extra_named
from viscritic.errors import DataError
from viscritic.files import check_file_place, write_text

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("error", [DataError("a [bad]\n thing"), OSError("a [bad] thing"), KeyError("a [bad] thing")])
def test_bad_input_is_one_line_and_exit_code_2(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended, bad_input_told(KeyError):
        raise error
    assert ended.value.code == 2
    assert capsys.readouterr().err.replace("'", "") == "error: a [bad] thing\n"


def test_a_defect_stays_a_traceback() -> None:
    with pytest.raises(ZeroDivisionError), bad_input_told():
        print(1 / 0)


def test_a_script_ends_as_the_command_line_does(tmp_path: Path) -> None:
    command = [sys.executable, ROOT / "scripts" / "demo.py", "--out", "/dev/null/demo"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "error: " in ended.stderr and "Traceback" not in ended.stderr


def test_the_message_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 255)
    with pytest.raises(OSError, match="x" * 255) as told:
        write_text(long, "x")
    assert ".part" not in str(told.value)
    check_file_place(tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []


BLOCKED = """
import importlib.abc, runpy, sys

class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"hydra", "torch", "sklearn", "playwright"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.parametrize(
    ("script", "extra"), [("train", "train"), ("evaluate", "train"), ("export", "train"), ("make_pictures", "collect")]
)
def test_a_script_without_its_extra_names_it(script: str, extra: str) -> None:
    place = str(ROOT / "scripts" / f"{script}.py")
    code = f"import sys; sys.argv = [{place!r}]\n{BLOCKED}"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 2, ended.stderr
    assert f"error: {script}.py needs the module" in ended.stderr and f"'viscritic[{extra}]'" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_a_missing_module_of_ours_stays_a_traceback() -> None:
    with pytest.raises(ModuleNotFoundError, match="nowhere"), extra_named("train"):
        __import__("viscritic.nowhere")

"""How programs end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from viscritic.cli.ending import bad_input_told
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

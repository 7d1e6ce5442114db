"""scripts/faults.py, a full disk, places that cannot be written, two processes at once."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from viscritic.agent.log import StepLog, read_log
from viscritic.files import write_json

ROOT = Path(__file__).parents[2]
MAIN = "from viscritic.cli import main; main()"
RUN = ROOT / "examples" / "runs" / "todo"


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import faults

    yield faults
    sys.modules.pop("faults", None)


@pytest.mark.parametrize("name", ["file", "log", "macros", "samples", "checkpoint"])
def test_a_kill_leaves_the_store_whole_and_it_goes_on(name: str, faults: Any, tmp_path: Path) -> None:
    assert faults.kill_often(faults.STORES[name](), 6, 1, tmp_path) == []


def test_a_torn_file_would_be_noticed(faults: Any, tmp_path: Path) -> None:
    class Torn(faults.FileStore):  # type: ignore[name-defined,misc]
        def write(self, folder: Path, number: int) -> None:
            with (folder / "report.json").open("w") as file:
                for part in json.dumps([number] * 3000).split(" "):
                    file.write(part)
                    file.flush()

    assert any("torn" in line for line in faults.kill_often(Torn(), 10, 1, tmp_path))


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_json(path, ["old"])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    kept = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write_json(path, ["new"] * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, kept)
    assert json.loads(path.read_text()) == ["old"]
    assert [one.name for one in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.parametrize("place", ["/proc/viscritic/out", "/dev/null/out"])
@pytest.mark.parametrize(
    "command",
    [
        ["audit", str(RUN), "--report", "{place}.html"],
        ["data", "toy", "--out", "{place}"],
        ["data", "build", str(RUN), "--format", "folder", "--out", "{place}"],
    ],
    ids=["audit", "toy", "build"],
)
def test_where_nothing_can_be_written_one_line_says_so(command: list[str], place: str) -> None:
    words = [word.replace("{place}", place) for word in command]
    ended = subprocess.run([sys.executable, "-c", MAIN, *words], capture_output=True, text=True, check=False)
    assert ended.returncode == 2, ended
    assert "Traceback" not in ended.stderr
    assert str(Path(place).parent) in ended.stderr


def test_two_processes_may_write_one_log(tmp_path: Path) -> None:
    children = []
    for writer in range(2):
        child = os.fork()
        if child == 0:
            try:
                with StepLog(tmp_path) as log:
                    for number in range(200):
                        log.write({"writer": writer, "n": number, "x": "y" * 2000})
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    rows = list(read_log(tmp_path))
    for writer in range(2):
        assert [row["n"] for row in rows if row["writer"] == writer] == list(range(200))


def test_a_clock_that_jumps_back_hurts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Durations come from a clock that cannot jump; the time of day is only written down."""
    from viscritic import Critic

    example = ROOT / "examples" / "todo-ticked"
    times = iter([2e9, 1e9, 0.0, -1e9] * 100)
    monkeypatch.setattr("time.time", lambda: next(times))
    verdict = Critic.load(threads=1).score(example / "pre.webp", example / "post.webp", {"kind": "wait"})
    assert 0 <= verdict.elapsed_ms < 600_000

"""The log is whole, whatever happens."""

from __future__ import annotations

import json
import resource
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from viscritic.agent import StepLog, read_log
from viscritic.agent.log import LOG_NAME
from viscritic.errors import LogError
from viscritic.screen import screen_digest


def test_screens_are_stored_once_and_come_back_pixel_for_pixel(tmp_path):
    screen = np.random.default_rng(0).integers(0, 256, (40, 60, 3), np.uint8)
    with StepLog(tmp_path) as log:
        digest = log.keep(screen)
        assert log.keep(screen.copy()) == digest
    assert digest == screen_digest(screen)
    files = list((tmp_path / "screens").iterdir())
    assert len(files) == 1
    assert np.array_equal(np.asarray(Image.open(files[0])), screen)


def test_a_torn_last_line_is_left_out_and_cut_off_when_the_log_goes_on(tmp_path):
    with StepLog(tmp_path) as log:
        log.write({"n": 1})
    path = tmp_path / LOG_NAME
    with path.open("ab") as file:
        file.write(b'{"n": 2, "rea')
    assert [row["n"] for row in read_log(tmp_path)] == [1]
    with StepLog(tmp_path) as log:
        log.write({"n": 3})
    assert [row["n"] for row in read_log(tmp_path)] == [1, 3]


def test_a_log_of_one_torn_line_becomes_empty(tmp_path):
    (tmp_path / LOG_NAME).write_bytes(b"{" * 200_000)
    StepLog(tmp_path).close()
    assert (tmp_path / LOG_NAME).read_bytes() == b""


def test_a_full_disk_leaves_whole_lines(tmp_path):
    """A limit on the file's size is the disk; the kernel then takes a part of the line."""
    script = f"""
import resource, signal
from viscritic.agent import StepLog
from viscritic.errors import LogError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
log = StepLog({str(tmp_path)!r})
resource.setrlimit(resource.RLIMIT_FSIZE, (250, resource.RLIM_INFINITY))
try:
    for n in range(100):
        log.write({{"n": n, "text": "x" * 80}})
except LogError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "cannot be written" in done.stdout
    assert [row["n"] for row in read_log(tmp_path)] == [0, 1]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 250


def test_a_line_that_is_no_json_is_named(tmp_path):
    (tmp_path / LOG_NAME).write_text('{"n": 1}\nnonsense\n')
    with pytest.raises(LogError, match="line 2"):
        list(read_log(tmp_path))


def test_a_missing_log_and_a_file_in_the_way_are_named(tmp_path):
    with pytest.raises(LogError, match="no log in"):
        list(read_log(tmp_path / "none"))
    (tmp_path / "file").write_text("")
    with pytest.raises(LogError, match="cannot be written"):
        StepLog(tmp_path / "file")


def test_a_killed_process_leaves_whole_lines(tmp_path):
    script = f"""
from viscritic.agent import StepLog
log = StepLog({str(tmp_path)!r})
for n in range(100000):
    log.write({{"n": n}})
    print(n, flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= 20:
            process.kill()
            break
    process.wait()
    process.stdout.close()
    content = (tmp_path / LOG_NAME).read_bytes()
    rows = [json.loads(line) for line in content.split(b"\n")[:-1]]
    assert [row["n"] for row in rows] == list(range(len(rows)))
    assert len(rows) >= 21

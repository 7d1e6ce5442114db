"""The command: collects, is killed, goes on, and leaves no process behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from data_prep.collect.apps import APPLICATIONS
from data_prep.collect.collect import CollectConfig
from data_prep.collect.folder import CollectFolder
from data_prep.collect.processes import descendants, end_tree
from viscritic.errors import ConfigError, DataError
from viscritic.sample_folder import SampleFolder

ROOT = Path(__file__).parents[3]
RUN = [sys.executable, "-c", "from viscritic.cli import main; main()", "data", "collect"]


@pytest.fixture
def start():
    """Starts collections, and ends those that a test leaves behind."""
    running = []

    def run(out, *arguments):
        command = [*RUN, "--out", str(out), "--apps", "pages-counter", "--quiet", *arguments]
        pipe = subprocess.PIPE
        running.append(subprocess.Popen(command, cwd=ROOT, stderr=pipe, stdout=pipe, text=True))
        return running[-1]

    yield run
    for process in running:
        if process.poll() is None:
            end_tree(process.pid)
            process.wait()


def wait_for(condition, seconds=240):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.1)


def alive(pids):
    return [pid for pid in pids if Path(f"/proc/{pid}").exists() and "Z" not in _status(pid)]


def _status(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@pytest.mark.browser
@pytest.mark.slow
def test_killed_and_resumed(chromium, tmp_path, start):
    first = start(tmp_path / "out", "--hours", "1")
    wait_for(lambda: CollectFolder(tmp_path / "out").done())
    below = descendants(first.pid)
    assert below
    first.kill()
    first.communicate(timeout=60)
    wait_for(lambda: not alive(below))
    done = CollectFolder(tmp_path / "out").done()
    rows = sum(len(walk["rows"]) for walk in CollectFolder(tmp_path / "out").walks())
    second = start(tmp_path / "out", "--hours", "1", "--samples", str(rows + 1))
    _, errors = second.communicate(timeout=300)
    assert second.returncode == 0, errors
    folder = SampleFolder(tmp_path / "out")
    folder.check()
    assert len(folder) > rows
    assert done < CollectFolder(tmp_path / "out").done()
    assert {sample.split for sample in folder} == {"val"}


@pytest.mark.browser
def test_terminated_leaves_no_process_and_a_whole_folder(chromium, tmp_path, start):
    run = start(tmp_path / "out", "--hours", "1")
    wait_for(lambda: len(descendants(run.pid)) > 3)  # the browser is there
    below = descendants(run.pid)
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=60)
    assert not alive(below)
    SampleFolder(tmp_path / "out").check()


@pytest.mark.browser
def test_a_browser_is_handed_over_and_ends_with_the_last_application(chromium, tmp_path):
    before = set(descendants(os.getpid()))
    one, two, three = (APPLICATIONS[name]() for name in ("pages-counter", "pages-login", "sqlite-web"))
    browser = one.start(tmp_path)
    one.reset(0)
    two.start(tmp_path, one.hand_over())
    two.reset(0)
    assert two.driver is browser
    assert two.elements()
    one.stop()  # once more does no harm to the other
    two.reset(1)
    with pytest.raises(DataError, match="sqlite-web is not installed"):
        three.start(tmp_path, two.hand_over())
    three.stop()
    assert not alive(set(descendants(os.getpid())) - before)


def test_a_tree_is_ended_with_its_children():
    process = subprocess.Popen(["bash", "-c", "sleep 600 & sleep 600 & wait"], start_new_session=True)
    wait_for(lambda: len(descendants(process.pid)) == 2)
    below = descendants(process.pid)
    end_tree(process.pid)
    process.wait()
    assert not alive([process.pid, *below])


def test_bad_settings_are_named():
    with pytest.raises(ConfigError, match="hours must be above 0"):
        CollectConfig(("pages-shop",), hours=0)
    with pytest.raises(
        ConfigError, match=r"unknown application 'galculater'; near are galculator, .*; @train, @val and"
    ):
        CollectConfig(("galculater",), hours=1)


def run(*arguments, environment=None):
    done = subprocess.run([*RUN, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.splitlines()


def test_a_missing_place_is_named():
    code, [line] = run()
    assert code == 2
    assert "--out" in line


def test_what_is_not_installed_is_told_before_anything_starts(chromium, tmp_path):
    place = tmp_path / "empty"
    code, [line] = run("--out", str(tmp_path / "out"), "--apps", "sqlite-web", "--cache", str(place))
    assert code == 2
    assert line.endswith(f"sqlite-web: run viscritic data collect --install --apps sqlite-web --cache {place}")
    assert not (tmp_path / "out").exists()


def test_when_every_walk_fails_the_first_reason_is_told(chromium, tmp_path):
    broken = tmp_path / "bin" / "chromium"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    path = {**os.environ, "PATH": f"{broken.parent}:{os.environ['PATH']}"}
    out = tmp_path / "out"
    code, lines = run("--out", str(out), "--apps", "pages-counter", "--quiet", environment=path)
    assert code == 2
    assert lines[0].startswith(f"pages-counter: every walk failed: cannot start the browser {broken}")
    assert lines[1].startswith("error: no sample was made: cannot start the browser")
    assert len(lines) == 2
    SampleFolder(out).check()

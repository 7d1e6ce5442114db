"""`viscritic serve` as a process: it starts, says where it listens, and ends without dropping anything."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import urlopen

import pytest
from toy_run import EXAMPLES

from viscritic.cli import main
from viscritic.errors import ServerError
from viscritic.serve.client import Client

MAIN = "from viscritic.cli import main; main()"  # what the console script runs
EXAMPLE = EXAMPLES / "shop-added"
CLICK = {"action": "click", "x": 334, "y": 363}


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-c", MAIN, "serve", *map(str, arguments)]


@pytest.fixture
def process() -> Iterator[tuple[subprocess.Popen[str], str, list[str]]]:
    """A server of one worker, its address, and the lines of its log, whole once it has ended."""
    with subprocess.Popen(command("--port", "0", "--workers", "1"), stderr=subprocess.PIPE, text=True) as started:
        assert started.stderr is not None
        said = re.search(r"http://127\.0\.0\.1:\d+", started.stderr.readline())
        assert said
        log: list[str] = []
        reader = threading.Thread(target=lambda: log.extend(started.stderr or ()))
        reader.start()
        try:
            yield started, said.group(), log
        finally:
            started.kill()
            reader.join()


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_what_was_accepted_is_finished(
    process: tuple[subprocess.Popen[str], str, list[str]], sign: signal.Signals
) -> None:
    started, url, log = process
    client = Client(url, patience=0)
    client.score(EXAMPLE / "pre.webp", EXAMPLE / "post.webp", CLICK)  # it is up
    with ThreadPoolExecutor(8) as pool:
        asked = [
            pool.submit(client.score, EXAMPLE / "pre.webp", EXAMPLE / "post.webp", CLICK, f"Step {number}")
            for number in range(8)
        ]
        while client.ready() and not any(future.done() for future in asked):
            pass
        started.send_signal(sign)
        answers = []
        for future in asked:
            try:
                answers.append(future.result())
            except ServerError as error:  # it came after the port was closed: refused, not dropped
                assert error.status is None
    assert started.wait(60) == 0
    while not log or "200" not in "".join(log):
        threading.Event().wait(0.05)
    told = "".join(log)
    assert told.count("POST /v1/score 200") == len(answers) + 1 > 1
    assert told.count("POST /v1/score") == len(answers) + 1
    with pytest.raises(ServerError):
        client.score(EXAMPLE / "pre.webp", EXAMPLE / "post.webp", CLICK)


SLOW = """
import threading
import time
from viscritic.runtime import Critic
from viscritic.serve import run
from viscritic.serve.config import ServeConfig

asked_to_stop = threading.Event()
score, handle_exit = Critic.score, run._Uvicorn.handle_exit

def score_later(*arguments, **named):
    asked_to_stop.wait()
    time.sleep(1)
    return score(*arguments, **named)

def stop(*arguments):
    asked_to_stop.set()
    handle_exit(*arguments)

Critic.score, run._Uvicorn.handle_exit = score_later, stop
run.serve(ServeConfig(port=0, workers=1, grace_seconds=1), None, lambda url: print(url, flush=True))
"""


def test_what_was_accepted_is_judged_however_long_it_takes() -> None:
    """Four requests take four seconds from the signal on; the grace, for clients that are slow, is one."""
    with subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        url = started.stdout.readline().strip()
        client = Client(url, patience=0)
        with ThreadPoolExecutor(4) as pool:
            asked = [
                pool.submit(client.score, EXAMPLE / "pre.webp", EXAMPLE / "post.webp", CLICK, f"Step {number}")
                for number in range(4)
            ]
            while b"\nviscritic_queue_transitions 4.0" not in urlopen(f"{url}/metrics").read():
                threading.Event().wait(0.05)
            started.send_signal(signal.SIGTERM)
            assert len({future.result().success for future in asked}) >= 1
        assert started.wait(60) == 0


def test_bad_input_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments, words in (
            (("--host", "0.0.0.0"), "--token-file"),
            (("--port", port), "cannot be listened on"),
            (("--port", "0", "--bundle", str(tmp_path)), "config.json"),
            (("--port", "70000"), "port must be between"),
            (("--token-file", str(tmp_path / "none")), "cannot be read"),
        ):
            monkeypatch.setattr(sys, "argv", ["viscritic", "serve", *arguments])
            with pytest.raises(SystemExit) as ended:
                main()
            said = capsys.readouterr()
            assert (ended.value.code, said.out) == (2, "")
            assert words in said.err
            assert said.err.count("\n") == 1
            assert said.err.startswith("error: ")

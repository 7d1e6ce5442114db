"""An application's own server: answers on 127.0.0.1 alone, hangs on demand, and leaves nothing behind."""

import os
import subprocess
import sys
import tempfile
import threading
from urllib.request import urlopen

import pytest

from data_prep.collect.server import ProcessServer
from data_prep.collect.server_application import new_folder
from viscritic.errors import DataError


def serve(folder):
    folder.mkdir()
    (folder / "hello.txt").write_text("hello")
    command = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1"]
    return ProcessServer(lambda port: [*command, str(port)], folder, {"SOME": "thing"})


def get(url):
    with urlopen(url, timeout=20) as answer:
        return answer.read()


def test_hangs_on_demand_and_ends_with_its_folder(tmp_path):
    server = serve(tmp_path / "site")
    try:
        assert get(server.url + "/hello.txt") == b"hello"
        answers = []
        server.pause()
        asking = threading.Thread(target=lambda: answers.append(get(server.url + "/hello.txt")))
        asking.start()
        asking.join(0.5)
        assert answers == []
        server.resume()
        asking.join(20)
        assert answers == [b"hello"]
    finally:
        server.close()
    server.close()  # more than once
    assert not (tmp_path / "site").exists()
    with pytest.raises(OSError, match="refused"):
        urlopen(server.url)


def test_ends_while_it_hangs(tmp_path):
    server = serve(tmp_path / "site")
    server.pause()
    server.close()
    with pytest.raises(OSError, match="refused"):
        urlopen(server.url)


def test_folders_of_killed_processes_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for pid in (ended.pid, os.getpid()):
        (tmp_path / f"viscritic-server-{pid}-x").mkdir()
    (tmp_path / "viscritic-other").mkdir()
    mine = new_folder()
    kept = {mine.name, f"viscritic-server-{os.getpid()}-x", "viscritic-other"}
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_says_why_it_does_not_start(tmp_path):
    (tmp_path / "site").mkdir()
    with pytest.raises(DataError, match="no such table: users"):
        ProcessServer(
            lambda port: [sys.executable, "-c", "import sys; sys.exit('no such table: users')"], tmp_path / "site", {}
        )
    assert not (tmp_path / "site").exists()

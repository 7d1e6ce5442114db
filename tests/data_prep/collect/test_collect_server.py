"""The servers: pages, files that were moved, and answers as they should not be."""

import threading
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from data_prep.collect.server import FaultServer, StaticServer


def test_serves_pages_and_what_was_moved(tmp_path):
    (tmp_path / "about.html").write_text("about")
    (tmp_path / "lib.js").write_text("lib")
    with StaticServer(tmp_path, {"/js/lib.js": "/lib.js"}) as server:
        for path, text in (("/about.html?x=1", b"about"), ("/about", b"about"), ("/deep/js/lib.js", b"lib")):
            with urlopen(server.url + path) as answer:
                assert answer.read() == text
        with urlopen(server.url + "/about.html") as answer:
            assert answer.headers["Cache-Control"] == "no-store"  # or it would come from the store when offline
        with pytest.raises(HTTPError, match="404") as failure:
            urlopen(server.url + "/../secret")
        failure.value.close()


def test_fails_on_demand_and_holds_until_released():
    server = FaultServer()
    try:
        with pytest.raises(HTTPError, match="500") as failure:
            urlopen(server.url + "/status/500")
        failure.value.close()
        answers = []

        def ask():
            with urlopen(server.url + "/hold") as answer:
                answers.append(answer.status)

        waiting = threading.Thread(target=ask)
        waiting.start()
        waiting.join(0.5)
        assert answers == []
        server.release()
        waiting.join(10)
        assert answers == [200]
    finally:
        server.close()

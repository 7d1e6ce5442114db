"""The server as programs ask it: answers, limits, refusals."""

from __future__ import annotations

import base64
import http.client
import json
import logging
import re
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import jsonschema
import numpy as np
import pytest
from audit_runs import StubCritic, click, draw_screen, make_verdict, write_run, zip_folder
from PIL import Image
from toy_run import EXAMPLES

from viscritic import Critic, Transition, verdict_schema
from viscritic.audit.document import audit_schema
from viscritic.errors import ActionError, ConfigError, DataError, ScreenError, ServerError
from viscritic.serve.client import Client
from viscritic.serve.config import ServeConfig, read_token
from viscritic.verdict import Verdict

EXAMPLE = EXAMPLES / "todo-ticked"
PRE, POST = EXAMPLE / "pre.webp", EXAMPLE / "post.webp"
CLICK = {"action": "click", "x": 334, "y": 363}
PATHS = (
    "/etc/passwd", "../../etc/passwd", str(PRE), "file:///etc/passwd", "http://127.0.0.1:1/x.png", "C:\\a.png",
    "data:text/plain,hello", "data:image/png;base64,/etc/passwd", "", "\u00e9" * 8, "aGVsbG8=",
)  # fmt: skip
TOKEN = "0123456789abcdef0123456789abcdef"


def encoded(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def body(**changed: Any) -> dict[str, Any]:
    return {"pre": encoded(PRE), "post": encoded(POST), "action": CLICK} | changed


def ask(url: str, method: str, path: str, data: Any = None, **headers: str) -> tuple[int, dict[str, str], Any]:
    """Status, headers and JSON (or bytes) of an answer."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    sent = json.dumps(data).encode() if data is not None and not isinstance(data, bytes) else data
    named = {"Content-Type": "application/json"} if sent is not None else {}
    connection.request(method, path, sent, named | {k.replace("_", "-"): v for k, v in headers.items()})
    answer = connection.getresponse()
    read = answer.read()
    connection.close()
    got = {name.lower(): value for name, value in answer.getheaders()}
    return answer.status, got, json.loads(read) if got.get("content-type") == "application/json" else read


def without_time(verdict: Verdict) -> dict[str, Any]:
    return {name: value for name, value in verdict.to_dict().items() if name != "elapsed_ms"}


@pytest.fixture
def client(real_server: str) -> Client:
    return Client(real_server)


class TestAnswers:
    """What the server says is what the critic says."""

    def test_one(self, client: Client, shipped: Critic) -> None:
        expected = shipped.score(PRE, POST, CLICK, "Tick 'Buy oat milk'", "Cross off the oat milk")
        answer = client.score(PRE, POST, CLICK, "Tick 'Buy oat milk'", "Cross off the oat milk")
        assert without_time(answer) == without_time(expected)
        np.testing.assert_allclose(answer.attention.weights, expected.attention.weights, atol=1e-6)
        assert answer.heatmap(POST).size == (1280, 800)

    def test_many_are_judged_as_each_alone(self, client: Client, shipped: Critic) -> None:
        transitions = [
            Transition(PRE, POST, CLICK, "Tick 'Buy oat milk'"),
            Transition(POST, PRE, "pyautogui.click(700, 200)"),
            Transition(np.array(Image.open(PRE)), Image.open(PRE), [CLICK], burst=[PRE.read_bytes()], idle=[PRE]),
        ]
        answers = client.score_many(transitions)
        assert [without_time(a) for a in answers] == [without_time(v) for v in shipped.score_many(transitions)]

    def test_the_answer_fits_the_published_schema(self, real_server: str) -> None:
        status, _, verdict = ask(real_server, "POST", "/v1/score", body(instruction="Tick it"))
        assert status == 200
        jsonschema.validate(verdict, verdict_schema())

    def test_screens_as_data_urls(self, real_server: str) -> None:
        url = f"data:image/webp;base64,{encoded(PRE)}"
        assert ask(real_server, "POST", "/v1/score", body(pre=url))[0] == 200

    def test_an_audit(self, client: Client, tmp_path: Path) -> None:
        run = write_run(tmp_path / "run", ["a", "b", "b"], [click(10, 10), click(200, 90)], task="Reach b")
        audit = client.audit(zip_folder(run, tmp_path / "run.zip"), screens=True)
        jsonschema.validate(audit, audit_schema())
        assert (audit["name"], audit["format"], audit["summary"]["steps"]) == ("run.zip", "folder", 2)
        assert audit["trajectories"][0]["id"] == "run"  # by the zip's name, as the files lie at its top
        assert audit["trajectories"][0]["steps"][1]["findings"][0]["kind"] == "no_op"
        assert len(audit["screens"]) == 2

    @pytest.mark.parametrize("name", ["../../x", "a/b\\c.zip", "", ".zip", "\u00e9" * 200])
    def test_odd_names(self, real_server: str, tmp_path: Path, name: str) -> None:
        data = zip_folder(write_run(tmp_path / "run", ["a", "b"], [click(10, 10)]), tmp_path / "run.zip").read_bytes()
        path = f"/v1/audit?{urlencode({'name': name})}"
        status, _, audit = ask(real_server, "POST", path, data, Content_Type="application/zip")
        assert (status, audit["name"]) == (200, name)

    def test_a_trace(self, client: Client) -> None:
        trace = Path(__file__).parents[1] / "data_prep" / "recorded" / "playwright" / "trace.zip"
        audit = client.audit(trace)
        assert (audit["format"], audit["trajectories"][0]["id"]) == ("playwright", "trace")

    def test_an_audit_as_lines(self, real_server: str, tmp_path: Path) -> None:
        zipped = zip_folder(write_run(tmp_path / "run", ["a", "b"], [click(10, 10)]), tmp_path / "run.zip")
        headers = {"Accept": "application/x-ndjson", "Content_Type": "application/zip"}
        _, _, read = ask(real_server, "POST", "/v1/audit", zipped.read_bytes(), **headers)
        first, *_, last = [json.loads(line) for line in read.splitlines()]
        assert first == {"done": 0, "steps": 1}
        jsonschema.validate(last["audit"], audit_schema())


class TestDescription:
    def test_verdicts_are_the_published_ones(self, real_server: str) -> None:
        _, _, described = ask(real_server, "GET", "/openapi.json")
        published = json.dumps(verdict_schema()).replace("#/$defs/", "#/components/schemas/Verdict/$defs/")
        expected = {k: v for k, v in json.loads(published).items() if k not in ("$schema", "$id")}
        assert described["components"]["schemas"]["Verdict"] == expected
        answer = described["paths"]["/v1/score"]["post"]["responses"]["200"]
        assert answer["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Verdict"}

    def test_it_describes_the_answers(self, real_server: str) -> None:
        _, _, described = ask(real_server, "GET", "/openapi.json")
        for status, sent in ((200, body()), (422, body(pre="nothing"))):
            got, _, answer = ask(real_server, "POST", "/v1/score", sent)
            assert got == status
            content = described["paths"]["/v1/score"]["post"]["responses"][str(status)]["content"]
            jsonschema.validate(answer, described | content["application/json"]["schema"])
        many = described["paths"]["/v1/score_many"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema.validate(ask(real_server, "POST", "/v1/score_many", {"transitions": [body()]})[2], described | many)

    def test_every_reference_leads_somewhere(self, real_server: str) -> None:
        _, _, described = ask(real_server, "GET", "/openapi.json")
        references = set(re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(described)))
        assert len(references) > 5
        for reference in references:
            place = described
            for part in reference.split("/"):
                place = place[part]

    def test_no_page_of_it_asks_another_host(self, real_server: str) -> None:
        assert ask(real_server, "GET", "/docs")[0] == 404
        assert ask(real_server, "GET", "/redoc")[0] == 404


class TestBadInput:
    @pytest.mark.parametrize("slot", ["pre", "post", "burst", "idle"])
    def test_no_path_is_opened_and_no_url_fetched(
        self, start: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, slot: str
    ) -> None:
        critic = StubCritic()
        url, _ = start(critic)
        opened: list[Any] = []
        monkeypatch.setattr("viscritic.screen._read_file", lambda *a: opened.append(a))
        for name in PATHS:
            sent = body(**{slot: [name] if slot in ("burst", "idle") else name})
            status, _, answer = ask(url, "POST", "/v1/score", sent)
            assert (status, answer["error"]["type"]) == (422, "ScreenError"), name
            assert answer["error"]["message"].startswith(slot)
        assert (opened, critic.asked) == ([], [])

    def test_nothing_is_asked_of_an_address_in_a_request(self, start: Callable[..., Any]) -> None:
        url, _ = start()
        with socket.create_server(("127.0.0.1", 0)) as trap:
            trap.settimeout(0.3)
            address = f"http://127.0.0.1:{trap.getsockname()[1]}/a.png"
            ask(url, "POST", "/v1/score", body(pre=address))
            ask(url, "POST", "/v1/score", body(action={"kind": "navigate", "url": address}, instruction=address))
            with pytest.raises(TimeoutError):
                trap.accept()

    @pytest.mark.parametrize(
        ("sent", "field"),
        [
            ({"post": "x", "action": CLICK}, "pre"),
            (body(unknown=1), "unknown"),
            (body(action=None), "action"),
            (body(instruction=7), "instruction"),
            (body(instruction="a" * 10_001), "instruction"),
            (body(burst=["x"] * 17), "burst"),
            (b"{", "body"),
            (b"[" * 100_000, "body"),
        ],
    )
    def test_the_field_is_named(self, start: Callable[..., Any], sent: Any, field: str) -> None:
        url, _ = start()
        status, _, answer = ask(url, "POST", "/v1/score", sent)
        assert status in (400, 422)
        assert answer["error"]["type"] == "RequestError"
        if status == 422:
            assert field in answer["error"]["field"]

    def test_an_action_that_means_nothing(self, start: Callable[..., Any]) -> None:
        url, _ = start()
        status, _, answer = ask(url, "POST", "/v1/score", body(action={"kind": "teleport"}))
        assert (status, answer["error"]["type"], answer["error"]["field"]) == (422, "ActionError", "kind")
        with pytest.raises(ActionError):
            Client(url).score(PRE, POST, {"kind": "teleport"})

    def test_the_place_among_many_is_named(self, start: Callable[..., Any]) -> None:
        url, _ = start()
        sent = {"transitions": [body(), body(post="nothing"), body()]}
        status, _, answer = ask(url, "POST", "/v1/score_many", sent)
        assert status == 422
        assert answer["error"]["message"].startswith("transitions[1]: post: ")
        assert ask(url, "POST", "/v1/score_many", {"transitions": []})[0] == 422

    @pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
    def test_what_another_site_can_send_unasked(self, start: Callable[..., Any], kind: str) -> None:
        """A page of another site may send these without asking first: they are not read as requests."""
        url, _ = start()
        assert ask(url, "POST", "/v1/score", body(), Content_Type=kind)[0] in (415, 422)
        assert ask(url, "POST", "/v1/audit", b"PK", Content_Type=kind)[0] == 415

    def test_no_trajectory(self, start: Callable[..., Any], tmp_path: Path) -> None:
        url, _ = start()
        (tmp_path / "a.zip").write_bytes(b"nothing")
        with pytest.raises(DataError) as refused:
            Client(url).audit(tmp_path / "a.zip")
        assert "/tmp" not in str(refused.value)
        with pytest.raises(DataError, match="unknown format"):
            Client(url).audit(tmp_path / "a.zip", format="papyrus")

    def test_a_trajectory_cannot_reach_out(self, start: Callable[..., Any], tmp_path: Path) -> None:
        row = {"pre": "../../../../etc/passwd", "post": "/etc/passwd"}
        folder = tmp_path / "run"
        folder.mkdir()
        (folder / "samples.jsonl").write_text(json.dumps(row))
        (folder / "manifest.json").write_text("{}")
        url, _ = start()
        with pytest.raises(DataError) as refused:
            Client(url).audit(zip_folder(folder, tmp_path / "run.zip"))
        assert "root:" not in str(refused.value)


class TestLimits:
    def test_body(self, start: Callable[..., Any]) -> None:
        url, _ = start(max_body=1000)
        status, _, answer = ask(url, "POST", "/v1/score", body())
        assert (status, answer["error"]["type"]) == (413, "BodyError")

    def test_a_body_of_unstated_length(self, start: Callable[..., Any]) -> None:
        url, _ = start(max_body=1000)
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
        connection.request("POST", "/v1/score", iter([b"x" * 600] * 3), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["error"]["type"]) == (413, "BodyError")
        connection.close()

    def test_a_body_that_does_not_come(self, start: Callable[..., Any]) -> None:
        url, _ = start(body_seconds=0.2)
        with socket.create_connection(("127.0.0.1", urlsplit(url).port), timeout=30) as slow:
            slow.sendall(
                b"POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 50\r\n\r\n{"
            )
            assert b" 408 " in slow.recv(100)

    def test_pixels(self, start: Callable[..., Any]) -> None:
        url, _ = start(max_pixels=1_000_000)
        with pytest.raises(ScreenError, match="over the limit of 1000000"):
            Client(url).score(PRE, POST, CLICK)

    def test_transitions_of_one_request(self, start: Callable[..., Any]) -> None:
        url, _ = start(max_many=2)
        assert ask(url, "POST", "/v1/score_many", {"transitions": [body()] * 3})[0] == 422

    def test_steps_and_size_of_an_audit(self, start: Callable[..., Any], tmp_path: Path) -> None:
        zipped = zip_folder(write_run(tmp_path / "r", ["a", "b", "c"], [click(1, 1), click(2, 2)]), tmp_path / "r.zip")
        with pytest.raises(DataError, match="2 steps, more than the 1"):
            Client(start(max_steps=1)[0]).audit(zipped)
        with pytest.raises(ServerError) as refused:
            Client(start(max_archive=100)[0]).audit(zipped)
        assert refused.value.status == 413
        with pytest.raises(DataError, match="unpacks to more than"):
            bomb = tmp_path / "bomb"
            bomb.mkdir()
            (bomb / "zeros").write_bytes(bytes(1_000_000))
            import zipfile

            with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(bomb / "zeros", "zeros")
            Client(start(max_archive=10_000)[0]).audit(tmp_path / "bomb.zip")


class SlowCritic(StubCritic):
    """Judges when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        self.begun = threading.Semaphore(0)

    def score(self, *arguments: Any, **named: Any) -> Verdict:
        self.begun.release()
        assert self.go.wait(30)
        return super().score(*arguments, **named)


class TestBackPressure:
    def test_more_than_the_queue_holds_is_refused(self, start: Callable[..., Any]) -> None:
        critic = SlowCritic()
        url, server = start(critic, workers=1, queue=2, max_many=2)
        with ThreadPoolExecutor(4) as pool:
            accepted = [pool.submit(ask, url, "POST", "/v1/score", body()) for _ in range(2)]
            while server.pool.open < 2:
                time.sleep(0.01)
            status, headers, answer = ask(url, "POST", "/v1/score", body())
            assert (status, answer["error"]["type"]) == (429, "BusyError")
            assert 1 <= int(headers["retry-after"]) <= 60
            assert ask(url, "POST", "/v1/score_many", {"transitions": [body()]})[0] == 429
            assert ask(url, "GET", "/healthz/ready")[0] == 503
            assert ask(url, "GET", "/healthz/live")[0] == 200
            critic.go.set()
            assert [future.result()[0] for future in accepted] == [200, 200]
        assert ask(url, "GET", "/healthz/ready")[0] == 200
        assert server.pool.open == 0

    def test_the_client_waits_and_tries_again(self, start: Callable[..., Any], monkeypatch: Any) -> None:
        critic = SlowCritic()
        url, server = start(critic, workers=1, queue=1, max_many=1)
        waits: list[float] = []

        def wait(seconds: float) -> None:
            waits.append(seconds)
            critic.go.set()
            while server.pool.open:
                threading.Event().wait(0.01)

        monkeypatch.setattr("viscritic.serve.client.time.sleep", wait)
        with ThreadPoolExecutor(1) as pool:
            first = pool.submit(ask, url, "POST", "/v1/score", body())
            critic.begun.acquire()
            assert Client(url).score(PRE, POST, CLICK).state == "confirmed"
            assert first.result()[0] == 200
        assert len(waits) == 1
        assert waits[0] >= 1

    def test_an_impatient_client_is_told(self, start: Callable[..., Any]) -> None:
        critic = SlowCritic()
        url, _ = start(critic, workers=1, queue=1, max_many=1)
        with ThreadPoolExecutor(1) as pool:
            first = pool.submit(ask, url, "POST", "/v1/score", body())
            critic.begun.acquire()
            with pytest.raises(ServerError) as refused:
                Client(url, patience=0).score(PRE, POST, CLICK)
            assert refused.value.status == 429
            critic.go.set()
            first.result()

    def test_one_audit_at_a_time(self, start: Callable[..., Any], tmp_path: Path) -> None:
        critic = SlowCritic()
        url, _ = start(critic)
        zipped = zip_folder(write_run(tmp_path / "run", ["a", "b"], [click(1, 1)]), tmp_path / "r.zip")
        with ThreadPoolExecutor(1) as pool:
            first = pool.submit(Client(url).audit, zipped)
            critic.begun.acquire()
            with pytest.raises(ServerError) as refused:
                Client(url, patience=0).audit(zipped)
            assert refused.value.status == 429
            critic.go.set()
            assert first.result()["summary"]["steps"] == 1
        assert Client(url).audit(zipped)["summary"]["steps"] == 1


class TestClientsThatGo:
    def send(self, url: str, text: bytes) -> None:
        """Send, and hang up at once."""
        with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0)) as connection:
            connection.sendall(text)

    def request(self, path: str, kind: str, length: int) -> bytes:
        lines = (f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Type: {kind}", f"Content-Length: {length}")
        return "\r\n".join((*lines, "Accept: application/x-ndjson", "", "")).encode()

    def test_in_the_middle_of_a_body(self, start: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
        critic = StubCritic()
        url, server = start(critic)
        self.send(url, self.request("/v1/score", "application/json", 500) + b'{"pre": "')
        self.send(url, self.request("/v1/audit", "application/zip", 500) + b"PK")
        assert ask(url, "POST", "/v1/score", body())[0] == 200
        while server.audits.busy:
            time.sleep(0.01)
        assert (len(critic.asked), server.pool.open) == (1, 0)
        assert "in the server" not in caplog.text

    def test_in_the_middle_of_an_audit(
        self, start: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        temporary = tmp_path / "temporary"
        temporary.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(temporary))
        critic = SlowCritic()
        url, server = start(critic)
        pages = [str(number) for number in range(9)]
        run = write_run(tmp_path / "run", pages, [click(number, 9) for number in range(8)])
        data = zip_folder(run, tmp_path / "run.zip").read_bytes()
        self.send(url, self.request("/v1/audit", "application/zip", len(data)) + data)
        critic.begun.acquire()
        while b'route="/v1/audit"' not in server.metrics.text():  # the news that the client has gone is on its way
            time.sleep(0.01)
        critic.go.set()
        while server.audits.busy:
            time.sleep(0.01)
        assert len(critic.asked) < 8
        assert list(temporary.iterdir()) == []
        assert Client(url).audit(tmp_path / "run.zip")["summary"]["steps"] == 8


class TestWhoMayAsk:
    def test_other_addresses_need_a_token(self) -> None:
        for host in ("0.0.0.0", "192.168.1.5", "::", "example.org"):
            with pytest.raises(ConfigError, match="--token-file"):
                ServeConfig(host=host)
            assert ServeConfig(host=host, token=TOKEN).token == TOKEN
        for host in ("127.0.0.1", "::1", "localhost"):
            assert ServeConfig(host=host).is_local

    def test_the_token_is_asked_for(self, start: Callable[..., Any]) -> None:
        url, _ = start(token=TOKEN)
        for path in ("/v1/score", "/v1/score_many", "/v1/audit", "/metrics", "/openapi.json"):
            status, headers, answer = ask(url, "POST" if "/v1/" in path else "GET", path, body())
            assert (status, headers["www-authenticate"], answer["error"]["type"]) == (401, "Bearer", "TokenError")
        for given in ("Bearer wrong", "Bearer", f"Basic {TOKEN}", f"Bearer {TOKEN}x", TOKEN):
            assert ask(url, "POST", "/v1/score", body(), Authorization=given)[0] == 401
        assert ask(url, "POST", "/v1/score", body(), Authorization=f"Bearer {TOKEN}")[0] == 200
        assert Client(url, token=TOKEN).score(PRE, POST, CLICK).state == "confirmed"
        with pytest.raises(ServerError) as refused:
            Client(url).score(PRE, POST, CLICK)
        assert refused.value.status == 401

    def test_the_page_and_probes_need_none(self, start: Callable[..., Any]) -> None:
        url, _ = start(token=TOKEN)
        for path in ("/", "/assets/page.js", "/assets/viewer.css", "/healthz", "/healthz/live"):
            assert ask(url, "GET", path)[0] == 200
        assert ask(url, "GET", "/assets/../config.py")[0] in (401, 404)
        assert ask(url, "GET", "/assets/__init__.py")[0] == 404

    @pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", ""])
    def test_another_hosts_name_is_refused(self, start: Callable[..., Any], host: str) -> None:
        url, _ = start()
        assert ask(url, "GET", "/healthz", Host=host)[0] in (400, 403)
        assert ask(url, "POST", "/v1/score", body(), Host=host)[0] in (400, 403)

    def test_no_other_site_may_read(self, start: Callable[..., Any]) -> None:
        url, _ = start()
        _, headers, _ = ask(url, "POST", "/v1/score", body(), Origin="https://evil.example")
        assert "access-control-allow-origin" not in headers
        assert ask(url, "OPTIONS", "/v1/score", Origin="https://evil.example")[0] == 405

    def test_tokens_files(self, tmp_path: Path) -> None:
        file = tmp_path / "token"
        file.write_text(f"{TOKEN}\n")
        assert read_token(file) == TOKEN
        for bad in ("", "short", "two words are no token at all", "\u00e9" * 20):
            file.write_text(bad)
            with pytest.raises(ConfigError, match="at least 16"):
                read_token(file)
        with pytest.raises(ConfigError, match="cannot be read"):
            read_token(tmp_path / "none")

    def test_the_token_is_in_no_message(self) -> None:
        assert TOKEN not in repr(ServeConfig(token=TOKEN))


class TestWhatIsTold:
    def test_metrics(self, start: Callable[..., Any]) -> None:
        url, _ = start(StubCritic(["confirmed", "failed"]))
        for _ in range(3):
            ask(url, "POST", "/v1/score", body())
        ask(url, "POST", "/v1/score", body(pre="nothing"))
        status, headers, read = ask(url, "GET", "/metrics")
        assert (status, headers["content-type"].split(";")[0]) == (200, "text/plain")
        text = read.decode()
        for line in (
            'viscritic_requests_total{route="/v1/score",status="200"} 3.0',
            'viscritic_requests_total{route="/v1/score",status="422"} 1.0',
            'viscritic_verdicts_total{state="confirmed"} 2.0',
            'viscritic_verdicts_total{state="failed"} 1.0',
            "viscritic_queue_transitions 0.0",
            "viscritic_judging_seconds_count 3.0",
        ):
            assert line in text

    def test_no_content_in_the_log(self, start: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
        secret = "hunter2-secret"

        class Broken(StubCritic):
            def score(self, *arguments: Any, **named: Any) -> Verdict:
                raise KeyError(secret)

        url, _ = start(Broken())
        with caplog.at_level(logging.DEBUG):
            status, _, answer = ask(url, "POST", f"/v1/score?{secret}", body(instruction=secret))
            ask(url, "POST", "/v1/score", body(action={"kind": secret}, instruction=secret))
            ask(url, "GET", f"/{secret}")
        assert (status, answer["error"]["type"]) == (500, "InternalError")
        assert secret not in json.dumps(answer)
        assert "POST /v1/score 500" in caplog.text
        assert "KeyError in the server" in caplog.text
        assert secret not in caplog.text

    def test_headers_of_the_page(self, start: Callable[..., Any]) -> None:
        url, _ = start()
        for path in ("/", "/assets/page.js", "/v1/nothing"):
            _, headers, _ = ask(url, "GET", path)
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "http:" not in policy
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"


class TestClient:
    def test_no_server(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        client = Client(f"http://127.0.0.1:{port}", timeout=5)
        assert client.ready() is False
        with pytest.raises(ServerError, match="viscritic serve"):
            client.score(PRE, POST, CLICK)

    @pytest.mark.parametrize("url", ["127.0.0.1:8765", "ftp://a", "http://", "/v1"])
    def test_no_address(self, url: str) -> None:
        with pytest.raises(ServerError, match="no server's address"):
            Client(url)

    def test_a_missing_file_is_told_of_here(self, start: Callable[..., Any]) -> None:
        with pytest.raises(ScreenError, match=r"pre: .*cannot be read"):
            Client(start()[0]).score("none.png", POST, CLICK)

    def test_ready(self, start: Callable[..., Any]) -> None:
        assert Client(start()[0]).ready() is True

    def test_the_answer_of_another_server(self, start: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
        client = Client(start()[0])
        for data in (
            b"<html>",
            b"{}",
            b"[]",
            b'{"success": 1}',
            json.dumps({**make_verdict("failed").to_dict(), "x": 1}).encode(),
        ):
            monkeypatch.setattr(client, "_send", lambda *_, data=data: (200, {}, data))
            with pytest.raises(ServerError):
                client.score(PRE, POST, CLICK)

    def test_pixels_are_sent_without_loss(self, start: Callable[..., Any]) -> None:
        critic = StubCritic()
        array = np.array(draw_screen("a"))
        Client(start(critic)[0]).score(array, Image.fromarray(array), CLICK)
        pre, post, *_ = critic.asked[0]
        np.testing.assert_array_equal(pre, array)
        np.testing.assert_array_equal(post, array)

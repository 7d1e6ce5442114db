"""Load a server with good, bad and rude clients, and stop it in the middle of the load.

    pip install 'viscritic[serve]'
    python scripts/load_test.py --clients 50 --minutes 10

The clients take turns at: transitions to judge (half of all requests), a body over the limit, broken JSON, a path
instead of a screen, a connection dropped in the middle of its body, and one that reads its answer slowly. Every answer
must be a documented one, the server's memory must not grow, and SIGTERM must lose nothing that was accepted. The last
line says so; the exit code is 1 where it does not hold. What is printed is Markdown.
"""

from __future__ import annotations

import argparse
import base64
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from viscritic.cli.ending import bad_input_told

EXAMPLES: Final = Path(__file__).resolve().parents[1] / "examples"
MAIN: Final = "from viscritic.cli import main; main()"
JSON: Final = {"Content-Type": "application/json"}
PATHS: Final = b'{"pre": "/etc/passwd", "post": "/etc/passwd", "action": "wait()"}'
LIMIT_MB: Final = 4
MOST_GROWTH: Final = 1.15  # of the server's memory from the first fifth of the time to the end


class Load:
    """What the clients share: the address, the requests, what came back.

    Attributes:
        answers: how often each kind of request got each status; "closed" where the port was closed or the line cut.
        seconds: how long each judged request took.
        unexpected: answers that are not documented.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.stop = threading.Event()
        self.stopping = False
        self.answers: Counter[tuple[str, str]] = Counter()
        self.seconds: list[float] = []
        self.unexpected: list[str] = []
        self.bodies = [self._body(folder.parent) for folder in sorted(EXAMPLES.glob("*/transition.json"))]
        self._lock = threading.Lock()
        self._kinds: dict[str, tuple[Callable[[int], str], tuple[str, ...]]] = {
            "judged": (self._judged, ("200", "429")),
            "oversize": (lambda _: self._ask(b"x" * (LIMIT_MB << 20) + b"xx"), ("413",)),
            "broken": (lambda _: self._ask(b'{"pre": '), ("422",)),
            "path": (lambda _: self._ask(PATHS), ("422", "429")),
            "dropped": (self._dropped, ("gone",)),
            "slow": (self._slow, ("200", "429")),
        }  # fmt: skip

    def client(self, number: int) -> None:
        """One client: a request after the other until it is told to stop."""
        turn = number
        names = [name for other in tuple(self._kinds)[1:] for name in ("judged", other)]
        while not self.stop.is_set():
            name = names[turn % len(names)]
            run, documented = self._kinds[name]
            try:
                status = run(turn)
            except (OSError, http.client.HTTPException) as error:
                status = "closed"
                if not self.stopping:
                    self.unexpected.append(f"{name}: {error!r}")
            with self._lock:
                self.answers[name, status] += 1
                if status not in (*documented, "closed"):
                    self.unexpected.append(f"{name}: {status}")
            if status == "closed" and self.stopping:
                return
            turn += 1
            if status == "429":
                self.stop.wait(0.2)  # less than it is asked to: that is the load

    def _body(self, folder: Path) -> bytes:
        example = json.loads((folder / "transition.json").read_text())
        screens = {name: base64.b64encode((folder / example[name]).read_bytes()).decode() for name in ("pre", "post")}
        return json.dumps({**screens, "action": example["action"], "instruction": example["instruction"]}).encode()

    def _ask(self, body: bytes) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            try:
                connection.request("POST", "/v1/score", body, JSON)
            except (BrokenPipeError, ConnectionResetError):
                return "413" if len(body) > LIMIT_MB << 20 else "closed"  # it is refused before all of it is sent
            return str(connection.getresponse().status)
        finally:
            connection.close()

    def _judged(self, turn: int) -> str:
        start = time.perf_counter()
        status = self._ask(self.bodies[turn % len(self.bodies)])
        if status == "200":
            self.seconds.append(time.perf_counter() - start)
        return status

    def _raw(self, body: bytes) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=300)
        lines = ("POST /v1/score HTTP/1.1", "Host: localhost", "Content-Type: application/json")
        connection.sendall("\r\n".join((*lines, f"Content-Length: {len(body)}", "", "")).encode())
        return connection

    def _dropped(self, turn: int) -> str:
        body = self.bodies[turn % len(self.bodies)]
        with self._raw(body) as connection:
            connection.sendall(body[: len(body) // 2])
        return "gone"

    def _slow(self, turn: int) -> str:
        body = self.bodies[turn % len(self.bodies)]
        with self._raw(body) as connection:
            connection.sendall(body)
            read = connection.recv(64)
            time.sleep(1)
            while connection.recv(512) and not self.stop.wait(0.01):
                pass
        found = re.match(rb"HTTP/1.1 (\d+)", read)
        return found[1].decode() if found else "closed"


def memory_mb(pid: int) -> float:
    """Resident memory of a process (Linux)."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else float("nan")


def run(clients: int, minutes: float, workers: int) -> bool:
    """Load, watch, stop; whether all held."""
    options = ["--port", "0", "--workers", str(workers), "--max-body", str(LIMIT_MB)]
    command = [sys.executable, "-c", MAIN, "serve", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        load = Load(int(re.findall(r":(\d+)", server.stderr.readline())[0]))
        log: list[str] = []
        reader = threading.Thread(target=lambda: log.extend(server.stderr or ()))
        threads = [threading.Thread(target=load.client, args=(number,)) for number in range(clients)]
        for thread in (reader, *threads):
            thread.start()
        time.sleep(12 * minutes)
        early = memory_mb(server.pid)
        time.sleep(48 * minutes)
        late, busy = memory_mb(server.pid), os.getloadavg()[1]
        load.stopping = True
        server.send_signal(signal.SIGTERM)  # in the middle of the load
        code = server.wait()
        load.stop.set()
        for thread in (*threads, reader):
            thread.join()
    told = sum("POST /v1/score 200" in line for line in log)
    got = load.answers["judged", "200"] + load.answers["slow", "200"]
    print(f"| {clients} clients, {minutes:g} min, {workers} workers | |\n|---|---|")
    for (name, status), count in sorted(load.answers.items()):
        print(f"| {name}: {status} | {count} |")
    latency = np.percentile(load.seconds, [50, 95, 99]) if load.seconds else np.full(3, np.nan)
    shares = ", ".join(f"{value:.2f}" for value in latency)
    print(f"| verdicts | {got}, {got / 60 / minutes:.1f} a second |")
    print(f"| seconds of a verdict, its waiting included: median, p95, p99 | {shares} |")
    print(f"| the server's memory after a fifth of the time, at the end | {early:.0f} MB, {late:.0f} MB |")
    print(f"| exit code after SIGTERM; verdicts by the server's log, received | {code}; {told}, {got} |")
    print(f"| load of the machine at the end | {busy:.1f} on {os.cpu_count()} processors |")
    defects = [line for line in log if "ERROR" in line]
    held = not load.unexpected and not defects and code == 0 and told == got and late < MOST_GROWTH * early
    for line in [*load.unexpected, *defects][:20]:
        print(f"unexpected: {line.strip()}")
    print("held" if held else "DID NOT HOLD")
    return held


def main() -> None:
    """Read the options, run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    sys.exit(0 if run(chosen.clients, chosen.minutes, chosen.workers) else 1)


if __name__ == "__main__":
    with bad_input_told():
        main()

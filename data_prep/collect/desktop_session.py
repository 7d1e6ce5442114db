"""A desktop of one's own: its processes, and lines of JSON to talk to them."""

from __future__ import annotations

import json
import os
import pwd
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from data_prep.collect.driver import HungError
from data_prep.collect.processes import end_tree
from viscritic.errors import DataError

SYSTEM_PYTHON: Final = "/usr/bin/python3"  # Debian's own: PyGObject is there
PROGRAMS: Final = ("Xvfb", "openbox", "dbus-daemon", SYSTEM_PYTHON)
INSTALL: Final = "run  bash scripts/install_desktop.sh  (Debian packages)"
_HERE: Final = Path(__file__).parent
_BOUND: Final = 30.0  # seconds that an answer may take
_GTK: Final = "import gi; gi.require_version('Gtk', '3.0'); from gi.repository import Gio, Gtk"


class Channel:
    """A process that answers each line of JSON with one.

    Args:
        command: what is run, in the background, until `close`.
        name: what messages call it.
    """

    def __init__(self, command: Sequence[str], name: str, **options: Any) -> None:
        self._name = name
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
            start_new_session=True, **options,
        )  # fmt: skip
        self._rest = b""

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def ask(self, **words: Any) -> dict[str, Any]:
        """The answer to a request.

        Raises:
            HungError: none comes, or the process has ended.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(words).encode() + b"\n")
        except OSError as error:
            raise HungError(f"{self._name} has ended") from error
        return self.hear()

    def hear(self) -> dict[str, Any]:
        """The next line that the process says."""
        assert self._process.stdout is not None
        number, deadline = self._process.stdout.fileno(), time.monotonic() + _BOUND
        while b"\n" not in self._rest:
            ready, _, _ = select.select([number], [], [], max(0.0, deadline - time.monotonic()))
            words = os.read(number, 1 << 20) if ready else b""
            if not words:
                raise HungError(f"{self._name} {'has ended' if ready else 'does not answer'}")
            self._rest += words
        line, _, self._rest = self._rest.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self, patience: float = 0.0) -> None:
        """End it: its standard input first, then after `patience` seconds by its id."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        end_tree(self._process.pid)
        self._process.wait()


class DesktopSession:
    """An X server on a free display, a message bus, a window manager, and two helpers that read and draw.

    Started as root, all of it runs as the user `nobody`: some applications refuse to run as root, or say so.

    Args:
        size: (width, height) of the screen in pixels.
        theme: of the window manager.

    Raises:
        DataError: something does not start; the message names the way out.
    """

    def __init__(self, size: tuple[int, int], theme: str) -> None:
        user = pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else None
        wanted = json.dumps({"size": size, "theme": theme, "user": user})
        self._channels: list[Channel] = []
        self._keeper = Channel(
            [sys.executable, "-m", "data_prep.collect.desktop_keeper", wanted], "the desktop's keeper"
        )
        try:
            told = self._keeper.hear()
            if "error" in told:
                raise DataError(f"no desktop: {told['error']}; {INSTALL}")
            self.environment: dict[str, str] = told["environment"]
            self.display = self.environment["DISPLAY"]
            self.pids: tuple[int, ...] = tuple(told["pids"])  # the X server and the window manager
            self.reader = self._help("desktop_reader.py", user)
            self.stage = self._help("desktop_stage.py", user)
        except BaseException:
            self.close()
            raise

    @property
    def home(self) -> Path:
        """The home folder of the applications; it goes with the session."""
        return Path(self.environment["HOME"])

    def _help(self, script: str, user: int | None) -> Channel:
        """A helper in the system's Python, which may not be able to read this project's files."""
        command = [SYSTEM_PYTHON, "-c", (_HERE / script).read_text("utf-8")]
        options: dict[str, Any] = {} if user is None else {"user": user, "group": user, "extra_groups": []}
        channel = Channel(command, script.removesuffix(".py"), env=self.environment, cwd=self.home, **options)
        self._channels.append(channel)
        return channel

    def run(self, command: Sequence[str], environment: Mapping[str, str]) -> int:
        """Start a program in the desktop; its process id."""
        return int(self._keeper.ask(run=list(command), environment=dict(environment))["pid"])

    def status(self, pid: int) -> int | None:
        """The exit status of a program that `run` started, negative where a signal ended it; None while it runs."""
        status = self._keeper.ask(status=pid)["status"]
        return None if status is None else int(status)

    def end_programs(self) -> None:
        """End whatever `run` started, and what that started."""
        self._keeper.ask(end=True)

    def give(self, path: Path) -> None:
        """Let the desktop's user own a file or folder, with all that is in it."""
        if os.geteuid() == 0:
            home = self.home.stat()
            for entry in (path, *path.rglob("*")):
                os.chown(entry, home.st_uid, home.st_gid)

    def close(self) -> None:
        """End everything; more than once does no harm."""
        channels, self._channels = self._channels, []
        for channel in channels:
            channel.close()
        self._keeper.close(10.0)


def missing_programs(programs: Sequence[str]) -> list[str]:
    """The desktop's own programs and an application's that are not installed."""
    return [program for program in (*PROGRAMS, *programs) if shutil.which(program) is None]


def check_installed(*programs: str) -> None:
    """Make sure that the desktop's programs are there, and an application's.

    Raises:
        DataError: one is missing; the message names it and the way out.
    """
    if missing := missing_programs(programs):
        raise DataError(f"{missing[0]} is not installed: {INSTALL}")
    if subprocess.run([SYSTEM_PYTHON, "-c", _GTK], capture_output=True, check=False).returncode:
        raise DataError(f"{SYSTEM_PYTHON} has no PyGObject with GTK 3: {INSTALL}")

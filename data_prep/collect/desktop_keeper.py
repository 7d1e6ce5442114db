"""Keeps a desktop of its own: X server, message bus, window manager and whatever runs there.

    python -m data_prep.collect.desktop_keeper '{"size": [1280, 800], "theme": "Clearlooks", "user": 65534}'

It says where everything is in one line of JSON, then reads a line for each program to start or to ask after, and ends
all of it, with every file and socket, when its standard input ends: also when whoever started it was killed.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from data_prep.collect.processes import KEEPER, adopt_orphans, descendants, end_tree, name_process

_DEATH_SIGNAL: Final = 1  # prctl(2): the signal that a process gets when its parent dies
_SOCKETS: Final = Path("/tmp/.X11-unix")
_KEPT: Final = ("at-spi", "dbus-daemon")  # services that applications share: the accessibility bus
_WAIT: Final = 25.0  # seconds that a part may take to start
_WINDOWS: Final = """<?xml version="1.0"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
<theme><name>{theme}</name><animateIconify>no</animateIconify></theme>
<focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
<desktops><number>1</number></desktops>
<keyboard></keyboard>
<mouse><dragThreshold>8</dragThreshold>
<context name="Titlebar"><mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/>
</mousebind><mousebind button="Left" action="Drag"><action name="Move"/></mousebind></context>
<context name="Client"><mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/>
</mousebind></context>
<context name="Close"><mousebind button="Left" action="Click"><action name="Close"/></mousebind></context>
<context name="Maximize"><mousebind button="Left" action="Click"><action name="ToggleMaximize"/></mousebind>
</context>
<context name="Iconify"><mousebind button="Left" action="Click"><action name="Iconify"/></mousebind></context>
</mouse></openbox_config>"""


class Keeper:
    """The desktop. `start` builds it, `close` removes it; between them `run` starts programs in it."""

    def __init__(self, size: tuple[int, int], theme: str, user: int | None) -> None:
        self._size, self._theme, self._user = size, theme, user
        self._children: dict[int, subprocess.Popen[bytes]] = {}
        self._programs: set[int] = set()  # what `run` started
        self._folder: Path | None = None
        self._socket: Path | None = None

    def start(self) -> dict[str, Any]:
        """Everything that a desktop needs; where it is."""
        if os.geteuid() == 0:  # the X server makes it as well, but with another owner
            _SOCKETS.mkdir(mode=0o1777, exist_ok=True)
            _SOCKETS.chmod(0o1777)
        width, height = self._size
        server = ["Xvfb", "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset", "-displayfd"]
        number = self._start_telling(server, signal.SIGTERM)
        self._socket = _SOCKETS / f"X{number}"
        self._folder = _make_folder(number, self._user)
        bus = f"unix:path={self._folder}/bus"
        self._environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "Europe/Paris", "DISPLAY": f":{number}",
            "HOME": str(self._folder / "home"), "USER": "user", "XDG_RUNTIME_DIR": str(self._folder / "run"),
            "DBUS_SESSION_BUS_ADDRESS": bus,
        }  # fmt: skip
        self._start_telling(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address", bus, "--print-address"]
        )
        self._bus = list(self._children)[-1]
        settings = self._folder / "openbox.xml"
        settings.write_text(_WINDOWS.format(theme=self._theme), "utf-8")
        command = ["openbox", "--sm-disable", "--config-file", str(settings)]
        windows = self._start(command, self._environment, signal.SIGKILL)
        return {"environment": self._environment, "pids": [next(iter(self._children)), windows.pid]}

    def run(self, command: Sequence[str], environment: Mapping[str, str]) -> int:
        """Start a program in the desktop; its process id, which is the session of all that it starts."""
        pid = self._start(command, {**self._environment, **environment}, signal.SIGKILL).pid
        self._programs.add(pid)
        return pid

    def end_programs(self) -> None:
        """End whatever `run` started, and what that started or had the message bus start; the desktop stays."""
        services = set(descendants(self._bus))
        for pid in descendants(os.getpid()):
            with suppress(OSError):
                name = Path(f"/proc/{pid}/comm").read_text()
                if os.getsid(pid) in self._programs or (pid in services and not name.startswith(_KEPT)):
                    end_tree(pid)
        for pid in self._programs:
            self._children.pop(pid).poll()
        self._programs.clear()

    def status(self, pid: int) -> int | None:
        """The exit status of a program that `run` started, negative where a signal ended it; None while it runs."""
        return self._children[pid].poll() if pid in self._children else 0

    def _start(
        self, command: Sequence[str], environment: Mapping[str, str], last: signal.Signals, pass_fds: Sequence[int] = ()
    ) -> subprocess.Popen[bytes]:
        user: Any = {} if self._user is None else {"user": self._user, "group": self._user, "extra_groups": []}
        home = environment.get("HOME", "/")
        child = subprocess.Popen(
            command, env=dict(environment), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, pass_fds=pass_fds, cwd=home, start_new_session=True, **user,
            preexec_fn=_die_with_parent(last),  # noqa: PLW1509 - there are no threads here
        )  # fmt: skip
        self._children[child.pid] = child
        return child

    def _start_telling(self, command: Sequence[str], last: signal.Signals = signal.SIGKILL) -> str:
        """Start a program whose last argument wants a file descriptor, and read the line that it writes there."""
        read, write = os.pipe()
        environment = getattr(self, "_environment", {"PATH": "/usr/local/bin:/usr/bin:/bin"})
        told = [*command, str(write)] if command[-1] == "-displayfd" else [*command[:-1], f"{command[-1]}={write}"]
        try:
            child = self._start(told, environment, last, (write,))
            os.close(write)
            deadline = time.monotonic() + _WAIT
            os.set_blocking(read, False)
            words = b""
            while not words.endswith(b"\n"):
                with suppress(BlockingIOError):
                    words += os.read(read, 500)
                if child.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{command[0]} does not start")
                time.sleep(0.005)
        finally:
            os.close(read)
        return words.decode().strip()

    def close(self) -> None:
        """End every program; then no file, lock or socket is left."""
        server = next(iter(self._children), None)  # the first that was started: the X server
        for pid in descendants(os.getpid()):
            if pid != server:
                end_tree(pid)
        if server is not None:
            self._children[server].terminate()
            with suppress(subprocess.TimeoutExpired):
                self._children[server].wait(2)
            end_tree(server)
        if self._socket is not None:
            self._socket.unlink(missing_ok=True)
            Path(f"/tmp/.X{self._socket.name[1:]}-lock").unlink(missing_ok=True)
        if self._folder is not None:
            _remove(self._folder)


def _die_with_parent(last: signal.Signals) -> Callable[[], None]:
    library = ctypes.CDLL(None)  # loaded before the fork

    def ask() -> None:
        library.prctl(_DEATH_SIGNAL, int(last), 0, 0, 0)

    return ask


def _make_folder(number: str, user: int | None) -> Path:
    """A folder that no other desktop has: a display's number is its own. What a killed one left there is removed."""
    folder = Path(f"/tmp/desk{number}")
    if folder.is_symlink():
        folder.unlink()
    _remove(folder)
    for path in (folder, folder / "home", folder / "run"):
        path.mkdir(mode=0o700)
        if user is not None:
            os.chown(path, user, user)
    return folder


def _remove(folder: Path) -> None:
    for parent, _, _ in os.walk(folder):  # an application may have locked itself out of a folder
        with suppress(OSError):
            Path(parent).chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def keep(size: tuple[int, int], theme: str, user: int | None) -> None:
    """Run a desktop until standard input ends."""
    name_process(KEEPER)
    adopt_orphans()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # standard input says when
    keeper = Keeper(size, theme, user)
    try:
        _say(keeper.start())
        for line in sys.stdin:
            words = json.loads(line)
            if "run" in words:
                _say({"pid": keeper.run(words["run"], words["environment"])})
            elif "end" in words:
                keeper.end_programs()
                _say({})
            else:
                _say({"status": keeper.status(words["status"])})
    except (OSError, RuntimeError) as error:
        _say({"error": str(error)})
    finally:
        keeper.close()


def _say(words: Mapping[str, Any]) -> None:
    with suppress(BrokenPipeError):
        sys.stdout.write(json.dumps(words) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    keep((asked["size"][0], asked["size"][1]), asked["theme"], asked["user"])

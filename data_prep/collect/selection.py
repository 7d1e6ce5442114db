"""Which applications a collection drives: chosen by name or group, and whether all that they need is installed."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from data_prep.collect.apps import APPLICATIONS, missing_programs_of
from data_prep.collect.chromium import find_chromium
from data_prep.collect.desktop_application import DesktopApplication
from data_prep.collect.desktop_session import INSTALL, check_installed
from data_prep.collect.install import default_cache, is_installed
from data_prep.collect.web_application import WebApplication
from viscritic.errors import ConfigError, DataError, MissingExtraError
from viscritic.sample import SPLITS

_GROUPS: Final = " and ".join((", ".join(f"@{split}" for split in SPLITS[:-1]), f"@{SPLITS[-1]}"))
_TOLD: Final = 6  # so many names at most are told of
_MODULES: Final = (("playwright", "web pages"), ("mss", "windows"), ("Xlib", "desktops"))  # of the extra collect


def choose_apps(patterns: Sequence[str]) -> tuple[str, ...]:
    """The applications that names, patterns with `*`, or @train, @val and @test stand for, in the order of
    `APPLICATIONS`.

    Raises:
        ConfigError: a pattern that fits none; the message has the groups, or the nearest names.
    """
    chosen: set[str] = set()
    for pattern in patterns:
        if pattern.startswith("@"):
            if pattern[1:] not in SPLITS:
                raise ConfigError(f"no group of applications is called {pattern!r}; there are {_GROUPS}")
            chosen |= {name for name, make in APPLICATIONS.items() if make().split == pattern[1:]}
        else:
            fits = {name for name in APPLICATIONS if fnmatchcase(name, pattern)}
            if not fits:
                raise ConfigError(f"no application fits {pattern!r}; {near_names(pattern)}")
            chosen |= fits
    return tuple(name for name in APPLICATIONS if name in chosen)


def near_names(name: str) -> str:
    """What to name in place of a name that is none, in words: the nearest names, and the groups."""
    near = get_close_matches(name.strip("*"), APPLICATIONS, n=3, cutoff=0.5)
    return (f"near are {', '.join(near)}; " if near else "") + f"{_GROUPS} name those of a split, * stands for anything"


def check_ready(names: Sequence[str], cache: Path, patterns: Sequence[str] = ()) -> None:
    """Make sure that applications can be started, before anything is.

    Args:
        names: of `APPLICATIONS`.
        cache: where `install` put what they need.
        patterns: how the user named them; where many are missing, the message repeats that.

    Raises:
        MissingExtraError: a module of the extra is missing.
        DataError: a browser, a program or an application is missing; the message names it and the command that
            installs it.
    """
    apps = [APPLICATIONS[name]() for name in names]
    web = [app for app in apps if isinstance(app, WebApplication)]
    desktop = [app for app in apps if isinstance(app, DesktopApplication)]
    windows = bool(desktop) or any(app.headed for app in web)
    for (module, what), is_needed in zip(_MODULES, (bool(web), windows, bool(desktop)), strict=True):
        if is_needed and find_spec(module) is None:
            raise MissingExtraError(f"Collecting from {what}", "collect", module)
    if web:
        find_chromium()
    display = ["Xvfb"] if windows and shutil.which("Xvfb") is None else []
    if missing := missing_programs_of(names) or display:
        raise DataError(f"not installed: {_listed(missing)}; for desktop applications and windows {INSTALL}")
    if desktop:
        check_installed()
    if missing := [app.name for app in web if not is_installed(cache, app.folder)]:
        many = "" if len(missing) < 2 else f" ({len(missing)} of {len(names)} applications)"
        again = missing if len(missing) <= _TOLD else patterns
        place = [] if cache == default_cache() else ["--cache", str(cache)]
        words = [word for name in again for word in ("--apps", name)] + place
        command = shlex.join(["viscritic", "data", "collect", "--install", *words])
        raise DataError(f"not installed in {cache}: {_listed(missing)}{many}: run  {command}")


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _TOLD
    return ", ".join(names[:_TOLD]) + (f" and {more} more" if more > 0 else "")

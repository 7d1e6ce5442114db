"""What the runtime takes beside time: memory, start, space on disk."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

import numpy as np

from viscritic.runtime.bundle import find_bundle

_STARTS: Final = 5
_IMPORT: Final = "from viscritic import Critic"
_LOAD: Final = "from viscritic import Critic; critic = Critic.load({bundle!r}, threads={threads})"
_SCENE: Final = "from viscritic.bench.speed.screens import Scene; pair = Scene({size}).pair('a dialog', 0)"
_SCORE: Final = "critic.score(pair.pre, pair.post, {'kind': 'click', 'x': 9, 'y': 9}, 'Save')"
# kB on Linux. Not getrusage: its peak begins with that of the process that started this one.
_MEMORY: Final = "import re; print(int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]) / 1024)"
_NAME: Final = re.compile(r"[\w.-]+")


def measure_footprint(bundle: str | None, threads: int) -> dict[str, float]:
    """Seconds and megabytes, each measured in processes of their own.

    The peak is that of a process that scores a 1920x1080 pair and a 3840x2160 pair, screens included. The size of an
    installation is that of the files of this package, its bundle, and the packages that it needs, in this environment.
    """
    load = _LOAD.format(bundle=bundle, threads=threads)
    first = [load, _SCENE.format(size="640, 480"), _SCORE]
    both = [
        load,
        *(line for size in ("1920, 1080", "3840, 2160") for line in (_SCENE.format(size=size), _SCORE)),
        _MEMORY,
    ]
    sizes = measure_sizes()
    return {
        "python alone, s": _start("pass"),
        "import Critic, s": _start(_IMPORT),
        "start to first verdict, s": _start("\n".join(first)),
        "peak memory, MB": float(_run("\n".join(both))),
        "bundle, MB": _count(find_bundle(bundle)) / 1e6,
        "runtime installed, MB": sum(sizes.values()),
    } | {f"of it {name}, MB": size for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:6]}


def measure_sizes() -> dict[str, float]:
    """Megabytes of the package and of each package that it needs at run time."""
    package, bundle = Path(__file__).parents[2], find_bundle(None)
    beside = 0 if bundle.is_relative_to(package) else _count(bundle)  # of a source checkout
    sizes = {"viscritic": (_count(package) + beside) / 1e6}
    waiting = list(_needs("viscritic"))
    while waiting:
        name = waiting.pop()
        if name in sizes:
            continue
        files = metadata.files(name) or []
        sizes[name] = (
            sum(path.stat().st_size for path in map(Path, (f.locate() for f in files)) if path.is_file()) / 1e6
        )
        waiting += _needs(name)
    return sizes


def _needs(name: str) -> Iterator[str]:
    """Names of the packages that one needs here, extras left out."""
    for requirement in metadata.requires(name) or ():
        found = _NAME.match(requirement)
        if found and "extra ==" not in requirement and _is_installed(found[0]):
            yield found[0].lower().replace("_", "-")


def _is_installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _count(folder: Path) -> int:
    files = [folder] if folder.is_file() else folder.rglob("*")
    return sum(path.stat().st_size for path in files if path.is_file() and path.suffix != ".pyc")


def _start(code: str) -> float:
    """Median seconds of a new interpreter that runs this."""
    times = []
    for _ in range(_STARTS):
        start = time.perf_counter()
        _run(code)
        times.append(time.perf_counter() - start)
    return float(np.median(times[1:]))


def _run(code: str) -> str:
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=dict(os.environ))
    return ran.stdout

"""`viscritic doctor`: what is installed, and does it work on this machine?"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import viscritic
from viscritic.errors import VisCriticError

if TYPE_CHECKING:
    from viscritic.runtime.bundle import Bundle

_RUNTIME: Final = ("numpy", "pillow", "onnxruntime", "typer", "rich")
# What each extra is known by.
_EXTRAS: Final = {
    "train": ("torch", "timm", "lightning", "hydra"),
    "data": ("pyarrow", "datasets", "skimage"),
    "collect": ("playwright",),
    "serve": ("fastapi", "uvicorn", "prometheus_client"),
    "agent": ("gymnasium", "mcp"),
    "ray": ("ray",),
    "video": ("av",),
    "docs": ("mkdocs", "material", "mkdocstrings"),
    "hub": ("huggingface_hub",),
}
_ROUNDS: Final = 5  # of the measurement; the median counts
_WORDS: Final = {True: "[green]ok[/]", False: "[red]wrong[/]", None: "[dim]-[/]"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the examination.

    Attributes:
        name: what was looked at.
        found: what was found, in words.
        ok: whether it is as it should be; None where nothing depends on it.
        advice: what to do where it is not.
    """

    name: str
    found: str
    ok: bool | None = None
    advice: str = ""


def doctor(
    bundle: Annotated[
        str | None, typer.Option(help="A bundle's folder, zip or hub id; the shipped one if none.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, to go with a report of a problem.")] = False,
) -> None:
    """Examine this installation: versions, extras, providers, the bundle, and its speed here.

    \b
    Exit codes: 0 all well, 1 something is wrong; its line says what to do.

    \b
    viscritic doctor
    viscritic doctor --bundle outputs/bundle --json
    """
    findings = [*_versions(), *_extras(), _providers(), *_examine_bundle(bundle)]
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        _print(findings)
    raise typer.Exit(1 if any(finding.ok is False for finding in findings) else 0)


def _versions() -> list[Finding]:
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count() or 1} cores"
    python = ".".join(map(str, sys.version_info[:3]))
    packages = []
    for name in _RUNTIME:
        try:
            packages.append(f"{name} {version(name)}")
        except PackageNotFoundError:  # vendored, or run from a folder without metadata
            packages.append(f"{name} of unknown version")
    return [
        Finding("viscritic", f"{viscritic.__version__}, Python {python}, {machine}"),
        Finding("packages", ", ".join(packages)),
    ]


def _extras() -> list[Finding]:
    findings = []
    for extra, modules in _EXTRAS.items():
        missing = [module for module in modules if find_spec(module) is None]
        found = "installed" if not missing else f"not installed (no {', '.join(missing)})"
        findings.append(Finding(f"extra {extra}", found, None, f"pip install 'viscritic[{extra}]'" if missing else ""))
    return findings


def _providers() -> Finding:
    import onnxruntime  # noqa: PLC0415  # help shall not wait for it

    available = onnxruntime.get_available_providers()
    ok = "CPUExecutionProvider" in available
    return Finding("providers", ", ".join(available), ok, "" if ok else "pip install --force-reinstall onnxruntime")


def _examine_bundle(source: str | None) -> list[Finding]:
    """The bundle's own check, and how fast it judges here; a bundle that cannot be opened ends the examination."""
    from viscritic.runtime.bundle import Bundle, find_bundle  # noqa: PLC0415
    from viscritic.runtime.golden import replay_golden  # noqa: PLC0415
    from viscritic.runtime.graphs import Graphs  # noqa: PLC0415

    try:
        opened = Bundle(find_bundle(source))
        replays = replay_golden(opened, Graphs(opened, (), None, 0))
        milliseconds = _measure(opened)
    except VisCriticError as error:
        again = "pip install --force-reinstall viscritic" if source is None else "export or fetch this bundle again"
        return [Finding("bundle", str(error), False, again)]
    wrong = [replay.name for replay in replays if not replay.passed]
    config = opened.config
    told = f"{config.name} ({config.precision}, schema {config.schema_version}) in {opened.source}"
    return [
        Finding("bundle", told, True),
        Finding(
            "golden pairs", f"{len(replays) - len(wrong)} of {len(replays)} as where the bundle was made", not wrong,
            f"viscritic check  shows {', '.join(wrong)}" if wrong else "",
        ),
        Finding("speed", f"{milliseconds:.0f} ms for one click on a screen of 1280x800, nothing remembered"),
    ]  # fmt: skip


def _measure(bundle: Bundle) -> float:
    """Median milliseconds of a verdict on the page's example."""
    from viscritic.runtime import Critic  # noqa: PLC0415

    critic = Critic.load(bundle.source, cache=0)
    page = files("viscritic.serve").joinpath("page")
    pre, post = (page.joinpath(f"example-{name}.webp").read_bytes() for name in ("pre", "post"))
    times = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        critic.score(pre, post, {"action": "click", "x": 334, "y": 363}, "Tick 'Buy oat milk'")
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def _print(findings: list[Finding]) -> None:
    console = Console(highlight=False)
    table = Table(show_header=False, box=None, pad_edge=False)
    for finding in findings:
        advice = f"\n[bold]{escape(finding.advice)}[/]" if finding.advice else ""
        table.add_row(_WORDS[finding.ok], escape(finding.name), escape(finding.found) + advice)
    console.print(table)
    wrong = sum(finding.ok is False for finding in findings)
    console.print("all well" if not wrong else f"{wrong} thing{'s' if wrong > 1 else ''} to mend")

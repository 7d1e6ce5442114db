"""`viscritic data ...`: inspect trajectories, build, describe and convert folders of samples.

What the commands need is imported inside them: `--help` must work where the extra `data` is not installed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from viscritic.cli import build, inspect, noise
from viscritic.errors import ConfigError, DataError

_MOST_TIMES: Final = 12  # that are printed

app = typer.Typer(help="Inspect trajectories; collect, build, look at and convert samples.", no_args_is_help=True)
app.command(epilog="Example: viscritic data inspect data/ScreenAgent --sheet steps.png")(inspect.inspect)
app.command(epilog="Example: viscritic data noise samples/observed --sheet wrong.png")(noise.noise)


app.command(epilog="Example: viscritic data build data/ScreenAgent --out samples/screenagent --workers 4")(build.build)
app.command("score", epilog="Example: viscritic data score samples/screenagent --out predictions.jsonl --workers 4")(
    build.score
)
app.command("parquet", epilog="Example: viscritic data parquet samples/screenagent screenagent.parquet")(
    build.write_parquet
)
app.command("push", epilog="Example: viscritic data push samples/screenagent me/screenagent-samples")(build.push_folder)


@app.command(epilog="Example: viscritic data card samples/screenagent")
def card(folder: Annotated[Path, typer.Argument(help="A folder of samples.", show_default=False)]) -> None:
    """Check a folder of samples against its hashes and print its card."""
    from data_prep.card import card_text  # noqa: PLC0415
    from data_prep.collect.card import collected_card  # noqa: PLC0415
    from viscritic.sample_folder import SampleFolder  # noqa: PLC0415

    samples = SampleFolder(folder)
    samples.check()
    write = collected_card if samples.manifest.get("collected") else card_text
    sys.stdout.write(write(samples.manifest))


@app.command(epilog="Example: viscritic data toy --out outputs/toy && python scripts/train.py experiment=tiny")
def toy(
    out: Annotated[Path, typer.Option(help="The folder to write; an older sample folder there is replaced.")],
    trajectories: Annotated[int, typer.Option(min=4, help="Tasks to draw, six steps each.")] = 24,
    seed: Annotated[int, typer.Option(help="Decides every choice.")] = 0,
) -> None:
    """Draw samples of a toy application, to try training and export in a minute."""
    from data_prep.toy import write_toy_samples  # noqa: PLC0415

    manifest = write_toy_samples(out, trajectories=trajectories, seed=seed, command=build.command_line())
    Console().print(f"{manifest['samples']} samples and {manifest['screens']} screens in {out}")


@app.command(epilog="Example: viscritic data draw samples/train --out samples/drawn --number 600")
def draw(
    folder: Annotated[Path, typer.Argument(help="A folder of samples.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The folder to write; an older sample folder there is replaced.")],
    number: Annotated[int, typer.Option(min=1, help="Samples to make.")] = 600,
    seed: Annotated[int, typer.Option(help="Decides every choice.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Draw click marks, pointers and unrelated messages on screens: no-ops that changed, and successes all the same."""
    from data_prep.drawn import draw_samples  # noqa: PLC0415

    manifest = draw_samples(folder, out, number=number, seed=seed, command=build.command_line(), progress=not quiet)
    Console().print(f"{manifest['samples']} samples and {manifest['screens']} screens in {out}")


@app.command(epilog="Example: viscritic data merge samples/screenagent samples/observed --out samples/all")
def merge(
    folders: Annotated[
        list[Path], typer.Argument(help="Folders of samples; each keeps its splits.", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="The folder to write; an older sample folder there is replaced.")],
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Put several folders of samples into one, to train on all of them."""
    from data_prep.merge import merge_samples  # noqa: PLC0415

    manifest = merge_samples(folders, out, command=build.command_line(), progress=not quiet)
    Console().print(build.count_table(manifest["causes_by_split"]))
    Console().print(f"{manifest['samples']} samples and {manifest['screens']} screens in {out}")


@app.command(epilog="Example: viscritic data cut run.mp4 --actions actions.json --out run && viscritic audit run")
def cut(
    video: Annotated[Path, typer.Argument(help="A screen recording.", show_default=False)],
    out: Annotated[Path, typer.Option(help="A new folder for the numbered screens.")],
    actions: Annotated[
        Path | None,
        typer.Option(help="The actions as JSON, each with `time` in seconds; docs/audit.md tells the form."),
    ] = None,
) -> None:
    """Cut a screen recording into numbered screens, to be audited (extra: video).

    With the times of the actions, the screen before each of them and the last one; else a screen wherever the picture
    has come to rest as another one.
    """
    from data_prep.recording import cut_recording  # noqa: PLC0415  # --help must work without the extra

    times = cut_recording(video, out, actions)
    console = Console(soft_wrap=True, highlight=False)
    console.print(f"{len(times)} screens in {out}, at {_seconds(times)} s", markup=False)
    if actions is None:
        console.print(f"look at them, write {out / 'actions.json'} with {len(times) - 1} actions, then:", markup=False)
    console.print(f"viscritic audit {out}", markup=False)


def _seconds(times: list[float]) -> str:
    shown = [f"{time:.1f}" for time in times[:_MOST_TIMES]]
    return ", ".join(shown) + (", ..." if len(times) > _MOST_TIMES else "")


@app.command(
    epilog="Example: viscritic data collect --install; viscritic data collect --out samples/observed --apps 'miniwob-*'"
    " --apps gentelella --hours 2 --workers 2"
)
def collect(  # a command's options
    out: Annotated[Path | None, typer.Option(help="The folder to write; a collection there is continued.")] = None,
    apps: Annotated[
        list[str] | None, typer.Option(help="Applications by name; * stands for anything, @test for those of a split.")
    ] = None,
    hours: Annotated[float, typer.Option(help="Ends after so many hours.")] = 1.0,
    samples: Annotated[int, typer.Option(help="Ends with so many samples; 0 for no such end.")] = 0,
    workers: Annotated[int, typer.Option(help="Processes side by side; each drives a browser of its own.")] = 1,
    seed: Annotated[int, typer.Option(help="Other seeds, other walks.")] = 0,
    cache: Annotated[Path | None, typer.Option(help="Where the applications are installed.")] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Install those of the applications that are missing.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Drive real applications and collect transitions whose outcome the application itself tells."""
    from data_prep.collect.apps import APPLICATIONS, folders_of, missing_programs_of  # noqa: PLC0415
    from data_prep.collect.collect import CollectConfig  # noqa: PLC0415
    from data_prep.collect.collect import collect as run  # noqa: PLC0415
    from data_prep.collect.desktop_session import INSTALL  # noqa: PLC0415
    from data_prep.collect.install import default_cache  # noqa: PLC0415
    from data_prep.collect.install import install as install_apps  # noqa: PLC0415
    from data_prep.collect.selection import check_ready, choose_apps  # noqa: PLC0415

    place = cache or default_cache()
    names = choose_apps(apps) if apps else tuple(APPLICATIONS)
    if install:
        install_apps(place, folders_of(names))
        Console().print(f"the applications are in {place}")
        if missing := missing_programs_of(names):
            Console().print(f"not here: {', '.join(missing)}; for desktop applications {INSTALL}")
    if out is None:
        if not install:
            raise ConfigError("name the folder to write with --out, or install the applications with --install")
        return
    chosen = CollectConfig(names, hours=hours, samples=samples, workers=workers, seed=seed)
    check_ready(names, place, apps or ())
    manifest = run(out, place, chosen, command=build.command_line(), progress=not quiet)
    console = Console()
    console.print(build.count_table(manifest["causes_by_split"]))
    console.print(f"{manifest['samples']} samples and {manifest['screens']} screens in {out}; see {out / 'CARD.md'}")
    lost = manifest["failed_apps"]
    for name, why in lost.items():
        Console(stderr=True, soft_wrap=True).print(f"{name}: every walk failed: {why}", markup=False, highlight=False)
    if not manifest["samples"]:
        raise DataError(f"no sample was made: {next(iter(lost.values()), 'no walk ended in time; try more --hours')}")


@app.command(epilog="Example: viscritic data sheet samples/observed sheet.png --number 40")
def sheet(
    folder: Annotated[Path, typer.Argument(help="A folder of samples.", show_default=False)],
    out: Annotated[Path, typer.Argument(help="The PNG to write.", metavar="OUT.png", show_default=False)],
    number: Annotated[int, typer.Option(help="So many random samples.", min=1, max=200)] = 24,
    seed: Annotated[int, typer.Option(help="Decides which.")] = 0,
    blind: Annotated[bool, typer.Option("--blind", help="Without labels, to label them by eye.")] = False,
) -> None:
    """Draw samples as pictures: the screens before and after, the action's point and the label."""
    from data_prep.collect.sheet import write_sheet  # noqa: PLC0415

    write_sheet(folder, out, number, seed, blind=blind)
    Console(soft_wrap=True, highlight=False).print(f"samples of {folder} are drawn in {out}", markup=False)

"""`viscritic data build`, `parquet`, `push`, `score`: from trajectories to samples, other forms, predictions."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table

from viscritic.cli.engine import Address, Engine, EngineName, Workers, read_engine
from viscritic.cli.format import Format
from viscritic.config import read_config
from viscritic.errors import ConfigError
from viscritic.files import check_file_place

_SHOWN: Final = 5


def build(  # a command's options
    source: Annotated[Path, typer.Argument(help="The folder or file of the data set.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The folder to write; an older sample folder there is replaced.")],
    format: Annotated[  # noqa: A002
        Format | None, typer.Option(help="The data set's layout.", show_default="found out")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Decides every choice.", show_default="0")] = None,
    ratio: Annotated[float | None, typer.Option(help="Negatives for each positive.", show_default="1.6")] = None,
    config: Annotated[
        Path | None, typer.Option(help="A JSON file with further settings (data_prep/config.py names them).")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="End at the first broken row or screen.")] = False,
    engine: Engine = EngineName.LOCAL,
    workers: Workers = 1,
    ray_address: Address = "",
    parquet: Annotated[
        Path | None, typer.Option(help="Write the samples as Parquet too: a file, or a new folder.")
    ] = None,
    push: Annotated[
        str | None, typer.Option(help="Upload them too, as OWNER/NAME of a Hugging Face hub (private).")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Make labelled samples from recorded trajectories.

    What was killed goes on where it stopped when it is started again, and ends with the same samples.
    """
    from data_prep.build import build_samples  # noqa: PLC0415  # --help must work without the extra
    from data_prep.config import BuildConfig  # noqa: PLC0415
    from data_prep.dataset import check_hub_name, check_parquet  # noqa: PLC0415
    from data_prep.detect import detect_format  # noqa: PLC0415
    from data_prep.sources import SOURCES  # noqa: PLC0415

    settings = _read_json(config) if config else {}
    settings |= {key: value for key, value in (("seed", seed), ("ratio", ratio)) if value is not None}
    chosen = read_config(BuildConfig, settings, "build")
    if push is not None:  # an hour of building must not end in a name that is none
        check_hub_name(push)
    if parquet is not None:
        check_parquet(parquet)
        if parquet.absolute().parent not in out.absolute().parents:  # those the build makes
            check_file_place(parquet)
    trajectories = SOURCES[format.value if format else detect_format(source)].read(source, strict=strict)
    manifest = build_samples(
        trajectories, out, chosen, command=command_line(), progress=not quiet,
        engine=read_engine(engine, workers, ray_address), strict=strict,
    )  # fmt: skip
    console = Console()
    console.print(count_table(manifest["causes_by_split"]))
    console.print(f"{manifest['samples']} samples and {manifest['screens']} screens in {out}; see {out / 'CARD.md'}")
    _tell_left_out(console, manifest)
    if parquet is not None:
        write_parquet(out, parquet)
    if push is not None:
        push_folder(out, push)


def _tell_left_out(console: Console, manifest: dict[str, Any]) -> None:
    if not manifest["skipped"] and not manifest["broken_rows"]:
        return
    console.print(f"left out as broken: {manifest['skipped']} trajectories, {manifest['broken_rows']} rows or steps")
    for note in manifest["notes"][:_SHOWN]:
        console.print(f"- {note}", markup=False, highlight=False, soft_wrap=True)
    if len(manifest["notes"]) > _SHOWN:
        console.print(f"... and {len(manifest['notes']) - _SHOWN} more notes in CARD.md")


def write_parquet(
    folder: Annotated[Path, typer.Argument(help="A folder of samples.", show_default=False)],
    out: Annotated[
        Path, typer.Argument(help="A file that ends in .parquet, or a new folder for several.", show_default=False)
    ],
) -> None:
    """Write a folder of samples, screens included, as Parquet."""
    from data_prep.dataset import write_parquet as write  # noqa: PLC0415

    check_file_place(out)
    rows = write(folder, out)
    Console().print(f"{rows} rows in {out}")


def push_folder(
    folder: Annotated[Path, typer.Argument(help="A folder of samples.", show_default=False)],
    name: Annotated[str, typer.Argument(help="OWNER/NAME on the hub.", show_default=False)],
    public: Annotated[bool, typer.Option("--public", help="A data set that is made is for everyone to see.")] = False,
) -> None:
    """Upload a folder of samples, screens included, to a Hugging Face hub.

    HF_TOKEN or `hf auth login` says who you are; HF_ENDPOINT names another hub.
    """
    from data_prep.dataset import push_samples  # noqa: PLC0415

    Console().print(f"pushed to {push_samples(folder, name, private=not public)}", soft_wrap=True)


def score(
    source: Annotated[
        Path, typer.Argument(help="A folder of samples, or trajectories of any layout.", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="The predictions, a line of JSON each.")],
    format: Annotated[  # noqa: A002
        Format | None, typer.Option(help="The trajectories' layout.", show_default="found out")
    ] = None,
    bundle: Annotated[
        str | None, typer.Option(help="A bundle's folder, zip or hub id; the shipped one if none.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="End at the first screen that cannot be read.")] = False,
    engine: Engine = EngineName.LOCAL,
    workers: Workers = 1,
    ray_address: Address = "",
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Judge every stored sample, or every step of trajectories, with a bundle.

    What was killed goes on where it stopped when it is started again.
    """
    from data_prep.scoring import score_stored  # noqa: PLC0415

    found = score_stored(
        source, out, format=format.value if format else None, bundle=bundle, strict=strict, progress=not quiet,
        engine=read_engine(engine, workers, ray_address),
    )  # fmt: skip
    console = Console()
    console.print(f"{found.judged} predictions in {out}", soft_wrap=True)
    if found.left_out:
        console.print(f"left out: {len(found.left_out)} that cannot be read, the first: {found.left_out[0]}",
                      markup=False, soft_wrap=True)  # fmt: skip


def count_table(by_split: dict[str, dict[str, int]]) -> Table:
    """How many samples there are of each class, by split."""
    table = Table("class", *by_split, "all")
    for cause in dict.fromkeys(cause for counts in by_split.values() for cause in counts):
        numbers = [counts.get(cause, 0) for counts in by_split.values()]
        table.add_row(cause, *map(str, [*numbers, sum(numbers)]))
    return table


def command_line() -> str:
    """What the user typed, for a manifest."""
    return shlex.join(["viscritic", *sys.argv[1:]])


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read as JSON: {error}") from error
    if not isinstance(value, dict):
        raise ConfigError(f"{path} must hold a JSON object, got {type(value).__name__}")
    return value

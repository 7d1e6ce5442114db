"""Several sample folders as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from data_prep.progress import progress_bar
from viscritic.sample import SPLITS
from viscritic.sample_folder import SampleFolder, screens_of
from viscritic.sample_writer import SampleWriter


def merge_samples(folders: Sequence[Path], out: Path, *, command: str, progress: bool) -> dict[str, Any]:
    """Write the samples of all folders, in their order and with their splits, as one folder.

    Returns:
        The new folder's manifest.

    Raises:
        DataError: a folder is damaged, or two samples have one id.
    """
    sources = [SampleFolder(folder) for folder in folders]
    parts = {source.path.name: source.manifest["samples_sha256"] for source in sources}
    with (
        SampleWriter(out, command=command, configuration={"folders": parts}, seed=0, card=_card) as writer,
        progress_bar(progress) as bar,
    ):
        for source in sources:
            for sample in bar.track(source, total=len(source), description=f"Merging {source.path.name}"):
                for name in screens_of(sample):
                    writer.add_screen(source.screen_path(name))
                writer.append(sample)
    return writer.manifest


def _card(manifest: Mapping[str, Any]) -> str:
    folders = "\n".join(
        f"- {name}: samples.jsonl {digest}" for name, digest in manifest["configuration"]["folders"].items()
    )
    splits = ", ".join(f"{manifest['counts']['split'].get(split, 0)} {split}" for split in SPLITS)
    return (
        f"# Merged samples\n\n{manifest['samples']} samples ({splits}) of these folders, whose own cards say what they "
        f"are:\n\n{folders}\n"
    )

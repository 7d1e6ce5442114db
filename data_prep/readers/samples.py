"""Our own folders of samples as trajectories: the steps that really happened.

Layout: `samples.jsonl`, `manifest.json` and `screens/` (`viscritic.sample_folder`). Samples that were made from a step
by swapping its parts did not happen and are left out: what stays is `origin` observed, and of the weak ones the classes
positive, aligned, failed and diverged.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from data_prep.readers.images import image_size
from data_prep.readers.paths import name_of, need_any, walk
from data_prep.readers.problems import Problems
from viscritic.errors import DataError
from viscritic.sample import Sample
from viscritic.sample_folder import MANIFEST, ROWS, SampleFolder, is_sample_folder
from viscritic.trajectory import Step, Trajectory

SOURCE: Final = "viscritic"
_HAPPENED: Final = ("positive", "aligned", "failed", "diverged")


def is_samples(path: Path) -> bool:
    """Whether a file is the rows of a sample folder, by its name and its neighbours."""
    return path.name == ROWS and is_sample_folder(path.parent)


def read_samples(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the trajectories of the sample folders under `path`, in the order of their rows.

    A trajectory keeps the source that its samples name. A label of 1/2 or more is a success.

    Args:
        path: a sample folder, or a folder of such.
        strict: a broken row is an error; otherwise the rest of its folder is left out, and told of.

    Raises:
        DataError: no sample folder under `path`; or the first broken row where `strict`.
    """
    for file in need_any(walk(path, is_samples), path, f"sample folder ({ROWS} and {MANIFEST})"):
        problems = Problems(strict)
        try:
            folder = SampleFolder(file.parent)
            for (source, name), samples in groupby(folder, key=lambda sample: (sample.source, sample.trajectory)):
                rows = list(samples)
                yield _trajectory(source, name, rows, folder, problems)
        except DataError as error:
            problems.add(name_of(file, path), error)
            yield problems.attach(Trajectory(f"unread/{name_of(file, path)}", SOURCE, "unknown", "web", "", ()))


def _trajectory(source: str, name: str, rows: list[Sample], folder: SampleFolder, problems: Problems) -> Trajectory:
    real = [row for row in rows if row.origin == "observed" or row.cause in _HAPPENED]
    if not real:
        problems.mention(f"trajectory {name}: all its samples are made ones")
    steps: list[Step] = []
    for row in sorted(real, key=lambda row: row.step):
        try:
            pre, post = folder.screen_path(row.pre), folder.screen_path(row.post)
            step = Step(
                index=len(steps),
                pre=pre,
                post=post,
                size=image_size(pre),
                actions=row.action,
                instruction=row.instruction,
                success=row.success >= 0.5,
                target_box=row.target_box,
                idle=tuple(folder.screen_path(screen) for screen in row.idle),
                outcome=row.outcome,
            )
        except DataError as error:
            problems.add(f"sample {row.id}", error)
            continue
        steps.append(step)
    first = rows[0]
    return problems.attach(
        Trajectory(
            id=name,
            source=source,
            app=first.app,
            platform=first.platform,
            task=first.task,
            steps=tuple(steps),
        )
    )

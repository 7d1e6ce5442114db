"""From a reader's trajectories to a folder of samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from data_prep.card import card_text
from data_prep.config import BuildConfig
from data_prep.draft import Draft
from data_prep.perturb import perturb
from data_prep.progress import progress_bar
from data_prep.similarity import import_ssim
from data_prep.splits import assign_splits, group_trajectories, key_of
from viscritic.errors import DataError
from viscritic.sample import SPLITS, Sample, Split
from viscritic.sample_writer import SampleWriter, check_place
from viscritic.trajectory import Trajectory


def build_samples(
    trajectories: Iterable[Trajectory],
    out: Path | str,
    config: BuildConfig,
    *,
    command: str = "data_prep.build.build_samples",
    progress: bool = True,
) -> dict[str, Any]:
    """Make the samples of all trajectories and write them to the folder `out`.

    The rows depend on the trajectories and `config` alone: the same bytes on every machine.

    Args:
        trajectories: what a reader yields; kept while building (screens that are files stay on disk).
        out: the folder; an older sample folder there is replaced, anything else refused.
        command: what the manifest says made it.
        progress: show a bar on standard error.

    Returns:
        The manifest.

    Raises:
        DataError: no trajectory, two of one name, an unreadable screen, or a place that is taken.
        MissingExtraError: scikit-image is not installed.
    """
    check_place(out)
    import_ssim()  # an hour of reading must not end in "not installed"
    with progress_bar(progress) as bar:
        read = list(bar.track(trajectories, description="reading trajectories"))
        _check_keys(read)
        groups = group_trajectories(read, config.near, partial(bar.track, description="comparing screens"))
        splits = assign_splits(groups, config)
        drafts = {
            split: perturb([trajectory for trajectory in read if splits[key_of(trajectory)] == split], config)
            for split in SPLITS
        }
        with SampleWriter(
            out,
            command=command,
            configuration=asdict(config),
            seed=config.seed,
            facts=_facts(read, groups),
            card=card_text,
        ) as writer:
            for split, chosen in drafts.items():
                for draft in bar.track(chosen, description=f"writing {split}"):
                    writer.append(_store(draft, split, writer))
    return writer.manifest


def _check_keys(trajectories: Sequence[Trajectory]) -> None:
    if not trajectories:
        raise DataError("no trajectory was read, so there is nothing to build samples from")
    (key, number), *_ = Counter(map(key_of, trajectories)).most_common(1)
    if number > 1:
        raise DataError(f"{number} trajectories of {key[0]} have the id {key[1]!r}; ids must be unique")


def _facts(trajectories: Sequence[Trajectory], groups: Sequence[Sequence[Trajectory]]) -> dict[str, Any]:
    """What the manifest says of the sources."""
    results = Counter(
        {True: "success", False: "failure", None: "unknown"}[s.success] for t in trajectories for s in t.steps
    )
    return {
        "sources": sorted({trajectory.source for trajectory in trajectories}),
        "trajectories": len(trajectories),
        "steps": {name: results[name] for name in ("success", "failure", "unknown")},
        "shared_screens": [[trajectory.id for trajectory in group] for group in groups if len(group) > 1],
        "notes": [note for trajectory in trajectories for note in trajectory.notes],
    }


def _store(draft: Draft, split: Split, writer: SampleWriter) -> Sample:
    trajectory, step = draft.trajectory, draft.step
    return Sample(
        id=f"{trajectory.source}/{trajectory.id}/{step.index}/{draft.cause}",
        app=trajectory.app,
        platform=trajectory.platform,
        source=trajectory.source,
        trajectory=trajectory.id,
        step=step.index,
        pre=writer.add_screen(draft.pre),
        post=writer.add_screen(draft.post),
        action=draft.actions,
        success=draft.success,
        progress=draft.progress,
        outcome=draft.outcome,
        cause=draft.cause,
        origin="weak",
        split=split,
        instruction=draft.instruction,
        task=trajectory.task,
        change=draft.change,
        target_box=draft.target_box,
    )

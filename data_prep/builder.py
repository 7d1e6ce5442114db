"""The steps of a build, on the files of an unfinished one; `data_prep.build` tells what they are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rich.progress import Progress

from data_prep.card import card_text
from data_prep.catalogue import Catalogue
from data_prep.choice import rank
from data_prep.config import BuildConfig
from data_prep.donors import Donors
from data_prep.draft import Draft
from data_prep.engines import Run
from data_prep.feature_store import FeatureStore
from data_prep.looking import Looked, look, pack
from data_prep.perturb import candidates
from data_prep.selection import Selection
from data_prep.similarity import Memory, Source, feature_distance
from data_prep.spool import Entry, Spool
from viscritic.errors import DataError
from viscritic.files import write_json, write_text
from viscritic.sample import SPLITS, Sample, Split
from viscritic.sample_folder import CARD, MANIFEST, ROWS, SCREENS
from viscritic.sample_writer import Tally, write_row
from viscritic.trajectory import Trajectory


class Builder:
    """Fills a folder with samples: `look` at all trajectories, then `make` the samples.

    Args:
        folder: what becomes the sample folder; its `screens` exist.
        spool, store: of this build, perhaps begun by one that was killed.
    """

    def __init__(self, folder: Path, spool: Spool, store: FeatureStore, config: BuildConfig, bar: Progress) -> None:
        self._folder, self._spool, self._store, self._config, self._bar = folder, spool, store, config, bar
        self._screens = folder / SCREENS

    def look(self, trajectories: Iterable[Trajectory], run: Run, strict: bool) -> None:
        """Store every trajectory with its screens and what is to be seen on them.

        Raises:
            DataError: two trajectories of one name, none at all, or others than an earlier build has seen; where
                `strict`, a screen that cannot be read.
        """
        jobs = (pack(trajectory, self._screens, strict=strict) for trajectory in self._unseen(trajectories))
        for job, looked in run(partial(look, config=self._config), jobs):
            if strict and (told := looked.trajectory.notes[len(job.trajectory.notes) :]):
                raise DataError(f"{job.trajectory.source}: {told[0]}")
            self._keep(looked)
        if not self._spool.length:
            raise DataError("no trajectory was read, so there is nothing to build samples from")

    def _unseen(self, trajectories: Iterable[Trajectory]) -> Iterator[Trajectory]:
        """Those that come after the ones in the spool, which must be the same."""
        names: set[int] = set()
        seen = (entry.trajectory for entry in self._spool.first(self._spool.length))
        for now, before in zip_longest(self._bar.track(trajectories, description="looking at trajectories"), seen):
            if before is not None and (now is None or _name(now) != _name(before)):
                raise DataError(
                    "the data set is not the one that an unfinished build of this folder began with; what that build"
                    " left is removed now: start again"
                )
            name = rank(0, *_name(now))
            if name in names:
                raise DataError(f"two trajectories of {now.source} have the id {now.id!r}; ids must be unique")
            names.add(name)
            if before is None:
                yield now

    def _keep(self, looked: Looked) -> None:
        trajectory = looked.trajectory
        if not trajectory.steps and trajectory.notes:
            *notes, reason = trajectory.notes
            self._spool.add(Entry(replace(trajectory, notes=tuple(notes)), reason))
            return
        for name, found in looked.features.items():
            if name not in self._store:
                self._store.add(name, found)
        self._store.flush()  # before the trajectory that names them
        self._spool.add(Entry(trajectory, pairs=looked.pairs))

    def make(self, command: str) -> dict[str, Any]:
        """Write rows, manifest and card; the manifest.

        Raises:
            DataError: every trajectory was left out, or no sample can be made of any; the message says why.
        """
        watch = partial(self._bar.track, description="comparing screens")
        catalogue = Catalogue(self._spool, self._store, self._config, watch)
        if not catalogue.splits:
            raise DataError(f"none of the trajectories can be used; {catalogue.notes[0]}")
        donors = {split: Donors(self._config) for split in SPLITS}
        for split, drafts in self._drafts(catalogue, "choosing screens to lend"):
            for draft in drafts:
                donors[split].offer(draft)
        selections = {split: Selection(self._config) for split in SPLITS}
        for split, drafts in self._drafts(catalogue, "counting samples", donors):
            for draft in drafts:
                selections[split].count(draft)
        tally, used = Tally(), bytearray(len(self._store))
        with (self._folder / ROWS).open("wb") as file:
            for split, drafts in self._drafts(catalogue, "writing samples", donors):
                for draft in sorted(filter(selections[split].takes, drafts), key=lambda draft: draft.place):
                    sample = _sample(draft, split)
                    tally.add(sample)
                    file.write(write_row(sample))
                    for screen in (sample.pre, sample.post):
                        used[self._store.number(screen)] = 1
            file.flush()
            os.fsync(file.fileno())
        if not any(used):
            raise DataError(self._why_none(catalogue))
        self._remove_unused(used)
        made_by = {"command": command, "configuration": asdict(self._config), "seed": self._config.seed}
        manifest = tally.manifest(self._folder / ROWS, sum(used), {**made_by, **catalogue.facts()})
        write_json(self._folder / MANIFEST, manifest)
        write_text(self._folder / CARD, card_text(manifest))
        return manifest

    def _why_none(self, catalogue: Catalogue) -> str:
        """Why trajectories that were read made no sample."""
        kept = [entry.trajectory for number, entry in enumerate(self._spool) if number in catalogue.splits]
        steps = [step for trajectory in kept for step in trajectory.steps]
        reasons = {
            "without a screen after": sum(step.post is None for step in steps),
            "with an agent's marks on their screens": sum(step.marked for step in steps),
            "of which nobody says how they ended, in runs that are not known to have succeeded": sum(
                step.success is None and not trajectory.success for trajectory in kept for step in trajectory.steps
            ),
            "called a success though not a pixel changed": sum(
                step.success is True and step.post is not None and step.pre == step.post for step in steps
            ),
        }
        told = "; ".join(f"{number} {reason}" for reason, number in reasons.items() if number)
        return (
            f"no sample can be made of {len(kept)} trajectories with {len(steps)} steps ({told or 'nothing is told'}):"
            " samples are made of steps, or runs, of which it is known that they succeeded (docs/data.md)"
        )

    def _drafts(
        self, catalogue: Catalogue, description: str, donors: dict[Split, Donors] | None = None
    ) -> Iterator[tuple[Split, list[Draft]]]:
        """The split and the drafts of each trajectory, with foreign screens where there are donors."""
        entries = self._bar.track(self._spool, total=self._spool.length, description=description)
        for number, entry in enumerate(entries):
            if (split := catalogue.splits.get(number)) is None:
                continue
            memory = Memory(
                locate=lambda screen: self._screens / str(screen),
                recall=lambda screen: self._store.get(str(screen)),
                pairs=entry.pairs or {},
            )
            with memory.used():
                references = catalogue.references(number, entry.trajectory)
                drafts = candidates(entry.trajectory, self._config, references)
            if donors:
                foreign = (donors[split].mismatch(draft, self._distance) for draft in drafts)
                drafts += [draft for draft in foreign if draft is not None]
            yield split, drafts

    def _distance(self, a: Source, b: Source) -> float:
        return feature_distance(self._store.get(str(a)), self._store.get(str(b)))

    def _remove_unused(self, used: bytearray) -> None:
        """Remove screens that no row names, and what a kill left half written."""
        with os.scandir(self._screens) as files:
            for file in files:
                known = not file.name.startswith(".") and file.name in self._store
                if not known or not used[self._store.number(file.name)]:
                    Path(file.path).unlink()


def _name(trajectory: Trajectory) -> tuple[str, str]:
    return trajectory.source, trajectory.id


def _sample(draft: Draft, split: Split) -> Sample:
    trajectory, step = draft.trajectory, draft.step
    return Sample(
        id=f"{trajectory.source}/{trajectory.id}/{step.index}/{draft.cause}",
        app=trajectory.app,
        platform=trajectory.platform,
        source=trajectory.source,
        trajectory=trajectory.id,
        step=step.index,
        pre=str(draft.pre),
        post=str(draft.post),
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

"""Label noise: the weak labels that a stream of observed steps would have got, against what really happened.

The stream is a collection (`data_prep.collect`): walks through real applications, at each state a right step and some
that something was done to, each with the outcome that the application itself told. From each walk the runs are put
together that an agent would have recorded, without a word on single steps:

- the **demonstration**: the right steps in their order; it succeeded;
- for each step that failed, a **failed run**: the right steps before it, then that step;
- for every other step that was a no-op, a **recovered run** instead: the agent saw it, tried again and went on; it
  succeeded, since a no-op leaves the application as it was;
- for each disturbed step that succeeded all the same, a **lucky run** with that step in the right one's place.

`data_prep.perturb` makes its samples of them as of any other data set. A sample is judged

- by what was **observed**, where it is a step as it happened, or where the same action was played from the same state:
  then the sample's screen after shows a success if and only if it is the one that the action led to;
- by **replay** otherwise, where the action is the step's own: the application always leads from this state to the right
  step's screen, so another screen is no success of it. This is true by construction but for changes that are no effect
  of the action, and told apart for that reason.

Samples with the action of another step that was never played from that state are not judged.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from data_prep.choice import rank
from data_prep.collect.folder import SHARDS, CollectFolder
from data_prep.config import BuildConfig
from data_prep.draft import Draft
from data_prep.perturb import perturb
from data_prep.readers.images import image_size
from data_prep.similarity import is_equal
from viscritic.actions import Action, Point
from viscritic.errors import DataError
from viscritic.sample import Sample
from viscritic.sample_folder import SCREENS, SampleFolder, is_sample_folder
from viscritic.trajectory import Outcome, Step, Trajectory

Evidence = Literal["observed", "replay"]
_HAPPENED: Final = ("positive", "aligned", "failed", "diverged")
_RIGHT: Final = ("clean", "confirmed", "confirmed_briefly")  # the intended action, undisturbed
_CLOSE: Final = 4.0  # px; two points nearer than this hit the same thing


@dataclass(frozen=True, slots=True)
class Judged:
    """A weakly labelled sample and the truth.

    Attributes:
        walk: the walk that it is made of.
        truth: the outcome that its screens really show; of a failure that is only implied, "wrong_target".
        evidence: how that is known.
        happened: the cause of the observed step behind it ("clean", "swallowed", ...).
    """

    draft: Draft
    walk: str
    truth: Outcome
    evidence: Evidence
    happened: str

    @property
    def agrees(self) -> bool:
        """Whether the weak label and the truth say the same of success."""
        return (self.draft.success >= 0.5) == (self.truth == "success")


@dataclass(frozen=True, slots=True)
class Measured:
    """What became of a stream.

    Attributes:
        walks: with a right step, that were used.
        observed: samples of the collection in them.
        runs: by kind.
        judged: the samples that can be judged, each once.
        made: samples by class, judged or not.
        left_out: steps of runs that got no label, by the truth.
    """

    walks: int
    observed: int
    runs: Counter[str]
    judged: list[Judged]
    made: Counter[str]
    left_out: Counter[str]


@dataclass(frozen=True, slots=True)
class _Run:
    trajectory: Trajectory
    kind: str
    rows: tuple[Sample, ...]


def read_walks(path: Path) -> Iterator[list[Sample]]:
    """The samples of a folder by walk; of a collection that still grows, of its finished walks.

    Raises:
        DataError: no folder of samples, or one of samples that nobody observed.
    """
    if (path / SHARDS).is_dir():
        for walk in CollectFolder(path).walks():
            if walk["rows"]:
                yield [Sample.from_dict(row) for row in walk["rows"]]
        return
    if not is_sample_folder(path):
        what = "is no collection" if path.exists() else "does not exist"
        raise DataError(f"{path} {what}: make one with  viscritic data collect --out {path}")
    walks: dict[str, list[Sample]] = defaultdict(list)
    for sample in SampleFolder(path):
        if sample.origin != "observed":
            raise DataError(
                f"{path} holds weakly labelled samples, whose truth nobody observed ({sample.id}): how often such"
                " labels are right is measured on a collection; make one with  viscritic data collect --out FOLDER"
            )
        walks[sample.trajectory].append(sample)
    yield from walks.values()


def measure(
    path: Path | str,
    config: BuildConfig,
    *,
    limit: int | None = None,
    watch: Callable[[Iterable[list[Sample]]], Iterable[list[Sample]]] = iter,
) -> Measured:
    """Label the stream of a folder weakly, and compare.

    Args:
        limit: so many walks at most.
        watch: passes on the walks, for a progress bar.

    Raises:
        DataError: no folder of observed samples, none with a right step, or a screen that cannot be read.
    """
    folder = Path(path) / SCREENS
    runs: list[_Run] = []
    states: dict[tuple[str, int], list[Sample]] = {}
    walks = observed = 0
    for rows in watch(read_walks(Path(path))):
        made = list(_runs(rows, folder))
        if not made:
            continue
        runs += made
        walks, observed = walks + 1, observed + len(rows)
        for row in rows:
            states.setdefault((row.trajectory, row.step), []).append(row)
        if walks == limit:
            break
    if not runs:
        raise DataError(f"{path} holds no walk with a right step, so there is nothing to compare")
    judge = _Judge({run.trajectory.id: run for run in runs}, states, folder)
    drafts = _unlike(perturb([run.trajectory for run in runs], config))
    judged = [found for draft in drafts if (found := judge.judge(draft)) is not None]
    return Measured(
        walks,
        observed,
        Counter(run.kind for run in runs),
        judged,
        Counter(draft.cause for draft in drafts),
        judge.unlabelled(drafts),
    )


def _runs(rows: Sequence[Sample], folder: Path) -> Iterator[_Run]:
    """The runs of one walk; none where it has no right step."""
    right = {row.step: row for row in reversed(rows) if row.cause in _RIGHT and row.outcome == "success"}
    if not right:
        return
    yield _run("demonstration", [right[step] for step in sorted(right)], folder)
    for row in rows:
        if row.cause in _RIGHT:
            continue
        before = [right[step] for step in sorted(right) if step < row.step]
        after = [right[step] for step in sorted(right) if step > row.step]
        if row.outcome == "success":
            yield _run("lucky", [*before, row, *after], folder, row.id)
            continue
        if row.outcome == "no_op" and row.step in right and rank(0, "recovered", row.id) % 2:
            yield _run("recovered", [*before, row, right[row.step], *after], folder, row.id)
        else:
            yield _run("failed", [*before, row], folder, row.id)


def _run(kind: str, rows: Sequence[Sample], folder: Path, name: str = "") -> _Run:
    first = rows[0]
    steps = [
        Step(
            index=index,
            pre=folder / row.pre,
            post=folder / row.post,
            size=image_size(folder / row.pre),
            actions=row.action,
            instruction=row.instruction,
            target_box=row.target_box,
            idle=tuple(folder / name for name in row.idle),
        )
        for index, row in enumerate(rows)
    ]
    trajectory = Trajectory(
        id=f"{first.trajectory}/{kind}/{name}",
        source=first.source,
        app=first.app,
        platform=first.platform,
        task=first.trajectory,  # the walk is the task: all its runs are compared with one another
        steps=tuple(steps),
        success=kind != "failed",
    )
    return _Run(trajectory, kind, tuple(rows))


def _unlike(drafts: Iterable[Draft]) -> list[Draft]:
    """Each sample once: runs of one walk share their beginnings."""
    found: dict[tuple[object, ...], Draft] = {}
    for draft in drafts:
        key = (draft.cause, draft.pre, draft.post, draft.actions, draft.instruction)
        found.setdefault(key, draft)
    return list(found.values())


class _Judge:
    """Knows what really happened.

    Args:
        runs: by the ids of their trajectories.
        states: the samples that were played from each state, by walk and step.
    """

    def __init__(self, runs: dict[str, _Run], states: dict[tuple[str, int], list[Sample]], folder: Path) -> None:
        self._runs, self._states, self._folder = runs, states, folder

    def judge(self, draft: Draft) -> Judged | None:
        """The draft with the truth; None where that is not known."""
        row = self._row(draft)
        if draft.cause in _HAPPENED:
            assert row.outcome is not None
            return Judged(draft, row.trajectory, row.outcome, "observed", row.cause)
        played = self._played(draft, row)
        if played:
            shown = next((other for other in played if is_equal(self._folder / other.post, draft.post)), None)
            if draft.actions != row.action:  # another's action and words: what it led to is what was meant
                truth: Outcome = "wrong_target" if shown is None else "success"
                return Judged(draft, row.trajectory, truth, "observed", row.cause)
            if shown is not None and shown.outcome is not None:
                return Judged(draft, row.trajectory, shown.outcome, "observed", row.cause)
        if draft.actions != row.action:
            return None
        unchanged = is_equal(draft.pre, draft.post) or draft.cause == "no_op"
        return Judged(draft, row.trajectory, "no_op" if unchanged else "wrong_target", "replay", row.cause)

    def unlabelled(self, drafts: Iterable[Draft]) -> Counter[str]:
        """The observed samples of which no draft is made as they happened, by outcome."""
        told = {self._row(draft).id for draft in drafts if draft.cause in _HAPPENED}
        rows = {row.id: row for run in self._runs.values() for row in run.rows}
        return Counter(str(row.outcome) for name, row in rows.items() if name not in told)

    def _row(self, draft: Draft) -> Sample:
        return self._runs[draft.trajectory.id].rows[draft.step.index]

    def _played(self, draft: Draft, row: Sample) -> list[Sample]:
        """What was played with the draft's action from the state that the draft begins at."""
        return [other for other in self._states[row.trajectory, row.step] if _is_same(other.action, draft.actions)]


def _is_same(actions: Sequence[Action], others: Sequence[Action]) -> bool:
    """Whether two batches do the same, points by a few pixels."""
    return len(actions) == len(others) and all(
        _placeless(a) == _placeless(b) and _is_close(a.point, b.point) and _is_close(a.end, b.end)
        for a, b in zip(actions, others, strict=True)
    )


def _placeless(action: Action) -> Action:
    return replace(action, x=None, y=None, x2=None, y2=None)


def _is_close(a: Point | None, b: Point | None) -> bool:
    return a == b if a is None or b is None else math.dist(a, b) <= _CLOSE

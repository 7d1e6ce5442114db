"""Weak supervision: the paper's classes of samples from recorded trajectories.

- **positive**: a step that its data set calls a success. The word of a human outranks any measure of change: of
  ScreenAgent's successes a quarter has an SSIM above 0.98 (a cell was selected, a word typed, a box ticked), and looked
  at one by one they are successes. Only where the screens are equal pixel for pixel and the action should have shown
  is a step left out: neither class would be true. A step of which nothing is said, in a run that succeeded, is a
  positive of less confidence (`BuildConfig.trust`), unless the next step tries the same again on the same screen.
- **failed**: a step that its data set calls a failure.
- **aligned**, **diverged**: steps of which nothing is said, in a run that failed, before and after it parts from a
  successful run of the same task (`data_prep.divergence`); where nothing is to be seen of a diverged one, a no-op.
- the perturbations of the positive and the aligned: by their own trajectory (`data_prep.negatives`), and with a foreign
  screen (`data_prep.donors`).

Labels say `data_prep.draft.label` of their confidence. Steps whose screens show an agent's marks are left out: the
marks give the action away.

Progress is where the trajectory stands, in steps done of steps in all: (i + 1) / n after a success, 0 after a failure.
`change` is not known of weak labels, except for "none" where the screens are equal.
`Sample.idle` stays empty: a natural no-op has used its idle screen up, so the others' would tell the classes apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data_prep.config import BuildConfig
from data_prep.divergence import References, judge_run, shows_change
from data_prep.donors import Donors
from data_prep.draft import Case, Draft, draft_of, label, should_show
from data_prep.negatives import MAKERS, do_the_same
from data_prep.selection import Selection
from data_prep.similarity import distance
from viscritic.trajectory import Trajectory


def perturb(trajectories: Sequence[Trajectory], config: BuildConfig) -> list[Draft]:
    """Make the samples of one split from its trajectories, all in memory; `data_prep.build` streams the same steps.

    Returns:
        The drafts in the order of the trajectories, their steps, and `CAUSES`. Fewer negatives than `config.ratio`
        asks for where the trajectories have too few.

    Raises:
        DataError: a screen that cannot be read.
    """
    references = References(trajectories)
    own = [draft for trajectory in trajectories for draft in candidates(trajectory, config, references.of(trajectory))]
    donors = Donors(config)
    for draft in own:
        donors.offer(draft)
    drafts = [made for draft in own for made in (draft, donors.mismatch(draft, distance)) if made is not None]
    selection = Selection(config)
    for draft in drafts:
        selection.count(draft)
    order = {id(trajectory): number for number, trajectory in enumerate(trajectories)}
    return sorted(filter(selection.takes, drafts), key=lambda d: (order[id(d.trajectory)], *d.place))


def candidates(trajectory: Trajectory, config: BuildConfig, references: Sequence[Trajectory] = ()) -> list[Draft]:
    """Every sample that a trajectory gives by itself: all but those with a foreign screen, which `Donors` makes.

    Of them `Selection` takes as many as `config.ratio` asks for. Steps are worked on one after the other, so that each
    screen is decoded once (`data_prep.similarity`).

    Args:
        references: successful runs of the same task; only a run that failed needs them (`References.of`).

    Returns:
        The drafts in the order of the steps and of `CAUSES`.

    Raises:
        DataError: a screen that cannot be read.
    """
    compared = _compare(trajectory, references, config)
    drafts: list[Draft] = []
    for step in trajectory.steps:
        if step.post is None or step.marked:
            continue
        case = Case(trajectory, step)
        told = compared.get(step.index) if step.success is None else _tell(case, config)
        if told is None and trajectory.success and step.success is None:
            told = _positive(case, config.trust)
        if told is not None and not (told.counts_as_right and (case.contradicts_success or _is_retried(case, config))):
            drafts += [told, *(_perturb_step(case, config) if told.counts_as_right else ())]
    return sorted(drafts, key=lambda draft: draft.place)


def _tell(case: Case, config: BuildConfig) -> Draft:
    """What the data set says of the step."""
    if case.step.success:
        return _positive(case, 1.0)
    outcome = case.step.outcome or (config.outcomes.no_op if case.contradicts_success else None)
    return draft_of(case, "failed", outcome)


def _is_retried(case: Case, config: BuildConfig) -> bool:
    """Whether nothing is said of a step, but that it was done once more on a screen that looks the same."""
    step, steps = case.step, case.trajectory.steps
    if step.success is not None or step.index + 1 == len(steps):
        return False
    following = steps[step.index + 1]
    return do_the_same(step, following) and distance(step.pre, following.pre) < config.near


def _positive(case: Case, confidence: float) -> Draft:
    progress = (case.step.index + 1) / len(case.trajectory.steps)
    return draft_of(case, "positive", "success", success=label(True, confidence), progress=progress)


def _compare(trajectory: Trajectory, references: Sequence[Trajectory], config: BuildConfig) -> dict[int, Draft]:
    """What the comparison with other runs says of a failed one's steps, by their index."""
    if trajectory.success is not False or not references:
        return {}
    drafts: dict[int, Draft] = {}
    for found in judge_run(trajectory, references, config.divergence):
        case = Case(trajectory, found.step)
        unseen = not found.success and should_show(found.step) and not shows_change(found.step.pre, case.post)
        cause = "aligned" if found.success else "diverged"
        outcome = "success" if found.success else config.outcomes.no_op if unseen else config.outcomes.diverged
        progress = 0.0 if unseen else found.progress
        drafts[found.step.index] = draft_of(
            case, cause, outcome, success=label(found.success, found.confidence), progress=progress
        )
    return drafts


def _perturb_step(case: Case, config: BuildConfig) -> Iterator[Draft]:
    for cause, make in MAKERS.items():
        if getattr(config.shares, cause) > 0 and (draft := make(case, config)) is not None:
            yield draft

"""Audits of many trajectories: one after the other here, or in other processes, or all over a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from data_prep.engines import EngineConfig, open_engine
from data_prep.scoring import open_critic
from data_prep.spool import map_screens
from viscritic.audit.audit import AuditedStep, AuditedTrajectory, Auditor
from viscritic.audit.pictures import Picture, Pictures
from viscritic.redaction import Redaction
from viscritic.runtime import Critic
from viscritic.trajectory import Trajectory

_Answer = tuple[tuple[AuditedStep, ...], list[tuple[str, Picture]]]


def audit_all(
    trajectories: Sequence[Trajectory],
    critic: Critic,
    pictures: Pictures | None = None,
    *,
    bundle: str | None = None,
    threshold: float | None = None,
    engine: EngineConfig = EngineConfig(),  # noqa: B008  # frozen
    advance: Callable[[int], None] = lambda _: None,
) -> list[AuditedTrajectory]:
    """Judge every step of trajectories; every engine says the same, in their order.

    Args:
        critic: who judges where the work is done in this process.
        pictures: takes each screen, made small, for a report; None keeps none.
        bundle, threshold: what `critic` was loaded with; each worker loads it for itself.
        engine: where the work is done. A trajectory is the work of one worker.
        advance: called with the number of steps that were judged since the last call.

    Raises:
        MissingExtraError: Ray is asked for and not installed.
        ConfigError: no Ray cluster at the engine's address.
    """
    if engine.here:
        auditor = Auditor(critic, pictures)
        return [auditor.audit(trajectory, lambda: advance(1)) for trajectory in trajectories]
    shown = None if pictures is None else (pictures.steps, pictures.redaction)
    work = partial(_audit, bundle=bundle, threshold=threshold, shown=shown)
    audited: list[AuditedTrajectory] = []
    with open_engine(engine) as run:
        answers = run(work, (_pack(trajectory) for trajectory in trajectories))
        for trajectory, (_, (steps, made)) in zip(trajectories, answers, strict=True):
            judged = zip(steps, trajectory.steps, strict=True)
            audited.append(AuditedTrajectory(trajectory, tuple(replace(one, step=step) for one, step in judged)))
            if pictures is not None:
                pictures.update(made)
            advance(len(steps))
    return audited


def _pack(trajectory: Trajectory) -> Trajectory:
    """The trajectory with what its screens hold, so that any machine can judge it."""
    data: dict[Path, Path | bytes] = {}

    def read(source: Path | bytes) -> Path | bytes:
        if isinstance(source, bytes):
            return source
        if source not in data:
            data[source] = source
            with suppress(OSError):  # stays a path, of which the auditor says why it cannot be read
                data[source] = source.read_bytes()
        return data[source]

    return map_screens(trajectory, read)


def _audit(
    trajectory: Trajectory, *, bundle: str | None, threshold: float | None, shown: tuple[int, Redaction | None] | None
) -> _Answer:
    """A worker's part: the steps, without their screens, which whoever asked has, and the pictures that were made."""
    pictures = None if shown is None else Pictures(*shown)
    # Threads of onnxruntime would only take the processors from other workers.
    audited = Auditor(open_critic(bundle, 1, threshold), pictures).audit(trajectory)
    bare = map_screens(trajectory, lambda _: b"").steps
    steps = tuple(replace(one, step=step) for one, step in zip(audited.steps, bare, strict=True))
    return steps, [] if pictures is None else pictures.items()

"""Predictions of a bundle for all that is stored: samples of a folder, or steps of trajectories.

The predictions grow in a hidden file beside their place, in the order of what is stored. A run that was killed goes on
after the last whole line of it, if it is about the same things and the same bundle.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from data_prep.detect import detect_format
from data_prep.engines import EngineConfig, open_engine
from data_prep.progress import progress_bar
from data_prep.similarity import Source
from data_prep.sources import SOURCES
from viscritic.actions import Action
from viscritic.errors import DataError, ScreenError
from viscritic.files import atomic_write, check_file_place
from viscritic.runtime import Critic
from viscritic.runtime.bundle import Bundle, find_bundle
from viscritic.sample_folder import SampleFolder, is_sample_folder
from viscritic.trajectory import OUTCOMES, Trajectory

_PART: Final = 16  # judged together: a step's screen before is mostly the last one's screen after, and is kept


@dataclass(frozen=True, slots=True)
class Stored:
    """A transition where it is stored; in a job its screens are bytes."""

    id: str
    pre: Source
    post: Source
    action: tuple[Action, ...]
    instruction: str
    task: str
    burst: tuple[Source, ...] = ()
    idle: tuple[Source, ...] = ()


@dataclass(slots=True)
class Found:
    """What came out.

    Attributes:
        judged: transitions that were judged.
        left_out: what could not be read, and why, of this run.
    """

    judged: int = 0
    left_out: list[str] = field(default_factory=list)


def score_stored(
    source: Path,
    out: Path,
    *,
    format: str | None = None,  # noqa: A002
    bundle: str | None = None,
    strict: bool = False,
    engine: EngineConfig = EngineConfig(),  # noqa: B008  # frozen
    progress: bool = True,
) -> Found:
    """Judge all that is stored and write `out`: what `viscritic.evaluate.predictions.Predictions.load` reads.

    Samples go by their id, steps by "source/trajectory/step". Memory does not grow with their number, and the lines are
    the same with every engine.

    Args:
        source: a folder of samples, or trajectories.
        format: of the trajectories; None finds it out.
        bundle: as `Critic.load` takes it; with several workers each opens it for itself.
        strict: a screen that cannot be read is an error; otherwise its transition is left out.

    Raises:
        DataError: nothing at `source`; a damaged folder.
        BundleError: no bundle.
        OSError: `out` cannot be written.
    """
    check_file_place(out)
    part = out.with_name(f".{out.name}.part")
    # Its configuration holds the hashes of all that a bundle has.
    config = hashlib.sha256(repr(Bundle(find_bundle(bundle)).config).encode()).hexdigest()
    total = None  # of trajectories nobody knows before they are read
    if is_sample_folder(source):
        samples = SampleFolder(source)
        stored, total = _read_samples(samples), len(samples)
    else:
        stored = _read_steps(SOURCES[format or detect_format(source)].read(source, strict=strict))
    done = _continue(part, {"source": _identity(source), "bundle": config})
    found = Found()
    with part.open("ab") as file, open_engine(engine) as run, progress_bar(progress) as bar:
        work = bar.add_task("judging", total=total, completed=done)
        jobs = (_pack(some) for some in _parts(islice(stored, done, None)))
        # Threads of onnxruntime would only take the processors from one another.
        threads = None if engine.here else 1
        judge = partial(judge_part, bundle=bundle, threads=threads)
        for _, lines in run(judge, jobs):
            if strict and (broken := [line for line in lines if "left_out" in line]):
                raise DataError(f"{broken[0]['id']}: {broken[0]['left_out']}")
            file.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
            file.flush()
            bar.advance(work, len(lines))
    _finish(part, out, found)
    return found


def judge_part(part: list[Stored], *, bundle: str | None, threads: int | None) -> list[dict[str, Any]]:
    """The lines of some transitions, whose screens are bytes; a screen that is none makes a line that says so."""
    critic = open_critic(bundle, threads)
    return [_judge(critic, stored) for stored in part]


@lru_cache(maxsize=1)
def open_critic(bundle: str | None, threads: int | None, threshold: float | None = None) -> Critic:
    """A worker's critic, loaded once: `Critic.load` with these."""
    return Critic.load(bundle, threads=threads, threshold=threshold)


def _judge(critic: Critic, stored: Stored) -> dict[str, Any]:
    try:
        verdict = critic.score(
            stored.pre, stored.post, stored.action, stored.instruction, stored.task, stored.burst, stored.idle
        )
    except ScreenError as error:
        return {"id": stored.id, "left_out": str(error)}
    return {
        "id": stored.id,
        "success": verdict.success,
        "progress": verdict.progress,
        "outcome_probs": [verdict.outcome_probs[name] for name in OUTCOMES],
    }


def _identity(source: Path) -> str:
    return str(SampleFolder(source).manifest["samples_sha256"]) if is_sample_folder(source) else str(source.resolve())


def _continue(part: Path, made_of: dict[str, Any]) -> int:
    """How many lines an earlier run of the same left; the file then ends after the last whole one."""
    with suppress(OSError, ValueError), part.open("r+b") as file:
        head = file.readline()
        if json.loads(head) == made_of:
            lines, end = 0, len(head)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                lines, end = lines + 1, end + len(line)
            file.truncate(end)
            return lines
    part.write_bytes(json.dumps(made_of).encode() + b"\n")
    return 0


def _finish(part: Path, out: Path, found: Found) -> None:
    """The finished file under its name, without what could not be read."""
    with part.open("rb") as lines, atomic_write(out) as file:
        for line in islice(lines, 1, None):
            row = json.loads(line)
            if "left_out" in row:
                found.left_out.append(f"{row['id']}: {row['left_out']}")
            else:
                found.judged += 1
                file.write(line)
    part.unlink()


def _read_samples(samples: SampleFolder) -> Iterator[Stored]:
    for s in samples:
        yield Stored(
            id=s.id, pre=samples.screen_path(s.pre), post=samples.screen_path(s.post), action=s.action,
            instruction=s.instruction, task=s.task, burst=tuple(map(samples.screen_path, s.burst)),
            idle=tuple(map(samples.screen_path, s.idle)),
        )  # fmt: skip


def _read_steps(trajectories: Iterable[Trajectory]) -> Iterator[Stored]:
    for trajectory in trajectories:
        for step in trajectory.steps:
            if step.post is not None:
                yield Stored(
                    id=f"{trajectory.source}/{trajectory.id}/{step.index}", pre=step.pre, post=step.post,
                    action=step.actions, instruction=step.instruction, task=trajectory.task, idle=step.idle,
                )  # fmt: skip


def _parts(stored: Iterable[Stored]) -> Iterator[list[Stored]]:
    stored = iter(stored)
    for first in stored:
        yield [first, *islice(stored, _PART - 1)]


def _pack(part: list[Stored]) -> list[Stored]:
    """The transitions with what their screens hold, so that any process can judge them."""
    data: dict[Source, bytes] = {}

    def read(source: Source) -> bytes:
        if source not in data:
            data[source] = source if isinstance(source, bytes) else source.read_bytes()
        return data[source]

    return [
        replace(
            stored, pre=read(stored.pre), post=read(stored.post), burst=tuple(map(read, stored.burst)),
            idle=tuple(map(read, stored.idle)),
        )
        for stored in part
    ]  # fmt: skip

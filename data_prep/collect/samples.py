"""From labelled steps to rows of a sample folder."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from typing import Final

from PIL import Image

from data_prep.collect.application import Application
from data_prep.collect.walk import Labelled, Walk
from viscritic.sample import Sample
from viscritic.screen import Screen

SOURCE: Final = "collected"
Store = Callable[[bytes], str]  # stores an encoded screen and returns its name


def encode_screen(screen: Screen) -> bytes:
    """Lossless WebP, at the setting that is quick and small enough: 40 ms and 35 kB a screen."""
    buffer = io.BytesIO()
    Image.fromarray(screen).save(buffer, "WEBP", lossless=True, quality=10, method=1)
    return buffer.getvalue()


def walk_samples(app: Application, walk: Walk, trajectory: str, store: Store) -> list[Sample]:
    """The samples of a walk; every different screen is encoded and stored once.

    Args:
        trajectory: the walk's name, unique in the folder.
    """
    names: dict[bytes, str] = {}

    def put(screen: Screen) -> str:
        key = hashlib.sha256(screen.tobytes() + str(screen.shape).encode()).digest()
        if key not in names:
            names[key] = store(encode_screen(screen))
        return names[key]

    return [
        Sample(
            id=f"{trajectory}-{number}",
            app=app.name,
            platform=app.platform,
            source=SOURCE,
            trajectory=trajectory,
            step=labelled.step,
            pre=put(labelled.seen.pre),
            post=put(labelled.seen.post),
            action=labelled.seen.actions,
            success=float(labelled.outcome == "success"),
            progress=progress_of(labelled, walk.steps),
            outcome=labelled.outcome,
            cause=labelled.seen.cause,
            origin="observed",
            split=app.split,
            burst=tuple(put(screen) for screen in labelled.seen.burst),
            idle=tuple(put(screen) for screen in labelled.seen.idle),
            instruction=labelled.instruction,
            task="" if labelled.retold else walk.task,
            change=labelled.change,
            target_box=labelled.intent.target.box,
            noise=labelled.seen.noise,
        )
        for number, labelled in enumerate(walk.labelled)
    ]


def progress_of(labelled: Labelled, steps: int) -> float | None:
    """Where the walk stands, in right steps of all its right steps: forward after a success, back after a step that
    led away and has to be undone; None in a walk without a right step, and for a step that is none of it."""
    if steps == 0 or labelled.retold:
        return None
    done = min(labelled.step + 1, steps)  # what was made to work at the end of a walk is no step of it
    return {"success": done / steps, "wrong_target": -1 / steps}.get(labelled.outcome, 0.0)

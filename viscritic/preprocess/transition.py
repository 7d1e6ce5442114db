"""From a transition to the arrays that the model reads: the only way from pixels to arrays, in training and runtime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from viscritic.actions import Action
from viscritic.errors import ConfigError, ScreenError
from viscritic.evidence import Evidence
from viscritic.ocr import Recognizer
from viscritic.preprocess.change import Pixels, change_amounts
from viscritic.preprocess.config import PreprocessConfig
from viscritic.preprocess.facts import STATE_FACTS, Motion, state_facts
from viscritic.preprocess.intent import INTENT_FACTS, find_ordinal, intent_facts
from viscritic.preprocess.matching import READING_FACTS, reading_facts
from viscritic.preprocess.names import find_names, find_typed
from viscritic.preprocess.reading import read_transition
from viscritic.preprocess.text import Texts, render_texts
from viscritic.preprocess.tokens import choose_places, cut_patches, cut_thumbnail, window_bounds

GEOMETRY_SIZE: Final = 16

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The same N places in both screens.

    Attributes:
        pre, post: (N, 3 * patch * patch) uint8, channel first.
        boxes: (N, 4) float32 x, y, width, height in pixels of pre.
        place: (N, 3) float32: centre x and y as fractions [0, 1] of the screen, log2 of the box's side in patches.
        geometry: (N, GEOMETRY_SIZE) float32, what the head knows of each place beside its features.
    """

    pre: npt.NDArray[np.uint8]
    post: npt.NDArray[np.uint8]
    boxes: Floats
    place: Floats
    geometry: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """One transition as arrays.

    Attributes:
        detail: places at native (or the finest affordable) resolution: what changed, and around the action's point.
        thumbnail: the whole screen, coarse. Its `pre` and `post` depend on nothing but that screen.
        facts: (facts_size(config),) float32, numbers of the whole transition.
        texts: for the text encoder.
        evidence: for the verdict.
        size: (width, height) of pre in pixels.
        region: (4,) x, y, width, height in pixels of the window around the action's point; None where it has none.
    """

    detail: View
    thumbnail: View
    facts: Floats
    texts: Texts
    evidence: Evidence
    size: tuple[int, int]
    region: tuple[float, float, float, float] | None


def facts_size(config: PreprocessConfig) -> int:
    """How many facts a transition has."""
    return STATE_FACTS + (READING_FACTS + INTENT_FACTS) * config.reader


def prepare(
    pre: Pixels,
    post: Pixels,
    actions: Sequence[Action],
    instruction: str,
    task: str,
    config: PreprocessConfig,
    burst: Sequence[Pixels] = (),
    idle: Sequence[Pixels] = (),
    recognizer: Recognizer | None = None,
) -> Arrays:
    """Arrays of one transition.

    Where the screens differ in size (a rotation, a resized window), post is scaled to pre's size first.
    Where post shows no change but a screen of the burst does (a message that came and went), that screen takes its
    place. A point off the screen is no point: it acted on nothing that can be seen; `evidence.off_screen` tells.

    Args:
        pre, post: (H, W, 3) uint8 RGB.
        actions: the batch of actions between them, not empty.
        burst: screens between the actions and post.
        idle: screens taken before the action; places that changed among them do not count as changed.
        recognizer: what reads the screens; needed where `config.reader`.

    Raises:
        TextError: instruction or task is not text.
        ScreenError: pre is smaller than a patch.
    """
    height, width = pre.shape[:2]
    if min(height, width) < config.patch:
        raise ScreenError(f"pre: {width}x{height} pixels is too small: each side needs {config.patch} pixels or more")
    texts = render_texts(actions, instruction, task, (width, height))
    points = [p for action in actions for p in (action.point, action.end) if p is not None]
    on_screen = [p for p in points if 0 <= p[0] < width and 0 <= p[1] < height]
    target = on_screen[-1] if on_screen else None
    bounds = window_bounds((width, height), target, config)
    ambient = _find_ambient(pre, idle, config)
    change = _compare(pre, post, ambient, bounds, config)
    motion = _find_motion([*burst, post], change.amounts, ambient, (width, height), config)
    if change.everywhere == 0:
        passing = (_compare(pre, screen, ambient, bounds, config) for screen in burst)
        change = max((change, *passing), key=lambda c: c.everywhere)
    evidence = Evidence(
        changed=change.everywhere,
        changed_at_target=change.at_target,
        changed_elsewhere=change.elsewhere,
        identical=not change.resized and bool(np.array_equal(pre, change.post)),
        off_screen=len(on_screen) < len(points),
        resized=change.resized,
    )
    return _cut(pre, change, motion, evidence, actions, on_screen, texts, config, recognizer)


@dataclass(frozen=True, slots=True, eq=False)
class _Change:
    """How a later screen differs from pre.

    Attributes:
        post: that screen, scaled to pre's size where it had another one (`resized`).
        amounts: (rows, columns) of the native grid, from `change_amounts`, without what the idle screens did as well.
        bounds: of the window around the action's point, in patches; None where it has none.
        everywhere, at_target, elsewhere: fractions that changed, of the screen, the window, the rest.
    """

    post: Pixels
    resized: bool
    amounts: Floats
    bounds: tuple[int, int, int, int] | None
    everywhere: float
    at_target: float | None
    elsewhere: float


def _find_ambient(pre: Pixels, idle: Sequence[Pixels], config: PreprocessConfig) -> npt.NDArray[np.bool_] | None:
    """(rows, columns) where the screen changed by itself before the action; None where nobody looked."""
    if not idle:
        return None
    size = (pre.shape[1], pre.shape[0])
    changed = [change_amounts(pre, _fit(screen, size), config) > 0 for screen in idle]
    return np.asarray(np.logical_or.reduce(changed))


def _compare(
    pre: Pixels,
    post: Pixels,
    ambient: npt.NDArray[np.bool_] | None,
    bounds: tuple[int, int, int, int] | None,
    config: PreprocessConfig,
) -> _Change:
    resized = pre.shape != post.shape
    post = _fit(post, (pre.shape[1], pre.shape[0]))
    amounts = change_amounts(pre, post, config)
    if ambient is not None:
        amounts[ambient] = 0
    return _Change(post, resized, amounts, bounds, *_changed_fractions(amounts, bounds))


def _find_motion(
    later: Sequence[Pixels],
    amounts: Floats,
    ambient: npt.NDArray[np.bool_] | None,
    size: tuple[int, int],
    config: PreprocessConfig,
) -> Motion:
    """What went on after the action, in the screens of the burst and post; `amounts` are those of post."""
    screens = [_fit(screen, size) for screen in later]
    latest, ever = (np.zeros(amounts.shape, np.bool_) for _ in range(2))
    for before, after in pairwise(screens):
        latest = change_amounts(before, after, config) > 0
        if ambient is not None:
            latest &= ~ambient
        ever |= latest
    return Motion(latest, ever & (amounts > 0), ever & (amounts == 0))


def _cut(
    pre: Pixels,
    change: _Change,
    motion: Motion,
    evidence: Evidence,
    actions: Sequence[Action],
    points: Sequence[tuple[float, float]],
    texts: Texts,
    config: PreprocessConfig,
    recognizer: Recognizer | None,
) -> Arrays:
    """Arrays of pre with one later screen; `points` are those of the actions that lie on the screen."""
    size = (pre.shape[1], pre.shape[0])
    target = points[-1] if points else None
    post, amounts = change.post, change.amounts
    places = choose_places(amounts > 0, size, target, config)
    detail = _view(
        cut_patches(pre, places.boxes, config.patch),
        cut_patches(post, places.boxes, config.patch),
        places.boxes, np.stack([places.changed, places.window], axis=1), size, points, config,
    )  # fmt: skip
    thumbnail_pre, boxes = cut_thumbnail(pre, config)
    thumbnail_post, _ = cut_thumbnail(post, config)
    thumbnail = _view(thumbnail_pre, thumbnail_post, boxes, np.zeros((len(boxes), 2), np.bool_), size, points, config)
    facts = state_facts(evidence, amounts, motion, actions, texts, target, config.patch)
    if config.reader:
        if recognizer is None:
            raise ConfigError("preprocess.reader is set, but there is no recogniser to read with")
        asked = texts.instruction or texts.task
        names = find_names(asked, find_typed(actions))
        numbered = find_ordinal(asked) is not None
        reading = read_transition(pre, post, amounts > 0, target, config.patch, names, numbered, recognizer)
        read = reading_facts(reading, actions, asked, names, target)
        facts = np.concatenate([facts, read, intent_facts(actions, texts.instruction, target, size)])
        written, before, after = reading.sentences()
        texts = replace(texts, target=written, before=before, after=after)
        evidence = replace(evidence, texts=reading.changes)
    return Arrays(detail, thumbnail, facts, texts, evidence, size, _region(change.bounds, size, config.patch))


def _fit(screen: Pixels, size: tuple[int, int]) -> Pixels:
    """The screen itself, or scaled where it is not of this (width, height)."""
    if (screen.shape[1], screen.shape[0]) == size:
        return screen
    return np.asarray(Image.fromarray(screen).resize(size, Image.Resampling.BILINEAR))


def _changed_fractions(amounts: Floats, bounds: tuple[int, int, int, int] | None) -> tuple[float, float | None, float]:
    """Fractions of the screen that changed: everywhere, in the window, outside of it."""
    total = float(amounts.sum(dtype=np.float64))
    if bounds is None:
        return total / amounts.size, None, total / amounts.size
    window = amounts[bounds[1] : bounds[3], bounds[0] : bounds[2]]
    inside, rest = float(window.sum(dtype=np.float64)), amounts.size - window.size
    return total / amounts.size, inside / window.size, max(0.0, total - inside) / rest if rest else 0.0


def _view(
    pre: npt.NDArray[np.uint8],
    post: npt.NDArray[np.uint8],
    boxes: Floats,
    flags: npt.NDArray[np.bool_],
    size: tuple[int, int],
    points: Sequence[tuple[float, float]],
    config: PreprocessConfig,
) -> View:
    """Add to the patches what the encoder and the head know of their places."""
    screen = np.array(size, np.float32)
    centre = boxes[:, :2] + boxes[:, 2:] / 2
    level = np.log2(boxes[:, 2:].mean(axis=1, keepdims=True) / config.patch)
    place = np.concatenate([centre / screen, level], axis=1).astype(np.float32)
    geometry = np.zeros((len(boxes), GEOMETRY_SIZE), np.float32)
    geometry[:, 0:2] = 2 * place[:, :2] - 1
    geometry[:, 2] = level[:, 0] / 4
    geometry[:, 3:5] = flags
    difference = np.maximum(pre, post) - np.minimum(pre, post)
    if len(boxes):
        geometry[:, 5] = difference.mean(axis=1) / 64
        geometry[:, 6] = difference.max(axis=1) / 255
        geometry[:, 7] = (difference > config.tolerance).mean(axis=1)
    if points:
        # Where the action began and where it ended: offsets in hundreds of pixels, squashed; nearness in [0, 1].
        for column, point in ((8, points[0]), (12, points[-1])):
            offset = centre - np.array(point, np.float32)
            distance = np.hypot(offset[:, 0], offset[:, 1])
            geometry[:, column : column + 2] = np.tanh(offset / 100)
            geometry[:, column + 2] = np.exp(-distance / 50)
            geometry[:, column + 3] = np.exp(-distance / 400)
    return View(pre, post, boxes, place, geometry)


def _region(
    bounds: tuple[int, int, int, int] | None, size: tuple[int, int], patch: int
) -> tuple[float, float, float, float] | None:
    if bounds is None:
        return None
    left, top = bounds[0] * patch, bounds[1] * patch
    return left, top, min(bounds[2] * patch, size[0]) - left, min(bounds[3] * patch, size[1]) - top

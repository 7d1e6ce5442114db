"""A verdict as one picture: both screens side by side, where the critic looked, what it measured and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from viscritic.actions import Action, describe_batch
from viscritic.evidence import Evidence, TextChange
from viscritic.heatmap.colours import Colour, heat_colours
from viscritic.heatmap.fonts import tell_missing, text_width
from viscritic.heatmap.marks import draw_mark
from viscritic.heatmap.overlay import blend_heat
from viscritic.heatmap.text import draw_lines, draw_plate, line_height, wrap
from viscritic.screen import ScreenSource, load_screen
from viscritic.trajectory import OUTCOMES, Outcome
from viscritic.verdict import State, Verdict

_PAPER: Final[Colour] = (250, 250, 248)
_INK: Final[Colour] = (28, 32, 40)
_FAINT: Final[Colour] = (92, 99, 110)
_RULE: Final[Colour] = (214, 217, 222)
_BAR: Final[Colour] = (0, 104, 160)
# White words on each are read easily (contrast of 4.5 or more), and no two are mixed up by the colour-blind.
STATE_COLOURS: Final[dict[State, Colour]] = {
    "confirmed": (0, 108, 92),
    "failed": (176, 52, 0),
    "unsure": (112, 84, 0),
    "pending": (74, 82, 98),
}
OUTCOME_WORDS: Final[dict[Outcome, str]] = {
    "success": "success",
    "no_op": "nothing happened",
    "wrong_target": "wrong target",
    "page_error": "error shown",
    "timeout": "still loading",
}
_PANEL: Final = 900  # pixels: the longest side of a screen on the card; smaller screens keep their size
_MOST_TEXTS: Final = 4
_MOST_MARKS: Final = 8


def draw_verdict(
    pre: ScreenSource, post: ScreenSource, verdict: Verdict, actions: Sequence[Action] = (), *, instruction: str = ""
) -> Image.Image:
    """The transition and its verdict on one card.

    Args:
        pre, post: the screens, as `load_screen` takes them; they may differ in size.
        verdict: what the critic said of them.
        actions: what was sent between them, in pixels of `pre`; it is described and marked.
        instruction: what was meant, shown above the screens.

    Returns:
        An RGB image; its width follows the screens, and its height the text.

    Raises:
        ScreenError: a screen is not usable.
    """
    size_of_pre, pictures = draw_screens(pre, post, verdict, actions)
    column = max(360, *(picture.width for picture in pictures))
    size = min(24, max(16, column // 36))  # height of the text
    width = 2 * column + size
    said = [_paragraph(verdict.note, width, size, _INK)]
    if instruction:
        said.append(_paragraph(f"Meant: {instruction}", width, size, _FAINT))
    if actions:
        said.append(_paragraph(f"Done: {describe_batch(actions, size_of_pre)}", width, size, _FAINT))
    captions = [_paragraph("Before", column, size, _FAINT), _scale(column, size)]
    framed = [_stack([c, _framed(p, column)], column, gap=size // 4) for c, p in zip(captions, pictures, strict=True)]
    blocks = [
        _headline(verdict, width, size),
        _stack(said, width, gap=size // 4),
        _columns(framed[0], framed[1], size),
        _columns(_facts(verdict.evidence, column, size), _chances(verdict, column, size), size),
        _paragraph(_origin(verdict, instruction), width, round(size * 0.8), _FAINT),
    ]
    return _stack(blocks, width, gap=size, margin=size * 3 // 2)


def draw_screens(
    pre: ScreenSource, post: ScreenSource, verdict: Verdict, actions: Sequence[Action], *, heat: bool = True
) -> tuple[tuple[int, int], list[Image.Image]]:
    """(width, height) of pre in pixels; and both screens, shrunk where they are large, with the actions' points, the
    attention over post where `heat`.

    Raises:
        ScreenError: a screen is not usable.
    """
    before = Image.fromarray(load_screen(pre, name="pre"))
    panels = [_shrunk(before), _shrunk(Image.fromarray(load_screen(post, name="post")))]
    if heat:
        panels[1] = blend_heat(panels[1], verdict.attention.weights)
    for panel in panels:
        _mark(panel, actions, before.size)
    return before.size, panels


def _origin(verdict: Verdict, instruction: str) -> str:
    """Who judged, and how long it took; and what to do about letters that could not be drawn."""
    texts = " ".join(text for change in verdict.evidence.texts for text in (change.before, change.after))
    told = tell_missing(f"{instruction} {verdict.note} {texts}")
    return f"{verdict.model}, {verdict.elapsed_ms:.0f} ms" + (f"; {told}" if told else "")


def _shrunk(screen: Image.Image) -> Image.Image:
    scale = min(1.0, _PANEL / max(screen.size))
    width, height = (max(1, round(side * scale)) for side in screen.size)
    return screen.resize((width, height), Image.Resampling.LANCZOS)


def _blank(width: int, height: int) -> Image.Image:
    return Image.new("RGB", (width, height), _PAPER)


def _stack(blocks: Sequence[Image.Image], width: int, *, gap: int, margin: int = 0) -> Image.Image:
    """Blocks under one another, each at the left."""
    height = sum(block.height for block in blocks) + gap * (len(blocks) - 1)
    card = _blank(width + 2 * margin, height + 2 * margin)
    top = margin
    for block in blocks:
        card.paste(block, (margin, top))
        top += block.height + gap
    return card


def _columns(left: Image.Image, right: Image.Image, gap: int) -> Image.Image:
    """Two blocks of one width side by side."""
    both = _blank(left.width + gap + right.width, max(left.height, right.height))
    both.paste(left, (0, 0))
    both.paste(right, (left.width + gap, 0))
    return both


def _paragraph(text: str, width: int, size: int, colour: Colour) -> Image.Image:
    lines = wrap(text, size, width)
    block = _blank(width, len(lines) * line_height(size))
    draw_lines(block, (0, 0), lines, size, colour)
    return block


def _headline(verdict: Verdict, width: int, size: int) -> Image.Image:
    """State on its colour, the outcome in words, success and progress."""
    large = round(size * 1.35)
    pad = large // 2
    height = line_height(large) + pad
    block = _blank(width, height)
    word = verdict.state.upper()
    plate = round(text_width(word, large)) + 2 * pad
    draw_plate(block, (0, 0, plate, height), pad, STATE_COLOURS[verdict.state])
    draw_lines(block, (pad, pad // 2), [word], large, _PAPER)
    draw_lines(block, (plate + pad, pad // 2), [outcome_words(verdict)], large, _INK)
    numbers = f"success {verdict.success:.2f}   progress {verdict.progress:+.2f}"
    left = width - round(text_width(numbers, size))
    draw_lines(block, (left, (height - line_height(size)) // 2), [numbers], size, _INK)
    return block


def outcome_words(verdict: Verdict) -> str:
    """What happened in two or three words, with the state's doubt; they agree with the largest of the bars."""
    if verdict.state == "pending":
        return "look again"
    if verdict.state == "unsure":
        return f"perhaps {OUTCOME_WORDS[verdict.likeliest]}"
    if verdict.state == "failed" and verdict.likeliest == "success":  # likelier than each failure, and yet too little
        return "success below the threshold"
    return OUTCOME_WORDS[verdict.outcome]


def _mark(picture: Image.Image, actions: Sequence[Action], pre_size: tuple[int, int]) -> None:
    """Mark the last actions' points, given in pixels of pre, on a picture of another size."""
    x_scale, y_scale = picture.width / pre_size[0], picture.height / pre_size[1]
    for action in actions[-_MOST_MARKS:]:
        if action.point is not None:
            x, y = action.point
            end = (action.end[0] * x_scale, action.end[1] * y_scale) if action.end else None
            draw_mark(picture, (x * x_scale, y * y_scale), end)


def _framed(picture: Image.Image, column: int) -> Image.Image:
    framed = _blank(column, picture.height)
    framed.paste(picture, (0, 0))
    ImageDraw.Draw(framed).rectangle((0, 0, picture.width - 1, picture.height - 1), outline=_RULE)
    return framed


def _scale(column: int, size: int) -> Image.Image:
    """The caption of the post screen: its name, and what the colours mean."""
    block = _paragraph("After, with attention from little", column, size, _FAINT)
    gap = size // 2
    start = round(text_width("After, with attention from little", size)) + gap
    bar = Image.fromarray(heat_colours()[None]).resize((5 * size, size * 3 // 4))
    block.paste(bar, (start, size // 4))
    draw_lines(block, (start + bar.width + gap, 0), ["to much"], size, _FAINT)
    return block


def _facts(evidence: Evidence, column: int, size: int) -> Image.Image:
    return _stack([_paragraph(fact, column, size, _INK) for fact in list_facts(evidence)], column, gap=size // 4)


def list_facts(evidence: Evidence) -> list[str]:
    """What was measured, a line each."""
    target = evidence.changed_at_target
    facts = [
        "Changed at the target: " + ("the action has no point on the screen" if target is None else _percent(target)),
        f"Changed elsewhere: {_percent(evidence.changed_elsewhere)}",
    ]
    if evidence.identical:
        facts.append("Both screens are the same, pixel for pixel")
    if evidence.off_screen:
        facts.append("The action's point lies outside the screen")
    if evidence.resized:
        facts.append("The screens differ in size: the later one was scaled to the earlier")
    facts += [_tell_text(change) for change in evidence.texts[:_MOST_TEXTS]]
    if (more := len(evidence.texts) - _MOST_TEXTS) > 0:
        facts.append(f"and {more} more text{'s' if more > 1 else ''}")
    return facts


def _tell_text(change: TextChange) -> str:
    if not change.before:
        return f'New text "{change.after}"'
    return f'Text "{change.before}" became "{change.after}"' if change.after else f'Text "{change.before}" is gone'


def _percent(fraction: float) -> str:
    return "none" if fraction == 0 else f"{fraction:.1%}" if fraction >= 0.001 else "under 0.1%"


def _chances(verdict: Verdict, column: int, size: int) -> Image.Image:
    """A bar for the probability of each outcome."""
    row = line_height(size) + size // 4
    block = _blank(column, row * len(OUTCOMES))
    draw = ImageDraw.Draw(block)
    label = round(max(text_width(words, size) for words in OUTCOME_WORDS.values())) + size
    number = round(text_width("0.00", size)) + size // 2
    for index, outcome in enumerate(OUTCOMES):
        top, chance = index * row, verdict.outcome_probs[outcome]
        draw_lines(block, (0, top), [OUTCOME_WORDS[outcome]], size, _INK)
        right = column - number - label
        draw.rectangle((label, top + size // 4, label + right, top + size), fill=_RULE)
        if filled := round(right * chance):
            draw.rectangle((label, top + size // 4, label + filled, top + size), fill=_BAR)
        draw_lines(block, (column - number + size // 2, top), [f"{chance:.2f}"], size, _INK)
    return block

"""The card of a verdict, on real example pairs: all of it is there, and all of it fits."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from viscritic.actions import Action
from viscritic.card import draw_verdict, outcome_words
from viscritic.errors import ScreenError
from viscritic.evidence import Attention, Evidence, TextChange
from viscritic.screen import load_screen
from viscritic.trajectory import OUTCOMES
from viscritic.verdict import STATES, Verdict

EXAMPLES = Path(__file__).parents[2] / "examples"
CLICK = (Action("click", x=200, y=100),)


def make_verdict(*, state="confirmed", outcome="success", note="The box was ticked.", evidence=None, weights=None):
    success = 0.96 if outcome == "success" else 0.04
    grid = np.zeros((6, 10), np.float32) if weights is None else weights
    return Verdict(
        success=success,
        progress=0.4,
        outcome=outcome,
        outcome_probs=dict.fromkeys(OUTCOMES, 0.01) | {outcome: 0.96},
        state=state,
        ok=outcome == "success",
        evidence=evidence or Evidence(changed=0.02, changed_at_target=0.3, changed_elsewhere=0.001, identical=False),
        attention=Attention(grid, np.zeros((0, 4), np.float32), np.zeros(0, np.float32)),
        note=note,
        elapsed_ms=31.4,
        model="tiny",
    )


def screen(width=400, height=300, shade=230):
    return np.full((height, width, 3), shade, np.uint8)


def differing_rows(first, second):
    width, height = min(first.width, second.width), min(first.height, second.height)
    pixels = [np.asarray(card.crop((0, 0, width, height))).astype(int) for card in (first, second)]
    return np.flatnonzero(np.abs(pixels[0] - pixels[1]).max((1, 2)) > 8)


def margins(card):
    """Whether the outermost pixels on all sides are bare paper."""
    array = np.asarray(card)
    return all((edge == array[0, 0]).all() for edge in (array[:8], array[-8:], array[:, :8], array[:, -8:]))


@pytest.mark.parametrize("name", ["todo-ticked", "mobile-location-missed", "figures-still-loading"])
def test_real_pairs(name):
    record = json.loads((EXAMPLES / name / "transition.json").read_text("utf-8"))
    pre, post = (load_screen(EXAMPLES / name / record[key]) for key in ("pre", "post"))
    actions = (Action.from_dict(record["action"]),)
    card = draw_verdict(pre, post, make_verdict(outcome=record["outcome"]), actions, instruction=record["instruction"])
    assert card.mode == "RGB"
    assert card.width <= 2000
    assert margins(card)


def test_small_screens_keep_their_size_and_large_ones_shrink():
    assert draw_verdict(screen(), screen(), make_verdict()).width < 900
    assert draw_verdict(screen(3840, 2160), screen(3840, 2160), make_verdict()).width < 2000


def test_both_screens_are_on_the_card():
    light, dark = screen(shade=235), screen(shade=30)
    pixels = np.asarray(draw_verdict(light, dark, make_verdict())).reshape(-1, 3)
    assert (pixels == 235).all(-1).sum() > 0.9 * 400 * 300
    assert ((pixels > 20) & (pixels < 60)).all(-1).sum() > 0.9 * 400 * 300  # muted under the heat


def test_pre_and_post_of_other_sizes():
    card = draw_verdict(screen(400, 300), screen(300, 640), make_verdict(), CLICK)
    assert card.height > 640
    assert margins(card)


@pytest.mark.parametrize("extreme", [(16, 16), (16, 5000), (5000, 16)])
def test_extreme_screens(extreme):
    assert margins(draw_verdict(screen(*extreme), screen(*extreme), make_verdict(), CLICK))


def test_every_state_and_outcome_looks_different():
    cards = [
        draw_verdict(screen(), screen(), make_verdict(state=state, outcome=o)) for state in STATES for o in OUTCOMES
    ]
    assert len({card.tobytes() for card in cards}) == len(cards)


def test_long_text_of_every_part_fits():
    long = "a long story, " * 200 + "x" * 3000
    evidence = Evidence(
        0.2, None, 0.2, True, off_screen=True, resized=True, texts=(TextChange(long, long, (0, 0, 9, 9)),) * 9
    )
    verdict = make_verdict(note=long, evidence=evidence, outcome="no_op")
    actions = tuple(Action("type", text=long) for _ in range(30))
    card = draw_verdict(screen(), screen(), verdict, actions, instruction=long)
    assert margins(card)
    assert card.height < 4000


def test_note_instruction_and_action_are_shown_above_the_screens():
    plain = draw_verdict(screen(), screen(), make_verdict(note="One."))
    for other in (
        draw_verdict(screen(), screen(), make_verdict(note="Two.")),
        draw_verdict(screen(), screen(), make_verdict(note="One."), instruction="Tick it"),
        draw_verdict(screen(), screen(), make_verdict(note="One."), (Action("wait"),)),
    ):
        assert differing_rows(plain, other).min() < 130


def test_evidence_is_shown_below_the_screens():
    def draw(**changes):
        fields = {"changed": 0.02, "changed_at_target": 0.3, "changed_elsewhere": 0.001, "identical": False} | changes
        return draw_verdict(screen(), screen(), make_verdict(evidence=Evidence(**fields)))

    plain = draw()
    bottom = plain.height // 2
    changes = [
        {"changed_at_target": None},
        {"changed_at_target": 0.0},
        {"changed_elsewhere": 0.5},
        {"identical": True},
        {"off_screen": True},
        {"resized": True},
        {"texts": (TextChange("3", "4", (0, 0, 9, 9)),)},
    ]
    for change in changes:
        rows = differing_rows(plain, draw(**change))
        assert rows.size
        assert rows.min() > bottom, change


def test_attention_is_drawn_over_the_post_screen_alone():
    weights = np.zeros((6, 10), np.float32)
    weights[3, 5] = 1
    cold, hot = (draw_verdict(screen(), screen(), make_verdict(weights=w)) for w in (np.zeros_like(weights), weights))
    changed = np.abs(np.asarray(cold).astype(int) - np.asarray(hot).astype(int)).max(-1) > 8
    columns = np.flatnonzero(changed.any(0))
    assert columns.min() > cold.width // 2
    assert 20 < columns.max() - columns.min() < 3 * 40


def test_point_is_marked_on_both_screens_and_a_drag_has_its_way():
    def marked(*actions):
        plain = draw_verdict(screen(), screen(), make_verdict(), (Action("wait"),))
        card = draw_verdict(screen(), screen(), make_verdict(), actions)
        assert card.size == plain.size  # as many lines of text above the screens
        below_text = slice(150, 420)
        return np.abs(np.asarray(card).astype(int) - np.asarray(plain).astype(int)).max(-1)[below_text] > 8

    click, drag = marked(*CLICK), marked(Action("drag", x=200, y=100, x2=350, y2=100))
    half = click.shape[1] // 2
    for side in (slice(0, half), slice(half, None)):
        assert 0 < click[:, side].sum() < drag[:, side].sum()


def test_bad_screens_are_named():
    with pytest.raises(ScreenError, match=r"^pre: "):
        draw_verdict("nowhere.png", screen(), make_verdict())
    with pytest.raises(ScreenError, match=r"^post: "):
        draw_verdict(screen(), b"", make_verdict())


@pytest.mark.parametrize(
    ("state", "outcome", "chances", "words"),
    [
        ("confirmed", "success", {"success": 0.8, "no_op": 0.2}, "success"),
        ("unsure", "timeout", {"success": 0.48, "timeout": 0.22, "no_op": 0.2}, "perhaps success"),
        ("unsure", "success", {"success": 0.4, "no_op": 0.45}, "perhaps nothing happened"),
        ("failed", "page_error", {"success": 0.1, "page_error": 0.7}, "error shown"),
        ("failed", "timeout", {"success": 0.35, "timeout": 0.2, "no_op": 0.18}, "success below the threshold"),
        ("pending", "timeout", {"success": 0.1, "timeout": 0.8}, "look again"),
    ],
)
def test_the_headline_agrees_with_the_largest_bar(state, outcome, chances, words):
    verdict = replace(make_verdict(state=state, outcome=outcome), outcome_probs=dict.fromkeys(OUTCOMES, 0.01) | chances)
    assert outcome_words(verdict) == words

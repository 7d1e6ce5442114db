"""What the model is told, and the one JSON object that it may answer with; everything else is refused with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from viscritic.actions import Action
from viscritic.actions.jsontext import load_json
from viscritic.errors import ActionError

_ACTIONS: Final = """{"action": "click", "x": 960, "y": 540}   also right_click, double_click, move; pixels of the image
{"action": "type", "text": "..."}
{"action": "key", "keys": "ctrl+c"}
{"action": "scroll", "amount": -3}            wheel clicks; negative shows what lies further down
{"action": "navigate", "url": "https://..."}
{"action": "wait", "ms": 1000}
{"action": "done"}                            the task is finished
{"action": "done", "note": "..."}             it cannot be finished; the note says why"""
_LAST_STEPS: Final = 20  # that the model is reminded of


class ProtocolError(ActionError):
    """An answer that is not the one JSON object; the message is for the model."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model wants.

    Attributes:
        action: the action.
        why: the step's intent in its own words, "" where it gave none.
    """

    action: Action
    why: str = ""

    @property
    def note(self) -> str:
        """What stands beside `done`; a task that is finished has none."""
        return (self.action.text or "") if self.action.kind == "done" else ""


def write_prompt(task: str, size: tuple[int, int], steps: Sequence[str], problem: str = "") -> str:
    """The request for the next action.

    Args:
        size: (width, height) of the screen in pixels.
        steps: what has been done so far, and what the verifier said of it, a line each.
        problem: why the model's last answer was refused.
    """
    parts = [
        f"You operate a computer. Its screen is {size[0]} x {size[1]} pixels; you see it in the image.",
        f"Task: {task}",
        "Answer with exactly one JSON object and nothing else, no words and no code fence around it. One of:",
        _ACTIONS,
        'You may add "why": "what this step is for, in a few words, naming the element".',
    ]
    if steps:
        skipped = len(steps) - _LAST_STEPS
        parts.append("So far:" + (f" ({skipped} earlier steps left out)" if skipped > 0 else ""))
        parts += steps[-_LAST_STEPS:]
    if problem:
        parts.append(f"Your last answer was refused: {problem} Nothing was done.")
    return "\n".join(parts) + "\n"


def read_answer(text: str) -> Answer:
    """The action that the model answered with.

    Raises:
        ProtocolError: anything but one JSON object that is an action; the message tells the model what was wrong.
    """
    obj = _read_object(text)
    why = obj.pop("why", "")
    if not isinstance(why, str):
        raise ProtocolError('"why" must be text.')
    try:
        return Answer(Action.parse(obj, "gui-control"), why.strip()[:300])
    except ActionError as error:
        raise ProtocolError(f"The object is no action: {error}.") from error


def write_question(question: str, size: tuple[int, int]) -> str:
    """The request for a judgement of the screen, with nothing to be done."""
    return (
        f"You look at a computer's screen of {size[0]} x {size[1]} pixels and do nothing.\nQuestion: {question}\n"
        'Answer with exactly one JSON object and nothing else: {"ok": true, "note": ""}. '
        '"ok" is true or false; "note" says in a few words what you see.\n'
    )


def read_verdict(text: str) -> dict[str, Any]:
    """The model's {"ok": ..., "note": ...}.

    Raises:
        ProtocolError: anything else.
    """
    obj = _read_object(text)
    if set(obj) - {"ok", "note"} or not isinstance(obj.get("ok"), bool) or not isinstance(obj.get("note", ""), str):
        raise ProtocolError('It must be {"ok": true or false, "note": "text"}, with no other key.')
    return {"ok": obj["ok"], "note": obj.get("note", "")}


def _read_object(text: str) -> dict[str, Any]:
    stripped = text.strip()
    if not stripped:
        raise ProtocolError("It was empty.")
    if not stripped.startswith("{"):
        raise ProtocolError(
            f"It must begin with {{ and be one JSON object alone, but it begins with {stripped[:30]!r}."
        )
    try:
        obj = load_json(stripped)
    except ActionError as error:
        raise ProtocolError(f"It is not one JSON object alone: {error}.") from error
    if not isinstance(obj, dict):
        raise ProtocolError("It must be a JSON object.")
    return obj

"""From any object to actions: decoding, choosing the dialect, folding gestures."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Final

from viscritic.actions.action import Action, Size, check_size
from viscritic.actions.dialects import DIALECTS
from viscritic.actions.gesture import Event, fold
from viscritic.actions.jsontext import LONGEST, load_json
from viscritic.actions.shown import shown
from viscritic.errors import ActionError

_POPULAR: Final = ("openai", "anthropic", "pyautogui")
_MOST_ACTIONS: Final = 1000  # between two screens


def read_one(obj: Any, dialect: str | None, size: Size | None) -> Action:
    """See `Action.parse`."""
    actions = read_batch(obj, dialect, size)
    if len(actions) > 1:
        raise ActionError(f"this means {len(actions)} actions, not one: use Action.parse_batch; got {shown(obj)}")
    return actions[0]


def read_batch(obj: Any, dialect: str | None, size: Size | None) -> tuple[Action, ...]:
    """See `Action.parse_batch`."""
    size = check_size(size)
    if dialect is not None and (not isinstance(dialect, str) or dialect not in DIALECTS):
        raise ActionError(_unknown_dialect(dialect), field="dialect")
    obj = _decode(obj)
    items = obj if isinstance(obj, list | tuple) else [obj]
    if len(items) > _MOST_ACTIONS:
        raise ActionError(f"a batch has at most {_MOST_ACTIONS} actions, got {len(items)}")
    actions = fold(event for item in items for event in _events(_decode(item), dialect, size))
    if len(actions) > _MOST_ACTIONS:
        raise ActionError(f"a batch has at most {_MOST_ACTIONS} actions, got {len(actions)}")
    if not actions:
        raise ActionError(f"this holds no action on the GUI: {shown(obj)}")
    return actions


def _unknown_dialect(dialect: object) -> str:
    """Names the dialects that it may have meant: the closest ones, or the best known."""
    close = get_close_matches(dialect.lower(), DIALECTS, n=2) if isinstance(dialect, str) else []
    way_out = (
        f"did you mean {' or '.join(close)}?" if close else f"one of {len(DIALECTS)}, such as {', '.join(_POPULAR)}"
    )
    return f"unknown dialect {shown(dialect)}: {way_out} (viscritic.actions.DIALECTS has them all)"


def _decode(obj: Any) -> Any:
    """JSON text as its value; everything else as it is."""
    if not isinstance(obj, str):
        return obj
    text = obj.strip()
    if len(text) > LONGEST:
        raise ActionError(f"an action's text has at most {LONGEST} characters, got {len(text)}")
    if not text.startswith(("{", "[")):
        return text
    return load_json(text)


def _events(item: Any, dialect: str | None, size: Size | None) -> list[Event]:
    if isinstance(item, Action):
        return [item]
    if isinstance(item, list | tuple):
        raise ActionError(f"a batch holds actions, not further batches; got {shown(item)}")
    if dialect is not None:
        return DIALECTS[dialect].read(item, size)
    return _guess(item, size)


def _guess(item: Any, size: Size | None) -> list[Event]:
    """What every dialect that claims the item and can read it agrees on."""
    claiming = [dialect for dialect in DIALECTS.values() if dialect.claims(item)]
    if not claiming:
        raise ActionError(f"no dialect writes actions like {shown(item)}; known: {', '.join(DIALECTS)}")
    readings: dict[str, list[Event]] = {}
    errors: dict[str, ActionError] = {}
    for dialect in claiming:
        try:
            readings[dialect.name] = dialect.read(item, size)
        except ActionError as error:
            errors[dialect.name] = error
    if not readings:
        raise _joined(errors)
    first, *others = readings.values()
    if any(other != first for other in others):
        raise ActionError(
            f"{shown(item)} is ambiguous, name the dialect: {' or '.join(readings)}; they read it differently",
            field="dialect",
        )
    return first


def _joined(errors: dict[str, ActionError]) -> ActionError:
    """The one error, or all of them; the field where they agree on it."""
    if len(errors) == 1:
        return next(iter(errors.values()))
    fields = {error.field for error in errors.values()}
    reasons = "; ".join(f"as {name}: {error}" for name, error in errors.items())
    return ActionError(f"no dialect can read this: {reasons}", field=fields.pop() if len(fields) == 1 else None)

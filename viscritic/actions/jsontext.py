"""JSON that strangers wrote, read with errors of the package's own."""

from __future__ import annotations

import json
from typing import Any, Final

from viscritic.errors import ActionError

LONGEST: Final = 1_000_000  # characters of any text that is read as an action


def load_json(text: str, *, field: str | None = None) -> Any:
    """The value of a JSON text.

    Raises:
        ActionError: too long, malformed, too deeply nested, or with a key that an object holds twice.
    """
    if len(text) > LONGEST:
        raise ActionError(f"an action's text has at most {LONGEST} characters, got {len(text)}", field=field)
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except RecursionError:
        raise ActionError("the JSON is nested too deeply for an action", field=field) from None
    except ActionError:
        raise
    except ValueError as error:  # JSONDecodeError, and an int of more digits than Python converts
        raise ActionError(f"the text is not JSON: {error}", field=field) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    loaded: dict[str, Any] = {}
    for name, value in pairs:
        if name in loaded:
            raise ActionError(f"the key {name[:100]!r} stands twice in one object", field=name[:100])
        loaded[name] = value
    return loaded

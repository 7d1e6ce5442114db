"""VisCritic: did the GUI action work? Judged from the screens before and after.

>>> from viscritic import Critic
>>> verdict = Critic.load().score("pre.png", "post.png", {"action": "click", "x": 960, "y": 540}, "Open the menu")
>>> verdict.state, verdict.success
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from viscritic.actions import Action
    from viscritic.errors import VisCriticError
    from viscritic.runtime import Critic, Transition
    from viscritic.verdict import Verdict, verdict_schema

# Newer versions of onnxruntime report to their maker, and keep an identifier in the home folder, unless they are told
# otherwise before they are first imported. A caller's own setting stands.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

__version__ = "0.1.0"
__all__ = ["Action", "Critic", "Transition", "Verdict", "VisCriticError", "verdict_schema"]

_HOMES: Final = {
    "Action": "viscritic.actions",
    "Critic": "viscritic.runtime",
    "Transition": "viscritic.runtime",
    "Verdict": "viscritic.verdict",
    "VisCriticError": "viscritic.errors",
    "verdict_schema": "viscritic.verdict",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: importing the package costs next to nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'viscritic' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

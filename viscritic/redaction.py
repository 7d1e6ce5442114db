"""A caller's function that takes out of screens what must not be kept, before they are written."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from viscritic.errors import ConfigError, ScreenError
from viscritic.screen import Screen

# Takes a (H, W, 3) uint8 screen, returns one of the same shape; it must not write into what it is given.
Redaction = Callable[[Screen], Screen]


def redact(screen: Screen, redaction: Redaction | None) -> Screen:
    """The screen as it may be written.

    Raises:
        ScreenError: the function gave no screen of the same shape, or failed. Nothing is written then.
    """
    if redaction is None:
        return screen
    try:
        redacted: Any = redaction(screen)
    except Exception as error:  # it is the caller's code; what it failed on may quote the screen
        raise ScreenError(f"the screen cannot be redacted: the function raised {type(error).__name__}") from error
    if not isinstance(redacted, np.ndarray) or redacted.shape != screen.shape or redacted.dtype != np.uint8:
        kind = getattr(redacted, "shape", type(redacted).__name__)
        raise ScreenError(f"the screen cannot be redacted: the function gave {kind}, not uint8 of shape {screen.shape}")
    return np.ascontiguousarray(redacted)


def load_redaction(name: str) -> Redaction:
    """The function that a name says, "package.module:function"; modules of the working folder are found, too.

    Raises:
        ConfigError: there is no such function.
    """
    module, colon, function = name.partition(":")
    if not colon or not module or not function:
        raise ConfigError(f"a redaction is named as module:function, got {name!r}")
    sys.path.insert(0, os.getcwd())  # noqa: PTH109  # a string is wanted
    try:
        found = getattr(importlib.import_module(module), function)
    except Exception as error:  # whatever the module does when it is imported
        raise ConfigError(f"the redaction {name!r} cannot be loaded ({type(error).__name__}: {error})") from error
    finally:
        sys.path.pop(0)
    if not callable(found):
        raise ConfigError(f"the redaction {name!r} is no function")
    redaction: Redaction = found
    return redaction

"""The package's own errors: what a caller can get wrong ends in one of these, with a message that names the way out.

The command line prints the message and exits with 2; only a defect of ours ends in another exception.
"""

from __future__ import annotations


class VisCriticError(Exception):
    """Parent of every error that this package raises on purpose."""


class ScreenError(VisCriticError, ValueError):
    """An image that cannot be read as a screen (unreadable, too large, too small, animated, ...)."""


class ActionError(VisCriticError, ValueError):
    """An action that cannot be understood. `field` names the offending part, where there is one."""

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class TextError(VisCriticError, ValueError):
    """An instruction or task that is not text."""


class DataError(VisCriticError, ValueError):
    """A trajectory or a sample folder that breaks its format."""


class BundleError(VisCriticError, ValueError):
    """A bundle that is missing, damaged, or newer than this package can read."""


class ConfigError(VisCriticError, ValueError):
    """A configuration with an unknown key or a value out of range."""


class WeightsError(VisCriticError, FileNotFoundError):
    """Pretrained weights that are not on this machine; the message says what to install."""


class AgentError(VisCriticError, RuntimeError):
    """An agent's loop that cannot go on: the environment died, the model's answers are no actions, a log is broken."""


class LogError(AgentError):
    """A log of steps that cannot be written or read; what was written before is whole."""


class RollbackError(AgentError):
    """A state that could not be brought back; the message says what was tried."""


class StepFailedError(AgentError):
    """A step that the gate did not let pass; the message is the gate's sentence, `decision` the whole of it."""

    def __init__(self, message: str, decision: object) -> None:
        super().__init__(message)
        self.decision = decision


class ServerError(VisCriticError, RuntimeError):
    """A server of verdicts that refuses, cannot be reached, or answers what is no answer.

    `status` is its HTTP status, None where no answer came.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class MissingExtraError(VisCriticError, ImportError):
    """A room whose dependencies are not installed; the message names the extra."""

    def __init__(self, room: str, extra: str, module: str) -> None:
        super().__init__(f"{room} needs the module {module!r}: install it with  pip install 'viscritic[{extra}]'")
        self.room, self.extra, self.module = room, extra, module

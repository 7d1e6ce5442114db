"""Actions of every dialect, in one form."""

from viscritic.actions.action import KINDS, Action, Kind, Size

__all__ = ["KINDS", "Action", "Kind", "Size"]

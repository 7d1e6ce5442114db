"""Actions of every dialect, in one form."""

from viscritic.actions.action import KINDS, Action, Kind, Point, Size
from viscritic.actions.dialects import DIALECTS
from viscritic.actions.sentence import describe_batch
from viscritic.actions.visibility import may_be_invisible

__all__ = ["DIALECTS", "KINDS", "Action", "Kind", "Point", "Size", "describe_batch", "may_be_invisible"]

"""Ways back from a step that went wrong."""

from viscritic.agent.rollback.custom import CustomRollback
from viscritic.agent.rollback.desktop import DesktopRollback
from viscritic.agent.rollback.ladder import Rollback, Rung, climb
from viscritic.agent.rollback.replay import ReplayRollback

__all__ = ["CustomRollback", "DesktopRollback", "ReplayRollback", "Rollback", "Rung", "climb"]

"""The verifier in an agent's loop: a gate after every action, ways back, adapters for the loops that people run."""

from viscritic.agent.environment import Environment, Judgement, Scorer
from viscritic.agent.gate import CriticGate, GateDecision
from viscritic.agent.log import StepLog, read_log
from viscritic.agent.policy import MOVES, GatePolicy, Move
from viscritic.agent.rollback import CustomRollback, DesktopRollback, ReplayRollback, Rollback
from viscritic.agent.safety import Safety, judge_safety

__all__ = [
    "MOVES",
    "CriticGate",
    "CustomRollback",
    "DesktopRollback",
    "Environment",
    "GateDecision",
    "GatePolicy",
    "Judgement",
    "Move",
    "ReplayRollback",
    "Rollback",
    "Safety",
    "Scorer",
    "StepLog",
    "judge_safety",
    "read_log",
]

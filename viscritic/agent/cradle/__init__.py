"""Cradle's loop on the critic: skills as actions, reflection on up to eight frames, episodic and procedural memory.

Source: Cradle, Towards General Computer Control (Tan et al. 2024), whose self-reflection asks a language model.
"""

from viscritic.agent.cradle.loop import CradleAgent, CradleResult
from viscritic.agent.cradle.memory import EpisodicMemory
from viscritic.agent.cradle.reflection import Reflection, Reflector, sample_frames
from viscritic.agent.cradle.skills import Skills

__all__ = ["CradleAgent", "CradleResult", "EpisodicMemory", "Reflection", "Reflector", "Skills", "sample_frames"]

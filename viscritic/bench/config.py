"""Settings of the interactive benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viscritic.errors import ConfigError

AGENTS: Final = ("dom", "noisy")
VERIFIERS: Final = ("none", "retry", "pixels", "ssim", "critic", "truth")
# Task types whose utterances the heuristic agent reads, or reads in part.
TASKS: Final = (
    "click-button", "click-button-sequence", "click-checkboxes", "click-checkboxes-large", "click-checkboxes-soft",
    "click-checkboxes-transfer", "click-collapsible", "click-collapsible-nodelay", "click-collapsible-2",
    "click-color", "click-dialog", "click-dialog-2", "click-link", "click-option", "click-tab", "click-tab-2-easy",
    "click-tab-2-medium", "click-test", "click-test-2", "click-test-transfer", "click-widget", "choose-list",
    "enter-date", "enter-password", "enter-text", "enter-text-2", "enter-text-dynamic", "enter-time", "focus-text",
    "focus-text-2", "login-user", "login-user-popup", "multi-layouts", "multi-orderings", "read-table",
    "search-engine", "sign-agreement", "text-transform", "unicode-test", "use-autocomplete",
    "use-autocomplete-nodelay", "button-delay",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Faults:
    """How often a step meets a fault, and which: at most one each.

    Attributes:
        drop: the action is lost.
        miss: it lands beside its target.
        slow: it takes effect only after `delay` seconds.
        popup: a banner covers the page before it, until it is closed.
        delay: seconds.
    """

    drop: float = 0.12
    miss: float = 0.10
    slow: float = 0.08
    popup: float = 0.08
    delay: float = 1.2

    def __post_init__(self) -> None:
        rates = (self.drop, self.miss, self.slow, self.popup)
        if min(rates) < 0 or sum(rates) > 1:
            raise ConfigError(f"fault rates must not be negative, nor more than 1 together, got {rates}")


@dataclass(frozen=True, slots=True)
class BenchConfig:
    """The whole benchmark.

    Attributes:
        tasks: MiniWoB++ task types.
        seeds: of each type: 0 to seeds - 1.
        agents: of `AGENTS`: the heuristic agent on the page as it is, and the same amid faults.
        verifiers: of `VERIFIERS`.
        tries: how often an agent does a step again when it is told to plan anew.
        steps: an episode's bound.
        faults: of the agent "noisy".
        ssim: below 1 - ssim, screens count as different.
    """

    tasks: tuple[str, ...] = TASKS
    seeds: int = 5
    agents: tuple[str, ...] = AGENTS
    verifiers: tuple[str, ...] = VERIFIERS
    tries: int = 2
    steps: int = 20
    faults: Faults = Faults()
    ssim: float = 0.002

    def __post_init__(self) -> None:
        for name, known in (("agents", AGENTS), ("verifiers", VERIFIERS), ("tasks", TASKS)):
            strange = [value for value in getattr(self, name) if value not in known]
            if strange:
                raise ConfigError(f"unknown {name}: {', '.join(strange)}; known: {', '.join(known)}")
        if self.seeds < 1 or self.steps < 1 or self.tries < 0:
            raise ConfigError(f"seeds and steps must be 1 or more, tries 0 or more; got {self.seeds}, {self.steps}")

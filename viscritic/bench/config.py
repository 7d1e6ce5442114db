"""Settings of the interactive benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from viscritic.errors import ConfigError

AGENTS: Final = ("dom", "noisy", "cloned")
VERIFIERS: Final = ("none", "before", "retry", "pixels", "ssim", "critic", "truth")
# Task types of MiniWoB++ whose utterances the heuristic agent reads, or reads in part.
MINIWOB: Final = (
    "click-button", "click-button-sequence", "click-checkboxes", "click-checkboxes-large", "click-checkboxes-soft",
    "click-checkboxes-transfer", "click-collapsible", "click-collapsible-nodelay", "click-collapsible-2",
    "click-color", "click-dialog", "click-dialog-2", "click-link", "click-option", "click-tab", "click-tab-2-easy",
    "click-tab-2-medium", "click-test", "click-test-2", "click-test-transfer", "click-widget", "choose-list",
    "enter-date", "enter-password", "enter-text", "enter-text-2", "enter-text-dynamic", "enter-time", "focus-text",
    "focus-text-2", "login-user", "login-user-popup", "multi-layouts", "multi-orderings", "read-table",
    "search-engine", "sign-agreement", "text-transform", "unicode-test", "use-autocomplete",
    "use-autocomplete-nodelay", "button-delay",
)  # fmt: skip
# Applications that the collectors drive; an episode is a task of several steps in one of them.
APPLICATIONS: Final = (
    "kit-plain", "kit-bootstrap", "kit-daisyui", "kit-bulma", "kit-pico", "todomvc-react", "todomvc-vue",
    "todomvc-backbone", "sqlite-web", "galculator",
)  # fmt: skip
TASKS: Final = tuple(f"miniwob-{name}" for name in MINIWOB) + APPLICATIONS


@dataclass(frozen=True, slots=True)
class Faults:
    """How often a step meets a fault, and which: at most one each.

    Attributes:
        drop: the action is lost.
        miss: it lands beside its target.
        slow: it takes effect only after `delay` seconds.
        popup: a banner covers the page before it, until it is closed; a desktop loses the action instead.
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
        tasks: names of `TASKS`, or patterns of them ("miniwob-*").
        seeds: of each: `first` to first + seeds - 1.
        first: far beyond what collections use: their walks are numbered from 0.
        agents: of `AGENTS`: the heuristic agent on the page as it is, the same amid faults, and a policy that was
            cloned from demonstrations and sees pixels alone, amid faults too (on MiniWoB++ only).
        verifiers: of `VERIFIERS`.
        tries: how often an agent does a step again when it is told to plan anew.
        steps: an episode's bound.
        faults: of the agents "noisy" and "cloned".
        ssim: below 1 - ssim, screens count as different.
    """

    tasks: tuple[str, ...] = TASKS
    seeds: int = 5
    first: int = 90_000
    agents: tuple[str, ...] = AGENTS
    verifiers: tuple[str, ...] = VERIFIERS
    tries: int = 3
    steps: int = 20
    faults: Faults = Faults()
    ssim: float = 0.002

    def __post_init__(self) -> None:
        strange = [task for task in self.tasks if not any(fnmatchcase(name, task) for name in TASKS)]
        for name, known in (("agents", AGENTS), ("verifiers", VERIFIERS)):
            strange += [value for value in getattr(self, name) if value not in known]
        if strange:
            raise ConfigError(
                f"unknown in the benchmark: {', '.join(strange)}; agents: {', '.join(AGENTS)}; verifiers: "
                f"{', '.join(VERIFIERS)}; tasks: {', '.join(TASKS)}"
            )
        if self.seeds < 1 or self.steps < 1 or self.tries < 0 or self.first < 0:
            raise ConfigError(
                f"seeds and steps must be 1 or more, tries and first 0 or more; got {self.seeds}, {self.steps}, "
                f"{self.tries}, {self.first}"
            )

    @property
    def chosen(self) -> tuple[str, ...]:
        """The tasks by their full names."""
        return tuple(name for name in TASKS if any(fnmatchcase(name, task) for task in self.tasks))

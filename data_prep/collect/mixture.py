"""How often which cause is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from data_prep.collect.application import Fault

# What a wrong step mostly comes to, how often that is drawn, and of which causes, with which weight: rare in the world
# or slow to play, less. Hits on something else are the hardest to tell, so there are many. Of all samples about 7 %
# shall wait and 8 % end in an error; half of all are no wrong steps, and some steps can neither wait nor fail.
KINDS: Final[dict[str, tuple[float, dict[str, float]]]] = {
    "something else": (0.40, {
        "twin": 5.0, "neighbour": 3.0, "offset": 1.0, "scaled": 0.4, "typed_elsewhere": 2.5, "typed_wrong": 3.0,
        "typed_lossy": 2.5, "focus_stolen": 2.0, "option_wrong": 6.0, "drag_elsewhere": 4.0, "scroll_elsewhere": 8.0,
    }),
    "nothing": (0.19, {
        "swallowed": 1.6, "blank": 0.7, "off_screen": 0.2, "overlay": 0.8, "late_overlay": 0.5, "disabled": 0.7,
        "twice": 1.2, "typed_nowhere": 1.5, "drag_short": 4.0,
    }),
    "an error": (0.19, {
        "asked_500": 0.5, "asked_404": 0.4, "asked_401": 0.5, "asked_refused": 0.3, "asked_offline": 0.3,
        "rejected": 1.2, "page_500": 1.0, "page_404": 1.0, "page_401": 0.8, "page_refused": 0.7, "page_offline": 0.7,
        "dead_link": 1.0, "server_fails": 1.0, "login_wall": 1.0, "rejected_form": 1.5, "crashed": 1.0, "denied": 1.5,
    }),
    "waiting": (0.15, {"asked_held": 1.2, "page_held": 2.0, "hung": 1.0, "server_hangs": 1.2}),
    "what was meant": (0.07, {
        "asked_slow": 1.2, "overlay_beside": 0.8, "overlay_through": 0.7, "server_slow": 1.2, "slow": 1.2,
    }),
}  # fmt: skip
_KNOWN: Final = {cause: weight for _, causes in KINDS.values() for cause, weight in causes.items()}


def draw_faults(faults: Sequence[Fault], wrong: int, random: Random) -> list[list[Fault]]:
    """For each wrong step the faults in the order in which they are tried: the first that applies is played.

    Those of a kind go where the kind was drawn, and come first there, and with them causes of no kind: those of one
    application. No fault is in two lists.
    """
    order = sorted(faults, key=lambda f: -(random.random() ** (1 / _KNOWN.get(f.cause, 1.0))))
    kinds = random.choices(list(KINDS), [share for share, _ in KINDS.values()], k=wrong)
    slots: list[list[Fault]] = [[] for _ in range(wrong)]
    for fault in order:
        takers = [slot for slot, kind in zip(slots, kinds, strict=True) if fault.cause in KINDS[kind][1]]
        min(takers or slots, key=len).append(fault)
    return [
        sorted(slot, key=lambda f: f.cause in _KNOWN and f.cause not in KINDS[kind][1])
        for slot, kind in zip(slots, kinds, strict=True)
    ]

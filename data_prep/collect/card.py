"""`CARD.md` of a collection, written from its manifest alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from viscritic.sample import SPLITS
from viscritic.trajectory import OUTCOMES

# cause -> how it comes about, and the evidence that its label rests on
CAUSES: Final = {
    "clean": "the right action; the intended element is hit and the application's state becomes what was meant",
    "no_handler": "the right action on an element that does nothing; state unchanged, nothing in flight",
    "clean_page_error": "the right action, and the application's own request fails",
    "retold_wrong": "a clean step under an instruction for another element or text; hit and what was typed",
    "retold_right": "a hit on another element under an instruction for that element; hit and state",
    "twin": "the target's like in another row, list or group is hit; hit and state",
    "typed_wrong": "another text is typed into the right field, a letter less, say; the field's value",
    "typed_lossy": "a letter gets lost on its way into the field; the field's value",
    "typed_elsewhere": "the focus goes on to another field, which gets the text; the fields' values",
    "option_wrong": "another option of the right list is chosen; the list's value",
    "drag_elsewhere": "it is dropped where it was not meant to go; state",
    "drag_short": "it is let go of too early, and nothing takes it; state as before",
    "scroll_elsewhere": "another box than the one that is meant scrolls; what scrolled",
    "overlay_through": "something seen through lies over the element; state equals the clean replay's",
    "asked_401": "the page asks a server first, which wants a login, 401; a login form or a message shows",
    "rejected": "a form with an empty required field is refused; the message that the page shows",
    "confirmed": "the right action on something that notes it; the page's store, and a message that stays",
    "confirmed_briefly": "the same, with a message that goes: only the burst shows it; the page's store",
    "page_401": "a link leads to a page that asks to sign in, 401",
    "page_held": "a link's page is awaited, and the browser's tab shows so; open request",
    "hung": "it shows that it waits and answers nothing; open request of a page, stopped process of a program",
    "slow": "the program stops for a moment, and the desktop says so; the right end comes",
    "crashed": "the program ends with a fault; the signal that ended it",
    "modal": "a dialog of the program is open, nothing else in it can be used; hit and state",
    "denied": "the program may not write; its own message",
    "neighbour": "another element near by is hit; hit and state",
    "blank": "the point hits no element; hit and state",
    "offset": "the point is off by about the element's size; hit and state",
    "scaled": "the coordinates belong to another scale; hit and state",
    "off_screen": "the point lies beyond the screen; state",
    "twice": "a switch is hit twice; state as before",
    "typed_nowhere": "typed while the field has no focus; focus and state",
    "focus_stolen": "the focus moves before the typing; focus and state",
    "swallowed": "the page gets no event; state unchanged, nothing in flight",
    "disabled": "the control is disabled; state unchanged",
    "overlay": "something covers the element; hit and state",
    "late_overlay": "something covers the element after the screen before was taken; hit and state",
    "overlay_beside": "something floats beside the element and does no harm; state equals the clean replay's",
    "asked_500": "the page asks a server first, which answers 500",
    "asked_404": "the page asks a server first, which answers 404",
    "asked_refused": "the page asks a server first, which is not there",
    "asked_offline": "the page asks a server first, and the browser is offline",
    "asked_held": "the page asks a server first, which does not answer; open request, sign of waiting",
    "asked_slow": "the page asks a server first, which answers late; state equals the clean replay's",
    "page_500": "a link's page answers 500",
    "page_404": "a link's page answers 404",
    "page_refused": "a link's server is not there",
    "page_offline": "a link is followed offline",
    "login_wall": "the session has ended; the application's login page comes in place of what was wanted",
    "dead_link": "a link or form leads to an address that no longer is; the application's own 404 or refusal",
    "server_fails": "the application's database broke; its server's own 500",
    "server_slow": "the application's server hangs for a moment; state equals the clean replay's",
    "server_hangs": "the application's server hangs; open request, the page's own sign of waiting",
    "rejected_form": "the application rejects a form for a reason of its own; its message",
    "sold_out": "the shop has sold the last one meanwhile; its message",
    "gone": "what is asked for was removed meanwhile; the application's own 404",
    "locked": "somebody else has locked the page meanwhile; the application's message",
    "overtaken": "somebody else has put other flows to work meanwhile; the server's 409 and a dialog",
    "key_revoked": "the key is no longer valid; the server's 401",
    "session_ended": "the browser's token has gone, and nothing can be saved; the server's 403",
    "rejected_password": "a wrong password; the application's message",
}


def collected_card(manifest: Mapping[str, Any]) -> str:
    """The card: what was collected, how many of each, how it was labelled, what was left out."""
    counts = manifest["counts"]
    parts = [
        "# Transitions of real applications",
        f"{manifest['samples']} samples over {manifest['screens']} screens, from {manifest['trajectories']} walks."
        " Each label was observed: it follows from the application's own state, from network events and from what the"
        " pointer hit, never from pixels. A clean replay from the same state is the reference; steps whose truth shows"
        " on no screen are left out.",
        "## Causes",
        _cause_table(manifest["causes_by_split"]),
        "## Outcomes by application",
        _cross_table("application", manifest["tables"]["outcome by app"]),
        "## Outcomes by noise",
        _cross_table("noise", manifest["tables"]["outcome by noise"]),
        "## Platforms and kinds of change",
        table(("platform", "samples"), list(counts["platform"].items())),
        table(("change", "samples"), list(counts["change"].items())),
        "## Splits",
        table(("split", "samples"), list(counts["split"].items())),
        "Split by application and by family of applications; no application is in two splits.",
        "## Left out",
        table(("step: reason", "steps"), list(manifest["dropped"].items())),
        f"{manifest.get('unobservable', 0)} more right steps had an effect that no screen shows (something was copied,"
        " say); they lie apart in `unobservable.jsonl`.",
        "## How it was made",
        f"    {manifest.get('command', '')}",
        f"```json\n{json.dumps(manifest.get('configuration', {}), indent=2)}\n```",
        f"SHA-256 of samples.jsonl: `{manifest['samples_sha256']}`",
    ]
    return "\n\n".join(parts) + "\n"


def _cause_table(by_split: Mapping[str, Mapping[str, int]]) -> str:
    known = [*CAUSES, *sorted({cause for counts in by_split.values() for cause in counts} - set(CAUSES))]
    rows: list[Sequence[Any]] = []
    for cause in known:
        numbers = [by_split[split].get(cause, 0) for split in SPLITS]
        if sum(numbers):
            rows.append((cause, *numbers, sum(numbers), CAUSES.get(cause, "")))
    return table(("cause", *SPLITS, "all", "what happened; evidence"), rows)


def _cross_table(name: str, cells: Mapping[str, int]) -> str:
    names = list(dict.fromkeys(key.split("|")[0] for key in cells))
    rows = []
    for row in names:
        numbers = [cells.get(f"{row}|{outcome}", 0) for outcome in OUTCOMES]
        rows.append((row, *numbers, sum(numbers)))
    return table((name, *OUTCOMES, "all"), rows)


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)

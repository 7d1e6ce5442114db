"""`CARD.md` of a sample folder, written from its manifest alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from data_prep.sources import SOURCES
from viscritic.sample import SPLITS

_CLASSES: Final = {
    "positive": "a step that its data set calls a success, or (with less confidence) one of a run that succeeded",
    "aligned": "a step of a failed run that a successful run of the same task took as well",
    "action_mismatch": "the action and instruction of another step of the trajectory",
    "neighbour": "the action hits the element beside the target",
    "no_op": "nothing was done: the same screen twice, or two taken before the action with an SSIM above the threshold",
    "state_mismatch": "the screen after comes from another trajectory, in another application",
    "state_back": "the screen after is an earlier one of the trajectory",
    "state_near": "the screen after is the earlier one that looks most like the true one",
    "state_scrolled": "the screen after is the one before, one scroll away",
    "failed": "a step that its data set calls a failure",
    "diverged": "a step of a failed run after it parted from a successful one of the same task",
}


def card_text(manifest: Mapping[str, Any]) -> str:
    """The card: what the samples are, how many, how they were made, their licence and limits."""
    steps = ", ".join(f"{number} {name}" for name, number in manifest.get("steps", {}).items())
    source = f"{manifest.get('trajectories', '?')} trajectories of {', '.join(manifest.get('sources', []))}"
    parts = [
        "# Samples of GUI transitions",
        f"{manifest['samples']} samples over {manifest['screens']} screens, from {source}."
        f" What the data set says of their steps: {steps}.",
        "## Classes",
        _class_table(manifest["causes_by_split"]),
        "Labels are weak: `positive` and `failed` follow the data set's own word, `aligned` and `diverged` a comparison"
        " of runs, all else is made by swapping parts of successful steps (`data_prep/perturb.py` says exactly how, and"
        " why each is true). A success label between 0 and 1 says how sure it is.",
        "## Applications",
        _table(("application", "samples"), list(manifest["counts"]["app"].items())),
        "## Outcomes",
        _table(("outcome", "samples"), list(manifest["counts"]["outcome"].items())),
        "None means unknown: its loss is masked.",
        "## Splits",
        _split_text(manifest.get("shared_screens", [])),
        "## How it was made",
        f"    {manifest['command']}",
        f"Seed {manifest['seed']}, configuration:",
        f"```json\n{json.dumps(manifest['configuration'], indent=2)}\n```",
        f"SHA-256 of samples.jsonl: `{manifest['samples_sha256']}`",
        *_source_texts(manifest.get("sources", [])),
        *_note_texts(manifest.get("notes", [])),
    ]
    return "\n\n".join(parts) + "\n"


def _class_table(by_split: Mapping[str, Mapping[str, int]]) -> str:
    causes = [cause for cause in _CLASSES if any(cause in counts for counts in by_split.values())]
    causes += sorted({cause for counts in by_split.values() for cause in counts} - set(causes))
    rows: list[Sequence[Any]] = []
    for cause in causes:
        numbers = [by_split[split].get(cause, 0) for split in SPLITS]
        rows.append((cause, *numbers, sum(numbers), _CLASSES.get(cause, "")))
    totals = [sum(by_split[split].values()) for split in SPLITS]
    return _table(("class", *SPLITS, "all", "what it is"), [*rows, ("all", *totals, sum(totals), "")])


def _split_text(groups: Sequence[Sequence[str]]) -> str:
    text = "No screen of one split has a near-duplicate in another: trajectories that share one are kept together."
    if not groups:
        return text
    return f"{text} Groups of more than one:\n\n" + "\n".join(f"- {', '.join(group)}" for group in groups)


def _source_texts(names: Sequence[str]) -> list[str]:
    texts = []
    for name in names:
        if (source := SOURCES.get(name)) is not None:
            limits = "\n".join(f"- {limit}" for limit in source.limits)
            texts.append(f"## Source: {name}\n\n{source.home}\n\nLicence: {source.licence}\n\nLimits:\n\n{limits}")
    return texts


def _note_texts(notes: Sequence[str]) -> list[str]:
    return ["## Records that were left out\n\n" + "\n".join(f"- {note}" for note in notes)] if notes else []


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)

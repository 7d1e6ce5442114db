"""Recorded runs and a critic of known opinions, for the tests of audits, server and page."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from viscritic.evidence import Attention, Evidence
from viscritic.preprocess import PreprocessConfig
from viscritic.trajectory import OUTCOMES
from viscritic.verdict import Decision, Verdict

SIZE = (320, 200)


def draw_screen(name: str) -> Image.Image:
    """A window whose page is named; other names, other pixels."""
    picture = Image.new("RGB", SIZE, "#e8ebf0")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, SIZE[0], 24), fill="#26344d")
    draw.text((8, 6), name, fill="white")
    draw.rectangle((40, 60, 280, 160), fill="white", outline="#9aa3b0")
    draw.text((60, 90), f"This is page {name}", fill="#1c2028", font_size=18)
    return picture


def write_run(folder: Path, pages: Sequence[str], actions: Sequence[Any], **whole: Any) -> Path:
    """A folder of numbered screens with actions.json; `whole` says what there is to say of it."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(pages):
        draw_screen(page).save(folder / f"{number}.png")
    (folder / "actions.json").write_text(json.dumps({"steps": list(actions), **whole}))
    return folder


def zip_folder(folder: Path, out: Path) -> Path:
    with zipfile.ZipFile(out, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(folder))
    return out


def click(x: int, y: int, instruction: str = "") -> dict[str, Any]:
    action = {"action": "click", "x": x, "y": y}
    return {"action": action, "instruction": instruction} if instruction else action


def make_verdict(state: str, *, at: tuple[int, int] = (160, 100), changed: float = 0.1) -> Verdict:
    """A verdict of a state, whose attention is at a point of a screen of SIZE."""
    outcome = {"confirmed": "success", "unsure": "success", "failed": "wrong_target", "pending": "timeout"}[state]
    success = {"confirmed": 0.93, "unsure": 0.5, "failed": 0.06, "pending": 0.2}[state]
    weights = np.zeros((20, 32), np.float32)
    weights[at[1] * 20 // SIZE[1], at[0] * 32 // SIZE[0]] = 1
    rest = dict.fromkeys(OUTCOMES, 0.0) | {outcome if outcome != "success" else "no_op": 1 - success}
    return Verdict(
        success=success, progress=0.25, outcome=outcome, outcome_probs=rest | {"success": success}, state=state,
        ok=outcome == "success", evidence=Evidence(changed, 0.2, changed, identical=False),
        attention=Attention(weights, np.array([[0, 0, 32, 32]], np.float32), np.ones(1, np.float32)),
        note=f"It is {state}.", elapsed_ms=12.0, model="stub",
    )  # fmt: skip


@dataclass
class StubCritic:
    """Gives the states in turn, again and again."""

    states: Sequence[str] = ("confirmed",)
    asked: list[Any] = field(default_factory=list)
    config: Any = field(default_factory=lambda: SimpleNamespace(name="stub", preprocess=PreprocessConfig()))
    decision: Decision = field(default_factory=lambda: Decision(0.5, (0.4, 0.6)))

    def score(self, pre: Any, post: Any, action: Any, *rest: Any, **named: Any) -> Verdict:
        state = self.states[len(self.asked) % len(self.states)]
        self.asked.append((pre, post, action, *rest))
        return make_verdict(state)

"""Made-up sessions in ScreenAgent's layout."""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image

CLICK = {
    "action_type": "MouseAction",
    "mouse_action_type": "click",
    "mouse_button": "left",
    "mouse_position": {"width": 10, "height": 20},
}
GOOD = {"action_type": "EvaluateSubTaskAction", "situation": "sub_task_success"}
BAD = {"action_type": "EvaluateSubTaskAction", "situation": "need_reformulate", "advice": "no"}
PLAN = {"action_type": "PlanAction", "element": "Open it"}


def write_session(root: Path, batches: list, name: str = "one") -> Path:
    session = root / "train" / name
    (session / "images").mkdir(parents=True)
    for number, actions in enumerate(batches):
        Image.new("RGB", (40, 30), f"#0000{10 * number:02x}").save(session / "images" / f"{number}.jpg")
        record = {
            "saved_image_name": f"{number}.jpg",
            "task_prompt_en": " Write ",
            "send_prompt_en": f'The current subtask is "step {number}".\nYou can use the mouse.',
            "actions": actions,
        }
        (session / f"{number}.json").write_text(json.dumps(record))
    return session

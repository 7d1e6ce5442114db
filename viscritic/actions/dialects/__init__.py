"""The dialects that agents and data sets write actions in, by name.

Where no dialect is named, each says whether an object looks like its own. If all that claim it and can read it agree,
that is the action; if they differ, it is refused until the dialect is named. What differs, and why:

- a point of UI-TARS: 0..1000 in `ui-tars`, pixels of a resized screen in `ui-tars-1.5`; the text is the same;
- a number alone, {"action_type": 10}: WebArena and AITW number their actions differently (10 opens a tab, or ends the
  task). With a field that one of them alone has (`coords`, `yx_touch`), it is clear.

These look alike but agree, or their fields tell: clicks, scrolls and apps of `androidworld` and `androidcontrol`, whose
`input_text` presses Enter and has a target in the first alone; words and code of `pyautogui` and `osworld`; `type` and
`wait` of `gui-control` and `anthropic`; `click` of `browsergym` (a bid) and UI-TARS (`point=`).
"""

from __future__ import annotations

from typing import Final

from viscritic.actions.dialects import (
    aitw,
    android,
    anthropic,
    browsergym,
    canonical,
    cradle,
    gui_control,
    gui_odyssey,
    mind2web,
    openai,
    osworld,
    pyautogui,
    screenagent,
    ui_tars,
    webarena,
)
from viscritic.actions.dialects.dialect import Dialect

DIALECTS: Final[dict[str, Dialect]] = {
    dialect.name: dialect
    for dialect in (
        canonical.DIALECT,
        gui_control.DIALECT,
        openai.DIALECT,
        anthropic.DIALECT,
        pyautogui.DIALECT,
        osworld.DIALECT,
        android.WORLD,
        android.CONTROL,
        aitw.AITW,
        aitw.AITZ,
        mind2web.DIALECT,
        browsergym.DIALECT,
        ui_tars.RELATIVE,
        ui_tars.RESIZED,
        cradle.DIALECT,
        screenagent.DIALECT,
        gui_odyssey.DIALECT,
        webarena.DIALECT,
    )
}

__all__ = ["DIALECTS", "Dialect"]

"""How actions are sent to a page: mouse and keyboard through Playwright, fingers through the debugging protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.errors import DataError

_KEYS: Final = {
    "enter": "Enter", "tab": "Tab", "escape": "Escape", "esc": "Escape", "backspace": "Backspace", "delete": "Delete",
    "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight", "home": "Home", "end": "End",
    "pageup": "PageUp", "pagedown": "PageDown", "space": "Space", "ctrl": "Control", "shift": "Shift", "alt": "Alt",
}  # fmt: skip
_SWIPE_STEPS: Final = 8


class Hand:
    """Sends actions to one page. All points are in CSS pixels of its viewport.

    Args:
        page: Playwright's page.
        session: its debugging session.
        touch: whether the page has a touch screen and no mouse.
        scale: screen pixels in one CSS pixel, for distances.
    """

    def __init__(self, page: Any, session: Any, *, touch: bool, scale: float) -> None:
        self._page, self._session, self._touch, self._scale = page, session, touch, scale

    async def send(self, action: Action, point: Point | None, end: Point | None) -> None:
        """Send one action; `point` and `end` are where it goes.

        Raises:
            DataError: an action that a browser's page does not take, or one without its point.
        """
        page = self._page
        match action.kind:
            case "click" | "double_click" | "triple_click" | "right_click" | "long_press":
                await self._click(action, point)
            case "move":
                if point and not self._touch:
                    await page.mouse.move(*point)
            case "type":
                await page.keyboard.type((action.text or "").replace("\r\n", "\n"))
            case "key":
                for key in action.keys:
                    await page.keyboard.down(_KEYS.get(key, key))
                for key in reversed(action.keys):
                    await page.keyboard.up(_KEYS.get(key, key))
            case "scroll":
                await self._turn(action, point)
            case "drag" | "swipe":
                if point is None or end is None:
                    raise DataError(f"a {action.kind} needs two points")
                await (self._swipe(point, end) if self._touch else self._drag(point, end))
            case "wait":
                await asyncio.sleep(action.seconds or 1)
            case _:
                raise DataError(f"the browser driver cannot send {action.kind!r}")

    async def _turn(self, action: Action, point: Point | None) -> None:
        if point:
            await self._page.mouse.move(*point)
        await self._page.mouse.wheel((action.dx or 0) / self._scale, (action.dy or 0) / self._scale)

    async def _click(self, action: Action, point: Point | None) -> None:
        if point is None:
            raise DataError(f"a {action.kind} needs a point")
        if self._touch:
            await self._page.touchscreen.tap(*point)
        else:
            button = "right" if action.kind == "right_click" else "left"
            count = {"double_click": 2, "triple_click": 3}.get(action.kind, 1)
            await self._page.mouse.click(*point, button=button, click_count=count)

    async def _drag(self, start: Point, end: Point) -> None:
        mouse = self._page.mouse
        await mouse.move(*start)
        await mouse.down()
        await mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        await mouse.move(*end, steps=4)
        await mouse.up()

    async def _swipe(self, start: Point, end: Point) -> None:
        for step in range(_SWIPE_STEPS + 1):
            part = step / _SWIPE_STEPS
            place = {"x": start[0] + part * (end[0] - start[0]), "y": start[1] + part * (end[1] - start[1])}
            kind = "touchStart" if step == 0 else "touchMove"
            await self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
            await asyncio.sleep(0.016)
        await asyncio.sleep(0.1)  # at rest when it is lifted, so that nothing glides on
        await self._session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def separate(actions: Sequence[Action]) -> list[Action]:
    """The actions, with every Enter that ends a text as one of its own."""
    found: list[Action] = []
    for action in actions:
        if action.kind == "type" and (action.text or "").endswith("\n") and len(action.text or "") > 1:
            found += [Action("type", text=(action.text or "")[:-1]), Action("key", keys=("enter",))]
        else:
            found.append(action)
    return found

"""A page of Playwright as an environment: actions by mouse and keyboard, at points and not at selectors."""

from __future__ import annotations

import time
from typing import Any, Final

from viscritic.actions import Action
from viscritic.errors import ActionError
from viscritic.screen import Screen, load_screen

_KEYS: Final = {
    "ctrl": "Control", "alt": "Alt", "shift": "Shift", "meta": "Meta", "enter": "Enter", "tab": "Tab", "esc": "Escape",
    "backspace": "Backspace", "delete": "Delete", "insert": "Insert", "home": "Home", "end": "End", "space": "Space",
    "pageup": "PageUp", "pagedown": "PageDown", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft",
    "right": "ArrowRight",
}  # fmt: skip
_ATTEMPTS: Final = 4  # to take a picture
_CLICKS: Final[dict[str, tuple[str, int]]] = {
    "click": ("left", 1), "double_click": ("left", 2), "triple_click": ("left", 3), "right_click": ("right", 1),
    "middle_click": ("middle", 1),
}  # fmt: skip


def capture(page: Any, timeout: float = 30_000.0) -> bytes:
    """A PNG of the viewport as it is, caret and animations included; asked for again where the browser has nothing to
    draw for a moment, as while one document gives way to another.

    Args:
        page: of Playwright's sync API.
        timeout: of one attempt, milliseconds.
    """
    for _ in range(_ATTEMPTS - 1):
        try:
            return bytes(page.screenshot(timeout=timeout, animations="allow", caret="initial"))
        except Exception as error:
            if "Unable to capture screenshot" not in str(error):
                raise
            time.sleep(0.25)
    return bytes(page.screenshot(timeout=timeout, animations="allow", caret="initial"))


class PageEnvironment:
    """Acts on a page of Playwright's sync API. Points are pixels of its screen.

    Args:
        page: the page; give its context a fixed viewport.
    """

    def __init__(self, page: Any) -> None:
        self._page = page
        self._held: list[str] = []
        self._scale = 0.0  # device pixels to a CSS pixel; known when a screen has been taken

    def screen(self) -> Screen:
        """The viewport, device pixels."""
        screen = load_screen(capture(self._page))
        viewport = self._page.viewport_size
        self._scale = screen.shape[1] / viewport["width"] if viewport else 1.0
        return screen

    def act(self, action: Action) -> None:
        """Do one action.

        Raises:
            ActionError: a kind that a page has not ("open_app"), or a click without a point.
        """
        if not self._scale:
            self.screen()
        keys = [_KEYS.get(key, key) for key in action.keys]
        for key in keys:
            self._held.append(key)
            self._page.keyboard.down(key)
        try:
            self._act(action)
        finally:
            self.release()

    def release(self) -> None:
        """Let go of every key and button."""
        while self._held:
            key = self._held.pop()
            self._page.mouse.up() if key == "mouse" else self._page.keyboard.up(key)

    def _act(self, action: Action) -> None:
        page = self._page
        match action.kind:
            case "click" | "double_click" | "triple_click" | "right_click" | "middle_click":
                button, count = _CLICKS[action.kind]
                page.mouse.click(*self._point(action), button=button, click_count=count)
            case "long_press":
                page.mouse.move(*self._point(action))
                self._press()
                time.sleep(action.seconds or 0.8)
            case "move":
                page.mouse.move(*self._point(action))
            case "drag" | "swipe":
                page.mouse.move(*self._point(action))
                self._press()
                page.mouse.move(*self._point(action, end=True), steps=8)
            case "scroll":
                if action.point:
                    page.mouse.move(*self._point(action))
                page.mouse.wheel((action.dx or 0) / self._scale, (action.dy or 0) / self._scale)
            case "type":
                if action.point:
                    page.mouse.click(*self._point(action))
                page.keyboard.type(action.text or "")
            case "key":
                time.sleep(action.seconds or 0)
            case _:
                self._act_on_page(action)

    def _act_on_page(self, action: Action) -> None:
        match action.kind:
            case "navigate":
                self._page.goto(action.url or "", wait_until="commit")
            case "back":
                self._page.go_back(wait_until="commit")
            case "wait":
                time.sleep(1 if action.seconds is None else action.seconds)
            case "done":
                pass
            case _:
                raise ActionError(f"a page cannot do {action.kind!r}; known: clicks, drag, scroll, type, key, navigate")

    def _press(self) -> None:
        self._held.append("mouse")
        self._page.mouse.down()

    def _point(self, action: Action, *, end: bool = False) -> tuple[float, float]:
        point = action.end if end else action.point
        if point is None:
            raise ActionError(f"a {action.kind} on a page needs a point", field="x2" if end else "x")
        return point[0] / self._scale, point[1] / self._scale

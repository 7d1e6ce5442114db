"""The way back in a browser page of Playwright: fields, Escape, the history, and at last the page loaded anew.

What is kept of a page: its address, its cookies and storage, its text, what stands in its fields, where it is scrolled.
It is back when all of them are; what the server has done is not undone, so a page may come back otherwise than it was,
and then the step counts as not undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from viscritic.actions import Action
from viscritic.agent.environment import changed_share
from viscritic.agent.rollback.ladder import Rung, climb
from viscritic.screen import Screen, ScreenSource, load_screen

_FIELDS: Final = "[...document.querySelectorAll('input:not([type=file]),textarea,select,[contenteditable=true]')]"
_SAVE: Final = f"""() => ({{
  url: location.href, text: document.body ? document.body.innerText : '',
  local: {{...localStorage}}, session: {{...sessionStorage}}, scroll: [scrollX, scrollY],
  focus: {_FIELDS}.indexOf(document.activeElement),
  fields: {_FIELDS}.map(n => n.type === 'checkbox' || n.type === 'radio' ? n.checked
    : n.isContentEditable ? n.innerHTML : n.tagName === 'SELECT' ? [...n.options].map(o => o.selected) : n.value),
}})"""
# A framework hears of a value only through the events, and of a tick only through a click.
_FILL: Final = f"""saved => {{
  {_FIELDS}.forEach((n, i) => {{
    const value = saved.fields[i];
    if (value === undefined) return;
    if (n.type === 'checkbox' || n.type === 'radio') {{ if (n.checked !== value) n.click(); return; }}
    if (n.isContentEditable) {{ if (n.innerHTML !== value) n.innerHTML = value; else return; }}
    else if (n.tagName === 'SELECT') {{
      if ([...n.options].every((o, k) => o.selected === value[k])) return;
      [...n.options].forEach((o, k) => o.selected = value[k]);
    }} else {{
      if (n.value === value) return;
      const kind = n.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement;
      Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(n, value);
    }}
    n.dispatchEvent(new Event('input', {{bubbles: true}}));
    n.dispatchEvent(new Event('change', {{bubbles: true}}));
  }});
  const focused = {_FIELDS}[saved.focus];
  if (focused) focused.focus(); else if (document.activeElement) document.activeElement.blur();
  scrollTo(...saved.scroll);
}}"""
_STORE: Final = """saved => {
  for (const [store, rows] of [[localStorage, saved.local], [sessionStorage, saved.session]]) {
    store.clear();
    for (const [key, value] of Object.entries(rows)) store.setItem(key, value);
  }
}"""


@dataclass(frozen=True, slots=True, eq=False)
class PageMark:
    """What is needed to come back: the page's own state as JSON, its cookies, its screen."""

    page: dict[str, Any]
    cookies: list[Any]
    screen: Screen


class BrowserRollback:
    """Ways back in one page of Playwright's sync API.

    Args:
        page: the page.
        look: takes its screen.
        tolerance: share of pixels that may differ from before (a caret, a hovered button).
        timeout: seconds that a navigation may take.
    """

    undoes_all = False

    def __init__(
        self, page: Any, look: Callable[[], ScreenSource], *, tolerance: float = 0.005, timeout: float = 10.0
    ) -> None:
        self._page, self._look, self._tolerance, self._timeout = page, look, tolerance, 1000 * timeout

    def mark(self) -> PageMark:
        """Address, storage, cookies, fields, scroll position and screen."""
        return PageMark(self._page.evaluate(_SAVE), self._page.context.cookies(), load_screen(self._look()))

    def note(self, actions: Sequence[Action]) -> None:
        """The page itself knows what became of them."""

    def undo(self, mark: PageMark) -> None:
        """Climb until the page is as it was.

        Raises:
            RollbackError: no means brought them back.
        """
        url = mark.page["url"]
        if self._page.url == url:
            rungs = [
                Rung("the fields' values", lambda: self._page.evaluate(_FILL, mark.page)),
                Rung("Escape", lambda: self._page.keyboard.press("Escape")),
            ]
        else:
            rungs = [Rung("the history", lambda: self._go_back(mark))]
        climb([*rungs, Rung("the page loaded anew", lambda: self._load(mark))], lambda: self._is_back(mark))

    def _go_back(self, mark: PageMark) -> None:
        self._page.go_back(timeout=self._timeout)
        self._page.evaluate(_FILL, mark.page)

    def _load(self, mark: PageMark) -> None:
        if self._page.context.cookies() != mark.cookies:
            self._page.context.clear_cookies()
            self._page.context.add_cookies(mark.cookies)
        self._page.goto(mark.page["url"], timeout=self._timeout)  # storage belongs to an origin: be there first
        self._page.evaluate(_STORE, mark.page)
        self._page.reload(timeout=self._timeout)
        self._page.evaluate(_FILL, mark.page)

    def _is_back(self, mark: PageMark) -> bool:
        for _ in range(5):  # a page that has just been loaded or filled in takes its time
            if _same(mark.page, self._page.evaluate(_SAVE)):
                share = changed_share(mark.screen, load_screen(self._look()))
                if share <= self._tolerance:
                    return True
            self._page.wait_for_timeout(150)
        return False


def _same(before: dict[str, Any], now: dict[str, Any]) -> bool:
    return all(before[name] == now[name] for name in ("url", "text", "fields", "local", "session"))

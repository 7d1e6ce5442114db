"""The server's page in a real browser: every control of it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from audit_runs import StubCritic, click, draw_screen, write_run, zip_folder
from served import running

from viscritic.actions import Action
from viscritic.actions.action import KINDS
from viscritic.audit import Auditor
from viscritic.audit.document import describe_audit
from viscritic.audit.source import read_trajectories

pytestmark = pytest.mark.browser
TOKEN = "0123456789abcdef0123456789abcdef"
# What a page would do for a file that is dragged or pasted.
DROP = """(node, {data, name, kind, how}) => {
  const bytes = Uint8Array.from(atob(data), c => c.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name, {type: kind}));
  const options = {bubbles: true, cancelable: true};
  for (const step of how === 'paste' ? ['paste'] : ['dragenter', 'dragover', 'drop'])
    node.dispatchEvent(step === 'paste' ? new ClipboardEvent(step, {...options, clipboardData: transfer})
                                        : new DragEvent(step, {...options, dataTransfer: transfer}));
}"""

# Controls and pictures that a screen reader could not name.
NAMELESS = """() => [...document.querySelectorAll('button, input, select, textarea, [tabindex], img')].filter(node => {
  if (node.tagName === 'IMG') return !node.hasAttribute('alt');
  const ids = (node.getAttribute('aria-labelledby') ?? '').split(' ');
  const named = [node, ...(node.labels ?? []), ...ids.map(id => document.getElementById(id))];
  return !node.getAttribute('aria-label') && !named.some(one => one?.textContent.trim());
}).map(node => node.outerHTML)"""


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("screens")
    for name in ("a", "b"):
        draw_screen(name).save(folder / f"{name}.png")
    (folder / "no.png").write_text("no picture")
    return {name: folder / f"{name}.png" for name in ("a", "b", "no")}


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, StubCritic]]:
    """A server whose critic lets everything fail."""
    critic = StubCritic(["failed"])
    with running(critic) as (url, _):
        yield url, critic


@pytest.fixture
def critic(served: tuple[str, StubCritic]) -> StubCritic:
    served[1].asked.clear()
    return served[1]


@pytest.fixture
def url(served: tuple[str, StubCritic]) -> str:
    return served[0]


@pytest.fixture
def page(browser: Any, url: str) -> Iterator[Any]:
    """The page; at the end nothing was asked of another host and nothing went wrong in it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(20_000)
    foreign: list[str] = []
    broken: list[str] = []
    opened.on("request", lambda r: foreign.append(r.url) if not r.url.startswith((url, "data:", "blob:")) else None)
    opened.on("pageerror", lambda error: broken.append(str(error)))
    opened.on("console", lambda m: broken.append(m.text) if "Content Security Policy" in m.text else None)
    opened.goto(url)
    yield opened
    context.close()
    assert (foreign, broken) == ([], [])


def choose(page: Any, pictures: dict[str, Path]) -> None:
    page.set_input_files("#file-pre", pictures["a"])
    page.wait_for_selector("#picture-pre img")
    page.set_input_files("#file-post", pictures["b"])
    page.wait_for_selector("#picture-post img")


def judge(page: Any) -> None:
    page.click("#judge-button")
    page.wait_for_selector("#result:visible, #problem:not(:empty)")


def sent(critic: StubCritic) -> Action:
    """The action that was judged last."""
    (action,) = critic.asked[-1][2]
    assert isinstance(action, Action)
    return action


def drop(page: Any, selector: str, file: Path, *, how: str = "drop", kind: str = "image/png") -> None:
    data = base64.b64encode(file.read_bytes()).decode()
    page.locator(selector).evaluate(DROP, {"data": data, "name": file.name, "kind": kind, "how": how})


class TestScreens:
    def test_chosen(self, page: Any, pictures: dict[str, Path]) -> None:
        choose(page, pictures)
        assert "320 \u00d7 200, a.png" in page.inner_text("#slot-pre")
        assert "After: b.png, 320 by 200 pixels." in page.text_content("#live")

    def test_dropped(self, page: Any, pictures: dict[str, Path]) -> None:
        drop(page, "#slot-post", pictures["b"])
        page.wait_for_selector("#picture-post")
        assert page.locator("#picture-pre").count() == 0

    def test_pasted_into_the_first_empty_place_or_the_focused_one(self, page: Any, pictures: dict[str, Path]) -> None:
        drop(page, "body", pictures["a"], how="paste")
        page.wait_for_selector("#picture-pre")
        page.focus("#file-post")
        drop(page, "body", pictures["b"], how="paste")
        page.wait_for_selector("#picture-post")
        page.focus("#picture-pre")
        drop(page, "body", pictures["b"], how="paste")
        page.wait_for_selector("#slot-pre :text('b.png')")

    def test_removed(self, page: Any, pictures: dict[str, Path]) -> None:
        choose(page, pictures)
        page.click("#remove-pre")
        assert page.locator("#picture-pre").count() == 0
        assert page.evaluate("document.activeElement.id") == "file-pre"
        page.click("#remove-post")
        assert page.locator("#file-post").count() == 1

    def test_no_picture(self, page: Any, pictures: dict[str, Path]) -> None:
        page.set_input_files("#file-pre", pictures["no"])
        page.wait_for_selector("#problem:not(:empty)")
        assert "no.png is no picture" in page.inner_text("#problem")

    def test_missing(self, page: Any, pictures: dict[str, Path]) -> None:
        page.click("#judge-button")
        assert page.inner_text("#problem") == "The screen before and the one after is missing."
        assert page.evaluate("document.activeElement.id") == "file-pre"


class TestPoint:
    def test_clicked(self, page: Any, pictures: dict[str, Path], critic: StubCritic) -> None:
        choose(page, pictures)
        box = page.locator("#picture-pre img").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.5)
        x, y = float(page.input_value("#x")), float(page.input_value("#y"))
        assert (x, y) == (pytest.approx(80, abs=1), pytest.approx(100, abs=1))
        assert page.locator("#picture-pre circle").count() == 3
        judge(page)
        assert sent(critic) == Action("click", x, y)

    def test_by_keyboard(self, page: Any, pictures: dict[str, Path], critic: StubCritic) -> None:
        choose(page, pictures)
        page.focus("#picture-pre")
        for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Shift+ArrowLeft", "Shift+ArrowUp"):
            page.keyboard.press(key)
        assert page.text_content("#live") == "165, 102"
        page.keyboard.press("Enter")
        assert (page.input_value("#x"), page.input_value("#y")) == ("165", "102")
        assert page.text_content("#live") == "Point set at 165, 102."
        page.keyboard.press("Escape")
        assert page.input_value("#x") == ""
        assert page.locator("#picture-pre circle").count() == 0
        for _ in range(400):
            page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        assert page.input_value("#x") == "0"

    def test_typed(self, page: Any, pictures: dict[str, Path], critic: StubCritic) -> None:
        choose(page, pictures)
        page.fill("#x", "12")
        page.fill("#y", "34.5")
        assert page.locator("#picture-pre circle").count() == 3
        judge(page)
        assert sent(critic) == Action("click", 12, 34.5)

    def test_start_and_end(self, page: Any, pictures: dict[str, Path], critic: StubCritic) -> None:
        choose(page, pictures)
        page.select_option("#kind", "drag")
        box = page.locator("#picture-pre img").bounding_box()
        for share in (0.25, 0.75):
            page.mouse.click(box["x"] + box["width"] * share, box["y"] + box["height"] * 0.5)
        assert page.locator("#picture-pre .marks path").count() == 3
        judge(page)
        action = sent(critic)
        assert action.kind == "drag"
        assert (action.x, action.y, action.x2, action.y2) == pytest.approx((80, 100, 240, 100), abs=1)


FIELDS: dict[str, tuple[dict[str, str], Action]] = {
    "click": ({"x": "5", "y": "6"}, Action("click", 5, 6)),
    "double_click": ({"x": "5", "y": "6"}, Action("double_click", 5, 6)),
    "triple_click": ({"x": "5", "y": "6"}, Action("triple_click", 5, 6)),
    "right_click": ({"x": "5", "y": "6"}, Action("right_click", 5, 6)),
    "middle_click": ({}, Action("middle_click")),
    "long_press": ({"x": "5", "y": "6", "seconds": "2"}, Action("long_press", 5, 6, seconds=2)),
    "move": ({"x": "5", "y": "6"}, Action("move", 5, 6)),
    "drag": ({"x": "5", "y": "6", "x2": "7", "y2": "8"}, Action("drag", 5, 6, 7, 8)),
    "swipe": ({"x": "5", "y": "6", "x2": "7", "y2": "8"}, Action("swipe", 5, 6, 7, 8)),
    "scroll": ({"x": "5", "y": "6", "dx": "1", "dy": "-9"}, Action("scroll", 5, 6, dx=1, dy=-9)),
    "type": ({"text": "hello"}, Action("type", text="hello")),
    "key": ({"keys": "ctrl + s"}, Action("key", keys=("ctrl", "s"))),
    "select": ({"text": "Large", "x": "5", "y": "6"}, Action("select", 5, 6, text="Large")),
    "navigate": ({"url": "https://a.example"}, Action("navigate", url="https://a.example")),
    "back": ({}, Action("back")),
    "home": ({}, Action("home")),
    "open_app": ({"text": "Clock"}, Action("open_app", text="Clock")),
    "wait": ({"seconds": "3"}, Action("wait", seconds=3)),
    "done": ({"text": "42"}, Action("done", text="42")),
    "other": ({"text": "new tab"}, Action("other", text="new tab")),
    "raw": ({"raw": "pyautogui.click(5, 6)"}, Action("click", 5, 6)),
}


class TestAction:
    def test_every_kind_with_its_fields(self, page: Any, pictures: dict[str, Path], critic: StubCritic) -> None:
        choose(page, pictures)
        offered = page.eval_on_selector_all("#kind option", "options => options.map(option => option.value)")
        assert set(offered) == {*KINDS, "raw"} == set(FIELDS)
        for kind, (values, expected) in FIELDS.items():
            page.select_option("#kind", kind)
            for name in ("x", "y", "x2", "y2", "text", "keys", "dx", "dy", "url", "seconds", "raw"):
                if page.is_visible(f"#{name}"):
                    page.fill(f"#{name}", values.get(name, ""))
                else:
                    assert name not in values, (kind, name)
            asked = len(critic.asked)
            page.click("#judge-button")
            page.wait_for_selector("#judge-button:not(.busy)")
            page.wait_for_selector("#result:visible")
            assert page.inner_text("#problem") == "", kind
            assert len(critic.asked) == asked + 1
            assert sent(critic) == expected

    def test_words_are_sent(self, page: Any, pictures: dict[str, Path], critic: StubCritic) -> None:
        choose(page, pictures)
        page.fill("#instruction", "Tick <b>it</b>")
        page.fill("#task", "All of it")
        page.press("#task", "Enter")  # as the button does
        page.wait_for_selector("#result:visible")
        assert critic.asked[-1][3:5] == ("Tick <b>it</b>", "All of it")

    def test_what_the_server_refuses_is_told(self, page: Any, pictures: dict[str, Path]) -> None:
        choose(page, pictures)
        page.select_option("#kind", "raw")
        page.fill("#raw", "teleport(7)")
        judge(page)
        assert "no dialect" in page.inner_text("#problem")
        assert page.get_attribute("#problem", "role") == "alert"
        assert not page.is_visible("#result")


class TestVerdict:
    @pytest.fixture
    def judged(self, page: Any, pictures: dict[str, Path]) -> Any:
        choose(page, pictures)
        page.fill("#x", "160")
        page.fill("#y", "100")
        judge(page)
        return page

    def test_told_in_words_colour_and_shape(self, judged: Any) -> None:
        assert judged.inner_text("#result .badge") == "Failed"
        assert judged.locator("#result .badge svg path").count() == 1
        for words in ("wrong target", "It is failed.", "0.06", "+0.25", "20 %", "10 %"):
            assert words in judged.inner_text("#result-words")
        assert judged.text_content("#live") == "Verdict: failed. It is failed."
        assert judged.evaluate("document.activeElement.id") == "result"
        colours = [
            judged.evaluate(f"getComputedStyle(document.querySelector('#result .badge')).{name}")
            for name in ("color", "backgroundColor")
        ]
        assert contrast(*colours) >= 4.5

    def test_heat_map_is_where_the_critic_looked(self, judged: Any) -> None:
        bright = """[...document.querySelectorAll('#result canvas.heat')].map(c => {
          const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
          const seen = [...Array(c.width * c.height).keys()].filter(i => d[4 * i + 3] > 0);
          return seen.map(i => [i % c.width, Math.floor(i / c.width)]);
        })[0]"""
        assert judged.evaluate(bright) == [[16, 10]]
        assert judged.is_visible("#result canvas.heat")
        judged.click("#result .toggle")
        assert not judged.is_visible("#result canvas.heat")
        assert judged.get_attribute("#result .toggle", "aria-pressed") == "false"
        judged.click("#result .toggle")
        assert judged.is_visible("#result canvas.heat")

    def test_slider_between_before_and_after(self, judged: Any) -> None:
        split = "getComputedStyle(document.querySelector('#result .stage')).getPropertyValue('--split')"
        assert judged.evaluate(split) == "44%"  # left of the point, which is seen as it is after
        judged.focus("#result .split")
        judged.keyboard.press("ArrowRight")
        assert judged.evaluate(split) == "45%"
        for word, expected in (("Before", "100%"), ("After", "0%"), ("Split", "50%")):
            button = judged.locator("#result .choice", has_text=word)
            button.click()
            assert judged.evaluate(split) == expected
            assert button.get_attribute("aria-pressed") == "true"
        box = judged.locator("#result .stage").bounding_box()
        judged.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
        assert abs(float(judged.evaluate(split).rstrip("%")) - 80) <= 2

    def test_saved(self, judged: Any) -> None:
        with judged.expect_download() as download:
            judged.click("#result-words :text('Save as JSON')")
        saved = json.loads(Path(download.value.path()).read_text())
        assert (download.value.suggested_filename, saved["state"]) == ("verdict.json", "failed")

    def test_reached_by_keyboard_alone(self, judged: Any) -> None:
        """From the verdict, which has the focus, Tab goes through its controls, and Space works them."""
        reached = []
        for _ in range(6):
            judged.keyboard.press("Tab")
            if judged.evaluate("!document.activeElement.closest('#result')"):
                break
            reached.append(judged.evaluate("document.activeElement.textContent || document.activeElement.className"))
        assert reached == ["Save as JSON", "Before", "Split", "After", "Heat map", "split"]
        judged.focus("#result .toggle")
        judged.keyboard.press("Space")
        assert not judged.is_visible("#result canvas.heat")


def contrast(one: str, other: str) -> float:
    """WCAG contrast of two colours "rgb(r, g, b)"."""
    lights = []
    for colour in (one, other):
        channels = [int(c) / 255 for c in colour.removeprefix("rgb(").removesuffix(")").split(",")]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


class TestPage:
    def test_example(self, page: Any, critic: StubCritic) -> None:
        page.click("#example")
        page.wait_for_selector("#judge-button:focus")
        judge(page)
        assert sent(critic) == Action("click", 334, 363)
        assert critic.asked[-1][0].shape == (800, 1280, 3)

    def test_colours(self, browser: Any, url: str) -> None:
        for system, first, second in (("light", "Dark", "Light"), ("dark", "Light", "Dark")):
            context = browser.new_context(color_scheme=system)
            opened = context.new_page()
            opened.goto(url)
            style = "getComputedStyle(document.body)"
            before = opened.evaluate(f"{style}.backgroundColor")
            assert contrast(opened.evaluate(f"{style}.color"), before) >= 7
            assert opened.inner_text(".top .quiet") == first
            opened.click(".top .quiet")
            assert opened.inner_text(".top .quiet") == second
            after = opened.evaluate(f"{style}.backgroundColor")
            assert after != before
            assert contrast(opened.evaluate(f"{style}.color"), after) >= 7
            opened.reload()
            assert opened.evaluate(f"{style}.backgroundColor") == after  # it is kept
            context.close()

    def test_by_keyboard_alone(self, page: Any) -> None:
        """Tab reaches every control in the order of the page, and each shows that it is focused."""
        reached = []
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement === document.body"):
                break
            reached.append(page.evaluate("document.activeElement.id || document.activeElement.className"))
        assert reached == [
            "skip", "tab-judge", "quiet", "example", "file-pre", "file-post", "kind", "x", "y", "instruction", "task",
            "judge-button",
        ]  # fmt: skip

    def test_to_the_content_at_once(self, page: Any) -> None:
        page.keyboard.press("Tab")
        assert page.inner_text(":focus") == "Skip to the content"
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "example"

    def test_tabs_by_keyboard(self, page: Any) -> None:
        page.focus("#tab-judge")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.id") == "tab-audit"
        assert page.is_visible("#audit")
        assert not page.is_visible("#judge")
        page.keyboard.press("Home")
        assert page.is_visible("#judge")
        page.keyboard.press("End")
        assert page.get_attribute("#tab-audit", "aria-selected") == "true"

    def test_everything_has_a_name(self, page: Any, pictures: dict[str, Path]) -> None:
        choose(page, pictures)
        judge(page)
        assert page.evaluate(NAMELESS) == []
        assert page.locator("[role=status]").count() >= 1
        assert page.get_attribute("html", "lang") == "en"

    def test_narrow(self, browser: Any, url: str) -> None:
        context = browser.new_context(viewport={"width": 360, "height": 700})
        opened = context.new_page()
        opened.goto(url)
        assert opened.evaluate("document.documentElement.scrollWidth") <= 360
        context.close()

    def test_token(self, browser: Any, start: Callable[..., Any], pictures: dict[str, Path]) -> None:
        guarded, _ = start(StubCritic(["confirmed"]), token=TOKEN)
        context = browser.new_context()
        opened = context.new_page()
        opened.goto(guarded)
        choose(opened, pictures)
        judge(opened)
        assert "token" in opened.inner_text("#problem")
        assert opened.evaluate("document.activeElement.id") == "token"
        opened.fill("#token", TOKEN)
        opened.click("#token-form button")
        opened.click("#judge-button")
        opened.wait_for_selector("#result:visible")
        assert opened.inner_text("#result .badge") == "Confirmed"
        context.close()

    def test_the_server_has_gone(self, browser: Any, start: Callable[..., Any], pictures: dict[str, Path]) -> None:
        context = browser.new_context()
        opened = context.new_page()
        address, _ = start()
        opened.goto(address)
        choose(opened, pictures)
        opened.route("**/v1/score", lambda route: route.abort())
        judge(opened)
        assert "does not answer" in opened.inner_text("#problem")
        opened.unroute("**/v1/score")
        opened.route("**/v1/score", lambda route: route.fulfill(status=429, headers={"Retry-After": "7"}, body="{}"))
        opened.click("#judge-button")
        opened.wait_for_selector(":text('try again in 7 s')")
        context.close()


class TestAudit:
    @pytest.fixture
    def run(self, tmp_path: Path) -> Path:
        pages = ["a", "b", "b", "c"]
        return write_run(
            tmp_path / "run", pages, [click(10, 10, "Open it"), click(9, 90), click(9, 90)], task="Reach c"
        )

    def test_a_trajectory_is_judged(self, page: Any, run: Path, tmp_path: Path) -> None:
        page.click("#tab-audit")
        page.set_input_files("#file-audit", zip_folder(run, tmp_path / "run.zip"))
        page.wait_for_selector("#audit-view .row")
        assert page.locator("#audit-view .row").count() == 3
        assert page.inner_text("#audit-view h2") == "Reach c"
        assert page.locator("#audit-view .row img[src^='data:image/webp']").count() == 3
        assert page.is_visible("#audit-view .stage .after")
        assert page.evaluate("document.activeElement.className") == "timeline"
        with page.expect_download() as download:
            page.click("#audit-save")
        saved = tmp_path / "saved.json"
        download.value.save_as(saved)
        page.click("#audit-close")
        assert page.locator("#audit-view .row").count() == 0
        drop(page, "#slot-audit", saved, kind="application/json")
        page.wait_for_selector("#audit-view .row")
        assert page.is_visible("#audit-view .stage .after")

    def test_a_report_is_opened(self, page: Any, run: Path, tmp_path: Path) -> None:
        critic = StubCritic(["confirmed", "failed"])
        layout, trajectories = read_trajectories(run)
        audited = [Auditor(critic).audit(one) for one in trajectories]  # type: ignore[arg-type]
        file = tmp_path / "audit.json"
        file.write_text(json.dumps(describe_audit(audited, critic, name="run", format=layout)))  # type: ignore[arg-type]
        page.click("#tab-audit")
        drop(page, "body", file, how="paste", kind="application/json")
        page.wait_for_selector("#audit-view .row")
        assert "step 2" in page.inner_text("#audit-view .first")
        assert page.inner_text("#audit-view .missing") == "The screens are not part of this file."

    @pytest.mark.parametrize(
        ("name", "content", "words"),
        [
            ("a.txt", "x", "neither an audit"),
            ("a.json", "{", "not JSON"),
            ("a.json", "{}", "no audit of this release"),
            ("a.zip", "x", "zip"),
        ],
    )
    def test_other_files_are_refused(self, page: Any, tmp_path: Path, name: str, content: str, words: str) -> None:
        (tmp_path / name).write_text(content)
        page.click("#tab-audit")
        page.set_input_files("#file-audit", tmp_path / name)
        page.wait_for_selector("#audit-problem:not(:empty)")
        assert words in page.inner_text("#audit-problem")
        assert not page.is_visible("#audit-progress")

    def test_stopped(self, page: Any, critic: StubCritic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import threading

        go = threading.Event()
        score = critic.score
        monkeypatch.setattr(critic, "score", lambda *a, **k: (go.wait(20), score(*a, **k))[1])
        pages = [str(number) for number in range(9)]
        run = write_run(tmp_path / "run", pages, [click(number, 9) for number in range(8)])
        page.click("#tab-audit")
        page.set_input_files("#file-audit", zip_folder(run, tmp_path / "run.zip"))
        page.wait_for_selector(":text('Judged 0 of 8 steps')")
        page.click("#audit-stop")
        page.wait_for_selector("#audit-progress", state="hidden")
        go.set()
        assert page.inner_text("#audit-problem") == ""
        assert page.locator("#audit-view .row").count() == 0

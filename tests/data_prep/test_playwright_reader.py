"""Playwright: a trace that it recorded (recorded/README.md), one that is recorded here where there is a browser, and
traces written from the types of trace.ts for the older versions and for what can be wrong."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from made_images import encoded

from data_prep.readers.playwright import VERSIONS, read_playwright
from viscritic.actions import Action
from viscritic.errors import DataError

RECORDED = Path(__file__).parent / "recorded" / "playwright" / "trace.zip"
PAGE = (192, 128)  # CSS pixels; the frames are half as large


def test_a_recorded_trace_is_read():
    [trajectory] = read_playwright(RECORDED, strict=True)
    assert (trajectory.id, trajectory.task, trajectory.notes) == ("trace", "Put a name into the shop", ())
    assert [step.actions[0] for step in trajectory.steps] == [
        Action("click", 520, 256),  # (650, 320) in the page
        Action("type", 160, 329.6, text="hello"),
        Action("click", 680, 416),
        Action("click"),
        Action("key", keys=("ctrl", "a")),
        Action("scroll", dy=200),
    ]
    assert all(step.size == (800, 600) for step in trajectory.steps)
    assert trajectory.steps[0].target_box == pytest.approx((480, 240, 80, 32))
    assert [step.success for step in trajectory.steps] == [None, None, None, False, None, None]
    assert [step.pre == step.post for step in trajectory.steps] == [False, False, False, True, False, True]


@pytest.mark.browser
def test_a_trace_recorded_now_is_read(tmp_path):
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium is installed")
    sync_playwright = pytest.importorskip("playwright.sync_api").sync_playwright
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, chromium_sandbox=False)
        context = browser.new_context(viewport={"width": 1600, "height": 800})
        context.tracing.start(screenshots=True, snapshots=True)
        page = context.new_page()
        page.set_content(
            "<button style='position:absolute;left:800px;top:400px;width:200px;height:100px'"
            " onclick='document.body.style.background=`red`'>Go</button>"
        )
        page.wait_for_timeout(500)
        page.click("button")
        page.wait_for_timeout(500)
        context.tracing.stop(path=tmp_path / "now.zip")
        browser.close()
    [trajectory] = read_playwright(tmp_path, strict=True)
    [step] = trajectory.steps
    assert step.actions[0].point == pytest.approx((900 * step.size[0] / 1600, 450 * step.size[1] / 800), abs=1)
    assert step.post not in (None, step.pre)


def before(call: str, start: float, method: str, params=None, **more):
    return {
        "type": "before",
        "callId": call,
        "startTime": start,
        "class": "Frame",
        "method": method,
        "params": params or {},
    } | more


def after(call: str, end: float, **more):
    return {"type": "after", "callId": call, "endTime": end} | more


def frame(time: float, number: int, page: str = "page@1", **more):
    named = {"sha1": f"{page}-{number}.jpeg"}
    return (
        {"type": "screencast-frame", "pageId": page, "width": PAGE[0], "height": PAGE[1], "timestamp": time}
        | named
        | more
    )


def write_trace(path: Path, records, *, version: int = 8, frames: int = 12, entries=None):
    start = {
        "version": version,
        "type": "context-options",
        "origin": "library",
        "browserName": "chromium",
        "platform": "linux",
        "wallTime": 1,
        "monotonicTime": 1,
        "options": {},
    }
    lines = [json.dumps(record) if not isinstance(record, str) else record for record in (start, *records)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("trace.trace", "\n".join(lines))
        archive.writestr("trace.network", "")
        for page in ("page@1", "page@2"):
            for number in range(frames):
                archive.writestr(f"resources/{page}-{number}.jpeg", shown(number))
        for name, data in (entries or {}).items():
            archive.writestr(name, data)


def shown(number: int) -> bytes:
    return encoded(number, kind="JPEG")


CLICK = [
    before("c1", 100, "click", {"selector": "#a"}),
    {"type": "input", "callId": "c1", "point": {"x": 60, "y": 40}},
    after("c1", 150),
]


@pytest.mark.parametrize("version", VERSIONS)
def test_records_are_joined_by_their_call(tmp_path, version):
    write_trace(tmp_path / "7.zip", [frame(50, 1), frame(99, 2), *CLICK, frame(160, 3), frame(170, 4)], version=version)
    [trajectory] = read_playwright(tmp_path, strict=True)
    [step] = trajectory.steps
    assert (trajectory.id, trajectory.app) == ("7", "web")
    assert (step.pre, step.post) == (shown(2), shown(3))
    assert step.actions == (Action("click", 30, 20),)


def test_the_point_may_stand_in_the_after_record(tmp_path):
    records = [before("c1", 100, "click", {"selector": "#a"}), after("c1", 150, point={"x": 60, "y": 40})]
    write_trace(tmp_path / "t.zip", [frame(50, 1), *records, frame(160, 3)])
    [trajectory] = read_playwright(tmp_path)
    assert trajectory.steps[0].actions[0].point == (30, 20)


@pytest.mark.parametrize(
    ("frames", "post"),
    [
        ([frame(100, 2)], 1),  # at the start: still before
        ([frame(120, 2), frame(160, 3)], 2),
        ([frame(1650, 2)], 2),
        ([frame(1651, 2)], 1),  # too late: nothing changed
        ([], 1),
    ],
)
def test_the_first_frame_of_a_call_shows_its_result(tmp_path, frames, post):
    write_trace(tmp_path / "t.zip", [frame(50, 1), *CLICK, *frames])
    [trajectory] = read_playwright(tmp_path)
    [step] = trajectory.steps
    if frames and frames[0]["timestamp"] == 100:
        assert step.pre == step.post == shown(2)
    else:
        assert (step.pre, step.post) == (shown(1), shown(post))


def test_a_frame_of_the_next_call_is_not_taken(tmp_path):
    following = [before("c2", 300, "fill", {"selector": "#b", "value": "x"}), after("c2", 310)]
    write_trace(tmp_path / "t.zip", [frame(50, 1), *CLICK, *following, frame(305, 2)])
    [trajectory] = read_playwright(tmp_path)
    assert [(step.pre, step.post) for step in trajectory.steps] == [(shown(1), shown(1)), (shown(1), shown(2))]


def test_pages_are_kept_apart_where_calls_name_theirs(tmp_path):
    call = [CLICK[0] | {"pageId": "page@2"}, *CLICK[1:]]
    write_trace(
        tmp_path / "t.zip", [frame(50, 1, "page@2"), frame(60, 2), *call, frame(155, 3), frame(160, 4, "page@2")]
    )
    [trajectory] = read_playwright(tmp_path)
    assert (trajectory.steps[0].pre, trajectory.steps[0].post) == (shown(1), shown(4))


def test_an_error_is_a_failure_and_looking_is_no_step(tmp_path):
    records = [
        frame(1, 1),
        before("n", 0, "goto", {"url": "https://shop.example/start"}),  # nothing was drawn before it
        after("n", 2),
        before("w", 3, "waitForTimeout", {"waitTimeout": 5}),
        before("e", 4, "evaluateExpression", {"expression": "1"}),
        before("c", 5, "dblclick", {"selector": "#a"}),
        after("c", 9, error={"message": "Timeout", "name": "TimeoutError"}),
    ]
    write_trace(tmp_path / "t.zip", records)
    [trajectory] = read_playwright(tmp_path, strict=True)
    assert (trajectory.app, len(trajectory.steps)) == ("shop.example", 1)
    assert (trajectory.steps[0].success, trajectory.steps[0].actions[0].kind) == (False, "double_click")


@pytest.mark.parametrize(
    ("method", "params", "action"),
    [
        ("click", {"button": "right"}, Action("right_click")),
        ("click", {"clickCount": 2, "modifiers": ["Shift"]}, Action("double_click", keys=("shift",))),
        ("mouseClick", {"x": 20, "y": 10}, Action("click", 10, 5)),
        ("mouseMove", {"x": 20, "y": 10}, Action("move", 10, 5)),
        ("mouseDown", {}, Action("other", text="press the mouse button")),
        ("hover", {}, Action("move")),
        ("type", {"text": "a"}, Action("type", text="a")),
        ("keyboardInsertText", {"text": "b"}, Action("type", text="b")),
        ("press", {"key": "Enter"}, Action("key", keys=("enter",))),
        ("mouseWheel", {"deltaX": 0, "deltaY": -50}, Action("scroll", dy=-50)),
        ("selectOption", {"options": [{"valueOrLabel": "red"}, {"label": "blue"}]}, Action("select", text="red, blue")),
        ("goto", {"url": "https://a"}, Action("navigate", url="https://a")),
        ("goBack", {}, Action("back")),
        ("reload", {}, Action("other", text="reload the page")),
        ("dragAndDrop", {}, Action("drag")),
    ],
)
def test_calls_become_actions(tmp_path, method, params, action):
    write_trace(tmp_path / "t.zip", [frame(1, 1), before("c", 5, method, params), after("c", 6)])
    [trajectory] = read_playwright(tmp_path, strict=True)
    assert trajectory.steps[0].actions == (action,)


@pytest.mark.parametrize(
    ("records", "steps", "told"),
    [
        (["{not json", *CLICK], 1, "not JSON"),
        ([before("c0", 70, "fill", {"selector": "#a"}), after("c0", 80), *CLICK], 1, "value is missing"),
        ([frame(60, 1, sha1="../../etc/passwd"), *CLICK], 0, "is missing"),
        ([frame(60, 1, sha1="broken.jpeg"), *CLICK], 0, "cannot be read"),
        ([frame("soon", 1), *CLICK], 0, "timestamp"),
        ([CLICK[0], CLICK[1] | {"point": {"x": "a", "y": 1}}, CLICK[2]], 0, "x must be a number"),
    ],
)
def test_what_is_broken_is_told_of(tmp_path, records, steps, told):
    write_trace(tmp_path / "t.zip", [frame(50, 1), *records], entries={"resources/broken.jpeg": b"JFIF"})
    [trajectory] = read_playwright(tmp_path)
    assert len(trajectory.steps) == steps
    assert told in trajectory.notes[0]
    with pytest.raises(DataError, match=told):
        list(read_playwright(tmp_path, strict=True))


@pytest.mark.parametrize("version", [5, 11, None, "8"])
def test_another_version_is_refused_by_name(tmp_path, version):
    write_trace(tmp_path / "t.zip", [frame(50, 1), *CLICK], version=version)
    [trajectory] = read_playwright(tmp_path)
    assert trajectory.steps == ()
    assert "versions 6 to 10 can be read" in trajectory.notes[0]


def test_bombs_and_damaged_archives_are_told_of(tmp_path, monkeypatch):
    import data_prep.readers.playwright as module

    monkeypatch.setattr(module, "_MOST_BYTES", 10**5)
    monkeypatch.setattr(module, "_LONGEST_FRAME", 10**5)
    write_trace(tmp_path / "a.zip", [frame(50, 1), " " * 10**6])
    write_trace(
        tmp_path / "b.zip", [frame(50, 1, sha1="bomb.jpeg"), *CLICK], entries={"resources/bomb.jpeg": bytes(10**6)}
    )
    write_trace(tmp_path / "c.zip", [frame(50, 1), *CLICK])
    data = bytearray((tmp_path / "c.zip").read_bytes())
    data[60:70] = b"x" * 10
    (tmp_path / "c.zip").write_bytes(bytes(data))
    trajectories = list(read_playwright(tmp_path))
    assert [t.steps for t in trajectories] == [(), (), ()]
    for trajectory, told in zip(trajectories, ("larger than", "too large", "cannot be read"), strict=True):
        assert told in trajectory.notes[0]


def test_other_archives_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.txt", "a")
    (tmp_path / "b.zip").write_bytes(b"PK\x03\x04")
    with pytest.raises(DataError, match="no trace of Playwright"):
        list(read_playwright(tmp_path))

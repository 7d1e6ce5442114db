"""WebArena: the pages are written as its RenderHelper does (browser_env/helper_functions.py), dicts by their repr."""

from __future__ import annotations

import shutil
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest
from made_images import SIZE, as_base64, encoded

from data_prep.readers.webarena import read_webarena
from viscritic.actions import Action
from viscritic.errors import DataError

TRACE = Path(__file__).parent / "recorded" / "playwright" / "trace.zip"
KINDS = (
    "NONE SCROLL KEY_PRESS MOUSE_CLICK KEYBOARD_TYPE MOUSE_HOVER CLICK TYPE HOVER PAGE_FOCUS NEW_TAB GO_BACK GO_FORWARD"
    " GOTO_URL PAGE_CLOSE CHECK SELECT_OPTION STOP"
)
ActionTypes = IntEnum("ActionTypes", KINDS, start=0)
TEMPLATE = """
<!DOCTYPE html>
<head>
    <style>
        pre {{
            white-space: pre-wrap;
            word-wrap: break-word;
        }}
    </style>
</head>
<html>
    <body>
     {body}
    </body>
</html>
"""


def act(kind: str, **more) -> dict:
    return {
        "action_type": ActionTypes[kind],
        "coords": np.zeros(2, dtype=np.float32),
        "element_role": 0,
        "element_name": "",
        "text": [],
        "page_number": 0,
        "url": "",
        "nth": 0,
        "pw_code": "",
        "element_id": "",
        "key_comb": "",
        "direction": "",
        "answer": "",
        "raw_prediction": "In summary, the next action is ```x [<5>]``` 'array([' </b>",
    } | more


def block(number: int, action: dict | str, words: str, *, image: bool = True) -> str:
    shown = (
        f"<img src='data:image/png;base64,{as_base64(number)}' style='width:50vw; height:auto;'/>\n" if image else ""
    )
    told = action if isinstance(action, str) else repr(action)
    return (
        f"<h2>New Page</h2>\n<h3 class='url'><a href=http://shop/{number}>URL: http://shop/{number}</a></h3>\n"
        f"<div class='state_obv'><pre>Tab 0\n[1] RootWebArea 'a <pre> b' </pre><div>\n{shown}"
        f"<div class='prev_action' style='background-color:pink'>None</div>\n"
        "<div class='predict_action'>"
        f"<div class='raw_parsed_prediction' style='background-color:grey'><pre>click [51]</pre></div>"
        f"<div class='action_object' style='background-color:grey'><pre>{told}</pre></div>"
        f"<div class='parsed_action' style='background-color:yellow'><pre>{words}</pre></div></div>\n"
    )


TYPED = [ord(letter) - 32 + 15 for letter in "red"] + [0]  # ids of characters, and of Enter
BLOCKS = [
    block(0, act("CLICK", element_id="51"), "click [51] where [51] is [51] link 'Sale'"),
    block(1, act("TYPE", element_id="7", text=TYPED), "type [7] [red] where [7] is textbox 'Search'"),
    block(2, act("MOUSE_CLICK", coords=np.array([0.5, 0.25], dtype=np.float32)), ""),
    block(3, act("SCROLL", direction="down"), "scroll [down]"),
    block(4, act("STOP", answer="$9"), "stop [$9]"),
]


def write(root, blocks, task: int = 310):
    config = f"<pre>sites: ['shopping', 'map']\ntask_id: {task}\nintent: What does it cost: exactly?\nstart_url: http://shop\n</pre>\n"
    (root / f"render_{task}.html").write_text(TEMPLATE.format(body=config + "".join(blocks)))


def test_blocks_are_joined_to_steps(tmp_path):
    write(tmp_path, BLOCKS)
    [trajectory] = read_webarena(tmp_path, strict=True)
    assert (trajectory.id, trajectory.app, trajectory.success) == ("310", "shopping+map", None)
    assert trajectory.task == "What does it cost: exactly?"
    assert [step.actions[0] for step in trajectory.steps] == [
        Action("click"),  # coords are [0, 0] where an element is named: no point
        Action("type", text="red\n"),
        Action("click", 48, 16),
        Action("scroll", dy=800),
        Action("done", text="$9"),
    ]
    assert [step.instruction for step in trajectory.steps] == [
        "click link 'Sale'",
        "type \"red\" into textbox 'Search'",
        "",
        "",
        "",
    ]
    assert [(step.pre, step.post) for step in trajectory.steps[:-1]] == [(encoded(n), encoded(n + 1)) for n in range(4)]
    assert trajectory.steps[-1].post is None
    assert all(step.size == SIZE and step.success is None for step in trajectory.steps)


@pytest.mark.parametrize("place", ["log_files/log_20240501_7.log", "run.log"])
def test_only_the_log_tells_who_passed(tmp_path, place):
    for task in (310, 31, 5):
        write(tmp_path, BLOCKS, task)
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text(
        "2024-05-01 - INFO - [Config file]: config_files/31.json\n"
        "2024-05-01 - INFO - [Result] (PASS) /tmp/tmpab12/31.json\n"
        "2024-05-01 - INFO - [Result] (FAIL) config_files/310.json\n"
    )
    assert {t.id: t.success for t in read_webarena(tmp_path)} == {"5": None, "31": True, "310": False}


def test_a_run_without_screens_takes_its_trace(tmp_path):
    bare = [block(0, act("CLICK", element_id="51"), "", image=False)]
    write(tmp_path, bare)
    [trajectory] = read_webarena(tmp_path, strict=True)
    assert trajectory.steps == ()
    assert "no screen was rendered" in trajectory.notes[0]
    (tmp_path / "traces").mkdir()
    shutil.copy(TRACE, tmp_path / "traces" / "310.zip")
    [trajectory] = read_webarena(tmp_path, strict=True)
    assert (trajectory.source, trajectory.task) == ("webarena", "What does it cost: exactly?")
    assert len(trajectory.steps) == 6
    assert trajectory.steps[0].actions[0].point == (520, 256)


def test_escaped_pages_are_read_as_well(tmp_path):
    write(
        tmp_path,
        [block(0, repr(act("GO_BACK")).replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#x27;"), "go_back")],
    )
    [trajectory] = read_webarena(tmp_path, strict=True)
    assert trajectory.steps[0].actions == (Action("back"),)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (block(1, "{'action_type': __import__('os').system('x')}", ""), "cannot be read"),
        (block(1, "{" * 5000, ""), "cannot be read"),
        (block(1, "{'action_type': 99}", ""), "action_type"),
        (block(1, act("MOUSE_CLICK", coords=np.array([2.0, 0.0])), ""), "0..1"),
        (block(1, act("GO_BACK"), "").replace("action_object", "other"), "no action_object"),
        (block(1, act("GO_BACK"), "").replace("base64,iVBOR", "base64,AAAAA"), "cannot be read"),
    ],
)
def test_a_broken_block_is_left_out_and_told_of(tmp_path, broken, told):
    write(tmp_path, [BLOCKS[0], broken, *BLOCKS[2:]])
    [trajectory] = read_webarena(tmp_path)
    assert len(trajectory.steps) == 4
    assert told in trajectory.notes[0]
    with pytest.raises(DataError, match="step 1"):
        list(read_webarena(tmp_path, strict=True))


def test_an_empty_page_has_no_steps(tmp_path):
    (tmp_path / "render_1.html").write_text("")
    [trajectory] = read_webarena(tmp_path)
    assert (trajectory.id, trajectory.app, trajectory.task, trajectory.steps) == ("1", "web", "", ())


def test_other_folders_are_refused(tmp_path):
    (tmp_path / "index.html").touch()
    with pytest.raises(DataError, match="no page of WebArena"):
        list(read_webarena(tmp_path))

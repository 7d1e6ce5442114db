"""Names of keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viscritic.actions.keys import label_chord, normalise_key, read_chord
from viscritic.errors import ActionError


@pytest.mark.parametrize(
    ("key", "names"),
    {
        "ctrl": "ctrl Ctrl CTRL control Control_L Control_R ctrlleft ControlLeft ctrl_r",
        "alt": "alt Alt_L altright option AltRight",
        "shift": "Shift shiftleft Shift_R",
        "meta": "meta Meta_L cmd Command win winleft windows super Super_L LWin",
        "enter": "enter Enter Return KP_Enter return NumpadEnter",
        "esc": "esc Escape ESC",
        "tab": "Tab KP_Tab",
        "space": "space spacebar Space",
        "backspace": "BackSpace Backspace backspace",
        "delete": "Delete del KP_Delete",
        "insert": "Insert ins",
        "up": "up ArrowUp KP_Up Up",
        "down": "ArrowDown down",
        "left": "Left ArrowLeft",
        "right": "ArrowRight KP_Right",
        "home": "Home KP_Home",
        "end": "End",
        "pageup": "Page_Up Prior pgup PageUp KP_Page_Up",
        "pagedown": "Next PageDown pgdn Page_Down KP_Next",
        "f1": "F1 f1",
        "f12": "F12",
        "a": "a A KeyA",
        "5": "5 Digit5 num5 KP_5 Numpad5",
        "+": "+ plus add KP_Add NumpadAdd",
        "-": "- minus KP_Subtract",
        "capslock": "CapsLock caps_lock",
        "printscreen": "Print prtsc PrintScreen 3270_PrintScreen",
        "volumeup": "VolumeUp volumeup",
    }.items(),
)
def test_names_of_many_systems(key, names):
    assert {name: normalise_key(name) for name in names.split()} == dict.fromkeys(names.split(), key)


def test_characters_that_are_blank():
    assert [normalise_key(key) for key in (" ", "\t", "\n", "\r", "page down", " a ")] == [
        "space", "tab", "enter", "enter", "pagedown", "a",
    ]  # fmt: skip


@given(st.text(max_size=12) | st.from_regex(r"(kp|numpad|num|key)_?[a-z0-9]{1,6}", fullmatch=True))
def test_normalising_twice_changes_nothing(name):
    try:
        key = normalise_key(name)
    except ActionError as error:
        assert error.field == "keys"
    else:
        assert key
        assert normalise_key(key) == key


@pytest.mark.parametrize(
    "bad", ["", "  ", "ctrl-c", "ctrl+c", "é-", "a b-", "x" * 41, None, 5, b"a", ["a"], "\x00", "__"]
)
def test_what_is_no_key(bad):
    with pytest.raises(ActionError) as caught:
        normalise_key(bad)
    assert caught.value.field == "keys"


@pytest.mark.parametrize(
    ("written", "chord"),
    [
        ("ctrl+c", ("ctrl", "c")),
        ("Control_L+Shift_L+T", ("ctrl", "shift", "t")),
        ("ctrl++", ("ctrl", "+")),
        ("+", ("+",)),
        ("-", ("-",)),
        (" ", ("space",)),
        ("ctrl + a", ("ctrl", "a")),
        (["CTRL", "ALT", "DEL"], ("ctrl", "alt", "delete")),
        (("Enter",), ("enter",)),
    ],
)
def test_chords(written, chord):
    assert read_chord(written) == chord


def test_other_separators():
    assert read_chord("ctrl c", separator=" ") == ("ctrl", "c")
    assert read_chord("ctrl, shift, p", separator=",") == ("ctrl", "shift", "p")


@pytest.mark.parametrize("bad", ["", "ctrl+", "+c", "ctrl+++c", [], [5], ["ctrl", ""], None, 5, {"a": 1}])
def test_what_is_no_chord(bad):
    with pytest.raises(ActionError) as caught:
        read_chord(bad, field="text")
    assert caught.value.field == "text"


def test_labels():
    assert label_chord(("ctrl", "shift", "t")) == "Ctrl+Shift+T"
    assert label_chord(("pagedown",)) == "Page Down"
    assert label_chord(("ctrl", "+")) == "Ctrl++"
    assert label_chord(("f5",)) == "F5"

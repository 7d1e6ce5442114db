"""Which actions may succeed with nothing to see."""

import pytest

from viscritic.actions import Action, may_be_invisible


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (Action("wait"), True),
        (Action("move", 1, 2), True),
        (Action("done"), True),
        (Action("other", text="screenshot"), True),
        (Action("key", keys=("ctrl", "c")), True),
        (Action("key", keys=("c", "ctrl")), True),
        (Action("key", keys=("cmd", "c")), True),
        (Action("key", keys=("ctrl", "insert")), True),
        (Action("key", keys=("Control_L", "S")), True),
        (Action("key", keys=("cmd", "s")), True),
        (Action("key", keys=("ctrl", "shift", "s")), False),  # opens "save as"
        (Action("key", keys=("ctrl", "v")), False),
        (Action("key", keys=("s",)), False),
        (Action("click", 1, 2, keys=("ctrl",)), False),
        (Action("click", 1, 2), False),
        (Action("type", text="save"), False),
        (Action("scroll", dy=100), False),
        (Action("drag", 1, 2, 3, 4), False),
        (Action("back"), False),
    ],
)
def test_actions(action, expected):
    assert action.may_be_invisible is expected
    assert may_be_invisible([action]) is expected


def test_a_batch_shows_when_one_of_it_shows():
    assert may_be_invisible((Action("key", keys=("ctrl", "s")), Action("wait")))
    assert not may_be_invisible((Action("click", 1, 2), Action("wait")))


@pytest.mark.parametrize(
    "instruction",
    [
        "Click the 'Save' button", "save", "It saves the file", "The file is saved", "Saving...", "Copy the link",
        "copies it", "The text was copied", "copying", "Wait for the page", "waits", "waited", "Waiting for the dialog",
        "CLICK COPY",
    ],
)  # fmt: skip
def test_instructions_that_tell(instruction):
    assert may_be_invisible([Action("click", 1, 2)], instruction)


@pytest.mark.parametrize(
    "instruction",
    [
        "",
        "Click the 'Open' button",
        "Open the savings account",
        "Read the copyright",
        "Call the waiter",
        "save_file",
        "await",
    ],
)
def test_instructions_that_do_not(instruction):
    assert not may_be_invisible([Action("click", 1, 2)], instruction)

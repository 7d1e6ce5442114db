"""Spreadsheets on a canvas and rich text editors: their own geometry and their own truth."""

from itertools import chain
from random import Random

import pytest

from data_prep.collect.apps import APPLICATIONS
from data_prep.collect.apps.grid import name_cell
from data_prep.collect.driver import settle

pytestmark = pytest.mark.browser
GRIDS = ("luckysheet", "x-spreadsheet")


@pytest.fixture(scope="module")
def start(chromium, installed):
    """Starts applications and stops them at the end."""
    running = {}

    def start(name):
        if name not in running:
            app = APPLICATIONS[name]()
            if not (installed / app.folder).is_dir():
                pytest.skip(f"{name} is not in {installed}: run  viscritic data collect --install --apps {name}")
            app.start(installed)
            running[name] = app
        return running[name]

    yield start
    for app in running.values():
        app.stop()


def test_cells_have_the_names_that_spreadsheets_give():
    assert [name_cell(0, 0), name_cell(2, 1), name_cell(9, 25), name_cell(0, 26)] == ["A1", "B3", "Z10", "AA1"]


@pytest.mark.parametrize("name", GRIDS)
def test_cells_lie_where_the_sheet_says(start, name):
    app = start(name)
    app.reset(1)
    cells = [element for element in app.elements() if element.role == "cell"]
    filled = [cell for cell in cells if cell.value]
    assert len(filled) > 8
    assert all(app.hit(cell.centre) == cell.key for cell in random_some(cells))
    intents = [i for seed in range(9) for i in app.intents(cells, Random(seed)) if i.verb == "type" and i.target.value]
    intent = intents[0]
    before = app.state()
    app.driver.act(intent.actions)
    settle(app.driver)
    after = app.state()
    assert intent.reached(before, after)
    assert not intent.reached(before, before)
    assert after.truth["extra"]["book"] != before.truth["extra"]["book"]


def random_some(cells):
    return Random(3).sample(cells, 8)


@pytest.mark.parametrize("name", ["tinymce", "ckeditor"])
def test_paragraphs_are_written_into(start, name):
    app = start(name)
    app.reset(2)
    blocks = [element for element in app.elements() if element.role in ("paragraph", "list item", "heading")]
    assert blocks
    assert all(app.hit(block.centre) == block.key for block in blocks)
    intents = [i for seed in range(9) for i in app.intents(blocks, Random(seed)) if i.verb == "type"]
    intent, before = intents[0], app.state()
    app.driver.act(intent.actions)
    settle(app.driver)
    after = app.state()
    assert intent.reached(before, after)
    assert intent.text in after.truth["extra"]["html"]


def test_cards_are_dragged_to_another_lane(start):
    app = start("jkanban")
    app.reset(2)
    cards = [element for element in app.elements() if app.details(element)["draggable"]]
    drags = [i for seed in range(20) for i in app.intents(cards, Random(seed)) if i.verb == "drag"]
    lanes = app.state().truth["extra"][1]
    lane_of = {name: number for number, lane in enumerate(lanes) for name in lane}
    texts = {card["text"]: card["id"] for card in app.state().truth["extra"][0]}
    across = next(
        i for i in drags if lane_of[texts[i.target.name]] != lane_of[texts[i.text.removeprefix("onto ").strip("'")]]
    )
    app.driver.act(across.actions)
    settle(app.driver)
    after = app.state().truth["extra"][1]
    assert after != lanes
    assert sorted(chain(*after)) == sorted(chain(*lanes))

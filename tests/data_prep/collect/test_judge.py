"""The oracle: outcomes follow from facts alone."""

from data_prep.collect.application import Element, Intent, State, Traffic
from data_prep.collect.judge import Facts, change_kind, field_keys, has_strayed, judge_clean, judge_faulted
from viscritic.actions import Action

TARGET = Element("t", "button", "Save", (10, 10, 40, 20))
INTENT = Intent("click", TARGET, (Action("click", x=30, y=20),))


def row(path="b", text="", meaning="", look="", tag="p"):
    return [path, tag, text, meaning, look]


BEFORE = State([row(text="3")], {"saved": 0})
DONE = State([row(text="4")], {"saved": 1})
OTHER = State([row(text="9")], {"saved": 0})


def facts(after=BEFORE, hit="t", before=BEFORE, fields=(), **traffic):
    return Facts(before, after, hit, Traffic(**traffic), frozenset(fields))


CLEAN = facts(DONE)


def test_clean_step():
    assert judge_clean(INTENT, CLEAN) == "success"
    assert judge_clean(INTENT, facts()) == "no_op"
    assert judge_clean(INTENT, facts(DONE, errors=("500 /save",))) == "page_error"
    assert judge_clean(INTENT, facts(pending=("/save",), loading=True)) == "timeout"


def test_clean_step_that_no_fact_explains_has_no_label():
    assert judge_clean(INTENT, facts(DONE, hit="u")) is None
    assert judge_clean(INTENT, facts(pending=("/save",))) is None  # waiting, and nobody can see it


def test_an_intent_may_say_what_it_wants():
    wanted = Intent("click", TARGET, INTENT.actions, reached=lambda before, after: after == DONE)
    assert judge_clean(wanted, CLEAN) == "success"
    assert judge_clean(wanted, facts(OTHER)) is None


def test_faulted_step():
    assert judge_faulted(INTENT, facts(), CLEAN) == "no_op"
    assert judge_faulted(INTENT, facts(OTHER, hit="u"), CLEAN) == "wrong_target"
    assert judge_faulted(INTENT, facts(DONE), CLEAN) == "success"
    assert judge_faulted(INTENT, facts(DONE, hit="u"), CLEAN) == "success"  # a label ticks its box
    assert judge_faulted(INTENT, facts(errors=("refused /x",)), CLEAN) == "page_error"
    assert judge_faulted(INTENT, facts(pending=("/x",), loading=True), CLEAN) == "timeout"


def test_the_right_place_and_the_wrong_content_is_a_wrong_step():
    typing = (Action("click", x=30, y=20), Action("type", text="Lyon"))
    meant = Intent("type", TARGET, typing, text="Lyon", reached=lambda _, after: after == DONE)
    misspelt = (typing[0], Action("type", text="Lon"))
    assert has_strayed(typing, misspelt)
    assert not has_strayed(typing, (Action("click", x=1, y=2), typing[1]))  # another place is told by the hit
    assert not has_strayed(typing, typing[1:])
    assert judge_faulted(INTENT, facts(OTHER), CLEAN, strayed=True) == "wrong_target"
    assert judge_faulted(INTENT, facts(DONE), CLEAN, strayed=True) == "success"  # it did what was meant all the same
    assert judge_faulted(meant, facts(OTHER), CLEAN) == "wrong_target"  # what was typed did not arrive whole
    assert judge_faulted(meant, facts(), CLEAN) == "no_op"


def test_faulted_step_without_evidence_has_no_label():
    assert judge_faulted(INTENT, facts(OTHER), CLEAN) is None  # the target was hit and something else came of it
    assert judge_faulted(INTENT, facts(pending=("/x",)), CLEAN) is None
    assert judge_faulted(INTENT, facts(), None) is None


def test_a_focus_that_comes_is_an_effect_and_one_that_goes_is_none():
    here = State(BEFORE.shown, BEFORE.truth, "f")
    assert judge_faulted(INTENT, facts(here, hit="f", fields=("f",)), CLEAN) == "wrong_target"
    assert judge_faulted(INTENT, facts(BEFORE, hit="", before=here, fields=("f",)), CLEAN) == "no_op"
    assert judge_faulted(INTENT, facts(here, hit="f"), CLEAN) == "no_op"  # no field: no focus shows


def test_kinds_of_change():
    assert change_kind(facts()) == "none"
    assert change_kind(facts(DONE)) == "textual"
    assert change_kind(facts(State([row(text="3", look="red")]))) == "visual"
    assert change_kind(facts(State([row(text="4", meaning="ticked")]))) == "semantic"
    assert change_kind(facts(State([row(text="3"), row("c")]))) == "semantic"
    assert change_kind(facts(State(BEFORE.shown, BEFORE.truth, "f"), fields=("f",))) == "visual"
    assert change_kind(facts(State({"title": "a"}), before=State({"title": "b"}))) == "semantic"


def test_fields_are_what_takes_text():
    assert field_keys([TARGET, Element("f", "text field", "Name", (0, 0, 9, 9))]) == {"f"}

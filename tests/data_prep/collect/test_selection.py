"""Which applications are chosen, and what is said where one is not there."""

import pytest

from data_prep.collect import selection
from data_prep.collect.apps import APPLICATIONS
from data_prep.collect.selection import check_ready, choose_apps
from viscritic.errors import ConfigError, DataError, MissingExtraError


def test_names_patterns_and_groups():
    assert choose_apps(["pages-log*", "pages-login"]) == ("pages-login",)
    test = choose_apps(["@test"])
    assert {"thunar", "jupyterlab", "miniwob-find-word"} <= set(test)
    assert not set(test) & set(choose_apps(["@train", "@val"]))


def test_no_group_names_the_groups():
    with pytest.raises(ConfigError) as told:
        choose_apps(["@nothing"])
    assert str(told.value) == "no group of applications is called '@nothing'; there are @train, @val and @test"


@pytest.mark.parametrize("name, near", [("galculater", "galculator"), ("miniwob-click-buton", "miniwob-click-button")])
def test_no_name_brings_near_names_and_few(name, near):
    with pytest.raises(ConfigError, match=f"no application fits '{name}'; near are .*{near}") as told:
        choose_apps([name])
    assert len(str(told.value)) < 250


def test_nothing_near():
    with pytest.raises(
        ConfigError, match=r"fits 'qqqq\*'; @train, @val and @test name those of a split, \* stands for"
    ):
        choose_apps(["qqqq*"])


@pytest.fixture
def machine(monkeypatch):
    """A machine with every module and program."""
    monkeypatch.setattr(selection, "find_spec", lambda _: object())
    monkeypatch.setattr(selection, "find_chromium", lambda: "chromium")
    monkeypatch.setattr(selection, "check_installed", lambda: None)
    monkeypatch.setattr(selection, "missing_programs_of", lambda _: [])


def test_few_are_named_and_many_as_they_were_named(machine, tmp_path):
    check_ready(["pages-shop", "galculator"], tmp_path)  # they need nothing
    with pytest.raises(DataError, match=r"todomvc-react, luckysheet \(2 of 3 .*--apps todomvc-react --apps luckysheet"):
        check_ready(["todomvc-react", "luckysheet", "pages-shop"], tmp_path)
    names = [name for name in APPLICATIONS if name.startswith("miniwob-")]
    with pytest.raises(DataError, match=r"and \d+ more \(.* --install --apps 'miniwob-\*' --cache") as told:
        check_ready(names, tmp_path, ["miniwob-*"])
    assert len(str(told.value)) < 500
    (tmp_path / "miniwob" / "html").mkdir(parents=True)
    check_ready(names, tmp_path, ["miniwob-*"])


def test_half_a_server_is_none(machine, tmp_path):
    (tmp_path / "python" / "sqlite-web").mkdir(parents=True)
    with pytest.raises(DataError, match="sqlite-web"):
        check_ready(["sqlite-web"], tmp_path)


def test_modules_and_programs(machine, tmp_path, monkeypatch):
    monkeypatch.setattr(selection, "missing_programs_of", lambda names: ["dbus-daemon", "gedit"] * ("gedit" in names))
    with pytest.raises(DataError, match=r"not installed: dbus-daemon, gedit; for desktop .* run  bash scripts"):
        check_ready(["gedit"], tmp_path)
    monkeypatch.setattr(selection, "find_spec", lambda name: None if name == "Xlib" else object())
    check_ready(["pages-shop"], tmp_path)
    with pytest.raises(MissingExtraError, match=r"viscritic\[collect\]"):
        check_ready(["galculator"], tmp_path)

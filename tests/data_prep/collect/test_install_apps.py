"""What is installed: only what the named applications need, and again where another version is required."""

import pytest

from data_prep.collect import install as installing
from data_prep.collect.apps import APPLICATIONS, folders_of
from data_prep.collect.install import install, is_complete


@pytest.fixture
def commands(monkeypatch):
    """The commands that would run."""
    seen = []
    monkeypatch.setattr(installing, "_run", seen.append)
    monkeypatch.setattr(installing, "_install_wheel", lambda cache, package, requirement: seen.append([requirement]))
    monkeypatch.setattr(installing.venv, "create", lambda folder, **_: folder.mkdir(parents=True))
    return seen


def test_only_what_is_needed(tmp_path, commands):
    install(tmp_path, folders_of(["sqlite-web", "pages-todo"]))
    [command] = commands
    assert command[-1].startswith("sqlite-web==")
    assert f"--python {tmp_path}/python/sqlite-web/bin/python" in " ".join(command)
    install(tmp_path, folders_of(["sqlite-web"]))
    assert len(commands) == 1  # it is there


def test_again_for_another_version(tmp_path, commands, monkeypatch):
    install(tmp_path, ["python/sqlite-web"])
    assert is_complete(tmp_path / "python/sqlite-web", ("sqlite-web==0.8.2",))
    monkeypatch.setitem(installing.ENVIRONMENTS, "python/sqlite-web", ("sqlite-web==0.9",))
    install(tmp_path, ["python/sqlite-web"])
    assert len(commands) == 2


def test_left_half_done_is_not_complete(tmp_path):
    (tmp_path / "bin").mkdir()
    assert not is_complete(tmp_path, ("sqlite-web==0.8.2",))


def test_every_application_lives_in_a_part_or_in_none():
    parts = {*installing.WHEELS, *installing.ENVIRONMENTS, *installing.NODE_SERVERS}
    parts |= {f"npm/node_modules/{name.rpartition('@')[0]}" for name in installing.NPM}
    for name in APPLICATIONS:
        [folder] = folders_of([name])
        assert not folder or any(folder == part or folder.startswith(f"{part}/") for part in parts), name

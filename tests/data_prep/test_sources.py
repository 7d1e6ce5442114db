"""Every source: found out by its files, read, and built from."""

from __future__ import annotations

import ast
import contextlib
import html
import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("datasets")
import test_aitw_reader as aitw
import test_aitz_reader as aitz
import test_androidcontrol_reader as androidcontrol
import test_androidworld_reader as androidworld
import test_cradle_reader as cradle
import test_droidbot_reader as droidbot
import test_guiodyssey_reader as guiodyssey
import test_mind2web_reader as mind2web
import test_multimodal_mind2web_reader as multimodal
import test_numbered_reader as numbered
import test_osworld_reader as osworld
import test_webarena_reader as webarena
from made_damage import damage
from made_images import pixels
from made_screenagent import BAD, CLICK, GOOD, write_session
from made_tfrecord import write_tfrecord

from data_prep.build import build_samples
from data_prep.config import BuildConfig
from data_prep.detect import detect_format
from data_prep.sources import SOURCES
from viscritic.cli.format import Format
from viscritic.errors import DataError
from viscritic.sample_folder import SampleFolder

RECORDED = Path(__file__).parent / "recorded"


def write_own(root: Path) -> None:
    write_session(root / "raw", [[CLICK], [GOOD], [CLICK], [BAD]])
    build_samples(SOURCES["screenagent"].read(root / "raw"), root / "samples", BuildConfig(), progress=False)
    shutil.rmtree(root / "raw")


WRITERS = {
    "mind2web": lambda root: mind2web.write(root, [mind2web.task()], {"t1": mind2web.ENTRIES}),
    "multimodal-mind2web": lambda root: multimodal.write(
        root / "data" / "train.parquet", [multimodal.row("a", n) for n in range(3)]
    ),
    "aitw": lambda root: write_tfrecord(root / "general" / "general-00000-of-00001", aitw.EPISODE),
    "aitz": lambda root: aitz.write_episode(root, aitz.ROWS),
    "androidcontrol": lambda root: write_tfrecord(root / "android_control-00000-of-00020", [androidcontrol.episode()]),
    "androidworld": lambda root: androidworld.write(
        root / "run_1" / "Clock_0.pkl.gz",
        [androidworld.episode(androidworld.m3a(*[(pixels(n), androidworld.JSONAction("wait"), "") for n in range(3)]))],
    ),
    "osworld": osworld.write_run,
    "webarena": lambda root: webarena.write(root, webarena.BLOCKS),
    "playwright": lambda root: shutil.copy(RECORDED / "playwright" / "trace.zip", root),
    "browsergym": lambda root: shutil.copytree(RECORDED / "browsergym", root / "study"),
    "agentrewardbench": lambda root: shutil.copytree(RECORDED / "agentrewardbench", root / "set"),
    "gui-odyssey": guiodyssey.write_episode,
    "cradle": lambda root: cradle.write_run(root / "runs" / "1718000000.1"),
    "screenagent": lambda root: write_session(root, [[CLICK], [GOOD], [CLICK], [BAD]]),
    "droidbot": droidbot.write_run,
    "viscritic": write_own,
    "folder": lambda root: numbered.write(root / "run", numbered.ENTRIES),
}


def test_every_source_has_a_fixture_and_an_option():
    assert set(WRITERS) == set(SOURCES) == {member.value for member in Format}


@pytest.mark.parametrize("name", SOURCES)
def test_each_format_is_found_out_and_read(tmp_path, name):
    WRITERS[name](tmp_path)
    assert detect_format(tmp_path) == name
    trajectories = list(SOURCES[name].read(tmp_path, strict=True))
    steps = [step for trajectory in trajectories for step in trajectory.steps]
    assert steps
    assert all(step.actions and step.size[0] >= 16 for step in steps)
    assert all([step.index for step in t.steps] == list(range(len(t.steps))) for t in trajectories)
    assert len({(t.source, t.id) for t in trajectories}) == len(trajectories)
    assert all(t.broken == 0 and t.app for t in trajectories)


@pytest.mark.parametrize("name", SOURCES)
def test_reading_twice_gives_the_same(tmp_path, name):
    WRITERS[name](tmp_path)
    assert list(SOURCES[name].read(tmp_path)) == list(SOURCES[name].read(str(tmp_path)))


@pytest.mark.parametrize("name", SOURCES)
def test_reading_is_lazy(tmp_path, name):
    """Nothing is read, nor is anything wrong, before the first trajectory is asked for."""
    iterator = SOURCES[name].read(tmp_path / "absent")
    with pytest.raises(DataError):
        next(iterator)


@pytest.mark.parametrize("name", SOURCES)
def test_damage_is_told_of_or_refused_and_never_ends_in_another_error(tmp_path, name):
    WRITERS[name](tmp_path)
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    records = [path for path in files if path.suffix not in (".png", ".jpg")]
    for seed in range(25):
        chance = random.Random(seed)
        file = chance.choice(records if seed % 5 and records else files)
        whole = file.read_bytes()
        damage(file, chance)
        with contextlib.suppress(DataError):
            detect_format(tmp_path)
        with contextlib.suppress(DataError):
            list(SOURCES[name].read(tmp_path))
        file.write_bytes(whole)


def test_a_single_file_is_found_out(tmp_path):
    WRITERS["aitw"](tmp_path / "a")
    WRITERS["multimodal-mind2web"](tmp_path / "b")
    assert detect_format(tmp_path / "a" / "general" / "general-00000-of-00001") == "aitw"
    assert detect_format(tmp_path / "b" / "data" / "train.parquet") == "multimodal-mind2web"
    assert detect_format(RECORDED / "playwright" / "trace.zip") == "playwright"


def test_the_traces_of_webarena_belong_to_it(tmp_path):
    WRITERS["webarena"](tmp_path)
    (tmp_path / "traces").mkdir()
    WRITERS["playwright"](tmp_path / "traces")
    assert detect_format(tmp_path) == "webarena"
    assert detect_format(tmp_path / "traces") == "playwright"


def test_two_data_sets_in_one_folder_are_refused(tmp_path):
    WRITERS["osworld"](tmp_path / "a")
    WRITERS["droidbot"](tmp_path / "b")
    with pytest.raises(DataError, match=r"more than one data set: osworld .*, droidbot .*--format"):
        detect_format(tmp_path)


def test_what_is_unknown_is_refused_with_what_was_looked_for(tmp_path):
    (tmp_path / "a.json").write_text('{"benchmark": 1}')
    (tmp_path / "b.parquet").write_bytes(b"PAR1")
    (tmp_path / "c.zip").write_bytes(b"PK")
    with pytest.raises(DataError, match=r"none of its 3 files.*mind2web.*osworld.*numbered screens") as told:
        detect_format(tmp_path)
    assert len(str(told.value)) - len(str(tmp_path)) < 420
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="it holds no file"):
        detect_format(tmp_path / "empty")
    with pytest.raises(DataError, match="does not exist"):
        detect_format(tmp_path / "absent")


def test_the_documentation_tells_the_files_of_each_layout():
    page = (Path(__file__).parents[2] / "docs" / "data.md").read_text("utf-8")
    for name, source in SOURCES.items():
        assert f"| {name} | {html.escape(source.layout, quote=False)} |" in page


def two_apps(name: str, root: Path) -> None:
    """Several trajectories of a data set, so that every kind of sample can be made."""
    match name:
        case "mind2web":
            tasks = [mind2web.task(f"t{n}", website=f"site{n}") for n in range(3)]
            entries = {
                f"t{n}": [mind2web.entry(i, before={"screenshot": mind2web.as_base64(20 * n + i)}) for i in range(5)]
                for n in range(3)
            }
            mind2web.write(root, tasks, entries)
        case "androidcontrol":
            episodes = [
                androidcontrol.episode(number=n, screenshots=[androidcontrol.encoded(20 * n + i) for i in range(7)])
                for n in range(3)
            ]
            write_tfrecord(root / "android_control-00000-of-00020", episodes)
        case "gui-odyssey":
            for n in range(3):
                steps = [s | {"screenshot": f"e{n}_{i}.png"} for i, s in enumerate(guiodyssey.STEPS)]
                guiodyssey.write_episode(root, steps, name=f"e{n}")
                for i in range(8):
                    guiodyssey.write_image(root / "screenshots" / f"e{n}_{i}.png", 20 * n + i)
        case "screenagent":
            for n in range(3):
                write_session(root, [[CLICK], [GOOD], [CLICK], [BAD]], name=f"s{n}")
        case _:
            for n in range(3):
                WRITERS[name](root / str(n))


@pytest.mark.parametrize("name", ["mind2web", "androidcontrol", "gui-odyssey", "folder", "cradle", "browsergym"])
def test_samples_are_built_from_it(tmp_path, name):
    pytest.importorskip("skimage")
    two_apps(name, tmp_path / "data")
    manifest = build_samples(SOURCES[name].read(tmp_path / "data"), tmp_path / "out", BuildConfig(), progress=False)
    folder = SampleFolder(tmp_path / "out")
    folder.check()
    causes = {sample.cause for sample in folder}
    assert manifest["trajectories"] == 3
    assert "failed" in causes or {"positive", "no_op"} <= causes
    assert SOURCES[name].home in (tmp_path / "out" / "CARD.md").read_text()


@pytest.mark.parametrize("name", ["folder", "gui-odyssey", "screenagent"])
def test_a_screen_that_was_cut_off_costs_its_steps_alone(tmp_path, name):
    pytest.importorskip("skimage")
    two_apps(name, tmp_path / "data")
    read = list(SOURCES[name].read(tmp_path / "data"))
    file = read[0].steps[1].pre
    file.write_bytes(file.read_bytes()[:-40])
    manifest = build_samples(SOURCES[name].read(tmp_path / "data"), tmp_path / "out", BuildConfig(), progress=False)
    assert any("damaged" in note for note in manifest["notes"])
    assert 0 < sum(manifest["steps"].values()) < sum(len(trajectory.steps) for trajectory in read)
    with pytest.raises(DataError, match="damaged"):
        list(SOURCES[name].read(tmp_path / "data", strict=True))


def test_half_characters_of_strangers_reach_no_file(tmp_path):
    """JSON may write one half of a surrogate pair, which no file of UTF-8 can hold."""
    pytest.importorskip("skimage")
    two_apps("folder", tmp_path / "data")
    for file in (tmp_path / "data").rglob("actions.json*"):
        file.write_text(file.read_text().replace("hi", "h\\ud800i"))
    read = [replace(t, task="go \ud800", notes=("\udc80.png",)) for t in SOURCES["folder"].read(tmp_path / "data")]
    build_samples(read, tmp_path / "out", BuildConfig(), progress=False)
    assert {sample.task for sample in SampleFolder(tmp_path / "out")} == {"go ?"}
    assert json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["notes"][0] == "?.png"


def test_marked_screens_make_no_samples(tmp_path):
    pytest.importorskip("skimage")
    two_apps("androidcontrol", tmp_path)
    trajectories = list(SOURCES["androidcontrol"].read(tmp_path))
    marked = [replace(t, steps=tuple(replace(s, marked=s.index == 1) for s in t.steps)) for t in trajectories]
    build_samples(marked, tmp_path / "out", BuildConfig(), progress=False)
    leaking = {t.steps[1].pre for t in marked}
    samples = SampleFolder(tmp_path / "out")
    assert len(samples)
    assert all(sample.step != 1 for sample in samples)
    assert not any(samples.screen_path(sample.pre).read_bytes() in leaking for sample in samples)


def test_no_reader_unpickles_or_runs_what_it_reads():
    """`pickle.load` and `eval` have no place here: pickles go through `inert_pickle`."""
    folder = Path(__file__).parents[2] / "data_prep" / "readers"
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                assert name not in ("pickle.load", "pickle.loads", "eval", "exec", "np.load"), path
            if isinstance(node, ast.Import | ast.ImportFrom) and path.name != "inert_pickle.py":
                assert "pickle" not in ast.unparse(node).replace("inert_pickle", "").replace("load_pickle", ""), path


def test_the_card_tells_of_broken_rows(tmp_path):
    pytest.importorskip("skimage")
    two_apps("folder", tmp_path / "data")
    path = tmp_path / "data" / "0" / "run" / "actions.json"
    path.write_text(json.dumps([5, *json.loads(path.read_text())[1:]]))
    build_samples(SOURCES["folder"].read(tmp_path / "data"), tmp_path / "out", BuildConfig(), progress=False)
    assert "0/run, entry 0" in (tmp_path / "out" / "CARD.md").read_text()

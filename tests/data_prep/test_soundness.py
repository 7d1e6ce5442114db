from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from made_images import encoded, write_image
from made_png import break_pixels

from data_prep.build import build_samples
from data_prep.config import BuildConfig
from data_prep.inspection import inspect
from data_prep.readers.images import image_size
from data_prep.soundness import decode, keep_decodable
from viscritic.actions import Action
from viscritic.errors import DataError
from viscritic.sample_folder import SampleFolder
from viscritic.trajectory import Step, Trajectory

BROKEN = break_pixels(encoded(1))


def make_trajectory(*screens: bytes, idle: bytes = encoded(9)) -> Trajectory:
    steps = [
        Step(n, screens[n], screens[n + 1], (96, 64), (Action("click", x=n, y=1),), f"{n}", idle=(idle,))
        for n in range(len(screens) - 1)
    ]
    return Trajectory("t", "made", "app", "web", "", tuple(steps), notes=("as before",), broken=1)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda stream: stream[: len(stream) // 2],
        lambda stream: stream[:20] + bytes(len(stream) - 20),
        lambda stream: zlib.compress(zlib.decompress(stream)[:2000]),
    ],
)
def test_broken_pixels_in_a_whole_file_are_found(spoil):
    broken = break_pixels(encoded(1), spoil)
    assert image_size(broken) == (96, 64), "the file itself is whole"
    with pytest.raises(DataError, match="cannot be decoded"):
        decode(broken)
    decode(encoded(1))


def test_only_the_steps_around_it_are_left_out():
    whole = make_trajectory(*map(encoded, range(5)))
    assert keep_decodable(whole) == whole
    kept = keep_decodable(make_trajectory(encoded(0), encoded(1), BROKEN, encoded(3), encoded(4)))
    assert [(step.index, step.instruction) for step in kept.steps] == [(0, "0"), (1, "3")]
    assert kept.broken == 3
    assert kept.notes[0] == "as before"
    assert [note.partition(":")[0] for note in kept.notes[1:]] == ["t, step 1", "t, step 2"]
    with pytest.raises(DataError, match="t, step 1"):
        keep_decodable(make_trajectory(encoded(0), encoded(1), BROKEN), strict=True)


def test_an_idle_screen_is_left_out_alone_and_a_missing_one_asks_nothing():
    kept = keep_decodable(make_trajectory(encoded(0), encoded(1), idle=BROKEN))
    assert (kept.broken, len(kept.steps), kept.steps[0].idle) == (1, 1, ())
    assert "only that idle screen" in kept.notes[1]
    with pytest.raises(DataError, match="t, step 0"):
        keep_decodable(make_trajectory(encoded(0), encoded(1), idle=BROKEN), strict=True)
    last = replace(kept.steps[0], post=None)
    assert keep_decodable(replace(kept, steps=(last,))).steps == (last,)


def test_each_screen_is_looked_at_once():
    seen = []
    keep_decodable(make_trajectory(*map(encoded, range(4))), seen.append)
    assert sorted(seen) == sorted({encoded(n) for n in (0, 1, 2, 3, 9)})


def test_inspect_lists_it(tmp_path):
    for number in range(4):
        write_image(tmp_path / f"{number}.png", number)
    (tmp_path / "2.png").write_bytes(BROKEN)
    (tmp_path / "actions.json").write_text('[{"kind": "wait"}, {"kind": "wait"}, {"kind": "wait"}]')
    found = inspect(tmp_path)
    assert (found.steps, found.broken) == (1, 2)
    assert all("2.png cannot be decoded" in note for note in found.notes)
    with pytest.raises(DataError, match=r"2\.png cannot be decoded"):
        inspect(tmp_path, strict=True)


@pytest.mark.parametrize("embedded", [False, True])
def test_a_build_goes_on_without_the_steps_around_it(tmp_path, embedded):
    pytest.importorskip("skimage")
    screens = [encoded(n, (160, 120)) for n in range(6)]
    screens[2] = break_pixels(screens[2])
    whole = make_trajectory(*screens)
    sources = {data: data if embedded else tmp_path / f"{n}.png" for n, data in enumerate((*screens, encoded(9)))}
    for data, source in sources.items():
        if isinstance(source, Path):
            source.write_bytes(data)
    steps = tuple(replace(step, pre=sources[step.pre], post=sources[step.post], success=True) for step in whole.steps)
    made = replace(whole, steps=tuple(replace(step, size=(160, 120), idle=()) for step in steps))
    manifest = build_samples([made], tmp_path / "out", BuildConfig(val=0, test=0), progress=False)
    assert manifest["steps"]["success"] == 3
    assert manifest["broken_rows"] == made.broken + 2
    told = [note for note in manifest["notes"] if "cannot be" in note]
    assert len(told) == 2
    assert all(("embedded" if embedded else "2.png") in note for note in told)
    assert len({sample.step for sample in SampleFolder(tmp_path / "out")}) == 3
    with pytest.raises(DataError, match="t, step 1"):
        build_samples([made], tmp_path / "strict", BuildConfig(), progress=False, strict=True)

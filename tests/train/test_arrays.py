"""The array store holds what `prepare` gives, and follows the samples."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from data_prep.toy import write_toy_samples
from viscritic.actions import Action
from viscritic.errors import DataError
from viscritic.preprocess import PreprocessConfig
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.sample_writer import SampleWriter
from viscritic.train import arrays as arrays_module
from viscritic.train.arrays import open_arrays, prepare_sample

CONFIG = PreprocessConfig(patch=16, changed_tokens=24, window=(5, 3), thumbnail_tokens=12)


def assert_rows(folder: SampleFolder, cache: Path, config: PreprocessConfig) -> None:
    """Every row of the store is what preparing the sample gives."""
    store = open_arrays(folder, config, cache)
    assert len(store) == len(folder)
    for index, sample in enumerate(folder):
        prepared, row = prepare_sample(folder, sample, config), store.row(index)
        for view in ("detail", "thumbnail"):
            for part in ("pre", "post", "place"):
                np.testing.assert_array_equal(row[f"{view}_{part}"], getattr(getattr(prepared, view), part))
        geometry = np.concatenate([prepared.detail.geometry, prepared.thumbnail.geometry])
        np.testing.assert_array_equal(row["geometry"], geometry)
        np.testing.assert_array_equal(store.facts[index], prepared.facts)
        assert store.texts[index] == prepared.texts


def test_rows_are_what_prepare_gives(toy_samples: Path, tmp_path: Path) -> None:
    assert_rows(SampleFolder(toy_samples), tmp_path, CONFIG)


def test_the_region_marks_the_window_and_the_cell_around_it(toy_samples: Path, tmp_path: Path) -> None:
    folder = SampleFolder(toy_samples)
    row = open_arrays(folder, CONFIG, tmp_path).row(0)
    prepared = prepare_sample(folder, folder[0], CONFIG)
    details = len(row["detail_pre"])
    assert prepared.region is not None
    x, y, width, height = prepared.region
    for box, inside in zip(prepared.detail.boxes, row["region"], strict=False):
        centre = box[:2] + box[2:] / 2
        assert inside == (x <= centre[0] < x + width and y <= centre[1] < y + height)
    assert row["region"][:details].sum() >= 15
    assert row["region"][details:].sum() >= 1


def test_it_is_cut_once_and_again_when_settings_change(
    toy_samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = []
    write = arrays_module._write

    def count(
        folder: SampleFolder, samples: Sequence[Sample], config: PreprocessConfig, out: Path, **kwargs: Any
    ) -> None:
        built.append(config)
        write(folder, samples, config, out, **kwargs)

    monkeypatch.setattr(arrays_module, "_write", count)
    folder = SampleFolder(toy_samples)
    for config in (CONFIG, CONFIG, replace(CONFIG, window=(3, 3)), CONFIG):
        open_arrays(folder, config, tmp_path)
    assert built == [CONFIG, replace(CONFIG, window=(3, 3))]


def test_rows_that_were_edited_by_hand_do_not_meet_the_old_arrays(toy_samples: Path, tmp_path: Path) -> None:
    edited = Path(shutil.copytree(toy_samples, tmp_path / "samples"))
    open_arrays(SampleFolder(edited), CONFIG, tmp_path / "cache")
    lines = (edited / "samples.jsonl").read_text().splitlines(keepends=True)
    (edited / "samples.jsonl").write_text("".join(reversed(lines[:10])))
    assert_rows(SampleFolder(edited), tmp_path / "cache", CONFIG)


def test_what_is_there_is_not_cut_again_when_samples_are_added(
    toy_samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays_module, "PART", 8)
    grown = Path(shutil.copytree(toy_samples, tmp_path / "samples"))
    lines = (grown / "samples.jsonl").read_text().splitlines(keepends=True)
    (grown / "samples.jsonl").write_text("".join(lines[:12]))
    open_arrays(SampleFolder(grown), CONFIG, tmp_path / "cache")
    first = {place.name for place in (tmp_path / "cache" / "arrays").iterdir()}
    assert len(first) == 2
    relabelled = [line.replace('"split": "train"', '"split": "val"') for line in lines[:12]]
    (grown / "samples.jsonl").write_text("".join([*relabelled, *lines[12:20]]))
    assert_rows(SampleFolder(grown), tmp_path / "cache", CONFIG)
    second = {place.name for place in (tmp_path / "cache" / "arrays").iterdir()}
    assert len(second - first) == 2  # the last part, which has more rows now, and the new one


def test_a_run_that_was_stopped_goes_on_at_the_next_part(
    toy_samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays_module, "PART", 8)
    write, parts = arrays_module._write, []

    def stop(*args: Any, **kwargs: Any) -> None:
        parts.append(args)
        if len(parts) == 3:
            raise KeyboardInterrupt
        write(*args, **kwargs)

    monkeypatch.setattr(arrays_module, "_write", stop)
    folder = SampleFolder(toy_samples)
    with pytest.raises(KeyboardInterrupt):
        open_arrays(folder, CONFIG, tmp_path)
    assert len(list((tmp_path / "arrays").iterdir())) == 2
    open_arrays(folder, CONFIG, tmp_path)
    assert len(parts) == 1 + -(-len(folder) // 8)


def test_no_samples_are_an_error(toy_samples: Path, tmp_path: Path) -> None:
    empty = Path(shutil.copytree(toy_samples, tmp_path / "samples"))
    (empty / "samples.jsonl").write_text("")
    with pytest.raises(DataError, match="holds no samples"):
        open_arrays(SampleFolder(empty), CONFIG, tmp_path / "cache")


def test_a_failure_leaves_no_half_store(toy_samples: Path, tmp_path: Path) -> None:
    broken = Path(shutil.copytree(toy_samples, tmp_path / "samples"))
    next(iter((broken / "screens").iterdir())).unlink()
    with pytest.raises(DataError, match="is missing from"):
        open_arrays(SampleFolder(broken), CONFIG, tmp_path / "cache")
    assert list((tmp_path / "cache" / "arrays").iterdir()) == []


def test_a_process_that_was_faster_wins(toy_samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = SampleFolder(toy_samples)
    write = arrays_module._write

    def be_slow(
        folder: SampleFolder, samples: Sequence[Sample], config: PreprocessConfig, out: Path, **kwargs: Any
    ) -> None:
        write(folder, samples, config, out, **kwargs)
        monkeypatch.setattr(arrays_module, "_write", write)
        open_arrays(folder, config, tmp_path)  # the other process

    monkeypatch.setattr(arrays_module, "_write", be_slow)
    assert len(open_arrays(folder, CONFIG, tmp_path)) == len(folder)
    assert len(list((tmp_path / "arrays").iterdir())) == 1


def test_bursts_and_idle_screens_are_used_as_at_runtime(toy_samples: Path, tmp_path: Path) -> None:
    """A toast that only the burst shows, and a change that was there before the action."""
    toy = SampleFolder(toy_samples)
    first, error = toy[0], next(s for s in toy if s.outcome == "page_error")
    pre, post = (toy.screen_path(name).read_bytes() for name in (error.pre, error.post))
    with SampleWriter(tmp_path / "made", command="tests", configuration={}, seed=0) as writer:
        for index, (after, burst, idle) in enumerate([(pre, (post,), ()), (post, (), (post,)), (post, (), ())]):
            writer.append(
                replace(
                    first, id=f"made-{index}", trajectory=f"made-{index}", action=(Action("click", 5.0, 5.0),),
                    pre=writer.add_screen(pre), post=writer.add_screen(after),
                    burst=tuple(map(writer.add_screen, burst)), idle=tuple(map(writer.add_screen, idle)),
                )
            )  # fmt: skip
    folder = SampleFolder(tmp_path / "made")
    toast, ambient, plain = (prepare_sample(folder, sample, CONFIG).evidence.changed for sample in folder)
    assert toast == plain > 0
    assert ambient == 0
    assert_rows(folder, tmp_path / "cache", CONFIG)


def test_no_details_at_all(tmp_path: Path) -> None:
    """Nothing changed and no point: a sample of a wait on equal screens."""
    write_toy_samples(tmp_path / "toy", trajectories=4, seed=0, command="tests")
    toy = SampleFolder(tmp_path / "toy")
    still = next(s for s in toy if s.outcome == "no_op")
    with SampleWriter(tmp_path / "made", command="tests", configuration={}, seed=0) as writer:
        screen = writer.add_screen(toy.screen_path(still.pre))
        waiting = replace(still, pre=screen, post=screen, action=(Action("wait", seconds=1.0),))
        writer.append(waiting)
        writer.append(replace(still, id="other", pre=screen, post=screen))
    folder = SampleFolder(tmp_path / "made")
    assert_rows(folder, tmp_path / "cache", CONFIG)
    row = open_arrays(folder, CONFIG, tmp_path / "cache").row(0)
    assert len(row["detail_pre"]) == 0
    assert not row["region"].any()

from __future__ import annotations

import builtins
import io
import json

import numpy as np
import pytest
from PIL import Image

from data_prep.build import build_samples
from data_prep.config import BuildConfig
from data_prep.dataset import load_dataset, push_samples, write_parquet
from viscritic.errors import DataError, MissingExtraError
from viscritic.sample_folder import SampleFolder

datasets = pytest.importorskip("datasets")
IMAGES = ("pre", "post")


@pytest.fixture(scope="module")
def folder(trajectories, tmp_path_factory) -> SampleFolder:
    out = tmp_path_factory.mktemp("dataset") / "samples"
    build_samples(trajectories[:4], out, BuildConfig(), progress=False)
    return SampleFolder(out)


def told(row: dict) -> dict:
    """A row of a table as a line of samples.jsonl, but for its images."""
    row = {key: value for key, value in row.items() if key not in IMAGES}
    return row | {"action": json.loads(row["action"])}


def expected(folder: SampleFolder) -> list[dict]:
    return [{key: value for key, value in s.to_dict().items() if key not in IMAGES} for s in folder]


def test_a_dataset_holds_the_same_rows_and_screens(folder):
    dataset = load_dataset(folder.path)
    assert dataset.column_names == list(folder[0].to_dict())
    assert [told(row) for row in dataset] == expected(folder)
    for row, sample in zip(dataset, folder, strict=True):
        for name in IMAGES:
            screen = np.asarray(Image.open(folder.screen_path(getattr(sample, name))))
            assert np.array_equal(np.asarray(row[name]), screen)


def test_parquet_holds_the_same_rows_and_the_bytes_of_the_screens(folder, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert write_parquet(folder, tmp_path / "s.parquet") == len(folder)
    table = parquet.read_table(tmp_path / "s.parquet")
    rows = table.to_pylist()
    assert [told(row) for row in rows] == expected(folder)
    for row, sample in zip(rows, folder, strict=True):
        for name in IMAGES:
            assert row[name]["path"] == getattr(sample, name)
            assert row[name]["bytes"] == folder.screen_path(getattr(sample, name)).read_bytes()
            Image.open(io.BytesIO(row[name]["bytes"])).verify()
    assert [path.name for path in tmp_path.iterdir()] == ["s.parquet"]


def test_hugging_face_reads_the_parquet_with_its_images(folder, tmp_path):
    write_parquet(folder, tmp_path / "s.parquet")
    dataset = datasets.Dataset.from_parquet(str(tmp_path / "s.parquet"), cache_dir=str(tmp_path / "cache"))
    assert isinstance(dataset.features["pre"], datasets.Image)
    assert dataset[0]["pre"].size == (320, 240)
    assert dataset["id"][:] == [sample.id for sample in folder]


def test_a_damaged_folder_leaves_no_parquet(folder, tmp_path):
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("samples.jsonl", "manifest.json"):
        (broken / name).write_bytes((folder.path / name).read_bytes())
    with pytest.raises(DataError, match="missing"):
        write_parquet(broken, tmp_path / "s.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["broken"]


def test_a_missing_extra_is_named(folder, tmp_path, monkeypatch):
    real = builtins.__import__

    def without_datasets(name, *args, **kwargs):
        if name.split(".")[0] in ("datasets", "pyarrow"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_datasets)
    for call in (lambda: load_dataset(folder), lambda: write_parquet(folder, tmp_path / "s.parquet")):
        with pytest.raises(MissingExtraError, match=r"viscritic\[data\]"):
            call()


def test_a_folder_of_parquet_has_the_splits(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("data_prep.dataset._FILE_BYTES", 1)  # a file for each batch
    monkeypatch.setattr("data_prep.dataset._BATCH", 10)
    assert write_parquet(folder, tmp_path / "data") == len(folder)
    found = datasets.load_dataset(str(tmp_path / "data"), cache_dir=str(tmp_path / "cache"))
    assert {name.removesuffix("idation"): rows["id"][:] for name, rows in found.items()} == {
        split: [sample.id for sample in folder.by_split(split)]
        for split in ("train", "val")  # four trajectories leave none to test
    }
    numbers = [path.name for path in sorted((tmp_path / "data").glob("train-*"))]
    assert numbers[:2] == ["train-00000.parquet", "train-00001.parquet"]
    with pytest.raises(DataError, match="exists"):
        write_parquet(folder, tmp_path / "data")


@pytest.mark.parametrize("name", ["", "alone", "a/b/c", "a b/c", "../c", "a/.."])
def test_a_bad_name_on_the_hub_is_refused(folder, name):
    with pytest.raises(DataError, match="owner/name"):
        push_samples(folder, name)

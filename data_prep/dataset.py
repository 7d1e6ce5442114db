"""The rows of a sample folder as a Hugging Face `datasets.Dataset`, and as Parquet."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viscritic.errors import MissingExtraError
from viscritic.files import atomic_write
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder

if TYPE_CHECKING:
    import datasets


def load_dataset(folder: SampleFolder | Path | str) -> datasets.Dataset:
    """The samples as a Dataset: a column for each field of `Sample`, in the order of `samples.jsonl`.

    `pre`, `post`, `burst` and `idle` are images, decoded when they are looked at. `action` is JSON text, since its
    entries differ in their fields; `json.loads(row["action"])` is what `samples.jsonl` holds.

    Raises:
        DataError: a damaged folder.
        MissingExtraError: datasets is not installed.
    """
    samples = folder if isinstance(folder, SampleFolder) else SampleFolder(folder)
    library = _import_datasets()
    rows = [_row(sample, samples) for sample in samples]
    return library.Dataset.from_list(rows, features=_features(library))


def write_parquet(folder: SampleFolder | Path | str, path: Path | str) -> int:
    """Write the samples, screens included, to one Parquet file and return the number of rows.

    The file appears under its name only when it is complete; `datasets.load_dataset("parquet", ...)` reads it.

    Raises:
        DataError: a damaged folder.
        MissingExtraError: datasets is not installed.
    """
    samples = folder if isinstance(folder, SampleFolder) else SampleFolder(folder)
    library = _import_datasets()
    from pyarrow import parquet  # noqa: PLC0415  # datasets brings it

    features = _features(library)
    with atomic_write(path) as file, parquet.ParquetWriter(file, features.arrow_schema) as writer:
        for batch in _batches(samples, 100):
            rows = [_row(sample, samples, embed=True) for sample in batch]
            writer.write_table(library.Dataset.from_list(rows, features=features).data.table)
    return len(samples)


def _import_datasets() -> Any:
    try:
        import datasets  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("data_prep.dataset", "data", "datasets") from error
    return datasets


def _features(library: Any) -> Any:
    text, number, image = library.Value("string"), library.Value("float64"), library.Image()
    special = {
        "step": library.Value("int64"),
        "success": number,
        "progress": number,
        "pre": image,
        "post": image,
        "burst": library.Sequence(image),
        "idle": library.Sequence(image),
        "target_box": library.Sequence(number),
    }
    return library.Features({name: special.get(name, text) for name in Sample.__dataclass_fields__})


def _row(sample: Sample, folder: SampleFolder, *, embed: bool = False) -> dict[str, Any]:
    def image(name: str) -> dict[str, Any]:
        path = folder.screen_path(name)
        return {"path": name, "bytes": path.read_bytes()} if embed else {"path": os.fspath(path), "bytes": None}

    row = sample.to_dict()
    row["action"] = json.dumps(row["action"], ensure_ascii=False)
    row["pre"], row["post"] = image(sample.pre), image(sample.post)
    row["burst"], row["idle"] = [image(name) for name in sample.burst], [image(name) for name in sample.idle]
    return row


def _batches(samples: SampleFolder, size: int) -> Iterator[list[Sample]]:
    batch: list[Sample] = []
    for sample in samples:
        batch.append(sample)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch

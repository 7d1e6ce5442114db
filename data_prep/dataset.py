"""The rows of a sample folder as a Hugging Face `datasets.Dataset`, as Parquet, and on a hub."""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from viscritic.errors import DataError, MissingExtraError
from viscritic.files import atomic_write
from viscritic.sample import SPLITS, Sample, Split
from viscritic.sample_folder import CARD, SampleFolder

if TYPE_CHECKING:
    import datasets

_BATCH: Final = 100  # rows with screens that are in memory at once
_FILE_BYTES: Final = 400_000_000  # of a Parquet file, before the next one is begun


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
    parts = [
        library.Dataset.from_list([_row(sample, samples) for sample in batch], features=_features(library))
        for batch in _batches(samples, 1000)
    ]
    return library.concatenate_datasets(parts) if parts else library.Dataset.from_list([], _features(library))


def write_parquet(folder: SampleFolder | Path | str, path: Path | str) -> int:
    """Write the samples, screens included, as Parquet and return the number of rows.

    Args:
        path: a file whose name ends in .parquet; or a folder that is not there yet, which gets files of some hundred
            megabytes for each split ("train-00000.parquet"). Both appear under their name only when they are complete;
            `datasets.load_dataset("parquet", ...)` reads the one, `datasets.load_dataset(path)` the other.

    Raises:
        DataError: a damaged folder, or a place that is taken.
        MissingExtraError: datasets is not installed.
    """
    samples = folder if isinstance(folder, SampleFolder) else SampleFolder(folder)
    library = _import_datasets()
    place = Path(path)
    check_parquet(place)
    if place.suffix == ".parquet":
        with atomic_write(place) as file:
            return _write_file(file, samples, samples, library)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{place.name}.", suffix=".part", dir=place.parent) as temporary:
        part = Path(temporary) / "data"
        part.mkdir(mode=0o755)
        rows = sum(_write_split(part, split, samples, library) for split in SPLITS)
        part.rename(place)
    return rows


def check_parquet(place: Path) -> None:
    """Raise DataError where `write_parquet` would not write."""
    if place.suffix != ".parquet" and place.exists():
        raise DataError(f"{place} exists: name a folder that does not, or a file that ends in .parquet")


def _write_split(folder: Path, split: Split, samples: SampleFolder, library: Any) -> int:
    rows = iter(sample for sample in samples if sample.split == split)
    written = 0
    for number, first in enumerate(rows):
        with (folder / f"{split}-{number:05}.parquet").open("wb") as file:
            written += _write_file(file, chain([first], rows), samples, library, _FILE_BYTES)
    return written


def _write_file(
    file: IO[bytes], rows: Iterable[Sample], samples: SampleFolder, library: Any, most: float = math.inf
) -> int:
    """Write rows until the file has `most` bytes; how many they were."""
    from pyarrow import parquet  # noqa: PLC0415  # datasets brings it

    features = _features(library)
    written = 0
    with parquet.ParquetWriter(file, features.arrow_schema) as writer:
        for batch in _batches(rows, _BATCH):
            table = library.Dataset.from_list([_row(s, samples, embed=True) for s in batch], features=features)
            writer.write_table(table.data.table)
            written += len(batch)
            if file.tell() >= most:
                break
    return written


def push_samples(folder: SampleFolder | Path | str, name: str, *, private: bool = True) -> str:
    """Upload the samples, screens included, to a Hugging Face hub as a data set; its address.

    Every split goes up by `datasets.Dataset.push_to_hub`, in Parquet files, then the card as `CARD.md`. `HF_ENDPOINT`
    names another hub, `HF_TOKEN` or `hf auth login` says who you are.

    Args:
        name: "owner/name"; made where it is missing.
        private: whether a data set that is made is private.

    Raises:
        DataError: a damaged folder, a name that is none, or a hub that refuses.
        MissingExtraError: datasets is not installed.
    """
    samples = folder if isinstance(folder, SampleFolder) else SampleFolder(folder)
    check_hub_name(name)
    library = _import_datasets()
    from huggingface_hub import HfApi  # noqa: PLC0415  # datasets brings it

    dataset = load_dataset(samples)
    splits = dataset.select_columns(["split"])["split"][:]
    chosen = {split: [i for i, found in enumerate(splits) if found == split] for split in SPLITS}
    parts = library.DatasetDict({split: dataset.select(rows) for split, rows in chosen.items() if rows})
    try:
        parts.push_to_hub(name, private=private)
        HfApi().upload_file(path_or_fileobj=samples.path / CARD, path_in_repo=CARD, repo_id=name, repo_type="dataset")
    except Exception as error:  # of the network, of the hub, of who may write: many types, none of ours
        raise DataError(f"the samples could not be pushed to {name}: {error}") from error
    return f"{library.config.HF_ENDPOINT}/datasets/{name}"


def check_hub_name(name: str) -> None:
    """Raise DataError for what is no "owner/name" of a hub."""
    if not re.fullmatch(r"[\w-]+(?:\.[\w-]+)*/[\w-]+(?:\.[\w-]+)*", name, re.ASCII):
        raise DataError(f"{name!r} is no name on a hub: it must be owner/name")


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


def _batches(samples: Iterable[Sample], size: int) -> Iterator[list[Sample]]:
    batch: list[Sample] = []
    for sample in samples:
        batch.append(sample)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch

"""The bundle: everything that the runtime loads, checked before it is trusted.

A folder, or a zip of one, with `config.json`, `encoder.onnx`, `text.onnx`, `head.onnx`, `reader.onnx` if it reads,
`tokenizer.json`, `golden.npz` and `MODEL_CARD.md`. No pickle is read anywhere.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from viscritic.config import read_config
from viscritic.errors import BundleError, ConfigError, MissingExtraError
from viscritic.preprocess import PreprocessConfig
from viscritic.trajectory import Outcome
from viscritic.verdict import Decision

SCHEMA_VERSION: Final = 1
CONFIG: Final = "config.json"
GRAPHS: Final = ("encoder.onnx", "text.onnx", "head.onnx")
READER: Final = "reader.onnx"  # only in a bundle that reads
FILES: Final = (*GRAPHS, "tokenizer.json", "golden.npz", "MODEL_CARD.md")
HASH_KEY: Final = "viscritic.config_sha256"  # in each graph's metadata_props
_MAX_BYTES: Final = 4 << 30  # of one file unpacked from a zip
# What zipfile raises of a damaged, an encrypted, or an oddly compressed member.
_ZIP_ERRORS: Final = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, RuntimeError, NotImplementedError,
    ValueError,
)  # fmt: skip
_HUB_ID: Final = re.compile(r"[\w.-]+/[\w.-]+(@[\w.-]+)?")

Precision = Literal["fp32", "int8"]


@dataclass(frozen=True, slots=True)
class BundleConfig:
    """`config.json` of a bundle.

    Attributes:
        schema_version: of this file's form; a newer one than the package knows is refused.
        name: what verdicts call the model.
        preprocess: how screens and texts become arrays.
        classes: order of the outcome logits.
        trained_outcomes: those that the training data had; the others are never claimed.
        temperature: divides the success logit, chosen on validation data.
        decision: threshold and unsure band, chosen on validation data.
        precision: of the encoders' graphs.
        files: SHA-256 of every other file of the bundle.
    """

    schema_version: int
    name: str
    preprocess: PreprocessConfig
    classes: tuple[Outcome, ...]
    trained_outcomes: tuple[Outcome, ...]
    temperature: float
    decision: Decision
    precision: Precision
    files: Mapping[str, str]

    def __post_init__(self) -> None:
        if not set(self.trained_outcomes) - {"success"} or not set(self.trained_outcomes) <= set(self.classes):
            raise ConfigError(f"trained_outcomes needs a failure, all among classes, got {self.trained_outcomes}")
        if not self.temperature > 0:
            raise ConfigError(f"temperature must be positive, got {self.temperature}")

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form. A setting that came after the first bundles is left out where it is off: so they keep their
        hash."""
        values = {**asdict(self), "files": dict(self.files)}
        if not self.preprocess.reader:
            del values["preprocess"]["reader"]
        return values

    def digest(self) -> str:
        """SHA-256 of all but `files`; every graph repeats it, so that graph and settings cannot be mixed up."""
        values = {key: value for key, value in self.to_dict().items() if key != "files"}
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def list_graphs(config: PreprocessConfig) -> tuple[str, ...]:
    """The names of a bundle's graphs."""
    return (*GRAPHS, READER) if config.reader else GRAPHS


def list_files(config: PreprocessConfig) -> tuple[str, ...]:
    """The names of a bundle's files, its configuration apart."""
    return (*FILES, READER) if config.reader else FILES


class Bundle:
    """An opened bundle whose files have been checked against its configuration.

    Raises:
        BundleError: missing, damaged, or of a newer schema.
    """

    def __init__(self, source: Path) -> None:
        self.source = source
        self._zip = _open_zip(source) if source.is_file() else None
        if self._zip is None and not source.is_dir():
            raise BundleError(f"there is no bundle at {source}: give a folder, a .zip of one, or a hub id (owner/name)")
        self.config = _read_bundle_config(self._read(CONFIG), source)
        self._files = {name: self._read(name) for name in list_files(self.config.preprocess)}
        for name, data in self._files.items():
            if hashlib.sha256(data).hexdigest() != self.config.files.get(name):
                raise BundleError(
                    f"{name} of the bundle {source} is not the file its {CONFIG} was written for (wrong SHA-256): "
                    f"fetch or export the bundle again"
                )

    def __getitem__(self, name: str) -> bytes:
        """Contents of one of `list_files`."""
        return self._files[name]

    def _read(self, name: str) -> bytes:
        try:
            if self._zip is None:
                return (self.source / name).read_bytes()
            inside = next(n for n in self._zip.namelist() if n == name or n.endswith(f"/{name}"))
            if self._zip.getinfo(inside).file_size > _MAX_BYTES:
                raise BundleError(f"{name} in {self.source} unpacks to more than {_MAX_BYTES} bytes")
            return self._zip.read(inside)
        except BundleError:
            raise
        except (OSError, StopIteration, *_ZIP_ERRORS) as error:
            raise BundleError(f"the bundle {self.source} has no readable {name} ({error})") from error


def find_bundle(source: str | os.PathLike[str] | None) -> Path:
    """Where a bundle lies: None is the shipped one; else a folder, a zip file, or a hub id, which is fetched.

    Raises:
        BundleError: there is none.
    """
    if source is None:
        return _shipped()
    path = Path(source)
    beside = path.parent != Path() and path.parent.is_dir()  # outputs/bundel is a slip, not a hub id
    if path.exists() or beside or not isinstance(source, str) or not _HUB_ID.fullmatch(source):
        return path
    return _fetch(source)


def _shipped() -> Path:
    """The default bundle: in the wheel under `_shipped/`, in a source checkout in `checkpoints/`."""
    package = Path(__file__).parents[1]
    for folder in (package / "_shipped" / "checkpoints" / "default", package.parent / "checkpoints" / "default"):
        if (folder / CONFIG).is_file():
            return folder
    raise BundleError("this installation has no default bundle: reinstall viscritic, or give the bundle's folder")


def _fetch(name: str) -> Path:
    """Download a bundle from the hub, or find it in the hub's cache. The only code of the runtime that may connect."""
    try:
        from huggingface_hub import snapshot_download  # noqa: PLC0415  # it is heavy, and rarely wanted
    except ImportError as error:
        raise MissingExtraError(
            f"The bundle {name} is no folder here, and to fetch it from the hub", "hub", "huggingface_hub"
        ) from error
    repository, _, revision = name.partition("@")
    try:
        return Path(snapshot_download(repository, revision=revision or None, allow_patterns=[CONFIG, READER, *FILES]))
    except Exception as error:  # the hub's client raises a dozen kinds
        raise BundleError(f"no folder {name!r} here, and the hub gave no bundle of that id ({error})") from error


def _open_zip(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    except (OSError, *_ZIP_ERRORS) as error:
        raise BundleError(f"{path} is neither a bundle's folder nor a zip of one ({error})") from error


def _read_bundle_config(data: bytes, source: Path) -> BundleConfig:
    try:
        values = json.loads(data)
        version = values["schema_version"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BundleError(f"{CONFIG} of the bundle {source} is damaged ({type(error).__name__}: {error})") from error
    if not isinstance(version, int) or version < 1:
        raise BundleError(f"{CONFIG} of the bundle {source} has schema_version {version!r}")
    if version > SCHEMA_VERSION:
        raise BundleError(
            f"the bundle {source} has schema {version}, this release reads up to {SCHEMA_VERSION}: "
            f"pip install --upgrade viscritic"
        )
    try:
        return read_config(BundleConfig, values, CONFIG)
    except ConfigError as error:
        raise BundleError(f"{CONFIG} of the bundle {source}: {error}") from error

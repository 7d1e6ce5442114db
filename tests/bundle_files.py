"""Bundles that someone changed, hashes and all."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def copy_bundle(bundle: Path, out: Path) -> Path:
    """A copy to be changed."""
    return Path(shutil.copytree(bundle, out))


def change_config(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Rewrite config.json."""
    values = json.loads((folder / "config.json").read_text())
    change(values)
    (folder / "config.json").write_text(json.dumps(values))


def change_file(folder: Path, name: str, data: bytes) -> None:
    """Replace a file and the hash that config.json holds of it, as an attacker would."""
    (folder / name).write_bytes(data)
    change_config(folder, lambda values: values["files"].update({name: hashlib.sha256(data).hexdigest()}))


def golden_arrays(folder: Path) -> dict[str, Any]:
    """The arrays of golden.npz."""
    with np.load(folder / "golden.npz") as stored:
        return dict(stored)


def change_golden(folder: Path, **arrays: Any) -> None:
    """Replace golden.npz; an array that is None is left out."""
    kept = {**golden_arrays(folder), **arrays}
    buffer = io.BytesIO()
    np.savez(buffer, **{name: value for name, value in kept.items() if value is not None})
    change_file(folder, "golden.npz", buffer.getvalue())


def zip_bundle(folder: Path, out: Path, prefix: str = "") -> Path:
    """The bundle as a zip, perhaps with a folder inside."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in folder.iterdir():
            archive.write(file, prefix + file.name)
    return out

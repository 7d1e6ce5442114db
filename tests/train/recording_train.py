"""scripts/train.py, noting which rows each process trains on: python recording_train.py FOLDER [overrides]."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

from viscritic.train.data import EpochOrder

ROOT = Path(__file__).parents[2]
_FOLDER = Path(os.environ["RECORDED_ROWS"])
_iterate = EpochOrder.__iter__


def _record(self: EpochOrder) -> Iterator[int]:
    rows = list(_iterate(self))
    with (_FOLDER / f"rank-{os.environ.get('LOCAL_RANK', '0')}").open("a") as file:
        file.write(" ".join(map(str, rows)) + "\n")
    return iter(rows)


EpochOrder.__iter__ = _record  # type: ignore[method-assign]
spec = importlib.util.spec_from_file_location("train_script", ROOT / "scripts" / "train.py")
assert spec and spec.loader
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)
script.main()

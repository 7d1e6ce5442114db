"""Runs in a process of its own: Ray leaves processes and warnings behind that pytest would blame on its tests."""

from __future__ import annotations

import sys
from pathlib import Path

from made_screens import make_trajectories

from data_prep.build import build_samples
from data_prep.config import BuildConfig
from data_prep.engines import EngineConfig, open_engine
from viscritic.errors import DataError


def square(number: int) -> int:
    return number * number


def refuse_seven(number: int) -> int:
    if number == 7:
        raise DataError("seven is not wanted")
    return number


def main(folder: Path) -> None:
    engine = EngineConfig("ray", 2)
    with open_engine(engine) as run:
        assert list(run(square, range(100))) == [(n, n * n) for n in range(100)]
        assert list(run(square, ())) == []
        try:
            list(run(refuse_seven, range(100)))
        except DataError as error:
            print("told:", error)
    build_samples(make_trajectories(folder), folder.parent / "many", BuildConfig(), progress=False, engine=engine)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

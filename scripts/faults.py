"""Kill what writes at random moments: what it leaves must be whole, and the next one must go on.

    python scripts/faults.py --kills 200                 # every store
    python scripts/faults.py --store log --kills 50

Stores: file (reports, settings: whatever viscritic/files.py writes), log (an agent's steps), macros, samples (a sample
folder), checkpoint (needs the extra `train`). After each SIGKILL the store is read as a user would read it; the exit
code is 1 where it was torn, or went back behind what was written whole. `viscritic data build` and training have tests
of their own that kill them and compare the end with an uninterrupted run.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from viscritic.errors import VisCriticError
from viscritic.files import write_json

_ROWS: Final = 3000  # of a file, so that writing it takes a while


class FileStore:
    """A JSON file that is replaced again and again."""

    def write(self, folder: Path, number: int) -> None:
        """Replace it."""
        write_json(folder / "report.json", [number] * _ROWS)

    def read(self, folder: Path) -> int:
        """The number of the version that is there, -1 where there is none."""
        path = folder / "report.json"
        if not path.exists():
            return -1
        rows: list[int] = json.loads(path.read_text())
        assert len(rows) == _ROWS, len(rows)
        assert len(set(rows)) == 1
        return rows[0]


class LogStore:
    """An agent's log: rows in a row, each with a screen."""

    def write(self, folder: Path, number: int) -> None:
        """Append a row."""
        from viscritic.agent.log import StepLog

        with StepLog(folder / "log") as log:
            log.write({"n": number, "screen": log.keep(np.full((64, 64, 3), number % 256, np.uint8)), "x": "y" * 5000})

    def read(self, folder: Path) -> int:
        """The number of the last row; every row and its screen must be there."""
        from viscritic.agent.log import LOG_NAME, SCREENS_NAME, read_log
        from viscritic.screen import load_screen

        if not (folder / "log" / LOG_NAME).exists():
            return -1
        rows = list(read_log(folder / "log"))
        assert [row["n"] for row in rows] == list(range(len(rows)))
        for row in rows[-3:]:
            load_screen(folder / "log" / SCREENS_NAME / f"{row['screen']}.png")
        return len(rows) - 1


class MacroFile:
    """Macros, one more at a time."""

    def write(self, folder: Path, number: int) -> None:
        """Add one."""
        from viscritic.actions import Action
        from viscritic.agent.gui.macros import MacroStep, MacroStore

        MacroStore(folder / "macros.json").save(f"task {number}", [MacroStep(Action("click", 1, 2))], (640, 480))

    def read(self, folder: Path) -> int:
        """The number of the last one; all before it must be there."""
        from viscritic.agent.gui.macros import MacroStore

        names = {macro.task for macro in MacroStore(folder / "macros.json").all()}
        assert names == {f"task {n}" for n in range(len(names))}
        return len(names) - 1


class SampleStore:
    """A sample folder that is replaced again and again."""

    def write(self, folder: Path, number: int) -> None:
        """Replace it."""
        from data_prep.toy import write_toy_samples

        write_toy_samples(folder / "samples", trajectories=4, seed=number, command="faults")

    def read(self, folder: Path) -> int:
        """The seed of the folder that is there, whose hashes must all be right."""
        from viscritic.sample_folder import SampleFolder

        if not (folder / "samples").exists():
            return -1
        samples = SampleFolder(folder / "samples")
        samples.check()
        return int(samples.manifest["seed"])


class CheckpointStore:
    """A checkpoint's weights, as `save_checkpoint` writes them."""

    def write(self, folder: Path, number: int) -> None:
        """Replace them."""
        import safetensors.numpy

        from viscritic.files import atomic_write

        with atomic_write(folder / "model.safetensors") as file:
            file.write(safetensors.numpy.save({"w": np.full((200_000,), number, np.float32)}))

    def read(self, folder: Path) -> int:
        """The number that fills the weights."""
        import safetensors.numpy

        path = folder / "model.safetensors"
        if not path.exists():
            return -1
        weights = safetensors.numpy.load_file(path)["w"]
        assert weights.shape == (200_000,)
        assert (weights == weights[0]).all()
        return int(weights[0])


STORES: Final[dict[str, Callable[[], Any]]] = {
    "file": FileStore, "log": LogStore, "macros": MacroFile, "samples": SampleStore, "checkpoint": CheckpointStore,
}  # fmt: skip


def kill_often(store: Any, kills: int, seed: int, folder: Path) -> list[str]:
    """Let a process write, kill it after up to 50 ms, read; again and again. What went wrong, a sentence each."""
    chance = Random(seed)
    wrong: list[str] = []
    store.write(folder, 0)  # imports what it needs, so that the children begin at once
    last = store.read(folder)
    for turn in range(kills):
        told, say = os.pipe()
        child = os.fork()
        if child == 0:
            _write_on(store, folder, last + 1, say)
        os.close(say)
        time.sleep(chance.random() * 0.05)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with os.fdopen(told, "rb") as pipe:
            done = [int(line) for line in pipe.read().split(b"\n")[:-1]]
        try:
            found = store.read(folder)
        except (VisCriticError, OSError, ValueError, AssertionError, KeyError) as error:
            wrong.append(f"kill {turn}: torn: {type(error).__name__}: {error}")
            continue
        if found < max([last, *done]):
            wrong.append(f"kill {turn}: {found} is there, although {max([last, *done])} was written")
        last = max(found, last)
    store.write(folder, last + 1)  # and it goes on
    if store.read(folder) != last + 1:
        wrong.append(f"it does not go on: {store.read(folder)} instead of {last + 1}")
    return wrong


def _write_on(store: Any, folder: Path, number: int, say: int) -> None:
    """Write one version after the other, each told of when it is whole, until killed."""
    try:
        while True:
            store.write(folder, number)
            os.write(say, b"%d\n" % number)
            number += 1
    finally:
        os._exit(1)


def main() -> None:
    """Read the options, kill, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", choices=STORES, action="append")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    broken = False
    for name in chosen.store or STORES:
        with tempfile.TemporaryDirectory() as folder:
            store = STORES[name]()
            wrong = kill_often(store, chosen.kills, chosen.seed, Path(folder))
            print(
                f"{name}: {chosen.kills} kills, {store.read(Path(folder)) + 1} versions, {len(wrong)} wrong", flush=True
            )
        print("\n".join(wrong), end="\n" if wrong else "")
        broken |= bool(wrong)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()

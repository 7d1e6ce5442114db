"""Feed damaged input to every way in: only the package's own errors may come out, and soon.

    python scripts/fuzz.py --surface images --inputs 100000 --seed 1
    python scripts/fuzz.py --inputs 1000                  # every surface
    python scripts/fuzz.py --replay tests/fuzz                             # what was found before
    python scripts/fuzz.py --table counts.jsonl            # what --log wrote, as Markdown, runs added up

Surfaces: images, actions (each dialect), trajectories (each layout), bundles, http, macros, arguments. The same seed
gives the same inputs. An input after which another error comes out, or none within --seconds of the processor, is
written to --findings by its surface and hash; put it under tests/fuzz when the defect is mended. The last line of each
surface says how many inputs were taken and refused, and how the memory grew; the exit code is 1 after a finding. Files
go to /dev/shm where there is one: most of the time went into folders on a disk.

`pytest tests/data_prep --basetemp DIR` leaves runs of every layout under DIR: `--seeds DIR` damages those, too.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import json
import logging
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from fuzz_surfaces import SURFACES, Surface, open_surface

from viscritic.errors import VisCriticError
from viscritic.files import write_bytes

MOST_GROWTH = 1.3  # of the memory from the first tenth of the inputs to the end ...
LEAST_GROWTH = 64  # MB; ... where it is more than that
MEMORY_FOLDER = Path("/dev/shm")


def feed(surface: Surface, data: bytes, seconds: int) -> str:
    """ "taken", "refused", or the traceback of what should not have come out."""
    signal.setitimer(signal.ITIMER_PROF, seconds)  # of the processor: a busy machine is no hang
    try:
        surface.feed(data)
    except VisCriticError as error:
        return "refused" if str(error).strip() else "an error without words"
    except KeyboardInterrupt:
        raise
    except BaseException:  # a panic of Rust is no Exception
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return "taken"


def fuzz(name: str, inputs: int, seed: int, seconds: int, findings: Path, seeds: Path | None) -> dict[str, Any]:
    """Feed so many inputs to one surface; what was counted."""
    surface = open_surface(name, seeds)
    chance = Random(f"{name} {seed}")
    counts: Counter[str] = Counter()
    places: Counter[str] = Counter()
    start, slowest, early = time.perf_counter(), 0.0, memory_mb()
    for number in range(inputs):
        data = surface.make(chance)
        began = time.process_time()  # as the limit: a busy machine makes no input slow
        result = feed(surface, data, seconds)
        slowest = max(slowest, time.process_time() - began)
        counts[result if result in ("taken", "refused") else "found"] += 1
        if result not in ("taken", "refused"):
            place = _where(result)
            places[place] += 1
            if places[place] <= 3:  # a defect is found more often than it needs to be kept
                kept = findings / name / hashlib.sha256(data).hexdigest()[:16]
                write_bytes(kept, data)
                print(f"{name}: {kept}\n{result}", file=sys.stderr)
        if number == inputs // 10:
            early = memory_mb()
    late = memory_mb()
    grew = late > MOST_GROWTH * early and late - early > LEAST_GROWTH
    return {
        "surface": name, "seed": seed, "inputs": inputs, **counts, "places": dict(places),
        "seconds": round(time.perf_counter() - start, 1), "slowest_s": round(slowest, 2),
        "memory_mb": [round(early), round(late)], "memory_grew": grew,
    }  # fmt: skip


def replay(folder: Path, seconds: int) -> list[str]:
    """Feed what was found before; the tracebacks of what still comes out."""
    wrong = []
    for place in sorted(path for path in folder.iterdir() if path.name in SURFACES):
        surface = open_surface(place.name, None)
        for file in sorted(place.iterdir()):
            result = feed(surface, file.read_bytes(), seconds)
            if result not in ("taken", "refused"):
                wrong.append(f"{file}\n{result}")
    return wrong


def memory_mb() -> float:
    """Resident memory of this process (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def make_table(log: Path) -> str:
    """The counts of a log as Markdown, those of a surface's runs added up."""
    rows = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    lines = ["| surface | inputs | taken | refused | findings | slowest input | memory |", "|---" * 7 + "|"]
    for name in SURFACES:
        runs = [row for row in rows if row["surface"] == name]
        if not runs:
            continue
        counts = (f"{sum(row.get(kind, 0) for row in runs):,}" for kind in ("inputs", "taken", "refused", "found"))
        slowest = max(row["slowest_s"] for row in runs)
        early, late = max((row["memory_mb"] for row in runs), key=lambda memory: memory[1] - memory[0])
        lines.append(f"| {name} | {' | '.join(counts)} | {slowest:.2f} s | {early} to {late} MB |")
    return "\n".join(lines)


def prepare() -> None:
    """Quiet, and not to be stuck."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGPROF, _give_up)


def _give_up(*_: Any) -> None:
    raise TimeoutError("no answer in time")


def _where(text: str) -> str:
    """The last line of a traceback that lies in this repository, and the error's kind."""
    lines = text.strip().splitlines()
    inside = [line.strip() for line in lines if line.strip().startswith("File") and "site-packages" not in line]
    return f"{inside[-1] if inside else ''} {lines[-1].split(':')[0]}"


def main() -> None:
    """Read the options, feed, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--surface", choices=SURFACES, action="append")
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=20, help="for one input")
    parser.add_argument("--findings", type=Path, default=Path("outputs/fuzz"))
    parser.add_argument("--seeds", type=Path, help="a folder of folders: runs to damage (trajectories)")
    parser.add_argument("--log", type=Path, help="append the counts to this file, a line of JSON for each surface")
    parser.add_argument("--replay", type=Path, help="feed what was found before, and nothing else")
    parser.add_argument("--table", type=Path, help="print the counts of a log as Markdown, and nothing else")
    chosen = parser.parse_args()
    if chosen.table:
        print(make_table(chosen.table))
        return
    prepare()
    if MEMORY_FOLDER.is_dir():
        tempfile.tempdir = str(MEMORY_FOLDER)
    if chosen.replay:
        wrong = replay(chosen.replay, chosen.seconds)
        print("\n".join(wrong) or "all of it is taken or refused")
        sys.exit(1 if wrong else 0)
    broken = False
    for name in chosen.surface or SURFACES:
        row = fuzz(name, chosen.inputs, chosen.seed, chosen.seconds, chosen.findings, chosen.seeds)
        print(json.dumps(row), flush=True)
        if chosen.log:
            chosen.log.parent.mkdir(parents=True, exist_ok=True)
            with chosen.log.open("a") as file:
                file.write(json.dumps(row) + "\n")
        broken |= bool(row.get("found")) or row["memory_grew"]
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()

"""Files that people have: made from a seed, always with the same names, contents and times."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from random import Random
from typing import Final

from data_prep.collect.texts import todo_text

FOLDERS: Final = ("Documents", "Music", "Pictures", "Projects", "Recipes", "Letters", "Taxes 2019", "Garden", "Backup")
FILES: Final = (
    "notes.txt", "shopping.txt", "todo.txt", "letter to Ivo.txt", "minutes-may.txt", "budget.csv", "ideas.md",
    "readme.md", "packing list.txt", "poem.txt", "addresses.csv", "questions.txt", "plan.txt", "recipe-soup.txt",
)  # fmt: skip
_TIME: Final = 1_546_300_800  # 2019-01-01
_DAY: Final = 86400


def make_text(random: Random, lines: int) -> str:
    """A list of things to do."""
    return "".join(f"{todo_text(random)}\n" for _ in range(lines))


def make_files(folder: Path, random: Random, folders: int, files: int) -> None:
    """Folders and text files below a folder, and some files in each of the folders."""
    for name in random.sample(FOLDERS, folders):
        (folder / name).mkdir(parents=True)
        _fill(folder / name, random, random.randint(0, 4))
    _fill(folder, random, files)
    for path in (*folder.rglob("*"), folder):
        when = _TIME + _DAY * random.randrange(2000)
        os.utime(path, (when, when))


def _fill(folder: Path, random: Random, number: int) -> None:
    for name in random.sample(FILES, number):
        (folder / name).write_text(make_text(random, random.randint(1, 12)), "utf-8")


def list_files(folder: Path) -> list[list[str]]:
    """All files and folders below a folder, sorted, each with the hash of its contents."""
    found = []
    for path in sorted(folder.rglob("*")):
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            contents = hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.is_file() else "folder"
            found.append([str(path.relative_to(folder)), contents])
    return found

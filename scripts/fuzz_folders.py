"""Ways in that are folders and files: trajectories, macros, bundles."""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from fuzz_mutations import damage_bytes, damage_file, damage_value
from PIL import Image

from viscritic.actions import Action
from viscritic.errors import VisCriticError

ROOT: Final = Path(__file__).resolve().parents[1]
RECORDED: Final = ROOT / "tests" / "data_prep" / "recorded"
MOST_BYTES: Final = 300_000  # of a folder that inputs are made from


class Trajectories:
    """Folders of runs, as a zip each."""

    def __init__(self, more: Path | None = None) -> None:
        folders = [
            RECORDED / "browsergym" / "run",
            RECORDED / "playwright",
            RECORDED / "agentrewardbench",
            ROOT / "examples" / "runs" / "todo",
        ]
        folders += sorted(path for path in more.iterdir() if path.is_dir()) if more else []
        self._seeds = [files for files in map(read_folder, folders) if files]

    def make(self, chance: Random) -> bytes:
        """A run with one to three of its files damaged, left out or renamed."""
        files = dict(chance.choice(self._seeds))
        for _ in range(chance.randint(1, 3)):
            name = chance.choice(list(files))
            kind = chance.randrange(10)
            if kind == 0:
                del files[name]
            elif kind == 1:
                files[f"{name}{chance.choice(('x', '.json', '.png', '.pkl.gz', '.jsonl'))}"] = files.pop(name)
            else:
                files[name] = damage_file(chance, files[name])
            if not files:
                break
        return pack(files)

    def feed(self, data: bytes) -> None:
        """Unpacked, found out, read through, its screens decoded."""
        from data_prep.inspection import inspect

        with _unpacked(data) as folder:
            inspect(folder, limit=20)


class Macros:
    """Files of macros."""

    def __init__(self) -> None:
        from viscritic.agent.gui.macros import MacroStep, MacroStore

        with tempfile.TemporaryDirectory() as folder:
            store = MacroStore(Path(folder) / "macros.json")
            steps = [MacroStep(Action("click", 3, 4), "Open it"), MacroStep(Action("type", text="milk"))]
            store.save("Buy milk", steps, (640, 480))
            self._seed = store.path.read_bytes()

    def make(self, chance: Random) -> bytes:
        """A damaged file."""
        return damage_file(chance, self._seed)

    def feed(self, data: bytes) -> None:
        """Read, changed, read again."""
        from viscritic.agent.gui.macros import MacroStore

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "macros.json"
            path.write_bytes(data)
            store = MacroStore(path)
            for macro in store.all():
                store.save(macro.task, macro.steps, macro.size)
                store.get(macro.task)


class Bundles:
    """Bundles, as a zip each; the graphs are left out, since checking them is onnxruntime's."""

    def __init__(self) -> None:
        from viscritic.runtime.bundle import find_bundle

        folder = find_bundle(None)
        self._files = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".onnx"}
        self._files |= {path.name: b"a graph" for path in folder.glob("*.onnx")}
        self._files["golden.npz"] = _shrink_golden(self._files["golden.npz"])
        self._files["tokenizer.json"] = _shrink_tokenizer(self._files["tokenizer.json"])

    def make(self, chance: Random) -> bytes:
        """A bundle with a damaged file; its configuration has the right hashes, as an attacker would see to."""
        files = dict(self._files)
        name = chance.choice(("config.json", "config.json", "golden.npz", "tokenizer.json"))
        config = json.loads(files["config.json"])
        if name != "config.json":
            files[name] = damage_file(chance, files[name])
        config["files"] = {one: hashlib.sha256(data).hexdigest() for one, data in files.items() if one != "config.json"}
        if name == "config.json":
            config = damage_value(chance, config)
        files["config.json"] = json.dumps(config).encode()
        if name == "config.json" and chance.random() < 0.3:
            files[name] = damage_bytes(chance, files[name])
        packed = pack(files)
        return damage_bytes(chance, packed) if chance.random() < 0.1 else packed

    def feed(self, data: bytes) -> None:
        """Opened, its golden pairs unpacked, its tokenizer read."""
        from viscritic.runtime.bundle import Bundle
        from viscritic.runtime.golden import _unpack_golden
        from viscritic.runtime.graphs import _open_tokenizer

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bundle.zip"
            path.write_bytes(data)
            bundle = Bundle(path)
        refused: list[VisCriticError] = []
        for read in (_unpack_golden, _open_tokenizer):
            try:
                read(bundle)
            except VisCriticError as error:
                refused.append(error)
        if refused:
            raise refused[0]


def read_folder(folder: Path) -> dict[str, bytes]:
    """Files of a folder by name, screens made small; nothing where it is too large to be taken as a seed."""
    files = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    read = {name: _shrink_image(path.read_bytes()) for name, path in files.items() if path.stat().st_size < 10**7}
    return read if sum(map(len, read.values())) <= MOST_BYTES else {}


def _shrink_image(data: bytes) -> bytes:
    """A screen made small, so that inputs are many; other files as they are."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            buffer = io.BytesIO()
            image.resize((min(image.width, 96), min(image.height, 64))).save(buffer, image.format)
            return buffer.getvalue()
    except OSError:
        return data


def pack(files: dict[str, bytes]) -> bytes:
    """A zip of files by their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


@contextmanager
def _unpacked(data: bytes) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)
        yield Path(folder)


def _shrink_golden(data: bytes) -> bytes:
    """The first golden pair alone."""
    buffer = io.BytesIO()
    with np.load(io.BytesIO(data)) as stored:
        np.savez(buffer, **{name: stored[name] for name in stored.files if name.startswith("0.")})
    return buffer.getvalue()


def _shrink_tokenizer(data: bytes) -> bytes:
    """With a hundred word pieces beside the special ones."""
    settings = json.loads(data)
    special = {token["content"] for token in settings["added_tokens"]}
    pieces = settings["model"]["vocab"]
    settings["model"]["vocab"] = {piece: pieces[piece] for piece in [*special, *sorted(pieces)[:100]]}
    return json.dumps(settings).encode()

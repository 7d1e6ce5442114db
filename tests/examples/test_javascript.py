"""The JavaScript example gives the verdicts of the Python runtime on the bundle's golden pairs."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from viscritic import Critic
from viscritic.runtime.bundle import Bundle, find_bundle

FOLDER = Path(__file__).parents[2] / "examples" / "javascript"


@pytest.fixture(scope="module")
def golden() -> list[tuple[bytes, bytes, dict[str, Any]]]:
    """Two golden pairs: screens as bytes, and the transition."""
    with np.load(io.BytesIO(Bundle(find_bundle(None))["golden.npz"]), allow_pickle=False) as values:
        pairs = []
        for index in range(2):
            pre, post, text = (values[f"{index}.{name}"].tobytes() for name in ("pre", "post", "transition"))
            pairs.append((pre, post, json.loads(text)))
    return pairs


@pytest.fixture
def node() -> str:
    """Node.js, where it and the package are there."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("needs Node.js (Debian: apt-get install nodejs npm)")
    if not (FOLDER / "node_modules" / "onnxruntime-web").is_dir():
        pytest.skip("needs: npm install --ignore-scripts --prefix examples/javascript")
    return found


def prepare(pre: Path, post: Path, transition: dict[str, Any], out: Path) -> None:
    words = [f"--{name}={transition[name]}" for name in ("instruction", "task") if transition.get(name)]
    action = f"--action={json.dumps(transition['action'])}"
    subprocess.run([sys.executable, FOLDER / "prepare.py", pre, post, out, action, *words], check=True)


def test_golden_pairs_get_the_same_verdict(
    golden: list[tuple[bytes, bytes, dict[str, Any]]], node: str, tmp_path: Path
) -> None:
    critic = Critic.load()
    for pre, post, transition in golden:
        (tmp_path / "pre").write_bytes(pre)
        (tmp_path / "post").write_bytes(post)
        words = transition.get("instruction", ""), transition.get("task", "")
        expected = critic.score(pre, post, transition["action"], *words)
        prepare(tmp_path / "pre", tmp_path / "post", transition, tmp_path / "arrays.json")
        said = subprocess.run(
            [node, FOLDER / "score.mjs", find_bundle(None), tmp_path / "arrays.json"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        answer = json.loads(said.stdout)
        # int8 rounds differently in WebAssembly; on the golden pairs that decides nothing.
        assert answer["success"] == pytest.approx(expected.success, abs=0.05)
        assert (answer["state"], answer["outcome"]) == (expected.state, expected.outcome)


def test_nothing_changed_is_pending(node: str, tmp_path: Path) -> None:
    screen = Path(__file__).parents[2] / "examples" / "todo-ticked" / "pre.webp"
    prepare(screen, screen, {"action": {"kind": "click", "x": 334, "y": 363}}, tmp_path / "arrays.json")
    said = subprocess.run(
        [node, FOLDER / "score.mjs", find_bundle(None), tmp_path / "arrays.json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(said.stdout)["state"] == "pending"
    assert json.loads(said.stdout)["outcome"] == "no_op"


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    command = [sys.executable, FOLDER / "prepare.py", "nowhere.png", "nowhere.png", tmp_path / "a.json", "--action=x"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert "nowhere.png" in said.stderr and "Traceback" not in said.stderr

"""Every notebook runs from its first cell to its last, and is stored without outputs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))
# In a process of its own: the warnings of Jupyter's libraries are not ours to heed.
RUN = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(notebook, sys.argv[3])
"""


def test_the_notebooks_are_the_ones_that_the_page_names() -> None:
    page = (FOLDER.parent / "docs" / "notebooks.md").read_text("utf-8")
    assert len(NOTEBOOKS) == 5
    assert all(f"`{name}`" in page for name in NOTEBOOKS)


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_runs(name: str, tmp_path: Path) -> None:
    for module in ("nbclient", "ipykernel"):
        pytest.importorskip(module, reason="needs: pip install nbclient ipykernel")
    environment = os.environ | {"OMP_NUM_THREADS": "1", "TMPDIR": str(tmp_path), "IPYTHONDIR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", RUN, FOLDER / name, FOLDER, tmp_path / "run.ipynb"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    cells = json.loads((tmp_path / "run.ipynb").read_text("utf-8"))["cells"]
    shown = [output for cell in cells for output in cell.get("outputs", [])]
    assert not [output for output in shown if output.get("name") == "stderr"]
    assert any("image/png" in output.get("data", {}) for output in shown)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_no_outputs_are_stored(name: str) -> None:
    cells = json.loads((FOLDER / name).read_text("utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)

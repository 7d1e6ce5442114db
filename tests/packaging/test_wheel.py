"""The wheel alone, in a new environment without any extra: it holds what it needs, and judges."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from audit_runs import click, write_run
from toy_run import EXAMPLES, ROOT

pytestmark = pytest.mark.slow

HEAVY = (
    "torch",
    "torchvision",
    "timm",
    "sklearn",
    "scipy",
    "skimage",
    "transformers",
    "lightning",
    "hydra",
    "datasets",
)


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel."""
    out = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    assert built.returncode == 0, built.stdout + built.stderr
    (found,) = out.glob("viscritic-*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a new environment with the wheel and its runtime dependencies."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, with_pip=True)
    done = run(place / "bin" / "pip", "install", "--quiet", wheel, cwd=place)
    assert done.returncode == 0, done.stderr
    return place / "bin"


def test_configs_and_the_default_bundle_are_inside(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    shipped = {
        path.relative_to(ROOT).as_posix()
        for folder in ("configs", "checkpoints/default")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
    }
    assert {"configs/train.yaml", "checkpoints/default/config.json"} <= shipped
    assert {f"viscritic/_shipped/{name}" for name in shipped} <= names
    assert {"viscritic/py.typed", "viscritic/verdict.schema.json", "viscritic/audit/audit.schema.json"} <= names
    beside_code = {
        path.relative_to(ROOT).as_posix()
        for folder in ("viscritic/audit/viewer", "viscritic/serve/page")
        for path in (ROOT / folder).iterdir()
        if path.is_file()
    }
    assert beside_code <= names
    assert not [name for name in names if name.startswith(("tests/", "examples/")) or "__pycache__" in name]
    assert wheel.stat().st_size < 50e6


def test_nothing_of_training_is_there(installed: Path, tmp_path: Path) -> None:
    code = f"""
import importlib.util, viscritic
assert [name for name in {HEAVY} if importlib.util.find_spec(name)] == []
for room in ("viscritic.model.critic", "viscritic.train.run", "viscritic.export.bundle"):
    try:
        __import__(room)
    except viscritic.VisCriticError as error:
        assert "pip install 'viscritic[train]'" in str(error), error
    else:
        raise SystemExit(room)
"""
    done = run(installed / "python", "-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_it_checks_and_judges_from_anywhere(installed: Path, tmp_path: Path) -> None:
    checked = run(installed / "viscritic", "check", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "_shipped" in checked.stdout.replace("\n", "")
    example = EXAMPLES / "todo-ticked"
    described = json.loads((example / "transition.json").read_text())
    judged = run(
        installed / "viscritic", "score", example / "pre.webp", example / "post.webp", "--json", "--heatmap", "v.png",
        "--action", json.dumps(described["action"]), "--instruction", described["instruction"], cwd=tmp_path,
    )  # fmt: skip
    assert judged.returncode in (0, 1, 3), judged.stderr
    assert judged.stderr == ""
    assert json.loads(judged.stdout)["model"]
    assert (tmp_path / "v.png").is_file()


def test_data_says_which_extra_is_missing(installed: Path, tmp_path: Path) -> None:
    done = run(installed / "viscritic", "data", "build", tmp_path, "--out", "samples", cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    helped = run(installed / "viscritic", "data", "--help", cwd=tmp_path)
    assert helped.returncode == 0


def test_audit_needs_no_extra_and_serve_names_its_own(installed: Path, tmp_path: Path) -> None:
    run_folder = write_run(tmp_path / "run", ["a", "b"], [click(10, 10)])
    audited = run(installed / "viscritic", "audit", run_folder, "--report", "r.html", "--quiet", cwd=tmp_path)
    assert audited.returncode in (0, 1, 3), audited.stderr
    assert {path.name for path in tmp_path.glob("r.*")} == {"r.html", "r.json", "r.xml"}
    served = run(installed / "viscritic", "serve", cwd=tmp_path)
    assert served.returncode == 2
    assert "pip install 'viscritic[serve]'" in served.stderr
    examined = run(installed / "viscritic", "doctor", cwd=tmp_path)
    assert examined.returncode == 0, examined.stdout
    assert "viscritic[serve]" in examined.stdout
    asked = run(installed / "python", "-c", "from viscritic.serve.client import Client", cwd=tmp_path)
    assert asked.returncode == 0, asked.stderr

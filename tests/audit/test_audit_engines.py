"""An audit says the same wherever the work is done."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from audit_runs import click, draw_screen, write_run

MAIN = "from viscritic.cli import main; main()"  # what the console script runs
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs that share screens; one has none after its last step, one has a screen that the critic refuses."""
    folder = tmp_path_factory.mktemp("runs")
    write_run(folder / "one", ["a", "b", "b"], [click(10, 10, "Open b"), click(200, 90, "Go on")], task="Reach b")
    write_run(folder / "three", ["c", "a"], [click(30, 30), click(40, 40)])
    write_run(folder / "two", ["b", "c", "a", "c"], [click(200, 90), click(20, 20), click(200, 90, "Go on")])
    draw_screen("c").save(folder / "two" / "3.png", save_all=True, append_images=[draw_screen("d")])
    return folder


def audit(runs: Path, report: Path, *options: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}  # Ray's workers start elsewhere
    command = [sys.executable, "-c", MAIN, "audit", str(runs), "--report", str(report), *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def without_times(text: str) -> str:
    return re.sub(r'"elapsed_ms": ?[\d.]+', '"elapsed_ms": 0', text)


def check_same(one: Path, other: Path) -> None:
    for suffix in (".json", ".html"):  # of these, the page holds the screens
        a, b = (without_times(path.with_suffix(suffix).read_text("utf-8")) for path in (one, other))
        assert a == b


@pytest.fixture(scope="module")
def alone(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a single process."""
    report = tmp_path_factory.mktemp("alone") / "r.html"
    assert audit(runs, report).returncode in (1, 3)
    found = json.loads(report.with_suffix(".json").read_text("utf-8"))
    assert [one["id"] for one in found["trajectories"]] == ["one", "three", "two"]
    assert found["summary"]["states"]["unjudged"] == 2
    assert "animation" in found["trajectories"][2]["steps"][2]["unjudged"]
    return report


def test_two_processes_write_the_same_report(runs: Path, alone: Path, tmp_path: Path) -> None:
    done = audit(runs, tmp_path / "r.html", "--workers", "2")
    assert "7/7" in done.stderr
    check_same(alone, tmp_path / "r.html")


@pytest.mark.slow
def test_a_ray_cluster_of_two_workers_writes_the_same_report(runs: Path, alone: Path, tmp_path: Path) -> None:
    """Not in the extra "all", since Ray takes 240 MB:  pip install 'viscritic[ray]'  and run this file."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'viscritic[ray]' to run this")
    audit(runs, tmp_path / "r.html", "--engine", "ray", "--workers", "2", "--quiet")
    check_same(alone, tmp_path / "r.html")


def test_an_address_without_ray_is_refused(runs: Path, tmp_path: Path) -> None:
    done = audit(runs, tmp_path / "r.html", "--ray-address", "auto")
    assert done.returncode == 2
    assert done.stderr == "error: the address auto is for the engine ray, not local\n"
    assert list(tmp_path.iterdir()) == []

"""`viscritic audit` as a person types it."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from audit_runs import StubCritic, click, write_run, zip_folder
from toy_run import EXAMPLES

from viscritic.audit.document import audit_schema
from viscritic.cli import main

Run = Callable[..., tuple[int, str, str]]
RECORDED = Path(__file__).parents[1] / "data_prep" / "recorded"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Exit code, standard output and standard error of the console script."""

    def command(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["viscritic", "audit", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        code = ended.value.code
        assert code is None or isinstance(code, int)
        return code or 0, said.out, said.err

    return command


@pytest.fixture
def opinions(monkeypatch: pytest.MonkeyPatch) -> Callable[..., StubCritic]:
    """A critic of these opinions in place of the shipped one."""

    def hold(*states: str) -> StubCritic:
        critic = StubCritic(states)
        monkeypatch.setattr("viscritic.runtime.Critic.load", lambda *_, **__: critic)
        return critic

    return hold


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three steps; the second one changes nothing."""
    actions = [click(10, 10, "Open <b>"), click(200, 90, "Go on"), click(200, 90, "Go on again")]
    return write_run(tmp_path / "run", ["a", "b", "b", "c"], actions, task="Reach page c")


@pytest.mark.parametrize(
    ("states", "code"),
    [
        (["confirmed"], 0),
        (["confirmed", "failed", "unsure"], 1),
        (["confirmed", "unsure", "confirmed"], 3),
        (["confirmed", "pending", "confirmed"], 3),
    ],
)
def test_exit_codes(run: Run, opinions: Any, folder: Path, states: list[str], code: int) -> None:
    opinions(*states)
    assert run(folder)[0] == code


def test_what_is_printed(run: Run, opinions: Any, folder: Path) -> None:
    opinions("confirmed", "failed", "unsure")
    _, out, err = run(folder)
    for words in ("Reach page c", "first failing step: 2", "nothing changed", "repeats step 2", "3 steps", "1 failed"):
        assert words in out
    assert "judging" in err
    assert run(folder, "--quiet")[2] == ""


def test_a_run_without_a_failure_of_which_steps_are_open(run: Run, opinions: Any, folder: Path) -> None:
    opinions("confirmed", "unsure", "pending")
    assert "no step is known to have failed, but 1 unsure, 1 pending" in run(folder)[1]
    opinions("confirmed")
    assert "no step failed" in run(folder)[1]


def test_json_fits_its_schema(run: Run, opinions: Any, folder: Path) -> None:
    opinions("confirmed", "failed", "unsure")
    _, out, _ = run(folder, "--json", "--quiet")
    audit = json.loads(out)
    jsonschema.Draft202012Validator.check_schema(audit_schema())
    jsonschema.validate(audit, audit_schema())
    assert audit["summary"]["states"] == {"confirmed": 1, "failed": 1, "unsure": 1, "pending": 0, "unjudged": 0}
    assert audit["summary"]["findings"] == {"no_op": 1, "loop": 1, "redundant": 0}
    [trajectory] = audit["trajectories"]
    assert (trajectory["first_failing"], trajectory["task"]) == (2, "Reach page c")
    steps = trajectory["steps"]
    assert [step["state"] for step in steps] == ["confirmed", "failed", "unsure"]
    assert steps[0]["actions"] == [{"kind": "click", "x": 10, "y": 10}]
    assert steps[2]["findings"][0]["steps"] == [2]
    assert "screens" not in audit


def test_three_files_are_written(run: Run, opinions: Any, folder: Path, tmp_path: Path) -> None:
    opinions("confirmed", "failed", "unsure")
    (tmp_path / "out").mkdir()
    _, out, _ = run(folder, "--report", tmp_path / "out" / "r.html", "--quiet")
    assert "r.json, r.xml" in out
    jsonschema.validate(json.loads((tmp_path / "out" / "r.json").read_text()), audit_schema())
    suite = ElementTree.parse(tmp_path / "out" / "r.xml").getroot()[0]
    assert {name: suite.get(name) for name in ("name", "tests", "failures", "skipped")} == {
        "name": "run", "tests": "3", "failures": "1", "skipped": "1",
    }  # fmt: skip
    assert [[child.tag for child in case] for case in suite] == [
        [],
        ["failure", "system-out"],
        ["skipped", "system-out"],
    ]
    assert suite[0].get("name") == "step 1: Open <b>"
    page = (tmp_path / "out" / "r.html").read_text()
    assert "http://www.w3.org/2000/svg" in page  # a name, not an address that is asked for
    assert page.count("http") == page.count("http://www.w3.org/2000/svg") + page.count("http-equiv")
    assert "Open <b>" not in page


def test_a_zip_and_a_trace(run: Run, opinions: Any, folder: Path, tmp_path: Path) -> None:
    opinions("confirmed")
    zipped = zip_folder(folder.parent, tmp_path.parent / f"{tmp_path.name}.zip")
    assert json.loads(run(zipped, "--json", "--quiet")[1])["format"] == "folder"
    audit = json.loads(run(RECORDED / "playwright" / "trace.zip", "--json", "--quiet")[1])
    assert audit["format"] == "playwright"
    assert audit["summary"]["steps"] > 0


@pytest.mark.parametrize("name", ["browsergym", "agentrewardbench"])
def test_other_layouts(run: Run, opinions: Any, name: str) -> None:
    opinions("confirmed")
    audit = json.loads(run(RECORDED / name, "--json", "--quiet")[1])
    assert audit["format"] == name
    jsonschema.validate(audit, audit_schema())


def test_a_step_without_a_screen_after_is_not_judged(run: Run, opinions: Any, tmp_path: Path) -> None:
    opinions("confirmed")
    folder = write_run(tmp_path, ["a", "b"], [click(10, 10), click(20, 20)])
    code, out, _ = run(folder, "--json", "--quiet")
    states = [step["state"] for step in json.loads(out)["trajectories"][0]["steps"]]
    assert (code, states) == (3, ["confirmed", "unjudged"])


def test_the_real_critic(run: Run, folder: Path) -> None:
    code, out, _ = run(folder, "--json", "--quiet")
    audit = json.loads(out)
    jsonschema.validate(audit, audit_schema())
    step = audit["trajectories"][0]["steps"][1]
    # Nothing changed, and the run went on from that very screen: there is nothing left to wait for.
    assert (step["state"], step["verdict"]["outcome"]) == ("failed", "no_op")
    assert code == 1


def test_the_last_step_may_still_come_to_something(run: Run, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", ["a", "b", "b"], [click(10, 10), click(200, 90, "Go on")])
    steps = json.loads(run(folder, "--json", "--quiet")[1])["trajectories"][0]["steps"]
    assert steps[-1]["state"] == "pending"


class TestBadInput:
    def refused(self, ended: tuple[int, str, str], *words: str) -> None:
        code, out, err = ended
        assert (code, out) == (2, "")
        assert err.startswith("error: ")
        assert err.count("\n") == 1
        for word in words:
            assert word in err

    def test_nothing_there(self, run: Run, tmp_path: Path) -> None:
        self.refused(run(tmp_path / "none"), "does not exist")

    def test_no_layout(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("hello")
        self.refused(run(tmp_path), "no data set that is known")

    def test_a_recording_is_to_be_cut_first(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "run.MP4").write_bytes(b"\0\0\0\x20ftypisom")
        self.refused(run(tmp_path / "run.MP4"), "screen recording", f"viscritic data cut {tmp_path / 'run.MP4'} --out")

    def test_no_steps(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "actions.json").write_text("[]")
        self.refused(run(tmp_path), "no step to judge")

    def test_a_report_of_another_kind(self, run: Run, folder: Path) -> None:
        self.refused(run(folder, "--report", "out.pdf"), "out.html")
        self.refused(run(folder, "--report", "."), "name it OUT.html")

    def test_a_report_that_cannot_be_written_is_refused_before_anything_is_judged(
        self, run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("viscritic.runtime.Critic.load", lambda *_, **__: pytest.fail("it was judged"))
        self.refused(run(folder, "--report", tmp_path / "none" / "r.html"), "r.html", "there is no folder")
        (tmp_path / "r.json").mkdir()
        self.refused(run(folder, "--report", tmp_path / "r.html"), "r.json", "a folder")
        (tmp_path / "d.html").mkdir()
        self.refused(run(folder, "--report", tmp_path / "d.html"), "d.html", "a folder")

    @pytest.mark.parametrize("name", ["../escape.txt", "/etc/escape.txt", "a/../../escape.txt", "a\\..\\b.txt"])
    def test_a_zip_that_leads_out_of_its_folder(self, run: Run, tmp_path: Path, name: str) -> None:
        with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
            archive.writestr(name, "x")
        self.refused(run(tmp_path / "evil.zip"), "leads out of its folder")
        assert not list(tmp_path.parent.rglob("escape.txt"))

    def test_a_link_in_a_zip(self, run: Run, tmp_path: Path) -> None:
        member = zipfile.ZipInfo("actions.json")
        member.external_attr = 0o120777 << 16
        with zipfile.ZipFile(tmp_path / "link.zip", "w") as archive:
            archive.writestr(member, "/etc/passwd")
        self.refused(run(tmp_path / "link.zip"), "leads out of its folder")

    def test_a_damaged_zip(self, run: Run, folder: Path, tmp_path: Path) -> None:
        data = bytearray(zip_folder(folder, tmp_path / "a.zip").read_bytes())
        data[60:90] = bytes(30)
        (tmp_path / "damaged.zip").write_bytes(data)
        self.refused(run(tmp_path / "damaged.zip"), "cannot be unpacked")


def test_the_example_run(run: Run, opinions: Any) -> None:
    opinions("confirmed")
    audit = json.loads(run(EXAMPLES / "runs" / "todo", "--json", "--quiet")[1])
    steps = audit["trajectories"][0]["steps"]
    assert [step["recorded_success"] for step in steps] == [True, True, True, False, False, True, False, True, True]
    found = {step["number"]: [finding["kind"] for finding in step["findings"]] for step in steps if step["findings"]}
    assert found == {4: ["no_op"], 5: ["no_op", "loop"], 7: ["redundant"], 8: ["redundant"]}

"""`viscritic score` and `viscritic check` as a person types them."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from bundle_files import change_golden, copy_bundle
from PIL import Image
from toy_run import EXAMPLES, ROOT

import viscritic
from viscritic.cli import main

PRE, POST = (str(EXAMPLES / "todo-ticked" / f"{part}.webp") for part in ("pre", "post"))
MAIN = "from viscritic.cli import main; main()"  # what the console script runs
CLICK = '{"action": "click", "x": 200, "y": 150}'


@dataclass(frozen=True)
class Ended:
    """What a command left."""

    code: int
    out: str
    err: str

    def assert_refused(self, *words: str) -> None:
        """Bad input: exit code 2, one line on standard error, nothing on standard output."""
        assert self.code == 2, self
        assert self.out == ""
        assert self.err.startswith("error: ")
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        for word in words:
            assert word in self.err


Run = Callable[..., Ended]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The console script's function with these arguments."""

    def command(*arguments: str | Path) -> Ended:
        monkeypatch.setattr(sys, "argv", ["viscritic", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        code = ended.value.code
        assert code is None or isinstance(code, int)
        return Ended(code or 0, said.out, said.err)

    return command


@pytest.fixture
def score(run: Run, int8_bundle: Path) -> Run:
    """`viscritic score` with the toy bundle."""

    def command(pre: str | Path, post: str | Path, *arguments: str | Path, action: str = CLICK) -> Ended:
        return run("score", pre, post, "--bundle", int8_bundle, "--action", action, *arguments)

    return command


class TestExitCodes:
    """0 confirmed, 1 failed, 3 look again, 2 bad input."""

    def test_confirmed(self, score: Run) -> None:
        ended = score(PRE, POST, "--threshold", "0")
        assert ended.code in (0, 3)  # the band reaches down to 0, its upper end is the bundle's
        assert score(PRE, POST, "--threshold", "0", "--json").code == ended.code

    @pytest.mark.parametrize(("state", "code"), [("confirmed", 0), ("failed", 1), ("unsure", 3), ("pending", 3)])
    def test_every_state(self, state: str, code: int, score: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        from dataclasses import replace

        from viscritic.runtime import Critic
        from viscritic.verdict import Verdict

        judge = Critic.score

        def decide(self: Critic, *arguments: object, **named: object) -> Verdict:
            return replace(judge(self, *arguments, **named), state=state)  # type: ignore[arg-type]

        monkeypatch.setattr(Critic, "score", decide)
        ended = score(PRE, POST)
        assert ended.code == code
        assert state in ended.out
        assert ended.err == ""

    def test_nothing_changed(self, score: Run) -> None:
        assert score(PRE, PRE).code == 3
        assert "pending" in score(PRE, PRE).out

    def test_nothing_changed_for_a_while(self, score: Run) -> None:
        ended = score(PRE, PRE, "--burst", PRE, "--burst", PRE, "--threshold", "0")
        assert ended.code == 1
        assert "failed" in ended.out


class TestOutput:
    """What is printed and written."""

    def test_words(self, score: Run) -> None:
        ended = score(PRE, POST, "--instruction", "Tick the box", "--task", "Tick everything")
        for words in ("success", "progress", "outcome", "wrong_target", "toy, ", " ms"):
            assert words in ended.out
        assert ended.err == ""

    def test_json_is_the_verdict(self, score: Run, int8_bundle: Path) -> None:
        ended = score(PRE, POST, "--json", "--instruction", "点击 👩‍💻")
        written = json.loads(ended.out)
        jsonschema.Draft202012Validator(viscritic.verdict_schema()).validate(written)
        assert ended.out.count("\n") == 1
        again = viscritic.Critic.load(int8_bundle).score(PRE, POST, CLICK, "点击 👩‍💻").to_dict()
        assert written | {"elapsed_ms": 0} == again | {"elapsed_ms": 0}

    def test_a_heat_map_is_a_png(self, score: Run, tmp_path: Path) -> None:
        out = tmp_path / "verdict.png"
        ended = score(PRE, POST, "--heatmap", out, "--instruction", "Tick the box")
        assert out.name in ended.out.replace("\n", "")
        with Image.open(out) as picture:
            assert picture.format == "PNG"
            assert picture.width > 800
        assert [path.name for path in out.parent.iterdir()] == ["verdict.png"]

    def test_a_heat_map_is_a_page_where_its_name_says_so(self, score: Run, tmp_path: Path) -> None:
        score(PRE, POST, "--heatmap", tmp_path / "verdict.html", "--instruction", "Tick <i>it</i>")
        page = (tmp_path / "verdict.html").read_text("utf-8")
        assert page.startswith("<!doctype html>")
        assert "Tick &lt;i&gt;it&lt;/i&gt;" in page

    def test_a_heat_map_that_fails_leaves_the_old_one(
        self, score: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        out = tmp_path / "verdict.png"
        out.write_bytes(b"old")

        def half(self: Image.Image, file: io.BytesIO, kind: str) -> None:
            file.write(b"\x89PNG half of it")
            raise OSError("No space left on device")

        monkeypatch.setattr(Image.Image, "save", half)
        score(PRE, POST, "--heatmap", out).assert_refused("No space left on device")
        assert out.read_bytes() == b"old"
        assert [path.name for path in tmp_path.iterdir()] == ["verdict.png"]

    def test_json_with_a_heat_map_stays_json(self, score: Run, tmp_path: Path) -> None:
        json.loads(score(PRE, POST, "--json", "--heatmap", tmp_path / "verdict.png").out)
        assert (tmp_path / "verdict.png").is_file()


class TestActions:
    """The action comes as text in any dialect, or from a file."""

    def test_from_a_file(self, score: Run, tmp_path: Path) -> None:
        file = tmp_path / "action.json"
        file.write_text(CLICK + "\n")
        first, second = (json.loads(score(PRE, POST, "--json", action=a).out) for a in (CLICK, f"@{file}"))
        assert first | {"elapsed_ms": 0} == second | {"elapsed_ms": 0}

    def test_a_batch(self, score: Run) -> None:
        ended = score(PRE, POST, action=f'[{CLICK}, {{"action": "type", "text": "milk"}}]')
        assert 'then type "milk"' in " ".join(ended.out.split())

    def test_a_named_dialect(self, score: Run) -> None:
        assert score(PRE, POST, "--dialect", "pyautogui", action="pyautogui.click(200, 150)").code != 2
        score(PRE, POST, "--dialect", "esperanto").assert_refused("unknown dialect 'esperanto'", "pyautogui")
        score(PRE, POST, "--dialect", "pyautogui").assert_refused()

    @pytest.mark.parametrize("action", ["", "{", "[]", "{}", "do it", '{"action": "click", "x": NaN, "y": 1}', "[[[[["])
    def test_garbage(self, score: Run, action: str) -> None:
        score(PRE, POST, action=action).assert_refused()

    def test_a_file_that_cannot_be_read(self, score: Run, tmp_path: Path) -> None:
        score(PRE, POST, action=f"@{tmp_path / 'absent.json'}").assert_refused("absent.json", "cannot be read")
        score(PRE, POST, action=f"@{tmp_path}").assert_refused("cannot be read")
        score(PRE, POST, action="@").assert_refused("cannot be read")
        score(PRE, POST, action=f"@{POST}").assert_refused("post.webp", "cannot be read")  # an image is not UTF-8


class TestBadInput:
    """One line, exit code 2."""

    @pytest.mark.parametrize("position", [0, 1])
    def test_screens(self, score: Run, tmp_path: Path, position: int) -> None:
        text = tmp_path / "notes.png"
        text.write_text("no image at all")
        empty = tmp_path / "empty.png"
        empty.touch()
        for bad in (tmp_path / "absent.png", tmp_path, text, empty, Path("/dev/null"), Path(__file__)):
            screens: list[str | Path] = [PRE, POST]
            screens[position] = bad
            score(*screens).assert_refused(("pre", "post")[position])
        score(PRE, POST, "--burst", text).assert_refused("burst[0]")
        score(PRE, POST, "--idle", text).assert_refused("idle[0]")

    def test_heat_map_places(self, score: Run, tmp_path: Path) -> None:
        file = tmp_path / "file"
        file.write_text("precious")
        score(PRE, POST, "--heatmap", file / "verdict.png").assert_refused("verdict.png cannot be written")
        score(PRE, POST, "--heatmap", tmp_path).assert_refused("is not a regular file")
        score(PRE, POST, "--heatmap", "/dev/null").assert_refused("is not a regular file")
        score(PRE, POST, "--heatmap", tmp_path / "new" / "v.png").assert_refused("there is no folder", "make it first")
        score(PRE, POST, "--heatmap", tmp_path / "verdict.jpg").assert_refused("name it", "verdict.png")
        assert [path.name for path in tmp_path.iterdir()] == ["file"]
        assert not Path("/dev/null").is_file()  # root could have replaced it
        assert file.read_text() == "precious"

    def test_bundles(self, run: Run, tmp_path: Path) -> None:
        for bad in (tmp_path, tmp_path / "absent", Path(PRE)):
            run("score", PRE, POST, "--action", CLICK, "--bundle", bad).assert_refused()
            run("check", bad).assert_refused()

    def test_thresholds(self, score: Run) -> None:
        for bad in ("2", "-0.5", "nan"):
            score(PRE, POST, "--threshold", bad).assert_refused("threshold must be between 0 and 1")

    @pytest.mark.parametrize(
        "arguments", [["score"], ["score", PRE, POST], ["score", PRE, POST, "--nonsense"], ["nonsense"], ["--bad"]]
    )
    def test_usage(self, run: Run, arguments: list[str]) -> None:
        ended = run(*arguments)
        assert ended.code == 2
        assert "Usage: viscritic" in ended.err
        assert "Traceback" not in ended.err

    def test_a_limit_that_is_no_number(self, score: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("VISCRITIC_MAX_PIXELS", "many")
        score(PRE, POST).assert_refused("VISCRITIC_MAX_PIXELS must be a positive whole number")
        monkeypatch.setenv("VISCRITIC_MAX_PIXELS", "1000")
        score(PRE, POST).assert_refused("over the limit of 1000")


class TestCheck:
    """`viscritic check`."""

    @pytest.mark.parametrize("kind", ["fp32", "int8"])
    def test_a_sound_bundle(self, kind: str, run: Run, request: pytest.FixtureRequest) -> None:
        ended = run("check", request.getfixturevalue(f"{kind}_bundle"))
        assert ended.code == 0
        assert ended.out.count("passed") == 4
        assert "toy" in ended.out
        assert ended.err == ""

    def test_a_tampered_golden_answer(self, run: Run, fp32_bundle: Path, tmp_path: Path) -> None:
        folder = copy_bundle(fp32_bundle, tmp_path / "bundle")
        change_golden(folder, **{"1.success": np.float32(7)})
        ended = run("check", folder)
        assert ended.code == 1
        assert ended.out.count("FAILED") == 1
        assert ended.out.count("passed") == 3

    def test_a_golden_name_that_looks_like_markup(self, run: Run, fp32_bundle: Path, tmp_path: Path) -> None:
        folder = copy_bundle(fp32_bundle, tmp_path / "bundle")
        with np.load(folder / "golden.npz") as stored:
            described = json.loads(stored["0.transition"].tobytes())
        text = json.dumps(described | {"id": "[/red]"}).encode()
        change_golden(folder, **{"0.transition": np.frombuffer(text, np.uint8)})
        ended = run("check", folder)
        assert ended.code == 0
        assert "[/red]" in ended.out

    def test_a_changed_file(self, run: Run, fp32_bundle: Path, tmp_path: Path) -> None:
        folder = copy_bundle(fp32_bundle, tmp_path / "bundle")
        (folder / "MODEL_CARD.md").write_text("a better model")
        run("check", folder).assert_refused("MODEL_CARD.md", "wrong SHA-256")

    def test_the_shipped_bundle(self, run: Run) -> None:
        ended = run("check")
        assert ended.code == 0, ended
        assert "passed" in ended.out


class TestHelp:
    """Help names examples and exit codes."""

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--help"], ["viscritic score pre.png post.png --action", "viscritic check"]),
            (["score", "--help"], ["--heatmap verdict.png", "pyautogui.click(960, 540)", "Exit codes: 0 confirmed"]),
            (["check", "--help"], ["viscritic check outputs/bundle", "Exit codes: 0 all well"]),
            (["data", "--help"], ["build"]),
        ],
    )
    def test_help(self, arguments: list[str], words: list[str], run: Run) -> None:
        ended = run(*arguments)
        assert ended.code == 0
        for word in words:
            assert word in ended.out

    def test_no_arguments_show_help(self, run: Run) -> None:
        ended = run()
        assert "Usage: viscritic" in ended.out + ended.err

    def test_version(self, run: Run) -> None:
        assert run("--version") == Ended(0, viscritic.__version__ + "\n", "")


def execute(*arguments: str | bytes, cwd: Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """The installed command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", MAIN, *arguments], cwd=cwd, capture_output=True, check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1", **variables},
    )  # fmt: skip


def test_it_works_from_anywhere_and_in_any_encoding(int8_bundle: Path, tmp_path: Path) -> None:
    for part in ("pre", "post"):
        (tmp_path / f"{part}.webp").write_bytes(Path({"pre": PRE, "post": POST}[part]).read_bytes())
    arguments = ("score", "pre.webp", "post.webp", "--action", CLICK, "--bundle", str(int8_bundle))
    (tmp_path / "a").mkdir()
    done = execute(*arguments, "--heatmap", "a/verdict.png", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode in (0, 1, 3), done.stderr
    assert done.stderr == b""
    assert (tmp_path / "a" / "verdict.png").is_file()
    strange = b"\xff\xfe"  # no UTF-8: what a shell may hand over all the same
    done = execute(*arguments, "--instruction", strange, "--heatmap", strange + b".png", "--json", cwd=tmp_path)
    assert done.returncode in (0, 1, 3), done.stderr
    json.loads(done.stdout)
    assert os.path.exists(os.fsencode(tmp_path) + b"/" + strange + b".png")  # noqa: PTH110
    done = execute("score", strange, "post.webp", "--action", CLICK, "--bundle", str(int8_bundle), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error(int8_bundle: Path) -> None:
    command = f"'{sys.executable}' -c '{MAIN}' score '{PRE}' '{POST}' --action '{CLICK}' --json"
    done = subprocess.run(
        ["bash", "-c", f"{command} --bundle '{int8_bundle}' | true"], cwd=ROOT, capture_output=True, check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert b"Traceback" not in done.stderr

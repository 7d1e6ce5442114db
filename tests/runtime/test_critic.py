"""The critic as agents call it."""

from __future__ import annotations

import base64
import io
import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from PIL import Image
from runtime_screens import NAMES, example, said, screen, screen_file, transition
from toy_run import EXAMPLES, ROOT

from viscritic import Critic, Transition, Verdict, verdict_schema
from viscritic.actions import Action
from viscritic.errors import ActionError, ConfigError, ScreenError, TextError
from viscritic.verdict import Decision, judge

CLICK = Action("click", 200.0, 150.0)


@pytest.fixture(scope="module", params=["fp32", "int8"])
def bundle(request: pytest.FixtureRequest) -> Path:
    """Each kind of bundle."""
    folder: Path = request.getfixturevalue(f"{request.param}_bundle")
    return folder


@pytest.fixture(scope="module")
def critic(bundle: Path) -> Critic:
    return Critic.load(bundle)


@pytest.fixture(scope="module")
def verdicts(bundle: Path) -> dict[str, dict[str, Any]]:
    """What a critic without a cache says of every example, one by one."""
    uncached = Critic.load(bundle, cache=0)
    return {name: said(score(uncached, transition(name))) for name in NAMES}


def score(critic: Critic, t: Transition) -> Verdict:
    return critic.score(t.pre, t.post, t.action, t.instruction, t.task, t.burst, t.idle)


class TestOneAnswer:
    """However it is asked, the same transition gets the same verdict, to the last bit."""

    def test_many_are_judged_as_each_alone(self, critic: Critic, verdicts: dict[str, Any]) -> None:
        answers = critic.score_many(transition(name) for name in NAMES)
        assert {name: said(v) for name, v in zip(NAMES, answers, strict=True)} == verdicts

    def test_the_cache_changes_nothing(self, bundle: Path, verdicts: dict[str, Any]) -> None:
        for size in (0, 1, 5, 100):
            cached = Critic.load(bundle, cache=size)
            for name in [NAMES[0], NAMES[0], NAMES[1], NAMES[0]]:
                assert said(score(cached, transition(name))) == verdicts[name]

    def test_the_order_changes_nothing(self, critic: Critic, verdicts: dict[str, Any]) -> None:
        names = NAMES * 2
        random.Random(0).shuffle(names)
        for name, verdict in zip(names, critic.score_many(map(transition, names)), strict=True):
            assert said(verdict) == verdicts[name]

    def test_threads_share_a_critic(self, bundle: Path, verdicts: dict[str, Any]) -> None:
        shared = Critic.load(bundle, cache=4)  # small: they push each other's screens out
        names = (NAMES * 3)[: 8 * 3]
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda name: said(score(shared, transition(name))), names))
        assert all(answer == verdicts[name] for name, answer in zip(names, answers, strict=True))

    def test_the_next_steps_pre_is_the_last_ones_post(self, bundle: Path) -> None:
        fresh, warm = Critic.load(bundle, cache=0), Critic.load(bundle)
        first, second = screen("todo-ticked", "pre"), screen("todo-ticked", "post")
        warm.score(first, second, CLICK)
        step = Transition(second, first, CLICK, "Untick it")
        assert said(score(warm, step)) == said(score(fresh, step))

    def test_nothing_is_judged_for_nothing(self, critic: Critic) -> None:
        assert critic.score_many([]) == []

    def test_a_bad_transition_among_many_is_an_error(self, critic: Critic) -> None:
        good = transition(NAMES[0])
        with pytest.raises(ScreenError, match="post"):
            critic.score_many([good, replace(good, post="no such file.png"), good])


def encoded(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(array).save(buffer, "PNG")
    return buffer.getvalue()


SOURCES: dict[str, Callable[[np.ndarray, Path], Any]] = {
    "array": lambda array, file: array,
    "strided array": lambda array, file: np.ascontiguousarray(array[:, ::-1])[:, ::-1],
    "read-only array": lambda array, file: np.asarray(Image.fromarray(array)),
    "opaque array": lambda array, file: np.dstack([array, np.full(array.shape[:2], 255, np.uint8)]),
    "image": lambda array, file: Image.fromarray(array),
    "bytes": lambda array, file: encoded(array),
    "bytearray": lambda array, file: bytearray(encoded(array)),
    "memoryview": lambda array, file: memoryview(encoded(array)),
    "path": lambda array, file: file,
    "text path": lambda array, file: str(file),
    "data-URL": lambda array, file: "data:image/png;base64," + base64.b64encode(encoded(array)).decode(),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_every_kind_of_source_gives_the_same_verdict(kind: str, critic: Critic, verdicts: dict[str, Any]) -> None:
    name = "todo-ticked"
    pre, post = (SOURCES[kind](screen(name, part), screen_file(name, part)) for part in ("pre", "post"))
    assert said(score(critic, transition(name, pre=pre, post=post))) == verdicts[name]


@pytest.mark.parametrize(
    "action",
    [
        {"action": "click", "x": 200, "y": 150},
        '{"action": "click", "x": 200, "y": 150}',
        "pyautogui.click(200, 150)",
        CLICK,
        (CLICK,),
        [CLICK],
    ],
)
def test_every_form_of_an_action_gives_the_same_verdict(action: Any, critic: Critic) -> None:
    t = transition("todo-ticked")
    assert said(score(critic, replace(t, action=action))) == said(score(critic, replace(t, action=CLICK)))


class TestEqualScreens:
    """Two equal screens never confirm a visible action."""

    PRE = staticmethod(lambda: screen("todo-ticked", "pre"))

    @pytest.mark.parametrize("threshold", [None, 0.0, 0.5, 1.0])
    def test_a_click_is_pending_and_never_ok(self, bundle: Path, threshold: float | None) -> None:
        critic = Critic.load(bundle, threshold=threshold)
        verdict = critic.score(self.PRE(), self.PRE().copy(), CLICK, "Tick the box")
        assert verdict.state == "pending"
        assert not verdict.ok
        assert verdict.outcome == "no_op"
        assert verdict.evidence.identical
        assert verdict.success <= critic.config.decision.threshold
        assert verdict.outcome_probs["no_op"] == pytest.approx(1 - verdict.success)
        assert "look again" in verdict.note

    @pytest.mark.parametrize("threshold", [None, 0.0])
    def test_with_a_burst_it_has_failed(self, bundle: Path, threshold: float | None) -> None:
        pre = self.PRE()
        verdict = Critic.load(bundle, threshold=threshold).score(pre, pre, CLICK, "Tick the box", burst=[pre, pre])
        assert verdict.state == "failed"
        assert not verdict.ok
        assert verdict.outcome == "no_op"
        assert "no effect" in verdict.note

    @pytest.mark.parametrize(
        ("action", "instruction"),
        [
            (Action("wait", seconds=1.0), ""),
            (Action("key", keys=("ctrl", "c")), ""),
            (CLICK, "Copy the address"),
            (CLICK, "Save the file"),
        ],
    )
    def test_what_may_be_invisible_may_succeed(self, bundle: Path, action: Action, instruction: str) -> None:
        verdict = Critic.load(bundle, threshold=0.0).score(self.PRE(), self.PRE(), action, instruction)
        assert verdict.evidence.identical
        assert verdict.ok
        assert verdict.state in ("confirmed", "unsure")
        assert verdict.outcome == "success"

    def test_equal_screens_of_two_sizes_are_not_equal(self, critic: Critic) -> None:
        white, larger = np.full((200, 300, 3), 255, np.uint8), np.full((400, 600, 3), 255, np.uint8)
        verdict = critic.score(white, larger, CLICK)
        assert not verdict.evidence.identical
        assert verdict.evidence.resized


def test_a_toast_that_only_the_burst_shows_is_judged(critic: Critic) -> None:
    pre, toast = screen("login-rejected", "pre"), screen("login-rejected", "post")
    seen = critic.score(pre, pre, CLICK, "Log in", burst=[pre, toast, pre])
    alone = critic.score(pre, toast, CLICK, "Log in")
    assert seen.success == alone.success
    assert seen.evidence == alone.evidence
    assert not seen.evidence.identical
    assert seen.evidence.changed > 0


def test_what_runs_by_itself_is_not_the_actions_doing(critic: Critic) -> None:
    pre, post = screen("todo-ticked", "pre"), screen("todo-ticked", "post")
    verdict = critic.score(pre, post, CLICK, idle=[post])
    assert verdict.evidence.changed == 0
    assert not verdict.evidence.identical


class TestPoints:
    """Where the action went."""

    def test_off_the_screen(self, critic: Critic) -> None:
        t = transition("todo-ticked")
        for point in ((1e6, 5.0), (-3.0, 5.0), (5.0, 1e6)):
            verdict = score(critic, replace(t, action=Action("click", *point)))
            assert verdict.evidence.off_screen
            assert verdict.evidence.changed_at_target is None
            assert "off the screen" in verdict.note
            assert verdict.state != "confirmed"

    def test_off_the_screen_is_not_confirmed_however_low_the_threshold(self) -> None:
        t, easy = transition("todo-ticked"), Critic.load(threshold=0.0)
        assert score(easy, t).state == "confirmed"
        assert score(easy, replace(t, action=Action("click", 1e6, 5.0))).state == "unsure"

    @pytest.mark.parametrize("bad", [float("nan"), float("inf"), 1e9, "5", None])
    def test_no_number(self, critic: Critic, bad: Any) -> None:
        t = transition("todo-ticked")
        with pytest.raises(ActionError):
            score(critic, replace(t, action={"action": "click", "x": bad, "y": 5}))

    def test_none_at_all(self, critic: Critic) -> None:
        verdict = score(critic, replace(transition("todo-ticked"), action=Action("key", keys=("enter",))))
        assert verdict.evidence.changed_at_target is None


class TestBadInput:
    """Every mistake is an error of the package's own."""

    @pytest.mark.parametrize("action", [[], "", "do what is right", None, 5, {}, "{", b"click"])
    def test_actions(self, critic: Critic, action: Any) -> None:
        with pytest.raises(ActionError):
            score(critic, replace(transition("todo-ticked"), action=action))

    @pytest.mark.parametrize("part", ["instruction", "task"])
    def test_texts(self, critic: Critic, part: str) -> None:
        with pytest.raises(TextError, match=part):
            score(critic, transition("todo-ticked", **{part: None}))

    @pytest.mark.parametrize("part", ["pre", "post"])
    def test_screens(self, critic: Critic, part: str, tmp_path: Path) -> None:
        text = tmp_path / "notes.png"
        text.write_text("no image")
        for bad in (text, tmp_path, tmp_path / "absent.png", b"", b"GIF8", np.zeros((3, 3)), None, "http://a/b.png"):
            with pytest.raises(ScreenError, match=part):
                score(critic, transition("todo-ticked", **{part: bad}))

    def test_screens_of_a_burst_are_named(self, critic: Critic) -> None:
        good = screen("todo-ticked", "pre")
        with pytest.raises(ScreenError, match=r"burst\[1\]"):
            score(critic, transition("todo-ticked", burst=[good, b"bad"]))
        with pytest.raises(ScreenError, match=r"idle\[0\]"):
            score(critic, transition("todo-ticked", idle=[b"bad"]))

    def test_texts_of_every_kind_are_read(self, critic: Critic) -> None:
        for text in ("", "x" * 100_000, "点击保存", "👩‍💻🖱️", "lone \ud83d", "null\0byte", "اضغط", "\n\t"):
            verdict = score(critic, transition("todo-ticked", instruction=text, task=text))
            assert 0 <= verdict.success <= 1
            json.dumps(verdict.to_dict(), ensure_ascii=False).encode()

    def test_the_smallest_screens(self, critic: Critic) -> None:
        pre, post = np.zeros((16, 16, 3), np.uint8), np.full((16, 16, 3), 255, np.uint8)
        assert critic.score(pre, post, Action("click", 3.0, 3.0)).evidence.changed == pytest.approx(1)
        with pytest.raises(ScreenError, match="too small"):
            critic.score(pre[:1, :1], post, CLICK)


class TestLoading:
    """Settings of `Critic.load`."""

    def test_a_provider_that_is_not_there_is_refused(self, bundle: Path) -> None:
        with pytest.raises(ConfigError, match=r"onnxruntime has no AbacusExecutionProvider here; available: .*CPU"):
            Critic.load(bundle, providers=["AbacusExecutionProvider", "CPUExecutionProvider"])

    @pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
    def test_a_threshold_out_of_range_is_refused(self, bundle: Path, threshold: float) -> None:
        with pytest.raises(ConfigError, match="threshold must be between 0 and 1"):
            Critic.load(bundle, threshold=threshold)

    def test_a_cache_of_less_than_nothing_is_refused(self, bundle: Path) -> None:
        with pytest.raises(ConfigError, match="cache must be 0 or more, got -1"):
            Critic.load(bundle, cache=-1)

    def test_the_callers_threshold_decides(self, bundle: Path) -> None:
        t = transition("todo-ticked")
        success = score(Critic.load(bundle), t).success
        above, below = np.nextafter(success, 1).item(), np.nextafter(success, 0).item()
        for threshold, ok in ((0.0, True), (below, True), (success, True), (above, False), (1.0, False)):
            verdict = score(Critic.load(bundle, threshold=threshold), t)
            assert verdict.ok is ok
            assert verdict.success == success
            assert (verdict.outcome == "success") is ok

    def test_threads_change_nothing_that_matters(self, bundle: Path) -> None:
        one, two = (score(Critic.load(bundle, threads=n), transition("todo-ticked")) for n in (1, 2))
        assert one.success == pytest.approx(two.success, abs=1e-5)

    def test_a_bundle_can_be_asked_for_its_settings(self, critic: Critic) -> None:
        assert critic.config.name == "toy"


class TestVerdict:
    """What a verdict holds."""

    @pytest.mark.parametrize("name", NAMES)
    def test_it_fits_its_schema(self, name: str, critic: Critic) -> None:
        jsonschema.Draft202012Validator.check_schema(verdict_schema())
        verdict = score(critic, transition(name))
        written = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))
        jsonschema.Draft202012Validator(verdict_schema()).validate(written)

    def test_rare_ones_fit_it_too(self, critic: Critic) -> None:
        validator = jsonschema.Draft202012Validator(verdict_schema())
        pre = screen("todo-ticked", "pre")
        rare = [
            critic.score(pre, pre, CLICK),
            critic.score(pre, pre, Action("wait")),
            critic.score(pre, pre[:300, :300], Action("click", 1e6, 0.0), burst=[pre], idle=[pre[:40, :90]]),
        ]
        for verdict in rare:
            validator.validate(verdict.to_dict())
        broken = rare[0].to_dict() | {"state": "maybe"}
        with pytest.raises(jsonschema.ValidationError):
            validator.validate(broken)

    @pytest.mark.parametrize("name", NAMES[:4])
    def test_attention_lies_on_the_screen(self, name: str, critic: Critic) -> None:
        verdict = score(critic, transition(name))
        attention, (height, width) = verdict.attention, screen(name, "pre").shape[:2]
        assert attention.box_weights.sum() == pytest.approx(1, abs=1e-5)
        assert attention.weights.sum() == pytest.approx(1, abs=1e-5)
        assert (attention.weights >= 0).all()
        assert attention.weights.dtype == np.float32
        assert max(attention.weights.shape) == 64
        assert attention.weights.shape[1] / attention.weights.shape[0] == pytest.approx(width / height, rel=0.1)
        assert len(attention.boxes) == len(attention.box_weights)
        corners = attention.boxes[:, :2] + attention.boxes[:, 2:]
        assert (attention.boxes[:, :2] >= 0).all()
        assert (corners <= np.array([width, height]) + 1e-2).all()

    def test_attention_is_where_the_boxes_are(self, critic: Critic) -> None:
        verdict = critic.score(screen("todo-ticked", "pre"), screen("todo-ticked", "post"), CLICK)
        attention, (height, width) = verdict.attention, screen("todo-ticked", "pre").shape[:2]
        rows, columns = attention.weights.shape
        expected = np.zeros((rows, columns))
        for (x, y, w, h), weight in zip(attention.boxes, attention.box_weights, strict=True):
            # Each box as 20 x 20 points that carry its weight.
            px = np.clip(((x + w * (np.arange(20) + 0.5) / 20) / width * columns).astype(int), 0, columns - 1)
            py = np.clip(((y + h * (np.arange(20) + 0.5) / 20) / height * rows).astype(int), 0, rows - 1)
            np.add.at(expected, (py[:, None], px[None]), weight / 400)
        assert np.abs(expected - attention.weights).sum() < 0.1

    def test_probabilities(self, critic: Critic) -> None:
        for name in NAMES:
            verdict = score(critic, transition(name))
            assert sum(verdict.outcome_probs.values()) == pytest.approx(1)
            assert verdict.outcome_probs["success"] == verdict.success
            failures = {k: v for k, v in verdict.outcome_probs.items() if k != "success"}
            assert verdict.outcome == ("success" if verdict.ok else max(failures, key=failures.__getitem__))
            assert -1 <= verdict.progress <= 1

    def test_the_heat_map_has_the_size_of_the_screen(self, critic: Critic) -> None:
        t = transition("mobile-digest-on")
        picture = score(critic, t).heatmap(t.post, point=(10.0, 10.0))
        assert picture.size == (t.post.shape[1], t.post.shape[0])


DECISION = Decision(0.5, (0.4, 0.6))
FAILURES = {"no_op": 0.2, "wrong_target": 0.7, "timeout": 0.1}


@pytest.mark.parametrize(
    ("success", "failures", "settled", "state", "outcome", "ok"),
    [
        (0.9, FAILURES, False, "confirmed", "success", True),
        (0.6, FAILURES, False, "confirmed", "success", True),
        (0.55, FAILURES, False, "unsure", "success", True),
        (0.45, FAILURES, True, "unsure", "wrong_target", False),
        (0.4, FAILURES, False, "failed", "wrong_target", False),
        (0.1, {"timeout": 0.9, "no_op": 0.1}, False, "pending", "timeout", False),
        (0.1, {"timeout": 0.9, "no_op": 0.1}, True, "failed", "timeout", False),
    ],
)
def test_states(
    success: float, failures: dict[Any, float], settled: bool, state: str, outcome: str, ok: bool, critic: Critic
) -> None:
    evidence = score(critic, transition("todo-ticked")).evidence
    found = judge(success, failures, DECISION, evidence, visible=True, settled=settled)
    assert (found[0], found[1], found[3]) == (state, outcome, ok)
    assert sum(found[2].values()) == pytest.approx(1)


@pytest.mark.parametrize("bad", [(0.5, (0.6, 0.7)), (0.5, (0.4, 0.45)), (1.2, (0.4, 1.3)), (float("nan"), (0, 1))])
def test_a_decision_out_of_order_is_refused(bad: tuple[float, tuple[float, float]]) -> None:
    with pytest.raises(ConfigError, match="a decision needs"):
        Decision(*bad)


def test_scoring_opens_no_connection(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket is opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert score(Critic.load(bundle), transition("todo-ticked")).model == "toy"


def test_judging_leaves_nothing_in_the_home_folder(tmp_path: Path) -> None:
    """What onnxruntime would report to its maker it keeps there first."""
    pre, post = (str(screen_file("todo-ticked", part)) for part in ("pre", "post"))
    code = f"import viscritic; viscritic.Critic.load().score({pre!r}, {post!r}, {{'action': 'click', 'x': 9, 'y': 9}})"
    # It keeps still of its own accord where it finds itself in continuous integration.
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH") if name in os.environ}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=kept | {"HOME": str(tmp_path)}, check=True)
    assert list(tmp_path.rglob("*")) == []


BLOCKED = """
import importlib.abc, json, sys

class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names}:
            raise ModuleNotFoundError(f"{{name}} is blocked", name=name)

sys.meta_path.insert(0, Blocker())
import viscritic
assert "onnxruntime" not in sys.modules, "importing the package alone costs next to nothing"
verdict = viscritic.Critic.load({bundle!r}).score({pre!r}, {post!r}, {{"action": "click", "x": 9, "y": 9}})
import viscritic.cli, viscritic.card, viscritic.heatmap, viscritic.sample_folder, viscritic.screen
for room in ("model", "train", "export"):
    try:
        __import__(f"viscritic.{{room}}")
    except viscritic.VisCriticError as error:
        assert "viscritic[train]" in str(error), error
    else:
        raise SystemExit(f"viscritic.{{room}} was imported")
print(json.dumps(verdict.to_dict()["success"]))
"""


def test_the_runtime_needs_nothing_of_training(int8_bundle: Path) -> None:
    heavy = {
        "torch", "torchvision", "timm", "transformers", "lightning", "hydra", "omegaconf", "skimage", "sklearn",
        "scipy", "matplotlib", "pyarrow", "datasets", "onnx", "onnxscript", "safetensors", "wandb", "pandas",
    }  # fmt: skip
    pre, post = (str(screen_file("todo-ticked", part)) for part in ("pre", "post"))
    code = BLOCKED.format(names=heavy, bundle=str(int8_bundle), pre=pre, post=post)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert 0 <= json.loads(done.stdout) <= 1


def test_a_name_that_the_package_has_not() -> None:
    import viscritic

    assert set(viscritic.__all__) <= set(dir(viscritic))
    for name in viscritic.__all__:
        assert getattr(viscritic, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Oracle'"):
        viscritic.Oracle  # noqa: B018


@pytest.fixture(scope="module")
def shipped() -> Critic:
    return Critic.load()


class TestShippedBundle:
    """Whatever bundle is shipped."""

    def test_it_judges_the_examples_and_says_the_same_twice(self, shipped: Critic) -> None:
        validator = jsonschema.Draft202012Validator(verdict_schema())
        answers = shipped.score_many(map(transition, NAMES[:4]))
        for name, verdict in zip(NAMES, answers, strict=False):
            validator.validate(verdict.to_dict())
            assert said(verdict) == said(score(shipped, transition(name)))

    def test_it_never_claims_what_it_was_not_taught(self, shipped: Critic) -> None:
        taught = set(shipped.config.trained_outcomes) | {"success"}
        for name in NAMES[:4]:
            verdict = score(shipped, transition(name))
            assert verdict.outcome in taught
            assert all(p == 0 for outcome, p in verdict.outcome_probs.items() if outcome not in taught)

    def test_it_is_small_enough_to_ship(self) -> None:
        files = list((ROOT / "checkpoints" / "default").iterdir())
        assert sum(file.stat().st_size for file in files) < 45e6


def test_examples_are_there() -> None:
    assert len(NAMES) >= 10
    assert all((EXAMPLES / name / example(name)["pre"]).is_file() for name in NAMES)

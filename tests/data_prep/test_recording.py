"""Screen recordings, encoded here by the same library: cut where the picture rests, or at the actions' times."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from typer.testing import CliRunner

from data_prep.readers.numbered import read_numbered
from data_prep.recording import cut_recording
from viscritic.cli.data import app
from viscritic.errors import DataError

av = pytest.importorskip("av", reason="needs: pip install 'viscritic[video]'")
SIZE, RATE = (320, 240), 10


def page(name: str) -> np.ndarray:
    picture = Image.new("RGB", SIZE, "white")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, SIZE[0], 30), fill="navy")
    draw.text((20, 90), f"page {name}", fill="black", font_size=40)
    return np.asarray(picture)


def record(path: Path, pages: list[tuple[str, float]]) -> Path:
    """Each page for so many seconds; a page named "*" changes in every frame."""
    random = np.random.default_rng(0)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=RATE)
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = *SIZE, "yuv420p", 4_000_000
        for name, seconds in pages:
            for _ in range(round(seconds * RATE)):
                pixels = random.integers(0, 255, (*SIZE[::-1], 3), np.uint8) if name == "*" else page(name)
                for packet in stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")):
                    container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return path


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(tmp_path_factory.mktemp("video") / "run.mp4", [("a", 1.5), ("*", 1), ("b", 1.5), ("c", 1.5)])


def nearest(path: Path) -> str:
    """The page that a screen shows."""
    screen = np.asarray(Image.open(path).convert("RGB")).astype(int)
    return min("abc", key=lambda name: np.abs(screen - page(name)).mean())


def test_a_screen_is_taken_wherever_the_picture_has_come_to_rest(video: Path, tmp_path: Path) -> None:
    times = cut_recording(video, tmp_path / "run")
    assert len(times) == 3
    assert [nearest(tmp_path / "run" / f"{number}.png") for number in range(3)] == ["a", "b", "c"]
    assert times[0] == 0 and 2.5 < times[1] < 4 < times[2]
    assert json.loads((tmp_path / "run" / "times.json").read_text()) == times


def test_with_times_it_is_a_run_that_can_be_read(video: Path, tmp_path: Path) -> None:
    steps = [
        {"time": 1.2, "action": {"action": "click", "x": 9, "y": 9}, "instruction": "Open b"},
        {"time": 3.8, "action": {"action": "click", "x": 30, "y": 9}},
    ]
    (tmp_path / "actions.json").write_text(json.dumps({"task": "Reach c", "steps": steps}))
    told = CliRunner().invoke(
        app, ["cut", str(video), "--actions", str(tmp_path / "actions.json"), "--out", str(tmp_path / "run")]
    )
    assert told.exit_code == 0, told.output
    assert "3 screens" in told.output
    (run,) = read_numbered(tmp_path / "run")
    assert (run.task, run.broken, len(run.steps)) == ("Reach c", 0, 2)
    assert [nearest(step.pre) for step in run.steps] == ["a", "b"]
    assert [nearest(step.post) for step in run.steps] == ["b", "c"]
    assert run.steps[0].instruction == "Open b"


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ('[{"action": "wait()"}]', "entry 0: time must be seconds"),
        ('[{"time": 2, "action": "wait()"}, {"time": 1, "action": "wait()"}]', "by their times"),
        ('[{"time": 99, "action": "wait()"}]', "after the end of the recording"),
        ("[]", "must hold actions"),
        ("{", "actions.json: cannot be read as JSON"),
    ],
)
def test_times_that_do_not_fit_are_refused(video: Path, tmp_path: Path, actions: str, words: str) -> None:
    (tmp_path / "actions.json").write_text(actions)
    with pytest.raises(DataError, match=words):
        cut_recording(video, tmp_path / "run", tmp_path / "actions.json")
    assert [path.name for path in tmp_path.iterdir()] == ["actions.json"]


def test_what_is_no_video_is_refused(video: Path, tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("no video at all")
    (tmp_path / "cut.mp4").write_bytes(video.read_bytes()[:200])
    for name in ("text.mp4", "cut.mp4", "absent.mp4", "."):
        with pytest.raises(DataError, match="no video that can be read"):
            cut_recording(tmp_path / name, tmp_path / "run")
    with pytest.raises(DataError, match="not an empty folder"):
        cut_recording(video, tmp_path)
    assert not (tmp_path / "run").exists()

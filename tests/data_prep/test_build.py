from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from data_prep.build import build_samples
from data_prep.config import PERTURBATIONS, BuildConfig
from data_prep.readers.screenagent import read_screenagent
from data_prep.similarity import distance
from viscritic.actions import may_be_invisible
from viscritic.config import read_config
from viscritic.errors import ConfigError, DataError
from viscritic.sample_folder import SampleFolder


@pytest.fixture(scope="module")
def built(trajectories, tmp_path_factory) -> SampleFolder:
    out = tmp_path_factory.mktemp("built") / "samples"
    build_samples(trajectories, out, BuildConfig(), progress=False)
    return SampleFolder(out)


@pytest.fixture(scope="module")
def real(screenagent_dir, tmp_path_factory) -> SampleFolder:
    out = tmp_path_factory.mktemp("real") / "samples"
    build_samples(read_screenagent(screenagent_dir), out, BuildConfig(), progress=False)
    return SampleFolder(out)


def find_leaks(folder: SampleFolder, near: float) -> list[tuple[str, str]]:
    """Pairs of screens that are alike although they belong to different splits."""
    splits: dict[str, set[str]] = defaultdict(set)
    for sample in folder:
        splits[sample.pre].add(sample.split)
        splits[sample.post].add(sample.split)
    return [
        (a, b)
        for a in splits
        for b in splits
        if len(splits[a] | splits[b]) > 1 and distance(folder.screen_path(a), folder.screen_path(b)) < near
    ]


def test_the_folder_is_whole_and_its_card_counts(built):
    built.check()
    manifest = built.manifest
    assert manifest["steps"] == {"success": 45, "failure": 9, "unknown": 0}
    assert manifest["shared_screens"] == [["calc0", "web0"]]
    assert manifest["samples"] == len(built) == 45 + round(45 * 1.6)
    card = (built.path / "CARD.md").read_text()
    assert f"{len(built)} samples" in card
    assert "| positive | " in card
    assert manifest["samples_sha256"] in card


def test_the_ratio_holds_in_every_split(built):
    for split, counts in built.manifest["causes_by_split"].items():
        positives = counts["positive"]
        assert sum(counts.values()) - positives == round(1.6 * positives), split


def test_no_screen_and_no_trajectory_is_in_two_splits(built):
    splits = defaultdict(set)
    for sample in built:
        splits[sample.trajectory].add(sample.split)
    assert all(len(found) == 1 for found in splits.values())
    assert find_leaks(built, 0.03) == []


def test_a_leak_would_be_found(trajectories, tmp_path, monkeypatch):
    """The two trajectories that begin at one desktop, put in different splits, show up in `find_leaks`."""
    torn = {n: {"calc0": "val", "web0": "test"}.get(t.id, "train") for n, t in enumerate(trajectories)}
    monkeypatch.setattr("data_prep.catalogue.assign_splits", lambda *_: torn)
    build_samples(trajectories, tmp_path / "s", BuildConfig(), progress=False)
    assert find_leaks(SampleFolder(tmp_path / "s"), 0.03)


SCRIPT = """
import pathlib, sys
sys.path.insert(0, sys.argv[2])
from made_screens import make_trajectories
from data_prep.build import build_samples
from data_prep.config import BuildConfig
out = pathlib.Path(sys.argv[1])
(out / "screens").mkdir(parents=True)
build_samples(make_trajectories(out / "screens"), out / "s", BuildConfig(), progress=False)
"""


@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_the_rows_are_the_same_bytes_whatever_the_hash_seed(built, tmp_path, hash_seed):
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path), str(Path(__file__).parent)]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    for name in ("samples.jsonl", "manifest.json", "CARD.md"):
        assert (tmp_path / "s" / name).read_bytes() == (built.path / name).read_bytes()


def test_another_seed_makes_other_rows(built, trajectories, tmp_path):
    manifest = build_samples(trajectories, tmp_path / "s", BuildConfig(seed=1), progress=False)
    assert manifest["samples_sha256"] != built.manifest["samples_sha256"]


def test_bad_input_is_refused_and_leaves_nothing(trajectories, tmp_path):
    with pytest.raises(DataError, match="no trajectory"):
        build_samples([], tmp_path / "s", BuildConfig(), progress=False)
    with pytest.raises(DataError, match="two trajectories of made have the id 'calc0'"):
        build_samples([*trajectories, trajectories[0]], tmp_path / "s", BuildConfig(), progress=False)
    step = replace(trajectories[0].steps[0], pre=tmp_path / "absent.png")
    with pytest.raises(DataError, match=r"absent\.png"):
        build_samples([replace(trajectories[0], steps=(step,))], tmp_path / "s", BuildConfig(), progress=False)
    assert list(tmp_path.iterdir()) == []


def test_a_taken_place_is_refused_before_any_work(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")

    def must_not_read():
        raise AssertionError("read although the place was taken")
        yield

    with pytest.raises(DataError, match="not a sample folder"):
        build_samples(must_not_read(), tmp_path, BuildConfig(), progress=False)


@pytest.mark.parametrize(
    "values",
    [
        {"sead": 1},
        {"ratio": -1},
        {"ratio": "many"},
        {"val": 0.6, "test": 0.5},
        {"ssim": 2},
        {"shares": {"no_op": -1}},
        {"shares": {"noop": 1}},
        {"shares": dict.fromkeys(PERTURBATIONS, 0)},
        {"outcomes": {"no_op": "success"}},
        {"outcomes": {"no_op": "maybe"}},
    ],
)
def test_a_bad_configuration_is_refused(values):
    with pytest.raises(ConfigError):
        read_config(BuildConfig, values, "build")


@pytest.mark.slow
def test_the_real_samples_are_as_documented(real):
    real.check()
    counts = Counter(sample.cause for sample in real)
    assert counts["positive"] == 248
    assert counts["failed"] == 4
    assert sum(counts.values()) == round(248 * 2.6)
    for split, part in (("train", 0.7), ("val", 0.15), ("test", 0.15)):
        assert len(real.by_split(split)) / len(real) == pytest.approx(part, abs=0.03)
    for sample in real:
        if sample.cause == "no_op":
            assert not may_be_invisible(sample.action, sample.instruction)
    quiet = [s for s in real if may_be_invisible(s.action, s.instruction) and s.cause == "positive"]
    assert len(quiet) > 20


@pytest.mark.slow
def test_the_real_samples_leak_nothing(real):
    assert find_leaks(real, 0.03) == []


@pytest.mark.slow
def test_words_alone_do_not_tell_real_labels(real):
    """A bag of words of action and instruction, learnt on train, must be near chance elsewhere."""
    text = pytest.importorskip("sklearn.feature_extraction.text")
    linear = pytest.importorskip("sklearn.linear_model")
    metrics = pytest.importorskip("sklearn.metrics")

    def words(samples):
        return [f"{s.instruction} {' '.join(a.describe() for a in s.action)}" for s in samples]

    train = real.by_split("train")
    rest = [sample for sample in real if sample.split != "train"]
    bag = text.TfidfVectorizer(ngram_range=(1, 2))
    model = linear.LogisticRegression(C=3).fit(bag.fit_transform(words(train)), [s.success > 0.5 for s in train])
    scores = model.predict_proba(bag.transform(words(rest)))[:, 1]
    assert 0.35 < metrics.roc_auc_score([s.success > 0.5 for s in rest], scores) < 0.65

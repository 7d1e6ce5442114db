"""A bundle says what its checkpoint says, or is not made at all."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from toy_run import ToyRun, export_quietly, foreign_warnings_ignored, graphs_copied

from viscritic.errors import ConfigError, DataError
from viscritic.export import bundle as bundle_module
from viscritic.export.bundle import Parity, ParityError
from viscritic.export.config import ExportConfig
from viscritic.model.critic import load_checkpoint
from viscritic.runtime.bundle import FILES, GRAPHS, HASH_KEY, Bundle
from viscritic.runtime.graphs import Graphs
from viscritic.sample_folder import SampleFolder
from viscritic.train.arrays import open_arrays, prepare_sample
from viscritic.train.predict import predict


@pytest.fixture(autouse=True)
def _tracing_once(fp32_bundle: Path) -> Iterator[None]:
    with graphs_copied(fp32_bundle):
        yield


def open_graphs(folder: Path) -> Graphs:
    return Graphs(Bundle(folder), (), 1, 0)


def files_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def answers(folder: Path, run: ToyRun) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Success logits and outcome logits that a bundle gives for every toy sample."""
    samples, graphs = SampleFolder(run.samples), open_graphs(folder)
    config = Bundle(folder).config.preprocess
    judged = [graphs.run(prepare_sample(samples, sample, config)) for sample in samples]
    return np.array([a.success for a in judged]), np.array([a.outcome for a in judged])


def torch_answers(run: ToyRun) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The same of the checkpoint."""
    model, samples = load_checkpoint(run.checkpoint), SampleFolder(run.samples)
    store = open_arrays(samples, model.config.preprocess, run.cache)
    raw = predict(model, list(samples), store, range(len(samples)))
    return raw.success, raw.outcome


def test_float32_says_what_torch_says(fp32_bundle: Path, toy_run: ToyRun) -> None:
    (success, outcome), (reference, classes) = answers(fp32_bundle, toy_run), torch_answers(toy_run)
    assert reference.std() > 0.01
    assert np.abs(success - reference).max() < 1e-4
    assert np.abs(outcome - classes).max() < 1e-4


def test_int8_stays_near(int8_bundle: Path, toy_run: ToyRun) -> None:
    (success, outcome), (reference, classes) = answers(int8_bundle, toy_run), torch_answers(toy_run)
    assert np.abs(success - reference).max() < 0.05
    assert np.abs(outcome - classes).max() < 0.1
    assert np.abs(success - reference).max() > 0  # it is another arithmetic


def test_int8_is_smaller_and_multiplies_in_int8(fp32_bundle: Path, int8_bundle: Path) -> None:
    assert sum(map(len, files_of(int8_bundle).values())) < 0.8 * sum(map(len, files_of(fp32_bundle).values()))
    kinds = {name: {node.op_type for node in onnx.load(int8_bundle / name).graph.node} for name in GRAPHS}
    assert "MatMulInteger" in kinds["encoder.onnx"] | kinds["text.onnx"]
    assert "MatMulNBits" in kinds["text.onnx"]
    assert "MatMulInteger" not in kinds["head.onnx"]


def test_a_bundle_is_complete_and_sealed(fp32_bundle: Path, int8_bundle: Path) -> None:
    for folder in (fp32_bundle, int8_bundle):
        assert sorted(file.name for file in folder.iterdir()) == sorted(["config.json", *FILES])
        bundle = Bundle(folder)
        for name in GRAPHS:
            model = onnx.load(folder / name)
            onnx.checker.check_model(model) if folder == fp32_bundle else None
            assert {p.key: p.value for p in model.metadata_props}[HASH_KEY] == bundle.config.digest()
            assert not [t for t in model.graph.initializer if t.external_data]
    assert Bundle(fp32_bundle).config.digest() != Bundle(int8_bundle).config.digest()


def test_the_graphs_names_are_their_interface(fp32_bundle: Path) -> None:
    def names(file: str) -> tuple[list[str], list[str]]:
        graph = onnx.load(fp32_bundle / file).graph
        return [i.name for i in graph.input], [o.name for o in graph.output]

    assert names("encoder.onnx") == (["patches", "place", "mask"], ["features"])
    assert names("text.onnx") == (["ids", "mask"], ["features"])
    assert names("head.onnx") == (
        ["pre", "post", "mask", "geometry", "text", "text_mask", "text_part", "facts"],
        ["success", "progress", "outcome", "attention"],
    )


@pytest.mark.parametrize("kind", ["fp32", "int8"])
def test_one_place_and_very_many(kind: str, request: pytest.FixtureRequest) -> None:
    graphs = open_graphs(request.getfixturevalue(f"{kind}_bundle"))
    rng = np.random.default_rng(0)
    for batch, count in ((1, 1), (1, 1000), (3, 7)):
        (features,) = graphs._encoder.run(
            None,
            {
                "patches": rng.integers(0, 256, (batch, count, 768), dtype=np.uint8),
                "place": rng.random((batch, count, 3), np.float32),
                "mask": np.ones((batch, count), np.bool_),
            },
        )
        assert features.shape == (batch, count, 64)
        assert np.isfinite(features).all()
    for pieces in (1, 500):
        ids = rng.integers(3, 200, (2, pieces))
        (words,) = graphs._text.run(None, {"ids": ids, "mask": np.ones((2, pieces), np.bool_)})
        assert words.shape == (2, pieces, 32)


def test_the_graphs_tell_nothing_of_the_machine_that_made_them(fp32_bundle: Path, int8_bundle: Path) -> None:
    for graph in (*fp32_bundle.glob("*.onnx"), *int8_bundle.glob("*.onnx")):
        data = graph.read_bytes()
        assert b".py" not in data
        assert str(Path(__file__).parents[2]).encode() not in data


def test_the_settings_come_from_the_validation_split(fp32_bundle: Path, toy_run: ToyRun) -> None:
    config = Bundle(fp32_bundle).config
    samples = SampleFolder(toy_run.samples)
    logits, _ = answers(fp32_bundle, toy_run)
    validation = np.array([s.split == "val" for s in samples])
    scores = 1 / (1 + np.exp(-logits[validation] / config.temperature))
    low, high = config.decision.unsure
    assert low <= config.decision.threshold <= high
    assert ((scores > low) & (scores < high)).mean() <= 0.1
    assert config.trained_outcomes == ("success", "no_op", "wrong_target", "page_error", "timeout")


def test_the_model_card_says_what_it_is(int8_bundle: Path, toy_run: ToyRun) -> None:
    card = (int8_bundle / "MODEL_CARD.md").read_text()
    config = Bundle(int8_bundle).config
    meta = json.loads((toy_run.checkpoint / "meta.json").read_text())
    for words in (
        "# Model card: toy", "test_vit", "precision int8", f"{config.decision.threshold:.3f}", "viscritic data toy",
        "train 24, val 12, test", meta["command"], "12 real pairs", "Toy samples, drawn by this project",
    ):  # fmt: skip
        assert words in card, words
    assert "MiniLM" not in card  # it did not begin from it
    assert "ScreenAgent" not in card


def test_an_export_that_cannot_be_equal_leaves_the_old_bundle(
    toy_run: ToyRun, fp32_bundle: Path, tmp_path: Path
) -> None:
    out = Path(shutil.copytree(fp32_bundle, tmp_path / "bundles" / "mine"))
    before = files_of(out)
    with pytest.raises(ParityError, match=r"int8 bundle differs .* over 12 real pairs .*allowed is 0.0"):
        export_quietly(toy_run.checkpoint, toy_run.samples, toy_run.cache, out, precision="int8", parity=0.0)
    assert files_of(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["mine"]


def test_a_checkpoint_that_has_diverged_does_not_pass(
    toy_run: ToyRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle_module, "_compare", lambda *_: Parity(12, float("nan"), float("nan"), 0))
    with pytest.raises(ParityError, match="nan"):
        export_quietly(toy_run.checkpoint, toy_run.samples, toy_run.cache, tmp_path / "out")
    assert not (tmp_path / "out").exists()


class PowerCutError(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("moment", ["write_golden", "write_model_card", "Graphs"])
def test_an_export_that_is_killed_leaves_no_torn_bundle(
    moment: str, toy_run: ToyRun, fp32_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = Path(shutil.copytree(fp32_bundle, tmp_path / "mine"))
    before = files_of(out)

    def cut(*_: object, **__: object) -> None:
        raise PowerCutError

    monkeypatch.setattr(bundle_module, moment, cut)
    with pytest.raises(PowerCutError):
        export_quietly(toy_run.checkpoint, toy_run.samples, toy_run.cache, out)
    assert files_of(out) == before
    Bundle(out)


def test_an_older_bundle_is_replaced(
    toy_run: ToyRun, fp32_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = Path(shutil.copytree(fp32_bundle, tmp_path / "mine"))
    assert export_quietly(toy_run.checkpoint, toy_run.samples, toy_run.cache, out, name="newer") == out
    assert Bundle(out).config.name == "newer"
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    said = capsys.readouterr()
    assert "mine" in said.err
    assert not said.out.strip()


def test_int8_is_quiet(toy_run: ToyRun, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    level = logging.getLogger().level
    export_quietly(
        toy_run.checkpoint, toy_run.samples, toy_run.cache, tmp_path / "out", precision="int8", parity=1.0,
        parity_pairs=1,
    )  # fmt: skip
    assert logging.getLogger().level == level
    assert not logging.root.manager.disable
    assert [r for r in caplog.records if r.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("kind", ["checkpoint", "samples", "plain"])
def test_what_is_no_bundle_is_never_replaced(kind: str, toy_run: ToyRun, tmp_path: Path) -> None:
    """A checkpoint has a config.json, too."""
    place = {"checkpoint": toy_run.checkpoint, "samples": toy_run.samples}.get(kind)
    out = tmp_path / "out"
    if place:
        shutil.copytree(place, out)
    else:
        out.mkdir()
        (out / "diary.txt").write_text("precious")
    names = sorted(path.name for path in out.rglob("*"))
    with pytest.raises(DataError, match="exists and is no bundle"):
        export_quietly(toy_run.checkpoint, toy_run.samples, toy_run.cache, out)
    assert sorted(path.name for path in out.rglob("*")) == names


def test_inputs_that_cannot_be_used(toy_run: ToyRun, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(DataError, match="is no checkpoint"):
        export_quietly(empty, toy_run.samples, toy_run.cache, tmp_path / "out")
    with pytest.raises(DataError, match="is not a sample folder"):
        export_quietly(toy_run.checkpoint, empty, toy_run.cache, tmp_path / "out")
    with pytest.raises(DataError, match="holds no example pairs"):
        export_quietly(toy_run.checkpoint, toy_run.samples, toy_run.cache, tmp_path / "out", examples=str(empty))
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


@pytest.mark.parametrize(
    "settings", [{"parity": -0.1}, {"parity": float("nan")}, {"parity_pairs": 0}, {"unsure": 1.0}, {"unsure": -0.1}]
)
def test_settings_out_of_range_are_refused(settings: dict[str, float], toy_run: ToyRun, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="an export needs"):
        export_quietly(toy_run.checkpoint, toy_run.samples, toy_run.cache, tmp_path / "out", **settings)


def test_the_configuration_reads_strictly() -> None:
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf
    from toy_run import CONFIGS

    from viscritic.config import read_config

    with foreign_warnings_ignored(), initialize_config_dir(str(CONFIGS), version_base="1.3"):
        composed = compose("export", ["checkpoint=a", "samples=b", "out=c"])
    values = OmegaConf.to_container(composed, resolve=True)
    assert read_config(ExportConfig, values, "export").precision == "int8"
    with pytest.raises(ConfigError, match=r"export\.precision must be one of fp32, int8, got 'int4'"):
        read_config(ExportConfig, {**values, "precision": "int4"}, "export")  # type: ignore[dict-item]

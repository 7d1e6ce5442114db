"""Features of frozen encoders: the head answers from them as from the patches, and they are computed once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import viscritic.train.features as features_module
from viscritic.model.config import BackboneConfig, HeadConfig, ModelConfig, TextConfig
from viscritic.model.critic import Batch, CriticModel, Encoded
from viscritic.preprocess import PreprocessConfig
from viscritic.sample_folder import SampleFolder
from viscritic.train.arrays import open_arrays
from viscritic.train.data import TransitionDataset
from viscritic.train.features import open_features

CONFIG = ModelConfig(
    preprocess=PreprocessConfig(reader=True),
    backbone=BackboneConfig(depth=1),
    text=TextConfig(name="tiny"),
    head=HeadConfig(width=32, layers=1, aligned=16),
)


@pytest.fixture(scope="module")
def model() -> CriticModel:
    torch.manual_seed(0)
    model = CriticModel.build(CONFIG).eval()
    for head in (model.head.success, model.head.progress, model.head.outcome):  # they begin at zero: hide nothing
        torch.nn.init.normal_(head[-1].weight, std=0.1)
    return model


def test_the_answers_are_those_from_patches_and_nothing_is_computed_twice(
    model: CriticModel, toy_samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = SampleFolder(toy_samples)
    store = open_arrays(folder, CONFIG.preprocess, tmp_path, model.reader)
    features = open_features(model, store, tmp_path)
    rows = list(range(6))
    common = (list(folder), store, rows, model.text.tokenizer, CONFIG.preprocess.text_tokens)
    patches, labels = TransitionDataset(*common).collate(rows)
    encoded, same_labels = TransitionDataset(*common, features=features).collate(rows)
    assert isinstance(patches, Batch)
    assert isinstance(encoded, Encoded)
    torch.testing.assert_close(labels.success, same_labels.success)
    with torch.inference_mode():
        wanted, found = model(patches), model.judge(encoded)
    torch.testing.assert_close(found.success, wanted.success, atol=0.02, rtol=0)  # features are kept as float16
    torch.testing.assert_close(found.outcome, wanted.outcome, atol=0.02, rtol=0)
    assert wanted.success.std() > 0.02

    for name in ("_write_places", "_write_words"):
        monkeypatch.setattr(features_module, name, lambda *_, **__: pytest.fail("it is computed again"))
    open_features(model, store, tmp_path)


def test_other_texts_leave_the_features_of_the_patches(
    model: CriticModel, toy_samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_arrays(SampleFolder(toy_samples), CONFIG.preprocess, tmp_path, model.reader)
    before = open_features(model, store, tmp_path)
    for part in store.parts:
        part.texts = [replace(texts, before="something else") for texts in part.texts]
    monkeypatch.setattr(features_module, "_write_places", lambda *_, **__: pytest.fail("it is computed again"))
    after = open_features(model, store, tmp_path)
    np.testing.assert_array_equal(after.places(3)["detail_post"], before.places(3)["detail_post"])
    assert after.words("something else").shape[1] == model.text.width


def test_other_weights_have_other_features(model: CriticModel, toy_samples: Path, tmp_path: Path) -> None:
    store = open_arrays(SampleFolder(toy_samples), CONFIG.preprocess, tmp_path, model.reader)
    first = open_features(model, store, tmp_path).places(0)["detail_pre"]
    torch.manual_seed(1)
    other = CriticModel.build(CONFIG)
    torch.nn.init.normal_(other.encoder.norm.weight)
    second = open_features(other, store, tmp_path).places(0)["detail_pre"]
    assert first.shape == second.shape
    assert (first != second).any()
    assert other.training  # it is left as it was

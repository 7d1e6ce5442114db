"""Rows of the store as batches with labels and candidates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from viscritic.model.config import TextConfig
from viscritic.model.text import build_text_encoder
from viscritic.preprocess import PreprocessConfig
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.train.arrays import ArrayStore, open_arrays
from viscritic.train.data import UNKNOWN, TransitionDataset, make_loader
from viscritic.trajectory import OUTCOMES

CONFIG = PreprocessConfig(patch=16, changed_tokens=24, window=(5, 3), thumbnail_tokens=12)


@pytest.fixture(scope="module")
def stored(toy_samples: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Sample], ArrayStore]:
    folder = SampleFolder(toy_samples)
    return list(folder), open_arrays(folder, CONFIG, tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def tokenizer() -> object:
    return build_text_encoder(TextConfig("tiny")).tokenizer


def test_a_batch_pads_rows_and_keeps_their_order(stored: tuple[list[Sample], ArrayStore], tokenizer: object) -> None:
    samples, store = stored
    dataset = TransitionDataset(samples, store, range(len(samples)), tokenizer, 40)
    chosen = [7, 0, 4, 2]
    batch, labels = dataset.collate(chosen)
    counts = [len(store.row(i)["detail_pre"]) for i in chosen]
    assert len(set(counts)) > 1
    assert batch.detail_mask.sum(1).tolist() == counts
    for row, index in enumerate(chosen):
        stored_row, count = store.row(index), counts[row]
        torch.testing.assert_close(batch.detail_post[row, :count], torch.from_numpy(stored_row["detail_post"].copy()))
        assert batch.detail_post[row, count:].eq(0).all()
        geometry = torch.cat([batch.geometry[row, :count], batch.geometry[row, batch.detail_mask.shape[1] :]])
        torch.testing.assert_close(geometry, torch.from_numpy(stored_row["geometry"].copy()))
        region = torch.cat([labels.region[row, :count], labels.region[row, batch.detail_mask.shape[1] :]])
        assert region.tolist() == stored_row["region"].tolist()
        assert not labels.region[row, count : batch.detail_mask.shape[1]].any()
    assert labels.success.tolist() == [samples[i].success for i in chosen]
    assert labels.outcome.tolist() == [OUTCOMES.index(samples[i].outcome or "success") for i in chosen]


def test_unknown_labels_are_marked(stored: tuple[list[Sample], ArrayStore], tokenizer: object) -> None:
    samples, store = stored
    changed = [replace(samples[0], progress=None, outcome=None), *samples[1:]]
    _, labels = TransitionDataset(changed, store, [0, 1], tokenizer, 40).collate([0, 1])
    assert labels.progress.isnan().tolist() == [True, False]
    assert labels.outcome[0] == UNKNOWN


def test_candidates_hold_the_own_intent_and_others_of_the_trajectory(
    stored: tuple[list[Sample], ArrayStore], tokenizer: object
) -> None:
    samples, store = stored
    chosen = [i for i, s in enumerate(samples) if s.split == "train"]

    def intent(index: int) -> tuple[str, str]:
        return store.texts[index].action, store.texts[index].instruction

    without = TransitionDataset(samples, store, chosen, tokenizer, 40)
    with_others = TransitionDataset(samples, store, chosen, tokenizer, 40, negatives=2)
    pair = [chosen[0], chosen[-1]]  # of two trajectories
    for dataset, count in ((without, 2), (with_others, 2 + 2 * 2)):
        _, labels = dataset.collate(pair)
        assert len(labels.candidate_ids) <= count
        assert len(labels.candidate_ids) > (2 if dataset is with_others else 1)
        for row, index in enumerate(pair):
            own = int(labels.intent[row])
            ids = labels.candidate_ids[own, 0][labels.candidate_mask[own, 0]]
            assert ids.tolist() == [*tokenizer.encode(intent(index)[0]).ids[:39], 2]  # type: ignore[attr-defined]
        assert not labels.candidate_mask[:, 2].any()  # the task is no part of an intent
    rows = [tuple(map(tuple, row)) for row in with_others.collate(pair)[1].candidate_ids.tolist()]
    assert len(set(rows)) == len(rows)


def test_two_transitions_of_one_intent_share_a_candidate(
    stored: tuple[list[Sample], ArrayStore], tokenizer: object
) -> None:
    samples, store = stored
    _, labels = TransitionDataset(samples, store, [3], tokenizer, 40).collate([3, 3])
    assert labels.intent.tolist() == [0, 0]
    assert len(labels.candidate_ids) == 1


def test_a_loader_without_an_order_keeps_the_folders(
    stored: tuple[list[Sample], ArrayStore], tokenizer: object
) -> None:
    samples, store = stored
    chosen = list(range(5, 15))
    loader = make_loader(TransitionDataset(samples, store, chosen, tokenizer, 40), 4, None)
    batches = list(loader)
    assert [len(labels.success) for _, labels in batches] == [4, 4, 2]
    assert torch.cat([labels.success for _, labels in batches]).tolist() == [samples[i].success for i in chosen]


def test_no_text_at_all_makes_a_batch(stored: tuple[list[Sample], ArrayStore], tokenizer: object) -> None:
    samples, store = stored
    dataset = TransitionDataset(samples, store, [0], tokenizer, 40)
    ids, mask = dataset._texts([("", "", "")])
    assert ids.shape == mask.shape == (1, 3, 1)
    assert not mask.any()

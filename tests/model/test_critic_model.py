"""Symmetry, padding, attention, and the checkpoint."""

from __future__ import annotations

import json
import shutil
from dataclasses import fields, replace
from pathlib import Path

import pytest
import torch
from model_parts import build_tiny, random_batch

from viscritic.errors import ConfigError, DataError
from viscritic.model.config import HeadConfig
from viscritic.model.critic import Batch, CriticModel, load_checkpoint, save_checkpoint
from viscritic.model.head import ChangeAttention


def stack(first: Batch, second: Batch) -> Batch:
    """Two batches of equal lengths as one."""
    return Batch(**{f.name: torch.cat([getattr(first, f.name), getattr(second, f.name)]) for f in fields(Batch)})


def pad(batch: Batch, details: int, pieces: int) -> Batch:
    """The same transitions with junk after their details and their texts, masked."""
    known = batch.detail_mask.shape[1]
    junk = random_batch(len(batch.facts), details - known, seed=9)
    extra = pieces - batch.text_ids.shape[2]
    return replace(
        batch,
        detail_pre=torch.cat([batch.detail_pre, junk.detail_pre], dim=1),
        detail_post=torch.cat([batch.detail_post, junk.detail_post], dim=1),
        detail_place=torch.cat([batch.detail_place, junk.detail_place], dim=1),
        detail_mask=torch.cat([batch.detail_mask, ~junk.detail_mask], dim=1),
        geometry=torch.cat(
            [batch.geometry[:, :known], junk.geometry[:, : details - known], batch.geometry[:, known:]], dim=1
        ),
        text_ids=torch.nn.functional.pad(batch.text_ids, (0, extra), value=5),
        text_mask=torch.nn.functional.pad(batch.text_mask, (0, extra)),
    )


@torch.no_grad()
def test_a_padded_row_is_judged_as_if_alone() -> None:
    model = build_tiny()
    long, short = random_batch(1, 9, pieces=11, seed=2), random_batch(1, 4, seed=3)
    together = model(stack(long, pad(short, 9, 11)))
    alone = model(short)
    for name in ("success", "progress", "outcome", "change", "intent"):
        torch.testing.assert_close(getattr(together, name)[1:], getattr(alone, name), atol=2e-6, rtol=1e-5)
    places = torch.tensor([*range(4), *range(9, 21)])  # its details and its thumbnail
    torch.testing.assert_close(together.attention[1, places], alone.attention[0], atol=1e-6, rtol=1e-5)
    assert together.attention[1, 4:9].eq(0).all()


@torch.no_grad()
def test_a_row_without_any_detail_is_judged_as_if_alone() -> None:
    model = build_tiny()
    whole = random_batch(1, 6, seed=2)
    none = pad(random_batch(1, 0, seed=3), 6, 7)
    output = model(stack(whole, none))
    assert all(value.isfinite().all() for value in output)
    assert output.attention[1, :6].eq(0).all()
    torch.testing.assert_close(output.attention.sum(-1), torch.ones(2))


def test_swapping_the_screens_negates_the_change_alone() -> None:
    model = build_tiny()
    batch = random_batch(2, 6)
    swapped = replace(
        batch, detail_pre=batch.detail_post, detail_post=batch.detail_pre,
        thumbnail_pre=batch.thumbnail_post, thumbnail_post=batch.thumbnail_pre,
    )  # fmt: skip
    mask = torch.cat([batch.detail_mask, batch.thumbnail_mask], dim=1)
    with torch.no_grad():
        (pre, post), (back, forth) = model.encode_screens(batch), model.encode_screens(swapped)
        attend = model.head.attend_change
        assert (post - pre).abs().max() > 0.1
        torch.testing.assert_close(forth - back, pre - post, atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(attend(post - pre, mask), attend(forth - back, mask), atol=1e-5, rtol=1e-4)


@torch.no_grad()
def test_equal_screens_have_no_change_and_even_attention() -> None:
    model = build_tiny()
    batch = random_batch(1, 6)
    same = replace(batch, detail_post=batch.detail_pre, thumbnail_post=batch.thumbnail_pre)
    pre, post = model.encode_screens(same)
    torch.testing.assert_close(post, pre, atol=0, rtol=0)
    output = model(same)
    torch.testing.assert_close(output.attention, torch.full((1, 18), 1 / 18), atol=1e-7, rtol=1e-5)
    v_delta = torch.einsum("bn,bnd->bd", output.attention, post - pre)
    assert v_delta.eq(0).all()


def test_beta_is_learned_and_sharpens() -> None:
    attend = ChangeAttention(64)
    delta = torch.randn(3, 5, 64)
    delta[:, 1] *= 3
    mask = torch.ones(3, 5, dtype=torch.bool)
    weights = attend(delta, mask)
    torch.testing.assert_close(weights.sum(-1), torch.ones(3))
    assert weights.argmax(-1).eq(1).all()
    weights[:, 1].sum().backward()
    assert attend.log_beta.grad is not None
    assert attend.log_beta.grad < 0  # a smaller beta gives the largest change more weight
    with torch.no_grad():
        attend.log_beta -= 1
        assert (attend(delta, mask)[:, 1] > weights[:, 1]).all()


def test_the_whole_critic_learns_beta() -> None:
    model = build_tiny()
    model(random_batch(2, 6)).success.sum().backward()
    gradient = model.head.attend_change.log_beta.grad
    assert gradient is not None
    assert gradient != 0


@torch.no_grad()
def test_an_empty_text_is_not_looked_at() -> None:
    model = build_tiny()
    batch = random_batch(1, 6)
    mask = batch.text_mask.clone()
    mask[:, 1:] = False  # neither instruction nor task
    other = batch.text_ids.clone()
    other[:, 1:] = 7
    first = model(replace(batch, text_mask=mask))
    second = model(replace(batch, text_mask=mask, text_ids=other))
    torch.testing.assert_close(first.success, second.success, atol=0, rtol=0)
    assert model(replace(batch, text_ids=other)).success != model(batch).success


def test_a_checkpoint_is_bit_equal_when_it_is_read_back(tmp_path: Path) -> None:
    model = build_tiny(seed=5)
    save_checkpoint(model, tmp_path / "checkpoint", {"metrics": {"loss": 1.5}})
    assert sorted(p.name for p in (tmp_path / "checkpoint").iterdir()) == [
        "config.json", "meta.json", "model.safetensors", "text.json", "tokenizer.json",
    ]  # fmt: skip
    again = load_checkpoint(tmp_path / "checkpoint")
    assert again.config == model.config
    theirs = again.state_dict()
    assert theirs.keys() == model.state_dict().keys()
    assert all(torch.equal(value, theirs[name]) for name, value in model.state_dict().items())
    batch = random_batch(2, 6)
    with torch.no_grad():
        assert all(torch.equal(a, b) for a, b in zip(model(batch), again(batch), strict=True))


@pytest.fixture
def checkpoint(tmp_path: Path, toy_run: object) -> Path:
    """A copy of a trained checkpoint, to be damaged."""
    return Path(shutil.copytree(toy_run.checkpoint, tmp_path / "checkpoint"))  # type: ignore[attr-defined]


def test_a_trained_checkpoint_loads(checkpoint: Path) -> None:
    assert isinstance(load_checkpoint(str(checkpoint)), CriticModel)


@pytest.mark.parametrize("name", ["config.json", "text.json", "tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize("damage", ["missing", "empty", "truncated", "garbage", "folder", "another shape"])
def test_a_damaged_checkpoint_is_a_data_error(checkpoint: Path, name: str, damage: str) -> None:
    file = checkpoint / name
    data = file.read_bytes()
    file.unlink()
    match damage:
        case "empty":
            file.write_bytes(b"")
        case "truncated":
            file.write_bytes(data[: len(data) // 2])
        case "garbage":
            file.write_bytes(b"\xff\x00 not what it was")
        case "folder":
            file.mkdir()
        case "another shape":
            file.write_bytes(b"[1]")
    with pytest.raises(DataError if name != "config.json" else (DataError, ConfigError)):
        load_checkpoint(checkpoint)


def test_weights_of_another_configuration_are_refused(checkpoint: Path) -> None:
    config = json.loads((checkpoint / "config.json").read_text())
    config["head"]["width"] = 64
    (checkpoint / "config.json").write_text(json.dumps(config))
    with pytest.raises(DataError, match=r"do not fit its config\.json"):
        load_checkpoint(checkpoint)


def test_a_pickle_is_never_read_as_a_checkpoint(checkpoint: Path) -> None:
    torch.save({"weights": torch.zeros(1)}, checkpoint / "model.safetensors")
    with pytest.raises(DataError, match="is no checkpoint"):
        load_checkpoint(checkpoint)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"width": 30, "heads": 4}, "multiple"),
        ({"heads": 0}, "head.heads must be at least 1"),
        ({"layers": 0}, "head.layers"),
        ({"dropout": 1.0}, "head.dropout"),
        ({"dropout": float("nan")}, "head.dropout"),
    ],
)
def test_a_head_that_cannot_be_is_refused(settings: dict[str, float], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        HeadConfig(**settings)  # type: ignore[arg-type]


def test_every_parameter_takes_part() -> None:
    """One that never has a gradient stops training on several devices."""
    model = build_tiny()
    output = model(random_batch(2, 6))
    sum(value.sum() for value in (output.success, output.progress, output.outcome)).backward()
    idle = {n for n, p in model.named_parameters() if p.grad is None and not n.startswith("text.")}
    assert idle == set()

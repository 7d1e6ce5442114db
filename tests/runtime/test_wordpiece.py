"""Our word pieces are those of the tokenizers package."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from bundle_files import change_file, copy_bundle
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from viscritic import Critic
from viscritic.errors import MissingExtraError
from viscritic.runtime.bundle import find_bundle
from viscritic.runtime.wordpiece import WordPiece, is_wordpiece

TEXT = (find_bundle(None) / "tokenizer.json").read_text()
OURS = WordPiece(json.loads(TEXT))
THEIRS = Tokenizer.from_str(TEXT)
THEIRS.no_padding()
THEIRS.no_truncation()

# Scripts of before Unicode 8: the package's own tables know no later ones.
letters = st.characters(max_codepoint=0x5FF) | st.characters(min_codepoint=0x3041, max_codepoint=0x3096)
letters |= st.sampled_from("漢字한국어ภาษา🙂👍 \t\n\r\x0b\x0c\x85\x00\ufffd\u200b\u2028\u3000…“”—ẞİıﬁΣς")
words = st.sampled_from(
    ["[CLS]", "[SEP]x", "[MASK", "[PAD][UNK]", "unbelievable", "save-as…", "a" * 101, "ÀÉ", "don't"]
)


@settings(max_examples=300)
@given(st.lists(st.text(letters, max_size=12) | words, max_size=8).map(" ".join))
def test_any_text_is_cut_alike(text: str) -> None:
    assert OURS.encode(text).ids == THEIRS.encode(text).ids


def test_every_common_character_is_read_alike() -> None:
    places = [*range(0xD800), *range(0xE000, 0x10000, 7), *range(0x1F300, 0x1F6FF)]
    for start in range(0, len(places), 64):
        text = " ".join(f"a{chr(c)}b" for c in places[start : start + 64])
        if OURS.encode(text).ids == THEIRS.encode(text).ids:
            continue
        odd = [
            c for c in places[start : start + 64] if OURS.encode(f"a{chr(c)}").ids != THEIRS.encode(f"a{chr(c)}").ids
        ]
        assert all(c > 0x600 for c in odd), [hex(c) for c in odd]
        assert len(odd) < 40  # what came after Unicode 8


@pytest.mark.parametrize(
    "change",
    [
        {"normalizer": None}, {"pre_tokenizer": {"type": "ByteLevel"}}, {"added_tokens": []},
        {"post_processor": {"type": "BertProcessing"}}, {"model": {"type": "BPE"}},
    ],
)  # fmt: skip
def test_another_kind_is_left_to_the_package(change: dict[str, Any]) -> None:
    assert is_wordpiece(json.loads(TEXT))
    assert not is_wordpiece({**json.loads(TEXT), **change})


def test_the_package_is_wanted_for_another_kind_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = copy_bundle(find_bundle(None), tmp_path / "other")
    change_file(other, "tokenizer.json", json.dumps({**json.loads(TEXT), "added_tokens": []}).encode())
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert Critic.load(threads=1).config.name == "default"
    with pytest.raises(MissingExtraError, match="needs the module 'tokenizers'"):
        Critic.load(other, threads=1)


def test_a_hub_id_wants_the_hub_s_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtraError, match=r"viscritic\[hub\]"):
        Critic.load("someone/something")

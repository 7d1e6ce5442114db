"""Any text of any language becomes word pieces within the budget."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from viscritic.actions import Action
from viscritic.errors import ConfigError, TextError
from viscritic.preprocess import TEXT_PARTS, PreprocessConfig, render_texts, tokenize

SIZE = (800, 600)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    """Bytes between a first and a last special piece."""
    words = ["[PAD]", "[CLS]", "[SEP]", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    made = Tokenizer(models.BPE(vocab={word: i for i, word in enumerate(words)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return made


def render(instruction: str, task: str = "") -> tuple[str, ...]:
    return render_texts((Action("click", 5.0, 9.0),), instruction, task, SIZE).parts()


def test_the_parts() -> None:
    assert TEXT_PARTS == ("action", "instruction", "task", "target", "before", "after")
    assert render("Save", "Write a letter") == (
        "Click at (5, 9) in the upper left of the screen", "Save", "Write a letter", "", "", "",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("", ""),
        (" \t\r\n\u00a0 ", ""),
        ("  two\n\n lines\t", "two lines"),
        ("点击保存按钮", "点击保存按钮"),
        ("Нажмите «Сохранить»", "Нажмите «Сохранить»"),
        ("اضغط على حفظ", "اضغط على حفظ"),
        ("👩‍💻 click 🖱️", "👩‍💻 click 🖱️"),
        ("lone \ud83d surrogate \udcff", "lone ? surrogate ?"),
        ("null\0byte", "null\0byte"),
    ],
)
def test_texts_keep_what_can_be_read(text: str, cleaned: str, tokenizer: Tokenizer) -> None:
    assert render(text)[1] == render("x", text)[2] == cleaned
    ids = tokenize(tokenizer, cleaned, 40)
    assert ids.dtype == np.int64
    assert (len(ids) == 0) is (cleaned == "")


def test_a_very_long_text_is_cut(tokenizer: Tokenizer) -> None:
    _, instruction, *_ = render("word " * 20_000)
    assert instruction.startswith("word word")
    assert len(instruction) <= 4000
    ids = tokenize(tokenizer, instruction, 40)
    assert len(ids) == 40
    assert ids[0] == 1
    assert ids[-1] == 2  # still closed by its own last piece


def test_a_text_is_cut_at_the_end_only(tokenizer: Tokenizer) -> None:
    short, long = tokenize(tokenizer, "Open the menu", 40), tokenize(tokenizer, "Open the menu" + "!" * 99, 40)
    np.testing.assert_array_equal(long[: len(short) - 1], short[:-1])


@given(st.text(st.characters(exclude_categories=())), st.integers(4, 512))
def test_any_text_keeps_the_budget(tokenizer: Tokenizer, text: str, limit: int) -> None:
    cleaned = render(text)[1]
    cleaned.encode()  # what a tokenizer needs
    assert len(tokenize(tokenizer, cleaned, limit)) <= limit


@pytest.mark.parametrize("wrong", [None, 3, b"bytes", ["list"], {"text": "x"}])
def test_only_str_is_text(wrong: object) -> None:
    with pytest.raises(TextError, match=type(wrong).__name__):
        render(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("patch", 3), ("patch", 65), ("changed_tokens", -1), ("thumbnail_tokens", 0), ("tolerance", 255),
        ("mean_tolerance", float("nan")), ("text_tokens", 3), ("window", (7, 32)), ("window", (-1, 3)),
    ],
)  # fmt: skip
def test_settings_out_of_range_are_refused(setting: str, value: object) -> None:
    with pytest.raises(ConfigError, match=f"preprocess.{setting} must be"):
        PreprocessConfig(**{setting: value})  # type: ignore[arg-type]

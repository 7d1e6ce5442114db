"""BERT's word pieces without a library.

The tokenizers package brings the hub's client and an HTTP client with it: with them an installation of the runtime
takes 287 MB instead of 244 (numpy 2.4, onnxruntime 1.32, tokenizers 0.23), and shall take less than 260; and nothing of
the runtime shall be able to open a connection.

The form is that of a `tokenizer.json` of the tokenizers package (BertNormalizer, BertPreTokenizer, WordPiece,
TemplateProcessing), and so are the answers. Source: Devlin et al., BERT (2019), and the package's own code.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

_SPACES: Final = "\t\n\r"
# First and last code points of what BERT takes for Chinese characters, each of which is a word.
_CHINESE: Final = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip
_NORMALIZER: Final = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "lowercase": True}


class Encoding(NamedTuple):
    """The ids of one text's word pieces, special tokens included."""

    ids: list[int]


class WordPiece:
    """Cuts text into BERT's word pieces.

    Args:
        settings: the contents of `tokenizer.json`; `is_wordpiece` must hold.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        model = settings["model"]
        self._vocabulary: dict[str, int] = {str(piece): int(number) for piece, number in model["vocab"].items()}
        self._unknown = self._vocabulary[model["unk_token"]]
        self._prefix: str = model["continuing_subword_prefix"]
        self._longest = int(model["max_input_chars_per_word"])
        special = {token["content"]: int(token["id"]) for token in settings["added_tokens"]}
        self._special = special
        self._split = re.compile("(" + "|".join(map(re.escape, sorted(special, key=len, reverse=True))) + ")")
        template = settings["post_processor"]
        ids = {name: token["ids"] for name, token in template["special_tokens"].items()}
        parts = [next(iter(part.items())) for part in template["single"]]
        middle = next(place for place, (kind, _) in enumerate(parts) if kind == "Sequence")
        self._before, self._after = (
            [number for _, part in some for number in ids[part["id"]]] for some in (parts[:middle], parts[middle + 1 :])
        )

    def encode(self, text: str) -> Encoding:
        """The ids of a text."""
        ids = list(self._before)
        for part in self._split.split(text):
            if part in self._special:
                ids.append(self._special[part])
            else:
                for word in _cut_words(_normalize(part)):
                    ids += self._cut_pieces(word)
        return Encoding(ids + self._after)

    def _cut_pieces(self, word: str) -> list[int]:
        """The longest piece that is known, then the longest of the rest; one unknown piece where that fails."""
        if len(word) > self._longest:
            return [self._unknown]
        pieces: list[int] = []
        start = 0
        while start < len(word):
            prefix = self._prefix if start else ""
            for end in range(len(word), start, -1):
                number = self._vocabulary.get(prefix + word[start:end])
                if number is not None:
                    pieces.append(number)
                    start = end
                    break
            else:
                return [self._unknown]
        return pieces


def is_wordpiece(settings: Mapping[str, Any]) -> bool:
    """Whether a `tokenizer.json` is of the kind that is read here."""
    normalizer = settings["normalizer"] or {}
    return (
        all(normalizer.get(name) == value for name, value in _NORMALIZER.items())
        and normalizer.get("strip_accents") in (None, True)
        and (settings["pre_tokenizer"] or {}).get("type") == "BertPreTokenizer"
        and (settings["post_processor"] or {}).get("type") == "TemplateProcessing"
        and settings["model"]["type"] == "WordPiece"
        and bool(settings["added_tokens"])
        and all(not token[flag] for token in settings["added_tokens"] for flag in ("single_word", "lstrip", "rstrip"))
        and all(not token["normalized"] for token in settings["added_tokens"])
    )


def _normalize(text: str) -> str:
    """Without control characters and accents, in small letters, blanks around Chinese characters."""
    clean = "".join(_clean(character) for character in text)
    bare = (c for c in unicodedata.normalize("NFD", clean) if unicodedata.category(c) != "Mn")
    return "".join(c.lower() for c in bare)


def _clean(character: str) -> str:
    if character in _SPACES:
        return " "
    code = ord(character)
    if code in (0, 0xFFFD) or unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs"):
        return ""
    if character.isspace():
        return " "
    return f" {character} " if any(low <= code <= high for low, high in _CHINESE) else character


def _cut_words(text: str) -> Iterator[str]:
    """Words between blanks; a punctuation mark is a word of its own."""
    for word in text.split():
        start = 0
        for place, character in enumerate(word):
            if _is_punctuation(character):
                if start < place:
                    yield word[start:place]
                yield character
                start = place + 1
        if start < len(word):
            yield word[start:]


def _is_punctuation(character: str) -> bool:
    if character.isascii():
        return not character.isalnum() and character.isprintable()
    return unicodedata.category(character).startswith("P")

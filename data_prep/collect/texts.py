"""What people type: short, plain, of several kinds."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from data_prep.collect.application import Element

_FIRST: Final = ("Lena", "Omar", "Mei", "Jonas", "Priya", "Tom", "Ama", "Ivo", "Sofia", "Noah", "Yara", "Emil")
_LAST: Final = ("Brandt", "Okafor", "Lindqvist", "Moreau", "Tanaka", "Silva", "Novak", "Haddad", "Keller", "Rossi")
_CITIES: Final = ("Lyon", "Bergen", "Porto", "Leeds", "Graz", "Turin", "Utrecht", "Gdansk", "Malmo", "Basel")
_NOUNS: Final = (
    "oat milk", "the train tickets", "a desk lamp", "the quarterly report", "two notebooks", "the blue folder",
    "dentist appointment", "the garden hose", "a birthday card", "new running shoes", "the invoice of May",
)  # fmt: skip
_VERBS: Final = ("Buy", "Check", "Send", "Find", "Return", "Order", "Print", "Ask about", "Pay for", "Plan")


def text_for(element: Element, kind: str, random: Random) -> str:
    """Something that fits a field of this name and HTML type; "" where nothing typed does."""
    if kind in ("range", "color", "date", "time"):
        return ""
    name = element.name.lower()
    for words, kinds, make in _MAKERS:
        if kind in kinds or any(word in name for word in words):
            return make(random)
    return random.choice((todo_text, _thing, _city, _first))(random)


def _first(random: Random) -> str:
    return random.choice(_FIRST)


def _last(random: Random) -> str:
    return random.choice(_LAST)


def _city(random: Random) -> str:
    return random.choice(_CITIES)


def _thing(random: Random) -> str:
    return random.choice(_NOUNS)


# Words in a field's name, HTML types, and what to write there; the first that fits counts.
_MAKERS: Final[tuple[tuple[tuple[str, ...], tuple[str, ...], Callable[[Random], str]], ...]] = (
    (("amount", "quantity"), ("number",), lambda r: str(r.randint(1, 99))),
    (("mail",), ("email",), lambda r: f"{_first(r)}.{_last(r)}@example.org".lower()),
    (("phone",), ("tel",), lambda r: f"0{r.randint(200, 999)} {r.randint(100000, 999999)}"),
    (("website",), ("url",), lambda r: f"https://{_last(r).lower()}.example.org"),
    (("password",), ("password",), lambda r: f"{_city(r)}{r.randint(10, 99)}!{r.choice('abcdef')}"),
    (("first name",), (), _first),
    (("last name",), (), _last),
    (("name",), (), lambda r: f"{_first(r)} {_last(r)}"),
    (("city", "town", "country"), (), _city),
    (("search",), ("search",), lambda r: _thing(r).removeprefix("the ").removeprefix("a ")),
)


def todo_text(random: Random) -> str:
    """Something to do."""
    return f"{random.choice(_VERBS)} {random.choice(_NOUNS)}"

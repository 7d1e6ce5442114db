"""What people type: short, plain, of several kinds."""

from __future__ import annotations

from random import Random
from typing import Final

from data_prep.collect.application import Element

_FIRST: Final = ("Lena", "Omar", "Mei", "Jonas", "Priya", "Tomás", "Ama", "Ivo", "Sofia", "Noah", "Yara", "Emil")
_LAST: Final = ("Brandt", "Okafor", "Lindqvist", "Moreau", "Tanaka", "Silva", "Novak", "Haddad", "Keller", "Rossi")
_CITIES: Final = ("Lyon", "Bergen", "Porto", "Leeds", "Graz", "Turin", "Utrecht", "Gdansk", "Malmo", "Basel")
_NOUNS: Final = (
    "oat milk", "the train tickets", "a desk lamp", "the quarterly report", "two notebooks", "the blue folder",
    "dentist appointment", "the garden hose", "a birthday card", "new running shoes", "the invoice of May",
)  # fmt: skip
_VERBS: Final = ("Buy", "Check", "Send", "Find", "Return", "Order", "Print", "Ask about", "Pay for", "Plan")


def text_for(element: Element, kind: str, random: Random) -> str:
    """Something that fits a field of this name and HTML type."""
    name = element.name.lower()
    first, last = random.choice(_FIRST), random.choice(_LAST)
    if kind == "number" or "amount" in name or "quantity" in name:
        return str(random.randint(1, 99))
    if kind == "email" or "mail" in name:
        return f"{first}.{last}@example.org".lower().replace("á", "a")
    if kind == "tel" or "phone" in name:
        return f"0{random.randint(200, 999)} {random.randint(100000, 999999)}"
    if kind == "url" or "website" in name:
        return f"https://{last.lower()}.example.org"
    if kind == "password" or "password" in name:
        return f"{random.choice(_CITIES)}{random.randint(10, 99)}!{random.choice('abcdef')}"
    if kind in ("range", "color", "date", "time"):
        return ""
    if "name" in name:
        return first if "first" in name else last if "last" in name else f"{first} {last}"
    if "city" in name or "town" in name or "country" in name:
        return random.choice(_CITIES)
    if kind == "search" or "search" in name:
        return random.choice(_NOUNS).removeprefix("the ").removeprefix("a ")
    return random.choice(
        (f"{random.choice(_VERBS)} {random.choice(_NOUNS)}", random.choice(_NOUNS), random.choice(_CITIES), first)
    )

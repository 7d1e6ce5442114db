"""The kit: a dozen believable small applications of our own, each in the looks of many style sheets and of Ionic.

An application (mail, shop, calendar, player, ...) is written once, in kit/pages; a skin draws its widgets with the
classes of Bootstrap (26 themes), daisyUI (35 themes), Pico (19), Bulma, UIkit, Fomantic, Materialize, 98.css and 7.css,
with a look of the kit's own that is drawn from the seed, or with the components of Ionic. Each tells all that it knows
as `appState()`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final
from urllib.parse import urlencode

from data_prep.collect.application import Element, Intent, State
from data_prep.collect.apps.served import PACKAGES, OwnPages
from data_prep.collect.view import View
from data_prep.collect.web_application import DESKTOP_VIEWS, MOBILE_VIEWS
from data_prep.collect.web_intents import point_in
from viscritic.actions import Action

APPS: Final = (
    "bank", "calendar", "chat", "feed", "files", "house", "mail", "player", "settings", "shop", "tracker", "travel",
)  # fmt: skip
_READY: Final = """(async () => {
  for (let i = 0; i < 200 && !window.kitReady; i++) await new Promise(done => setTimeout(done, 50));
  if (!window.kitReady) throw new Error('the page did not become ready');
})()"""
_SCROLL: Final = "scrollTo(0, {share} * (document.documentElement.scrollHeight - innerHeight))"
_LONGEST: Final = 40  # characters of a text whose last one is corrected


@dataclass(frozen=True, slots=True)
class Skin:
    """A look.

    Attributes:
        package: the npm package with its style sheets; "" for none.
        light, dark: its themes.
        phone: whether it also comes at the size of a phone; `only_phone`: whether it comes so only.
    """

    package: str
    light: tuple[str, ...]
    dark: tuple[str, ...]
    phone: bool = False
    only_phone: bool = False


_COLOURS: Final = ("primary", "link", "info", "success", "danger", "warning", "dark")
_SEMANTIC: Final = ("blue", "teal", "green", "violet", "orange", "red", "black", "purple")
_MATERIAL: Final = ("teal", "indigo", "deep-purple", "blue-grey", "brown", "red darken-2", "green darken-1", "blue")
_PICO: Final = (
    "amber", "blue", "cyan", "fuchsia", "green", "grey", "indigo", "jade", "lime", "orange", "pink", "pumpkin",
    "purple", "red", "sand", "slate", "violet", "yellow", "zinc",
)  # fmt: skip
SKINS: Final = {
    "plain": Skin("", ("",), ("",), phone=True),
    "bootstrap": Skin(
        "bootswatch",
        ("brite", "cerulean", "cosmo", "flatly", "journal", "litera", "lumen", "lux", "materia", "minty", "morph",
         "pulse", "quartz", "sandstone", "simplex", "sketchy", "spacelab", "united", "yeti", "zephyr"),
        ("cyborg", "darkly", "slate", "solar", "superhero", "vapor", "cosmo", "flatly", "litera", "zephyr"), phone=True,
    ),
    "daisyui": Skin(
        "daisyui",
        ("light", "cupcake", "bumblebee", "emerald", "corporate", "retro", "cyberpunk", "valentine", "garden", "lofi",
         "pastel", "fantasy", "wireframe", "cmyk", "autumn", "acid", "lemonade", "winter", "nord", "caramellatte",
         "silk"),
        ("dark", "synthwave", "halloween", "forest", "aqua", "black", "luxury", "dracula", "business", "night",
         "coffee", "dim", "sunset", "abyss"), phone=True,
    ),
    "bulma": Skin("bulma", _COLOURS, _COLOURS),
    "uikit": Skin("uikit", ("",), ("",)),
    "fomantic": Skin("fomantic-ui-css", _SEMANTIC, _SEMANTIC),
    "materialize": Skin("materialize-css", _MATERIAL, _MATERIAL),
    "windows98": Skin("98.css", ("#008080", "#3a6ea5", "#55557f", "#2d5f2d"), ("#101018",)),
    "windows7": Skin("7.css", ("#8fb4d9", "#9cc5a1", "#c9a9d6", "#d9b38f"), ("#3d5a80",)),
    "pico": Skin("@picocss/pico", _PICO, _PICO, phone=True),
    "ionic": Skin("@ionic/core", ("md", "ios"), ("md", "ios"), only_phone=True),
}  # fmt: skip


class Kit(OwnPages):
    """One skin; a seed chooses the application, the theme and where it begins."""

    pages = "kit"

    def __init__(self, skin: str, *, mobile: bool = False) -> None:
        self.skin = skin
        self.family = f"kit-{skin}"
        self.name = self.family + "-mobile" * (mobile and not SKINS[skin].only_phone)
        self.platform = "mobile" if mobile else "web"
        self.views = MOBILE_VIEWS if mobile else DESKTOP_VIEWS
        self.folder = f"{PACKAGES}/{SKINS[skin].package}" if SKINS[skin].package else ""

    def view(self, seed: int) -> View:
        """The viewport of a seed, dark in a third of all cases."""
        view = super().view(seed)
        return replace(view, dark=Random(f"dark {self.name} {seed}").random() < 1 / 3)

    def address(self, seed: int) -> str:
        """The page with an application, a theme and the seed."""
        random, skin, dark = Random(f"kit {self.name} {seed}"), SKINS[self.skin], self.view(seed).dark
        words = {
            "app": random.choice(APPS), "skin": self.skin, "theme": random.choice(skin.dark if dark else skin.light),
            "seed": random.randrange(1 << 30), "dark": int(dark),
        }  # fmt: skip
        return f"/pages/index.html?{urlencode(words)}"

    def prepare(self, seed: int) -> None:
        """Wait until all is drawn; begin somewhere down the page now and then."""
        self.run(_READY)
        if (random := Random(f"scroll {seed}")).random() < 0.25:
            self.run(_SCROLL.format(share=random.random()))

    def extra(self) -> str:
        """What the application knows."""
        return "window.appState ? appState() : null"

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """What every page offers, and corrections of one character, which are hard to see."""
        found = super().intents(elements, random)
        texts = [e for e in elements if e.role == "text field" and 0 < len(e.value) <= _LONGEST and e.enabled]
        if texts and random.random() < 0.35:
            found.insert(0, correct(random.choice(texts), random))
        return found


def correct(element: Element, random: Random) -> Intent:
    """Another last character for the text in a field: 3 -> 4, "Anna" -> "Anne"."""
    last = element.value[-1]
    signs = "0123456789" if last.isdigit() else "abcdefghijklmnopqrstuvwxyz"
    text = element.value[:-1] + random.choice([sign for sign in signs if sign != last.lower()])
    x, y = point_in(element, random)
    actions = (
        Action("click", x=x, y=y), Action("key", keys=("end",)), Action("key", keys=("backspace",)),
        Action("type", text=text[-1]),
    )  # fmt: skip
    purpose = f"change '{element.value}' to '{text}'"
    return Intent("type", element, actions, text=text, purpose=purpose, reached=partial(_holds, element.key, text))


def _holds(key: str, text: str, _: State, after: State) -> bool:
    return any(row[0] == key and row[2] == text for row in after.shown)


KIT: Final[dict[str, Callable[[], Kit]]] = {
    **{f"kit-{name}": partial(Kit, name, mobile=skin.only_phone) for name, skin in SKINS.items()},
    **{f"kit-{name}-mobile": partial(Kit, name, mobile=True) for name, skin in SKINS.items() if skin.phone},
}

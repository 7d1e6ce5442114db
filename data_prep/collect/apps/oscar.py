"""django-oscar: a shop and the dashboard behind it. PyPI package `django-oscar`; `sites/oscar_site` fills it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import ClassVar, Final, cast

from data_prep.collect.application import Application, Element, Fault, Intent
from data_prep.collect.django_application import DjangoApplication
from data_prep.collect.server_application import ServerApplication
from data_prep.collect.server_faults import Rejection, ServerFault
from data_prep.collect.web_application import DESKTOP_VIEWS, MOBILE_VIEWS

_CUSTOMERS: Final = ("marta@example.org", "tomas@example.org", "chloe@example.org", "nuno@example.org")
_NOBODY_PAGES: Final = (
    "/", "/catalogue/", "/catalogue/?page=2", "PRODUCT", "PRODUCT", "PRODUCT", "CATEGORY", "CATEGORY", "/basket/",
    "/search/?q=pan", "/search/?q=lamp", "/accounts/login/", "/offers/", "/password-reset/",
)  # fmt: skip
_CUSTOMER_PAGES: Final = (
    "/catalogue/", "PRODUCT", "PRODUCT", "CATEGORY", "/basket/", "/basket/", "/checkout/shipping-address/",
    "/accounts/profile/", "/accounts/profile/edit/", "/accounts/orders/", "/accounts/addresses/",
    "/accounts/addresses/add/", "/accounts/wishlists/", "/accounts/change-password/", "/accounts/alerts/",
    "/checkout/shipping-address/", "/accounts/wishlists/create/",
)  # fmt: skip
_KEEPER_PAGES: Final = (
    "/dashboard/", "/dashboard/orders/", "/dashboard/orders/ORDER/", "/dashboard/catalogue/", "EDIT", "EDIT",
    "/dashboard/catalogue/categories/", "/dashboard/offers/", "/dashboard/vouchers/", "/dashboard/vouchers/create/",
    "/dashboard/users/", "/dashboard/reviews/", "/dashboard/pages/", "/dashboard/pages/create/", "/dashboard/partners/",
    "/dashboard/ranges/", "/dashboard/ranges/create/", "/dashboard/reports/", "/dashboard/communications/",
    "/dashboard/shipping/weight-based/", "/dashboard/shipping/weight-based/create/",
    "/dashboard/catalogue/categories/create/", "/dashboard/catalogue/low-stock/",
    "/dashboard/offers/new/name-and-description/",
    "/dashboard/catalogue/product-types/", "/dashboard/catalogue/options/", "/dashboard/orders/statistics/",
)  # fmt: skip

# Pages of which there are many: what lists their addresses.
_KINDS: Final = {
    "PRODUCT": "SELECT '/catalogue/' || slug || '_' || id || '/' FROM catalogue_product ORDER BY id",
    "CATEGORY": "SELECT '/catalogue/category/' || slug || '_' || id || '/' FROM catalogue_category WHERE depth = 1",
    "EDIT": "SELECT '/dashboard/catalogue/products/' || id || '/' FROM catalogue_product ORDER BY id",
}

_GOODS: Final = re.compile(r"/catalogue/.+_\d+/")


class Oscar(DjangoApplication):
    """The shop; a seed chooses who looks at what."""

    family = "oscar"
    folder = "python/oscar"
    site = "oscar_site"
    refusals = ".alert-danger,.alert-error,.error-block,.invalid-feedback"
    login = "/accounts/login/"
    guarded: ClassVar[tuple[str, ...]] = ("/accounts/", "/checkout/")
    waiting_button = "[data-loading-text]"
    waiting = "[data-loading-text].disabled"
    purposes: ClassVar[Mapping[str, str]] = {
        "Add to basket": "put the article into the basket", "Add to wish list": "remember the article for later",
        "Proceed to checkout": "go on to pay", "View basket": "see what is in the basket", "Logout": "sign out",
        "Log In": "sign in with what is entered", "Register": "make an account with what is entered",
        "Write a review": "say what you think of the article", "Save": "keep what was entered",
        "Apply filters": "list only what fits the filters", "Continue": "go on to the next step",
    }  # fmt: skip
    skipped: ClassVar[tuple[str, ...]] = (
        "django_session", "thumbnail_kvstore", "django_admin_log", "analytics_userproductview", "analytics_userrecord",
        "analytics_productrecord", "analytics_usersearch",
    )  # fmt: skip
    columns: ClassVar[tuple[str, ...]] = (
        "auth_user.password",
        "wishlists_wishlist.key",
        "communication_email.body_text",
    )
    pages: ClassVar[tuple[str, ...]] = _CUSTOMER_PAGES

    def __init__(self, name: str, *, mobile: bool = False) -> None:
        self.name = name + "-mobile" * mobile
        self.platform = "mobile" if mobile else "web"
        self.views = MOBILE_VIEWS if mobile else DESKTOP_VIEWS

    def visitor(self, random: Random) -> str:
        """Who looks: a customer, or somebody that the shop does not know."""
        return random.choice((*_CUSTOMERS, "", ""))

    def page(self, random: Random) -> str:
        """One of the pages that are for this visitor."""
        page = random.choice(self.pages if self.user else _NOBODY_PAGES)
        if page in _KINDS:
            [page] = random.choice(self.database.ask(_KINDS[page]))
        return page.replace("ORDER", str(100200 + random.randrange(18)))

    def faults(self) -> Sequence[Fault]:
        """Those of a server, and what a shop refuses."""
        return (*super().faults(), SoldOut(), Gone())


class Dashboard(Oscar):
    """The dashboard, as its keeper sees it."""

    login = "/dashboard/login/"
    guarded = ("/dashboard/",)
    pages = _KEEPER_PAGES
    left_out = ("Download", "Download selected orders")

    def visitor(self, random: Random) -> str:
        """The one who runs the shop."""
        return "keeper"


class SoldOut(Rejection):
    """Somebody else has bought the last one. Evidence: the shop's message, and the basket in its database."""

    cause = "sold_out"

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only where something goes into the basket."""
        return intent.target.name == "Add to basket" and super().prepare(app, intent, elements, random)

    def arm(self, app: Application) -> None:
        """Empty the shelves."""
        _shop(app).database.change("UPDATE partner_stockrecord SET num_in_stock = 0, num_allocated = 0")


class Gone(ServerFault):
    """What the link leads to has been taken out of the shop. Evidence: the status of the shop's own page, 404."""

    cause = "gone"

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only links to articles and shelves of the shop."""
        return super().prepare(app, intent, elements, random) and bool(_GOODS.fullmatch(self.path))

    def arm(self, app: Application) -> None:
        """Take everything out of the shop."""
        _shop(app).database.change("UPDATE catalogue_product SET is_public = 0")
        _shop(app).database.change("UPDATE catalogue_category SET is_public = 0, ancestors_are_public = 0")


def _shop(app: Application) -> Oscar:
    return cast("Oscar", app)


OSCAR: Final[dict[str, Callable[[], Oscar]]] = {
    "oscar": partial(Oscar, "oscar"),
    "oscar-mobile": partial(Oscar, "oscar", mobile=True),
    "oscar-dashboard": partial(Dashboard, "oscar-dashboard"),
}

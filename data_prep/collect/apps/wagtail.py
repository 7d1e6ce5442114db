"""wagtail: the editors' pages of a website. PyPI package `wagtail`; `sites/wagtail_site` is the website."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import ClassVar, Final, cast

from data_prep.collect.application import Application, Element, Fault, Intent
from data_prep.collect.django_application import DjangoApplication
from data_prep.collect.server_application import ServerApplication
from data_prep.collect.server_faults import Rejection

_PAGES: Final = (
    "/admin/", "/admin/pages/FOLDER/", "/admin/pages/FOLDER/", "/admin/pages/PAGE/edit/", "/admin/pages/PAGE/edit/",
    "/admin/pages/PAGE/edit/", "/admin/pages/PAGE/history/", "/admin/pages/PAGE/delete/", "/admin/pages/PAGE/copy/",
    "/admin/pages/PAGE/move/", "/admin/pages/add/wagtail_site/article/FOLDER/",
    "/admin/pages/add/wagtail_site/event/FOLDER/", "/admin/pages/search/?q=harbour", "/admin/images/",
    "/admin/documents/", "/admin/snippets/wagtail_site/topic/", "/admin/snippets/wagtail_site/topic/add/",
    "/admin/snippets/wagtail_site/topic/edit/TOPIC/", "/admin/users/", "/admin/users/new/", "/admin/groups/",
    "/admin/groups/new/", "/admin/reports/site-history/", "/admin/redirects/", "/admin/redirects/add/", "/admin/sites/",
    "/admin/sites/new/", "/admin/account/", "/admin/collections/add/", "/admin/login/",
)  # fmt: skip
_NUMBERS: Final = {  # word in a path -> what lists the numbers that it stands for
    "FOLDER": "SELECT id FROM wagtailcore_page WHERE numchild > 2 AND depth > 1 ORDER BY id",
    "PAGE": "SELECT id FROM wagtailcore_page WHERE depth = 4 ORDER BY id",
    "TOPIC": "SELECT id FROM wagtail_site_topic ORDER BY id",
}


class Wagtail(DjangoApplication):
    """The editors' pages as the one who keeps the website sees them; they follow the browser's colour scheme."""

    name = "wagtail"
    family = "wagtail"
    folder = "python/wagtail"
    site = "wagtail_site"
    refusals = ".messages .error,.error-message,.help-critical,.w-field__errors li"
    login = "/admin/login/"
    guarded: ClassVar[tuple[str, ...]] = ("/admin/",)
    waiting_button = ".button-longrunning"
    waiting = ".button-longrunning-active"
    skipped: ClassVar[tuple[str, ...]] = (
        "django_session", "wagtailcore_pagelogentry", "wagtailcore_modellogentry", "wagtailadmin_editingsession",
        "wagtailcore_referenceindex", "wagtailsearch_indexentry", "wagtailsearch_indexentry_fts",
    )  # fmt: skip
    columns: ClassVar[tuple[str, ...]] = (
        "auth_user.password", "wagtailcore_revision.content", "wagtailcore_page.translation_key",
    )  # fmt: skip
    purposes: ClassVar[Mapping[str, str]] = {
        "Save draft": "keep the page without showing it to visitors", "Log out": "sign out", "Sign in": "sign in",
        "Collapse": "make the sidebar narrow", "Add child page": "begin a new page below this one",
        "Toggle sidebar": "change the width of the sidebar", "Add a topic": "begin a new topic",
        "Add a user": "begin a new user", "Yes, delete it": "delete it for good",
    }  # fmt: skip
    left_out = ("Download CSV", "Download XLSX", "Preview")

    def visitor(self, random: Random) -> str:
        """The one who keeps the website, now and then somebody who has to log in first."""
        return "" if random.random() < 0.04 else "keeper"

    def page(self, random: Random) -> str:
        """One of the editors' pages."""
        page = random.choice(_PAGES) if self.user else self.login
        for word, query in _NUMBERS.items():
            if word in page:
                [number] = random.choice(self.database.ask(query))
                page = page.replace(word, str(number))
        return page

    def faults(self) -> Sequence[Fault]:
        """Those of a site, and what editors are refused."""
        return (*super().faults(), Locked())


class Locked(Rejection):
    """Somebody else has locked the page meanwhile. Evidence: the message that it cannot be saved."""

    cause = "locked"

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only where a page is edited."""
        return (
            super().prepare(app, intent, elements, random) and self.path.endswith("/edit/") and "/pages/" in self.path
        )

    def arm(self, app: Application) -> None:
        """Lock all pages, as another user."""
        cast("Wagtail", app).database.change(
            "UPDATE wagtailcore_page SET locked = 1, locked_by_id = (SELECT id FROM auth_user WHERE username = 'ruth')"
        )


WAGTAIL: Final[dict[str, Callable[[], Wagtail]]] = {"wagtail": Wagtail}

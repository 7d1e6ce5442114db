"""What makes a Django site the same on every replay, and lets the collector in without a password.

Runs in the virtual environment of the site; its settings call `make_steady` before anything else is imported.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

_NOON = datetime(2025, 5, 14, 9, 41, tzinfo=UTC)  # the moment that the pages' own clock begins at, too
_SLOWER = 2000  # time goes by, but so slowly that "3 minutes ago" stays what it is
_STARTED = time.monotonic()


def now() -> datetime:
    """The site's clock: begins at the same moment each time, and hardly moves."""
    return _NOON + timedelta(seconds=(time.monotonic() - _STARTED) / _SLOWER)


def make_steady() -> None:
    """Stop Django's clock and the dice of its form tokens, which stand in every page."""
    from django.middleware import csrf  # noqa: PLC0415
    from django.utils import timezone as django_timezone  # noqa: PLC0415

    django_timezone.now = now
    csrf._get_new_csrf_string = lambda: "k" * csrf.CSRF_SECRET_LENGTH
    csrf._mask_cipher_secret = lambda secret: "a" * csrf.CSRF_SECRET_LENGTH + secret
    csrf._unmask_cipher_token = lambda token: token[csrf.CSRF_SECRET_LENGTH :]


def enter(request: HttpRequest) -> HttpResponse:
    """Log in as `user` (an e-mail address or a name; "" for nobody), and go on to `next`."""
    from django.contrib.auth import get_user_model, login  # noqa: PLC0415
    from django.db.models import Q  # noqa: PLC0415
    from django.shortcuts import redirect  # noqa: PLC0415

    if name := request.GET.get("user"):
        user = get_user_model().objects.get(Q(email=name) | Q(username=name))
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return redirect(request.GET["next"])

"""The shop's settings. Its database, pictures and search index lie in the folder that VISCRITIC_SITE names."""

import os
from pathlib import Path

from steady import make_steady

make_steady()

from oscar import INSTALLED_APPS as OSCAR_APPS  # noqa: E402
from oscar.defaults import *  # noqa: E402, F403

FOLDER = Path(os.environ["VISCRITIC_SITE"])
SECRET_KEY = "only for this machine"
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "testserver"]
INSTALLED_APPS = [*OSCAR_APPS, "sorl.thumbnail"]
SITE_ID = 1
ROOT_URLCONF = "oscar_site.urls"
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "oscar.apps.basket.middleware.BasketMiddleware",
    "django.contrib.flatpages.middleware.FlatpageFallbackMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.template.context_processors.media",
                "django.contrib.messages.context_processors.messages",
                "oscar.apps.search.context_processors.search_form",
                "oscar.apps.checkout.context_processors.checkout",
                "oscar.apps.communication.notifications.context_processors.notifications",
                "oscar.core.context_processors.metadata",
            ]
        },
    }
]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": FOLDER / "db.sqlite3",
        "OPTIONS": {"init_command": "PRAGMA synchronous = OFF"},  # nothing here is worth waiting for the disk
    }
}
HAYSTACK_CONNECTIONS = {
    "default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": str(FOLDER / "index")}
}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
AUTHENTICATION_BACKENDS = [
    "oscar.apps.customer.auth_backends.EmailBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick; the accounts are nobody's
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
SESSION_SAVE_EVERY_REQUEST = False
USE_TZ = True
TIME_ZONE = "Europe/Paris"
LANGUAGE_CODE = "en-gb"
STATIC_URL = "/static/"
MEDIA_URL = "/media/"
MEDIA_ROOT = FOLDER / "media"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"

OSCAR_SHOP_NAME = "Fieldhouse"
OSCAR_SHOP_TAGLINE = "Things for home and garden"
OSCAR_DEFAULT_CURRENCY = "EUR"
OSCAR_FROM_EMAIL = "shop@example.org"
OSCAR_ALLOW_ANON_CHECKOUT = True
OSCAR_IMAGE_FOLDER = "products/"
OSCAR_INITIAL_ORDER_STATUS = "Pending"
OSCAR_INITIAL_LINE_STATUS = "Pending"
OSCAR_ORDER_STATUS_PIPELINE = {
    "Pending": ("Being processed", "Cancelled"),
    "Being processed": ("Complete", "Cancelled"),
    "Complete": (),
    "Cancelled": (),
}

"""The website's settings. Its database and pictures lie in the folder that VISCRITIC_SITE names."""

import os
from pathlib import Path

from steady import make_steady

make_steady()

FOLDER = Path(os.environ["VISCRITIC_SITE"])
SECRET_KEY = "only for this machine"
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "testserver"]
INSTALLED_APPS = [
    "wagtail_site",
    "wagtail.contrib.forms",
    "wagtail.contrib.redirects",
    "wagtail.embeds",
    "wagtail.sites",
    "wagtail.users",
    "wagtail.snippets",
    "wagtail.documents",
    "wagtail.images",
    "wagtail.search",
    "wagtail.admin",
    "wagtail",
    "modelcluster",
    "taggit",
    "django_filters",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
ROOT_URLCONF = "wagtail_site.urls"
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "wagtail.contrib.redirects.middleware.RedirectMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
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
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick; the accounts are nobody's
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
USE_TZ = True
TIME_ZONE = "Europe/Paris"
LANGUAGE_CODE = "en-gb"
STATIC_URL = "/static/"
MEDIA_URL = "/media/"
MEDIA_ROOT = FOLDER / "media"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

WAGTAIL_SITE_NAME = "Harbour Museum"
WAGTAILADMIN_BASE_URL = "http://127.0.0.1"
WAGTAIL_ENABLE_UPDATE_CHECK = False
WAGTAIL_ENABLE_WHATS_NEW_BANNER = False
WAGTAIL_GRAVATAR_PROVIDER_URL = None
WAGTAIL_AUTOSAVE_INTERVAL = 0  # what saves itself is an effect of no action
WAGTAIL_EDITING_SESSION_PING_INTERVAL = 10**9

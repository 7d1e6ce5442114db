"""The website's addresses: the way in, the pictures, the editors' pages, and what visitors see."""

from django.conf import settings
from django.urls import include, path, re_path
from django.views.static import serve
from steady import enter
from wagtail import urls as visitors
from wagtail.admin import urls as editors
from wagtail.documents import urls as documents

urlpatterns = [
    path("enter/", enter),
    re_path(r"^media/(?P<path>.*)$", serve, {"document_root": settings.MEDIA_ROOT}),
    path("admin/", include(editors)),
    path("documents/", include(documents)),
    path("", include(visitors)),
]

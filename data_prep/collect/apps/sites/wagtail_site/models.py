"""Kinds of pages: the front page, articles and events; and topics, which are no pages."""

from typing import ClassVar

from django.db import models
from wagtail import blocks
from wagtail.admin.panels import FieldPanel, FieldRowPanel, MultiFieldPanel
from wagtail.fields import RichTextField, StreamField
from wagtail.models import Page
from wagtail.snippets.models import register_snippet


@register_snippet
class Topic(models.Model):
    """What articles are about."""

    name = models.CharField(max_length=40, unique=True)
    colour = models.CharField(max_length=10, choices=[(c, c) for c in ("blue", "green", "red", "yellow")])
    shown = models.BooleanField("shown on the front page", default=False)

    panels: ClassVar = [FieldPanel("name"), FieldPanel("colour"), FieldPanel("shown")]

    def __str__(self) -> str:
        return self.name


class Front(Page):
    """The front page."""

    welcome = models.CharField(max_length=200)
    hours = models.CharField("opening hours", max_length=80, blank=True)

    content_panels: ClassVar = [*Page.content_panels, FieldPanel("welcome"), FieldPanel("hours")]


class Article(Page):
    """Something to read."""

    summary = models.CharField(max_length=250)
    author = models.CharField(max_length=60, blank=True)
    topic = models.ForeignKey(Topic, null=True, blank=True, on_delete=models.SET_NULL)
    body = StreamField(
        [
            ("heading", blocks.CharBlock()),
            ("paragraph", blocks.RichTextBlock()),
            ("quote", blocks.BlockQuoteBlock()),
        ],
        blank=True,
    )

    content_panels: ClassVar = [
        *Page.content_panels,
        FieldPanel("summary"),
        FieldRowPanel([FieldPanel("author"), FieldPanel("topic")]),
        FieldPanel("body"),
    ]


class Event(Page):
    """Something to come to."""

    place = models.CharField(max_length=60)
    seats = models.PositiveIntegerField(default=20)
    free = models.BooleanField("free of charge", default=False)
    kind = models.CharField(max_length=10, choices=[(k, k) for k in ("talk", "tour", "workshop", "concert")])
    description = RichTextField(blank=True)

    content_panels: ClassVar = [
        *Page.content_panels,
        MultiFieldPanel(
            [FieldPanel("place"), FieldPanel("seats"), FieldPanel("kind"), FieldPanel("free")], "Where and what"
        ),
        FieldPanel("description"),
    ]

"""Builds the website: `python -m wagtail_site.build` fills the folder that VISCRITIC_SITE names, always alike."""

import io
import os
from random import Random
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wagtail_site.settings")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.auth.models import Group  # noqa: E402
from django.core.files.base import ContentFile  # noqa: E402
from django.core.files.images import ImageFile  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from PIL import Image, ImageDraw  # noqa: E402
from wagtail.contrib.redirects.models import Redirect  # noqa: E402
from wagtail.documents.models import Document  # noqa: E402
from wagtail.images import get_image_model  # noqa: E402
from wagtail.models import Page, Site  # noqa: E402

from wagtail_site.models import Article, Event, Front, Topic  # noqa: E402

random = Random("harbour museum")
TOPICS = ("Ships", "Lighthouses", "Fishing", "Trade", "Maps", "Knots")
ARTICLES = (
    "How a sextant works", "The storm of 1887", "A day on the quay", "Nets and needles", "The keeper's diary",
    "Restoring the tugboat Greta", "Where the herring went", "Salt, rope and tar", "Letters from the ice",
    "The first steam crane", "Charts before satellites", "The women of the cannery",
)  # fmt: skip
EVENTS = (
    "Evening tour of the docks", "Knots for beginners", "Sea shanties", "Talk: reading old charts",
    "Model boat workshop", "Night at the lighthouse", "Harbour sounds", "Open restoration day",
)  # fmt: skip
SENTENCES = (
    "The harbour froze for eleven weeks that winter.", "Nobody knew the channel better than the pilots.",
    "The collection holds more than four hundred tools.", "Visitors may touch everything on the red table.",
    "Two photographs from the archive show the same quay.", "The boat was launched again in spring.",
)  # fmt: skip
PEOPLE = (("ruth", "Ruth", "Solberg"), ("emil", "Emil", "Hansen"), ("ida", "Ida", "Moreau"), ("jon", "Jon", "Petrov"))


def identity() -> str:
    """An identity as the editor makes them, but the same every time."""
    return str(UUID(int=random.getrandbits(128), version=4))


def picture(title: str) -> None:
    """A picture of the sea, more or less."""
    dice = Random(title)
    image = Image.new("RGB", (640, 420), (dice.randint(150, 230), dice.randint(180, 230), 240))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, dice.randint(200, 300), 640, 420), fill=(30, dice.randint(70, 120), dice.randint(110, 160)))
    for _ in range(3):
        x = dice.randint(40, 520)
        pen.polygon([(x, 280), (x + 40, dice.randint(90, 180)), (x + 90, 280)], fill=(dice.randint(120, 250), 90, 60))
    file = io.BytesIO()
    image.save(file, "JPEG")
    get_image_model().objects.create(title=title, file=ImageFile(file, f"{title.replace(' ', '-').lower()}.jpg"))


def pages() -> None:
    """The tree of pages: live ones, drafts, and one that is locked."""
    root = Page.objects.get(depth=1)
    front = root.add_child(
        instance=Front(
            title="Harbour Museum", slug="museum", welcome="Four floors of boats and stories.", hours="10 to 17"
        )
    )
    Site.objects.all().delete()
    Site.objects.create(hostname="127.0.0.1", root_page=front, is_default_site=True, site_name="Harbour Museum")
    Page.objects.get(slug="home").delete()
    front = Page.objects.get(slug="museum").specific
    stories = front.add_child(instance=Front(title="Stories", slug="stories", welcome="From the archive."))
    calendar = front.add_child(instance=Front(title="Calendar", slug="calendar", welcome="What is on."))
    for title in ARTICLES:
        body = [
            {"type": "heading", "value": "In short", "id": identity()},
            {"type": "paragraph", "value": f"<p>{' '.join(random.sample(SENTENCES, 3))}</p>", "id": identity()},
        ]
        article = Article(
            title=title, summary=random.choice(SENTENCES), author=random.choice(("R. Solberg", "I. Moreau", "")),
            topic=random.choice(Topic.objects.all()), live=random.random() < 0.75,
        )  # fmt: skip
        article.body = Article.body.field.to_python(body)
        stories.add_child(instance=article).save_revision()
    for title in EVENTS:
        event = Event(
            title=title, place=random.choice(("Hall 2", "Old quay", "Library", "Boat shed")),
            kind=random.choice(("talk", "tour", "workshop", "concert")), seats=random.randint(8, 60),
            free=random.random() < 0.4,
            description=f"<p>{random.choice(SENTENCES)}</p>", live=random.random() < 0.8,
        )  # fmt: skip
        calendar.add_child(instance=event).save_revision()


def main() -> None:
    """Everything, in order."""
    call_command("migrate", verbosity=0)
    user = get_user_model()
    user.objects.create_superuser("keeper", "keeper@example.org", "ladder-57", first_name="Vera", last_name="Lund")
    for name, first, last in PEOPLE:
        person = user.objects.create_user(name, f"{name}@example.org", "ladder-57", first_name=first, last_name=last)
        person.groups.add(random.choice(Group.objects.all()))
    for number, name in enumerate(TOPICS):
        Topic.objects.create(name=name, colour=("blue", "green", "red", "yellow")[number % 4], shown=number % 3 == 0)
    pages()
    for title in ("Tugboat at dawn", "Three sails", "The north pier", "Red buoys", "Low tide"):
        picture(title)
    for title in ("Floor plan", "Annual report 2024", "School visits"):
        Document.objects.create(title=title, file=ContentFile(b"%PDF-1.4\n", f"{title.replace(' ', '-').lower()}.pdf"))
    Redirect.objects.create(old_path="/opening-hours", redirect_link="/")
    client = Client(SERVER_NAME="127.0.0.1")  # what draws the small pictures
    client.get("/enter/", {"user": "keeper", "next": "/"})
    client.get("/admin/images/")


main()

"""Builds the shop: `python -m oscar_site.build` fills the folder that VISCRITIC_SITE names. The same every time."""

import os
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "oscar_site.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402
from oscar.apps.catalogue.categories import create_from_breadcrumbs  # noqa: E402
from oscar.apps.partner.strategy import Default  # noqa: E402
from oscar.core.loading import get_model  # noqa: E402
from oscar.test import factories  # noqa: E402
from PIL import Image, ImageDraw  # noqa: E402

from oscar_site.goods import COUNTRIES, MATERIALS, PEOPLE, REVIEWS, SENTENCES, SHELVES  # noqa: E402

Product, Country = get_model("catalogue", "Product"), get_model("address", "Country")
User = get_user_model()
random = Random("fieldhouse")


def draw(name: str, file: Path) -> None:
    """A picture of a product: a few shapes on a ground."""
    dice = Random(name)
    tone = lambda low, high: tuple(dice.randint(low, high) for _ in range(3))  # noqa: E731
    image = Image.new("RGB", (480, 480), tone(205, 250))
    pen = ImageDraw.Draw(image)
    for _ in range(dice.randint(2, 4)):
        x, y = dice.randint(60, 240), dice.randint(60, 240)
        box = (x, y, x + dice.randint(80, 180), y + dice.randint(80, 180))
        dice.choice((pen.ellipse, pen.rectangle, lambda b, fill: pen.rounded_rectangle(b, 30, fill)))(
            box, fill=tone(30, 190)
        )
    image.save(file, quality=88)


def stock() -> list:
    """Products with pictures, prices and reviews; a few are sold out."""
    pictures = settings.MEDIA_ROOT / "products"
    pictures.mkdir(parents=True)
    Image.new("RGB", (200, 200), "#ddd").save(settings.MEDIA_ROOT / "image_not_found.jpg")
    made = []
    for shelf, boards in SHELVES.items():
        for board, names in boards.items():
            category = create_from_breadcrumbs(f"{shelf} > {board}")
            for name in names:
                number = len(made) + 1
                product = factories.create_product(
                    upc=f"FH{2000 + 17 * number}", title=name, product_class="Goods", partner_name="Fieldhouse store",
                    partner_sku=f"{board[:3].upper()}-{100 + number}", price=Decimal(random.randint(290, 15900)) / 100,
                    num_in_stock=random.choice((0, 2, 7, 25, 25, 60)),
                    description=f"<p>{random.choice(MATERIALS)}. {' '.join(random.sample(SENTENCES, 3))}</p>",
                )  # fmt: skip
                product.categories.add(category)
                draw(name, pictures / f"{number}.jpg")
                product.images.create(original=f"products/{number}.jpg", caption=name)
                made.append(product)
    return made


def people() -> list:
    """Customers with an address each, and one who runs the shop."""
    for code, name in COUNTRIES:
        Country.objects.create(
            iso_3166_1_a2=code, iso_3166_1_a3=f"{code}X", name=name, printable_name=name, is_shipping_country=True
        )
    User.objects.create_superuser("keeper", "keeper@example.org", "ladder-57")
    users = []
    for first, last, mail, street, town, postcode, code in PEOPLE:
        user = User.objects.create_user(mail, mail, "ladder-57", first_name=first, last_name=last)
        user.addresses.create(
            first_name=first, last_name=last, line1=street, line4=town, postcode=postcode, country_id=code,
            is_default_for_shipping=True,
        )  # fmt: skip
        users.append(user)
    return users


def basket_of(user: object, products: list) -> Any:
    """An open basket with some of the products."""
    basket = get_model("basket", "Basket").objects.create(owner=user)
    basket.strategy = Default()
    for product in products:
        basket.add_product(product, quantity=random.randint(1, 2))
    return basket


def orders(users: list, sold: list) -> None:
    """Orders of the last weeks, in several states."""
    shipping = get_model("order", "ShippingAddress")
    for number in range(18):
        user = random.choice(users)
        home = user.addresses.get()
        address = shipping.objects.create(
            first_name=home.first_name, last_name=home.last_name, line1=home.line1, line4=home.line4,
            postcode=home.postcode, country=home.country,
        )  # fmt: skip
        basket = basket_of(user, random.sample(sold, random.randint(1, 3)))
        order = factories.create_order(
            number=str(100200 + number), basket=basket, user=user, shipping_address=address, status="Pending"
        )
        order.date_placed = timezone.now() - timedelta(days=40 - 2 * number, hours=random.randint(0, 9))
        order.status = random.choice(("Pending", "Pending", "Being processed", "Complete", "Cancelled"))
        order.save()


def opinions(users: list, products: list) -> None:
    """Reviews, some still waiting for the shop's approval."""
    for product in random.sample(products, 14):
        for user in random.sample(users, random.randint(1, 2)):
            title, body = random.choice(REVIEWS)
            product.reviews.create(
                user=user, title=title, body=body, score=random.randint(2, 5), status=random.choice((0, 1))
            )
        product.update_rating()


def offers() -> None:
    """An offer and a voucher."""
    offer = factories.create_offer(name="Spring week: 10 percent off everything")
    offer.benefit.value = 10
    offer.benefit.save()
    factories.create_voucher(name="Welcome", code="WELCOME5")
    get_model("flatpages", "FlatPage").objects.create(
        url="/about/", title="About us", content="<p>A small shop for home and garden.</p>"
    ).sites.add(1)


def visit(products: list) -> None:
    """Look at every page with pictures once, so that their small copies are made."""
    client = Client(SERVER_NAME="127.0.0.1")
    for address in ("/", "/catalogue/", "/catalogue/?page=2", *(product.get_absolute_url() for product in products)):
        client.get(address)
    client.get("/enter/", {"user": "keeper", "next": "/"})
    for address in ("/dashboard/catalogue/", "/dashboard/catalogue/?page=2", "/basket/"):
        client.get(address)


def main() -> None:
    """Everything, in order."""
    call_command("migrate", verbosity=0)
    products, users = stock(), people()
    available = [p for p in products if p.stockrecords.get().num_in_stock]
    orders(users, [p for p in available if p.stockrecords.get().num_in_stock > 20])
    for user in users:
        basket_of(user, random.sample(available, random.randint(1, 3)))
        wishes = user.wishlists.create(name="Birthday")
        for product in random.sample(products, 2):
            wishes.add(product)
    opinions(users, products)
    offers()
    call_command("rebuild_index", interactive=False, verbosity=0)
    visit(products)


main()

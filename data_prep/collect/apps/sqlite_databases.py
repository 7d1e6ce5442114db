"""Three small databases to look at in sqlite-web: a shop, a library, a company's staff. The same everywhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

_FIRST: Final = (
    "Clara",
    "Hugo",
    "Nadia",
    "Peter",
    "Amira",
    "Lukas",
    "Ingrid",
    "Paulo",
    "Keiko",
    "Dario",
    "Elsa",
    "Sam",
)
_LAST: Final = ("Fischer", "Nowak", "Costa", "Jensen", "Bianchi", "Osei", "Larsen", "Petit", "Varga", "Moreno", "Ito")
_CITIES: Final = ("Lisbon", "Oslo", "Vienna", "Ghent", "Krakow", "Bologna", "Tartu", "Cork", "Split", "Nantes")
_GOODS: Final = (
    ("Desk lamp", "Office"), ("Notebook A5", "Paper"), ("Fountain pen", "Paper"), ("Garden hose", "Garden"),
    ("Watering can", "Garden"), ("Coffee grinder", "Kitchen"), ("Cast iron pan", "Kitchen"), ("Bread knife", "Kitchen"),
    ("Office chair", "Office"), ("Label printer", "Office"), ("Seed tray", "Garden"), ("Wall clock", "Home"),
    ("Wool blanket", "Home"), ("Picture frame", "Home"), ("Tea towel", "Kitchen"), ("Sketch block", "Paper"),
)  # fmt: skip
_BOOKS: Final = (
    "The Quiet Harbour", "Maps of Winter", "A Short History of Salt", "The Clockmaker's Garden", "Night Trains",
    "Letters to the Coast", "The Last Orchard", "Iron and Honey", "An Atlas of Clouds", "Rivers Without Names",
    "The Paper Bridge", "Seven Lighthouses", "Under the Copper Roof", "The Glass Apprentice", "Salt Roads",
)  # fmt: skip
_TEAMS: Final = ("Accounting", "Design", "Engineering", "Sales", "Support", "Logistics")
_TASKS: Final = ("New website", "Warehouse move", "Annual audit", "Customer survey", "Data cleanup", "Trade fair")

_SHOP: Final = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(60) NOT NULL, email VARCHAR(80) NOT NULL UNIQUE,
  city VARCHAR(40), newsletter BOOLEAN NOT NULL DEFAULT 0);
CREATE TABLE products (id INTEGER PRIMARY KEY, sku VARCHAR(12) NOT NULL UNIQUE, title VARCHAR(60) NOT NULL,
  category VARCHAR(20), price DECIMAL(8, 2) NOT NULL CHECK (price >= 0), stock INTEGER NOT NULL DEFAULT 0, note TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id),
  ordered VARCHAR(10) NOT NULL, status VARCHAR(12) NOT NULL DEFAULT 'open');
CREATE TABLE order_items (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
  product_id INTEGER NOT NULL REFERENCES products (id), quantity INTEGER NOT NULL CHECK (quantity > 0));
CREATE INDEX orders_by_status ON orders (status);
CREATE VIEW open_orders AS SELECT o.id, c.name, o.ordered FROM orders o JOIN customers c ON c.id = o.customer_id
  WHERE o.status = 'open';
PRAGMA schema_version = 1000;
"""
_LIBRARY: Final = """
CREATE TABLE authors (id INTEGER PRIMARY KEY, name VARCHAR(60) NOT NULL, born INTEGER, country VARCHAR(30));
CREATE TABLE books (isbn VARCHAR(13) PRIMARY KEY, title VARCHAR(80) NOT NULL,
  author_id INTEGER REFERENCES authors (id), year INTEGER, copies INTEGER NOT NULL DEFAULT 1);
CREATE TABLE members (id INTEGER PRIMARY KEY, name VARCHAR(60) NOT NULL, card VARCHAR(8) NOT NULL UNIQUE,
  city VARCHAR(40));
CREATE TABLE loans (id INTEGER PRIMARY KEY, isbn VARCHAR(13) NOT NULL REFERENCES books (isbn),
  member_id INTEGER NOT NULL REFERENCES members (id), due VARCHAR(10) NOT NULL, returned BOOLEAN NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX members_by_card ON members (card);
PRAGMA schema_version = 2000;
"""
_STAFF: Final = """
CREATE TABLE departments (id INTEGER PRIMARY KEY, name VARCHAR(30) NOT NULL UNIQUE, floor INTEGER);
CREATE TABLE employees (id INTEGER PRIMARY KEY, name VARCHAR(60) NOT NULL, department_id INTEGER REFERENCES
  departments (id), salary INTEGER NOT NULL CHECK (salary > 0), started VARCHAR(10) NOT NULL, email VARCHAR(80) UNIQUE);
CREATE TABLE projects (id INTEGER PRIMARY KEY, title VARCHAR(60) NOT NULL, budget INTEGER, finished BOOLEAN DEFAULT 0);
CREATE TABLE assignments (employee_id INTEGER NOT NULL REFERENCES employees (id), project_id INTEGER NOT NULL
  REFERENCES projects (id), hours INTEGER NOT NULL, PRIMARY KEY (employee_id, project_id));
PRAGMA schema_version = 3000;
"""


def _person(random: Random) -> tuple[str, str]:
    first, last = random.choice(_FIRST), random.choice(_LAST)
    return f"{first} {last}", f"{first}.{last}{random.randrange(1000)}@example.org".lower()


def _day(random: Random) -> str:
    return f"2025-{random.randint(1, 5):02}-{random.randint(1, 28):02}"


def _shop(random: Random) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for number in range(1, 39):
        yield "customers", (number, *_person(random), random.choice(_CITIES), random.random() < 0.4)
    for number, (title, category) in enumerate(_GOODS, start=1):
        price, stock = random.randint(190, 14900) / 100, random.choice((0, 3, 12, 40, 250))
        note = random.choice((None, None, "Reorder in June", "Fragile", "Sold in packs of five"))
        yield "products", (number, f"{category[:2].upper()}-{1000 + 7 * number}", title, category, price, stock, note)
    for number in range(1, 58):
        status = random.choice(("open", "open", "paid", "shipped", "cancelled"))
        yield "orders", (number, random.randint(1, 38), _day(random), status)
    for number in range(1, 121):
        yield "order_items", (number, random.randint(1, 57), random.randint(1, len(_GOODS)), random.randint(1, 6))


def _library(random: Random) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for number in range(1, 13):
        country = random.choice(("Norway", "Portugal", "Japan", "Ghana", "Poland"))
        yield "authors", (number, _person(random)[0], random.randint(1901, 1989), country)
    isbns = [f"97800{100003 + 911 * number}" for number in range(len(_BOOKS))]
    for isbn, title in zip(isbns, _BOOKS, strict=True):
        yield "books", (isbn, title, random.randint(1, 12), random.randint(1950, 2024), random.randint(1, 6))
    for number in range(1, 29):
        yield "members", (number, _person(random)[0], f"LB{4000 + 13 * number}", random.choice(_CITIES))
    for number in range(1, 66):
        yield "loans", (number, random.choice(isbns), random.randint(1, 28), _day(random), random.random() < 0.6)


def _staff(random: Random) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for number, name in enumerate(_TEAMS, start=1):
        yield "departments", (number, name, random.randint(0, 4))
    for number in range(1, 45):
        name, mail = _person(random)
        yield "employees", (number, name, random.randint(1, 6), random.randint(28, 95) * 1000, _day(random), mail)
    for number, title in enumerate(_TASKS, start=1):
        yield "projects", (number, title, random.randint(4, 60) * 1000, random.random() < 0.3)
    pairs = sorted({(random.randint(1, 44), random.randint(1, 6)) for _ in range(60)})
    for employee, project in pairs:
        yield "assignments", (employee, project, random.randint(4, 160))


# name -> how it is made, and queries that a person might run on it
_Rows = Callable[[Random], Iterator[tuple[str, tuple[Any, ...]]]]
_DATABASES: Final[dict[str, tuple[str, _Rows]]] = {
    "shop": (_SHOP, _shop),
    "library": (_LIBRARY, _library),
    "staff": (_STAFF, _staff),
}
TABLES: Final = {
    "shop": ("customers", "products", "orders", "order_items"),
    "library": ("authors", "books", "members", "loans"),
    "staff": ("departments", "employees", "projects", "assignments"),
}
QUERIES: Final = {
    "shop": (
        "SELECT title, stock FROM products WHERE stock < 10",
        "SELECT city, COUNT(*) FROM customers GROUP BY city",
        "SELECT status, COUNT(*) AS orders FROM orders GROUP BY status",
        "SELECT name, email FROM customers WHERE newsletter = 1",
        "UPDATE products SET price = price * 1.1 WHERE category = 'Garden'",
        "DELETE FROM orders WHERE status = 'cancelled'",
    ),
    "library": (
        "SELECT title, copies FROM books ORDER BY title",
        "SELECT country, COUNT(*) FROM authors GROUP BY country",
        "SELECT * FROM loans WHERE returned = 0 ORDER BY due LIMIT 10",
        "SELECT name, card FROM members WHERE city = 'Oslo'",
        "UPDATE books SET copies = copies + 1 WHERE year > 2000",
        "DELETE FROM loans WHERE returned = 1",
    ),
    "staff": (
        "SELECT name, salary FROM employees ORDER BY salary DESC LIMIT 5",
        "SELECT d.name, COUNT(*) FROM employees e JOIN departments d ON d.id = e.department_id GROUP BY d.name",
        "SELECT title FROM projects WHERE finished = 0",
        "SELECT AVG(salary) FROM employees",
        "UPDATE employees SET salary = salary + 500 WHERE salary < 40000",
        "DELETE FROM projects WHERE finished = 1",
    ),
}


def write_databases(folder: Path) -> None:
    """Write `NAME.db` for each database into a folder."""
    for name, (schema, rows) in _DATABASES.items():
        with closing(sqlite3.connect(folder / f"{name}.db")) as database, database:
            database.executescript(schema)
            for table, values in rows(Random(f"database {name}")):
                marks = ", ".join("?" * len(values))
                database.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", values)

"""What the shop sells, and to whom."""

SHELVES = {
    "Kitchen": {
        "Pots and pans": ("Cast iron pan", "Copper saucepan", "Stock pot", "Griddle"),
        "Knives": ("Bread knife", "Paring knife", "Knife block"),
        "Coffee and tea": ("Coffee grinder", "Pour-over set", "Teapot", "Milk jug"),
    },
    "Garden": {
        "Tools": ("Hand trowel", "Pruning shears", "Garden fork", "Leaf rake"),
        "Watering": ("Watering can", "Garden hose", "Rain gauge"),
        "Seeds": ("Tomato seeds", "Basil seeds", "Wildflower mix"),
    },
    "Living": {
        "Lighting": ("Desk lamp", "Paper lantern", "Floor lamp", "Candle holder"),
        "Textiles": ("Wool blanket", "Linen cushion", "Tea towel", "Bath mat"),
        "Walls": ("Wall clock", "Picture frame", "Round mirror"),
    },
    "Desk": {
        "Paper": ("Notebook A5", "Sketch block", "Wall planner"),
        "Writing": ("Fountain pen", "Pencil set", "Ink bottle"),
    },
}
MATERIALS = ("Oak", "Steel", "Clay", "Cotton", "Brass", "Recycled glass", "Bamboo")
SENTENCES = (
    "Made in a small workshop and meant to last.", "Easy to clean and pleasant to hold.",
    "A present that is always welcome.", "Comes in a box of recycled cardboard.", "Five years of warranty.",
    "The lid closes tightly and keeps the warmth.", "Our best seller since 2019.", "Dishwasher safe.",
)  # fmt: skip
REVIEWS = (
    ("Just what I wanted", "Arrived in two days and looks better than in the picture."),
    ("Good value", "Solid, simple and not too heavy. I would buy it again."),
    ("Smaller than expected", "Nice finish, but check the measurements before you order."),
    ("A little noisy", "It does its work, though it could be quieter in the morning."),
    ("Lovely present", "My sister uses it every day."),
)
PEOPLE = (
    ("Marta", "Lindgren", "marta@example.org", "Storgatan 4", "Uppsala", "75220", "SE"),
    ("Tomas", "Adler", "tomas@example.org", "Lindenweg 18", "Graz", "8010", "AT"),
    ("Chloe", "Besson", "chloe@example.org", "12 rue des Lilas", "Nantes", "44000", "FR"),
    ("Nuno", "Ferreira", "nuno@example.org", "Rua do Sol 77", "Porto", "4000-001", "PT"),
)
COUNTRIES = (("SE", "Sweden"), ("AT", "Austria"), ("FR", "France"), ("PT", "Portugal"), ("DE", "Germany"))

"""A django-oscar shop with goods, customers and orders. Runs in the virtual environment of django-oscar."""

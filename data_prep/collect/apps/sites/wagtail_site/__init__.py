"""The website of a small museum, kept with wagtail. Runs in the virtual environment of wagtail."""

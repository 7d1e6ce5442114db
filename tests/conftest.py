"""What tests of several rooms share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("viscritic", deadline=None)  # the machine may be busy: no test is about time
settings.load_profile("viscritic")


@pytest.fixture(scope="session")
def screenagent_dir() -> Path:
    """The ScreenAgent sample: the folder that holds `train/`."""
    beside = Path(__file__).parents[2] / "shared" / "screenagent"
    folder = Path(os.environ.get("VISCRITIC_SCREENAGENT", beside))
    if not (folder / "train").is_dir():
        pytest.skip(f"the ScreenAgent sample is not at {folder}; set VISCRITIC_SCREENAGENT to the folder with train/")
    return folder

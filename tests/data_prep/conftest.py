from __future__ import annotations

import pytest
from made_screens import make_trajectories

from viscritic.trajectory import Trajectory


@pytest.fixture(scope="session")
def trajectories(tmp_path_factory) -> list[Trajectory]:
    """Nine trajectories in three applications; "calc0" and "web0" begin at the same desktop."""
    return make_trajectories(tmp_path_factory.mktemp("screens"))

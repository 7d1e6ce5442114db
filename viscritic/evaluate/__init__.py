"""How good a critic is: figures, baselines and calibration on samples, from predictions alone (no torch)."""

from importlib.util import find_spec

from viscritic.errors import MissingExtraError

for _module in ("sklearn", "skimage", "scipy", "matplotlib"):
    if find_spec(_module) is None:
        raise MissingExtraError("viscritic.evaluate", "train", _module)

from viscritic.evaluate.baselines import BASELINES, Baseline, run_baselines  # noqa: E402
from viscritic.evaluate.calibration import (  # noqa: E402
    choose_threshold,
    fit_class_temperature,
    fit_temperature,
    unsure_band,
)
from viscritic.evaluate.metrics import Report, evaluate  # noqa: E402
from viscritic.evaluate.predictions import Predictions  # noqa: E402
from viscritic.evaluate.report import compare  # noqa: E402

__all__ = [
    "BASELINES",
    "Baseline",
    "Predictions",
    "Report",
    "choose_threshold",
    "compare",
    "evaluate",
    "fit_class_temperature",
    "fit_temperature",
    "run_baselines",
    "unsure_band",
]

"""Systems that learn: an exported bundle as agents call it, and a checkpoint in torch."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.progress import track
from scipy.special import expit, softmax

from viscritic.evaluate.calibration import choose_threshold, fit_temperature
from viscritic.evaluate.predictions import Predictions
from viscritic.runtime import Critic, Transition
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.trajectory import OUTCOMES


def judge_with_bundle(
    source: str | os.PathLike[str] | None, samples: Sequence[Sample], folder: SampleFolder, *, frames: bool = True
) -> tuple[Predictions, float]:
    """What `Critic.score_many` says of the samples, and the bundle's threshold.

    Args:
        source: as `Critic.load` takes it.
        frames: show it the burst and idle screens too, not pre and post alone.
    """
    critic = Critic.load(source)
    transitions = (
        Transition(
            pre=folder.screen_path(s.pre), post=folder.screen_path(s.post), action=s.action,
            instruction=s.instruction, task=s.task,
            burst=[folder.screen_path(name) for name in s.burst if frames],
            idle=[folder.screen_path(name) for name in s.idle if frames],
        )
        for s in track(samples, description="Judging (bundle)", transient=True)
    )  # fmt: skip
    verdicts = critic.score_many(transitions)
    predictions = Predictions(
        ids=tuple(s.id for s in samples),
        success=np.array([v.success for v in verdicts]),
        progress=np.array([v.progress for v in verdicts]),
        outcome_probs=np.array([[v.outcome_probs[name] for name in OUTCOMES] for v in verdicts]),
    )
    return predictions, critic.config.decision.threshold


def judge_with_checkpoint(
    checkpoint: str | os.PathLike[str],
    chosen: Sequence[Sample],
    folder: SampleFolder,
    cache: Path,
    fit: SampleFolder | None = None,
) -> tuple[Predictions, float]:
    """What a torch checkpoint says.

    Args:
        chosen: the samples to judge, all of the folder.
        cache: where arrays cut from the screens are kept.
        fit: the folder whose validation split gives temperature and threshold, and whose training split tells which
            outcomes were learned; `folder` where it is None.
    """
    from viscritic.model.critic import load_checkpoint  # noqa: PLC0415  # torch: only where it is asked for
    from viscritic.train.arrays import open_arrays  # noqa: PLC0415
    from viscritic.train.predict import predict  # noqa: PLC0415

    model = load_checkpoint(checkpoint)
    fit = folder if fit is None else fit
    fitted = list(fit)
    store = open_arrays(fit, model.config.preprocess, cache, model.reader)
    validation = [i for i, s in enumerate(fitted) if s.split == "val"]
    known = predict(model, fitted, store, validation)
    labels = np.array([fitted[i].success >= 0.5 for i in validation])
    temperature = fit_temperature(known.success, labels)
    samples = list(folder)
    row = {s.id: i for i, s in enumerate(samples)}
    if fit is not folder:
        store = open_arrays(folder, model.config.preprocess, cache, model.reader)
    raw = predict(model, samples, store, [row[s.id] for s in chosen])
    success = expit(raw.success / temperature)
    trained = {s.outcome for s in fitted if s.split == "train"}
    failures = [i for i, name in enumerate(OUTCOMES) if name != "success" and name in trained]
    probabilities = np.zeros((len(chosen), len(OUTCOMES)))
    probabilities[:, failures] = (1 - success)[:, None] * softmax(raw.outcome[:, failures], axis=1)
    probabilities[:, OUTCOMES.index("success")] = success
    predictions = Predictions(tuple(s.id for s in chosen), success, raw.progress, probabilities)
    return predictions, choose_threshold(expit(known.success / temperature), labels)

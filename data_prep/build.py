"""From a reader's trajectories to a folder of samples, in memory that does not grow with the samples.

1. **Look.** Each trajectory is read, its screens are stored under their hashes, and its pixels are looked at: here, in
   other processes or on a cluster (`data_prep.looking`, `data_prep.engines`). What was seen goes to disk: features of
   the screens (`data_prep.feature_store`), the trajectory itself (`data_prep.spool`).
2. **Catalogue.** Trajectories that share a screen are grouped, and the groups dealt to splits (`data_prep.catalogue`).
3. **Make.** Three passes over the spool, which decode nothing: which screens can be lent (`data_prep.donors`), which
   drafts there are (`data_prep.selection`), and their rows.

All of it happens in a hidden folder beside the place of the samples. A build that was killed goes on from there, after
the last trajectory that was looked at, and ends with the same bytes; a build of other settings begins anew.
"""

from __future__ import annotations

import fcntl
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from data_prep.builder import Builder
from data_prep.config import BuildConfig
from data_prep.engines import EngineConfig, open_engine
from data_prep.feature_store import FeatureStore
from data_prep.progress import progress_bar
from data_prep.similarity import import_ssim
from data_prep.spool import Spool
from viscritic.errors import DataError, VisCriticError
from viscritic.files import write_json
from viscritic.sample_folder import SCREENS
from viscritic.sample_writer import check_place, take_place
from viscritic.trajectory import Trajectory

_FORMAT: Final = 1  # of the unfinished folder; another one is not continued


def build_samples(
    trajectories: Iterable[Trajectory],
    out: Path | str,
    config: BuildConfig,
    *,
    command: str = "data_prep.build.build_samples",
    progress: bool = True,
    engine: EngineConfig = EngineConfig(),  # noqa: B008  # frozen
    strict: bool = False,
) -> dict[str, Any]:
    """Make the samples of all trajectories and write them to the folder `out`.

    The rows depend on the trajectories and `config` alone: the same bytes on every machine, with every engine, in one
    go or continued after a kill.

    Args:
        trajectories: what a reader yields, taken one at a time.
        out: the folder; an older sample folder there is replaced, anything else refused.
        command: what the manifest says made it.
        progress: show a bar on standard error.
        engine: where the screens are looked at.
        strict: a screen that cannot be read is an error; otherwise the steps around it are left out and told of.

    Returns:
        The manifest.

    Raises:
        DataError: no usable trajectory, two of one name, or a place that is taken; an unreadable screen where `strict`.
        MissingExtraError: scikit-image is not installed, or Ray where it is asked for.
    """
    check_place(out)
    import_ssim()  # an hour of reading must not end in "not installed"
    place = Path(out).absolute()
    work = place.with_name(f".{place.name}.building")
    with _locked(work):
        try:
            _begin(work, asdict(config))
            with (
                Spool(work / "trajectories.jsonl") as spool,
                FeatureStore(work / "features.bin") as store,
                progress_bar(progress) as bar,
            ):
                builder = Builder(work / "folder", spool, store, config, bar)
                with open_engine(engine) as run:
                    builder.look(trajectories, run, strict)
                manifest = builder.make(command)
            take_place(work / "folder", place)
        except VisCriticError:  # a bad input; what a kill or a full disk leaves is continued
            shutil.rmtree(work)
            raise
        shutil.rmtree(work)
    return manifest


@contextmanager
def _locked(work: Path) -> Iterator[None]:
    """Keep a second build of the same folder out, as long as this process lives."""
    lock = work.with_suffix(".lock")
    try:
        work.parent.mkdir(parents=True, exist_ok=True)
        opened = lock.open("w")
    except OSError as error:  # its message would name the lock
        raise DataError(f"nothing can be written in {work.parent}: {error.strerror}") from error
    with opened as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise DataError(f"another process builds there at the moment (it holds {lock})") from error
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def _begin(work: Path, configuration: Mapping[str, Any]) -> None:
    """Make the unfinished folder, or keep the one of an earlier build with the same settings."""
    settings = {"format": _FORMAT, "configuration": configuration}
    note = work / "build.json"
    with suppress(OSError, ValueError):
        if json.loads(note.read_text("utf-8")) == json.loads(json.dumps(settings)) and (work / "folder").is_dir():
            return
    shutil.rmtree(work, ignore_errors=True)
    (work / "folder" / SCREENS).mkdir(parents=True)
    write_json(note, settings)

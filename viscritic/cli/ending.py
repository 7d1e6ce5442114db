"""How programs end: bad input is one line on standard error and exit code 2, here and in `scripts`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

from rich.console import Console

from viscritic.errors import MissingExtraError, VisCriticError

BAD_INPUT: Final = 2


@contextmanager
def bad_input_told(*kinds: type[Exception]) -> Iterator[None]:
    """Turn the package's errors, and what the system says of files, into one line and exit code 2.

    Args:
        kinds: further errors that bad input ends in, such as those of a library that reads settings.

    Anything else is a defect of ours, and ends in a traceback and exit code 1.
    """
    told: tuple[type[Exception], ...] = (VisCriticError, OSError, *kinds)
    try:
        yield
    except BrokenPipeError:  # the reader of a pipe has gone; nothing is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except told as error:
        _end(str(error))


@contextmanager
def extra_named(extra: str) -> Iterator[None]:
    """Around what a script imports beyond the runtime: what is missing ends in one line that names the extra."""
    with bad_input_told():
        try:
            yield
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] in ("viscritic", "data_prep"):
                raise  # a defect of ours
            raise MissingExtraError(Path(sys.argv[0]).name, extra, error.name or "?") from error


def _end(message: str) -> NoReturn:
    line = " ".join(message.split())
    Console(stderr=True, soft_wrap=True, highlight=False).print(f"error: {line}", markup=False)
    sys.exit(BAD_INPUT)

"""An audit as one HTML file that needs nothing else: no server, no network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from functools import cache
from importlib import resources
from string import Template
from typing import Any, Final

from viscritic.heatmap import heat_colours

_SCRIPTS: Final = ("elements.js", "compare.js", "verdict.js", "viewer.js")
_OFFERED: Final = (
    "{ make, makeSvg, createCompare, levelsOf, describeVerdict, describeFigures, drawMarks, showAudit, themeButton }"
)


@cache
def viewer_style() -> str:
    """The style that reports and the server's page share."""
    return _read("viewer.css")


@cache
def viewer_script() -> str:
    """The script that reports and the server's page share, with the colours of the package's heat maps in it."""
    colours = heat_colours().tobytes().hex()
    body = "\n".join([f'const HEAT_COLOURS = "{colours}";', *map(_read, _SCRIPTS), f"return {_OFFERED};"])
    return f'"use strict";\nconst VisCritic = (() => {{\n{body}\n}})();'


def report_html(audit: dict[str, Any]) -> str:
    """The page.

    Args:
        audit: what `describe_audit` gave, with its screens.

    Scripts and pictures are in the file; its content security policy allows that one script and no connection. What
    strangers wrote stands in a data block and reaches the page as text only.
    """
    script = viewer_script() + "\n" + _read("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    data = json.dumps(audit, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    title = html.escape(f"Audit of {audit['name']}")
    return Template(_read("report.html")).substitute(
        title=title, style=viewer_style(), script=script, script_hash=digest, data=_printable(data)
    )


def _printable(text: str) -> str:
    """Half a character, as strangers may have written it, has no UTF-8 form."""
    return text.encode("utf-8", "replace").decode("utf-8")


@cache
def _read(name: str) -> str:
    return resources.files("viscritic.audit").joinpath("viewer", name).read_text("utf-8")

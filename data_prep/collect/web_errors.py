"""Pages that servers send when they fail, in the looks of several kinds of server."""

from __future__ import annotations

from random import Random
from typing import Final

_NAMES: Final = {404: "Not Found", 500: "Internal Server Error"}
_SENTENCES: Final = {
    404: ("The page you are looking for could not be found.", "The requested URL was not found on this server."),
    500: ("Something went wrong on our side.", "The server encountered an error and could not complete your request."),
}


def error_page(status: int, seed: int) -> str:
    """HTML of an error page; the seed chooses its look and words."""
    random = Random(seed)
    name, sentence = _NAMES[status], random.choice(_SENTENCES[status])
    accent = random.choice(("#2563eb", "#b91c1c", "#0f766e", "#7c3aed", "#c2410c"))
    return random.choice(_LOOKS).format(status=status, name=name, sentence=sentence, accent=accent)


_LOOKS: Final = (
    "<html><head><title>{status} {name}</title></head><body><center><h1>{status} {name}</h1></center><hr>"
    "<center>nginx</center></body></html>",
    "<html><head><title>{status} {name}</title></head><body style='font-family:serif'><h1>{name}</h1>"
    "<p>{sentence}</p><hr><address>Apache Server at localhost</address></body></html>",
    "<body style='margin:0;font:18px Helvetica,Arial,sans-serif;background:#f4f5f7;color:#333;display:grid;"
    "place-items:center;height:100vh'><div style='text-align:center'><div style='font-size:96px;font-weight:bold;"
    "color:{accent}'>{status}</div><h2>{name}</h2><p>{sentence}</p><a href='/' style='color:{accent}'>Back to home"
    "</a></div></body>",
    "<body style='margin:0;font:15px monospace'><div style='background:#ffc;padding:16px;border-bottom:1px solid #ccc'>"
    "<h2 style='margin:0'>{name} <small>({status})</small></h2></div><pre style='padding:16px'>Traceback (most recent "
    'call last):\n  File "app/views.py", line 42, in dispatch\n    return handler(request)\nRuntimeError: {sentence}'
    "</pre></body>",
    "<body style='margin:40px;font:16px Segoe UI,Tahoma,sans-serif;color:#444'><h1 style='color:{accent};font-weight:"
    "normal'>Server Error in '/' Application.</h1><hr><h3>HTTP Error {status}: {name}</h3><p>{sentence}</p></body>",
    "<body style='margin:0;background:#111827;color:#e5e7eb;font:17px system-ui,sans-serif;padding:12vh 12vw'><p style="
    "'color:{accent}'>Error {status}</p><h1 style='font-size:44px;margin:0'>{sentence}</h1><p>Try again in a few "
    "minutes, or contact support.</p></body>",
)

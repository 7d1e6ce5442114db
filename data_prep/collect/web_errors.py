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
    """HTML of an error page, of 401 a page that asks to sign in; the seed chooses its look and words."""
    random = Random(seed)
    if status == 401:
        return _sign_in(random)
    name, sentence = _NAMES[status], random.choice(_SENTENCES[status])
    accent = random.choice(("#2563eb", "#b91c1c", "#0f766e", "#7c3aed", "#c2410c"))
    return random.choice(_LOOKS).format(status=status, name=name, sentence=sentence, accent=accent)


def _sign_in(random: Random) -> str:
    accent = random.choice(("#2563eb", "#0f766e", "#7c3aed", "#111827"))
    user, enter = (
        random.choice(("E-mail", "Username", "Email address")),
        random.choice(("Sign in", "Log in", "Continue")),
    )
    words = random.choice(_ASKING)
    box = random.choice((
        "max-width:340px;margin:12vh auto;padding:28px;background:#fff;border-radius:8px;box-shadow:0 4px 24px #0002",
        "margin:40px;max-width:420px",
    ))  # fmt: skip
    field = "<p><label>{}<br><input type='{}' style='width:100%;padding:8px;box-sizing:border-box'></label></p>"
    return (
        f"<title>{enter}</title><body style='margin:0;font:16px Arial,sans-serif;background:"
        f"{random.choice(('#f1f5f9', '#fff', '#e2e8f0'))}'><div style='{box}'><h2>{enter}</h2><p>{words}</p>"
        f"{field.format(user, 'text')}{field.format('Password', 'password')}"
        f"<button style='background:{accent};color:#fff;border:0;padding:9px 18px;font:inherit'>{enter}</button></div>"
    )


_ASKING: Final = (
    "Please sign in to continue.", "Your session has expired.", "You need an account to see this page.",
    "This page is for members only.",
)  # fmt: skip
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

"""Runs sqlite-web with a way in that asks for no password, and with messages that stay until the next page.

Runs in the virtual environment of sqlite-web. A message that goes by itself would be an effect of no action.
"""

from datetime import datetime

from flask import Response, redirect, request, session
from sqlite_web.sqlite_web import SqliteDataSet, app, get_dataset, main

# The first page tells when the file was written: every replay writes it anew.
SqliteDataSet.created = SqliteDataSet.modified = datetime(2025, 5, 14, 9, 41)


@app.route("/static/enter")  # below /static, where it asks for no password
def enter() -> Response:
    """Log in, and go on to the page that is asked for."""
    session["authorized"] = True
    return redirect(request.args["next"])


@app.before_request
def hurry() -> None:
    """Wait for no disk: nothing here is worth it."""
    get_dataset()._database.pragma("synchronous", 0)


@app.after_request
def keep_messages(response: Response) -> Response:
    """Take the timer of the messages out of the page's script."""
    if request.path.endswith("js/app.js"):
        response.direct_passthrough = False
        response.set_data(response.get_data().replace(b"}, 4000);", b"}, 1e9);"))
        response.headers["Cache-Control"] = "no-store"
    return response


main()

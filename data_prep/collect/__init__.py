"""Collecting transitions from real GUIs, labelled by what the application itself says.

An `Application` runs in a `Driver` (a browser, a desktop). From one state a right action and several wrong ones are
played, each from a replay of that state; `judge` names the outcome from application state, network events and hits,
never from pixels. Needs the extra `collect`.
"""

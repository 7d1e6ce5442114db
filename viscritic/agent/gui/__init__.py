"""The gui-control agent: a model that sees the screen and answers with one JSON action, verified at every step."""

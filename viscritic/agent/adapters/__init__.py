"""Doors into the loops that people run; each file imports its package only when it is used."""

"""Audits of whole trajectories: every step's verdict, the first failing step, loops, no-ops, steps that led nowhere.

audit.py       judges the steps of a trajectory
bulk.py        judges many trajectories, here or in other processes or over a Ray cluster
places.py      which screens are the same
findings.py    no-ops, loops, detours
pictures.py    the screens, made small, for reports
document.py    an audit as JSON, described by audit.schema.json
junit.py       an audit as JUnit XML, for continuous integration
report.py      an audit as one HTML file; viewer/ holds its style and script, which the server's page uses as well
archive.py     trajectories that come as a zip
"""

from viscritic.audit.audit import AuditedStep, AuditedTrajectory, Auditor

__all__ = ["AuditedStep", "AuditedTrajectory", "Auditor"]

"""The layouts of trajectories, as an option's values: named here so that `--help` needs nothing of `data_prep`."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """Layouts of trajectories that can be read; `data_prep.sources.SOURCES` holds their readers."""

    mind2web = "mind2web"
    multimodal_mind2web = "multimodal-mind2web"
    aitw = "aitw"
    aitz = "aitz"
    androidcontrol = "androidcontrol"
    androidworld = "androidworld"
    osworld = "osworld"
    webarena = "webarena"
    playwright = "playwright"
    browsergym = "browsergym"
    agentrewardbench = "agentrewardbench"
    gui_odyssey = "gui-odyssey"
    cradle = "cradle"
    screenagent = "screenagent"
    droidbot = "droidbot"
    viscritic = "viscritic"
    folder = "folder"

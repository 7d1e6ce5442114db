"""Attention as a picture over the screen."""

from viscritic.heatmap.colours import heat_colours
from viscritic.heatmap.overlay import draw_heatmap

__all__ = ["draw_heatmap", "heat_colours"]

"""Trajectories in, labelled samples out."""

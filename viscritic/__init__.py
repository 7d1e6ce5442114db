"""VisCritic: did the GUI action work? Judged from the screens before and after."""

"""One reader per data set, each yielding `viscritic.trajectory.Trajectory`."""

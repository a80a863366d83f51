"""Trajectories as figures, one kind a file.  Matplotlib is imported when a figure is made."""

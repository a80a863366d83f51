"""One file a scenario; each has a RECIPE."""

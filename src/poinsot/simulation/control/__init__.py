"""Controllers in a run: their ticks, in Python or compiled, and what they held."""

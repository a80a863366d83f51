"""Diagnostics of trajectories: what drifted, by how much, how fast."""

"""From trajectories to statements: what drifted, how much, how fast."""

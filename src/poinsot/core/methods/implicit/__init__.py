"""What implicit methods share: stages in lanes, when sweeps end, sums without accumulated rounding."""

"""Beckman (2023): geometric discrete variational dynamics, part 1."""

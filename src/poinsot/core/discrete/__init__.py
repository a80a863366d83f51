"""Discrete mechanics of a tree: what the variational integrators are made of."""

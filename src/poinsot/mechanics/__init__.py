"""Mechanics of a mechanism at one state: dynamics, impulses, loop constraints, linear models."""

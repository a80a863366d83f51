"""Crouch-Grossman on SE(3): the repository geometric_rigid_body_dynamics (seed 003)."""

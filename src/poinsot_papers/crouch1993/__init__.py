"""Crouch and Grossman (1993) on SE(3), as in the repository geometric_rigid_body_dynamics."""

"""Algorithms for trees: kinematics, forward and inverse dynamics, mass matrix, Jacobian, totals."""

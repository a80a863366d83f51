"""Integrators of one body, on a spherical joint or free."""

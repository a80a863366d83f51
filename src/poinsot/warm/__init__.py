"""Compiling kernels before they are needed: `poinsot warm`, and wheels with their kernels inside."""

"""The user's Python functions, compiled: forces on one body, forces on trees, potentials."""

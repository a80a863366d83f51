"""Vectors, matrices and Lie groups as tuples, generic over the number type."""

"""Algorithms on trees, one file each."""

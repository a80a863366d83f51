"""Scenarios: a mechanism, a start and how to run it, from TOML files and from recipes in Python."""

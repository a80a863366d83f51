"""Scenarios, one per file; each file has a RECIPE."""

"""Tuning of templates from wanted poles, and the poles that a loop has."""

"""Inputs as control sees them: what they reach, and how they follow their commands."""

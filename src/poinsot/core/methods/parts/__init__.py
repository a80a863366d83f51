"""Functions that methods share."""

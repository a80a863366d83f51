"""Forces as data, one file for each kind, and their table."""

"""Forces as data, one a file, and their table."""

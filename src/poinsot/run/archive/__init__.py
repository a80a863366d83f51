"""Archives of runs: the file format, what its blocks hold, writing and reading."""

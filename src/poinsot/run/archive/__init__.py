"""Archives of runs: the file format, the contents of its blocks, writing and reading."""

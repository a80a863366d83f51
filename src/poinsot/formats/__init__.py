"""Files and plain data to and from a model."""

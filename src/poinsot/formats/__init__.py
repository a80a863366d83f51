"""Files and data from and to a model."""

"""Running a mechanism: `simulate`, and what it is made of."""

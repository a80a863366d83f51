"""Running a mechanism: `simulate` and its parts."""

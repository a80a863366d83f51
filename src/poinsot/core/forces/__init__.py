"""Forces as data, one file a kind, and the seam to the user's functions."""

"""Methods for any tree, one file each."""

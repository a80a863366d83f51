"""The compiled core: numbers in, numbers out; no names, no files, no exceptions."""

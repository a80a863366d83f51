"""Loops: scalar rows that keep two links of a tree together."""

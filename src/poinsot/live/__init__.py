"""Motions that can be changed while they go on: a page in a browser, fed by a running simulation."""

"""Straight-line programs: equations as data, with derivatives, traced from functions, solved."""

"""Ensembles: many members of one problem, each with the bits of its own run (`ps.ensemble`)."""

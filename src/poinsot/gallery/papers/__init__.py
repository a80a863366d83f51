"""Experiments of the papers that Poinsot stands on: one folder a paper, one file an experiment."""

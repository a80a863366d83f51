"""Experiments that check the claims of papers: one folder per paper, one file per experiment."""

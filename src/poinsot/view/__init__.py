"""Runs as pages: one HTML file that opens anywhere, without a network."""

"""Runs that go on from a file, or are made again from one: resume and replay."""

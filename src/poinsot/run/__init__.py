"""The run: samples of a motion and what they say; its provenance; its archive."""

"""Events in a run: where they are, what they change, and loops that they open and close."""

"""Small dense solvers; they return where they failed, and never raise."""

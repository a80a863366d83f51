"""Small dense solvers, which return a mask of failures and never raise."""

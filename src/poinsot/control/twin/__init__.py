"""A simulated twin of a real vehicle: what it measures, what it believes, and how its inputs follow."""

"""SO(3), SE(3) and unit quaternions on NumPy arrays with any leading axes."""

"""Loop constraints: point, angle and distance, their table and their Jacobian."""

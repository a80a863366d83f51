"""Loop constraints: point, angle, distance; their table and Jacobian."""

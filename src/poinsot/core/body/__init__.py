"""One rigid body about a fixed point or in flight: records, load, free flight."""

"""One rigid body with a fixed point or in flight: records, loads, free motion, time loop."""

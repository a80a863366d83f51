"""Trees of bodies and joints: records, dynamics, joints, forces, loops, time loop."""

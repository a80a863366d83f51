"""What users write: bodies, shapes, joints, forces, loops, controllers, mechanisms and states."""

"""What users write: bodies, joints, forces, mechanisms; and how it becomes numbers for the core."""

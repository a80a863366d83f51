"""Konz (2024): energy-based modeling and tracking control of rigid body systems (chapters 1 to 3)."""

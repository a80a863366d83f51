"""Chains of equal prisms of the N-body pendulum thesis (`movingframe`): 2 m long, 0.2 m wide, 50 kg."""

from math import cos, sin
from typing import Any

from poinsot.model.shapes.solids import Box

SIZE, MASS = (0.2, 0.2, 2.0), 50.0


def bodies(n: int, joint: Any = "spherical") -> dict[str, dict[str, Any]]:
    """Return n links, each hanging from the lower end of the one before, the first from the origin."""
    return {
        f"link{k}": {
            "mass": MASS,
            "shape": Box(SIZE),
            "joint": joint,
            "parent": f"link{k - 1}" if k > 1 else "world",
            "at": (0.0, 0.0, -SIZE[2] / 2 if k > 1 else 0.0),
            "body_at": (0.0, 0.0, -SIZE[2] / 2),
        }
        for k in range(1, n + 1)
    }


def bent(n: int, angle: float) -> dict[str, dict[str, Any]]:
    """Return a start at rest with every joint rotated by an angle about x."""
    rotation = (cos(angle / 2), sin(angle / 2), 0.0, 0.0)
    return {f"link{k}": {"rotation": rotation} for k in range(1, n + 1)}

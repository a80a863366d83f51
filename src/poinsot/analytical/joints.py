"""Joints of `rigid_bodies` and `moving_frame`: pose, rates of the coordinates, motion subspace.

They are safe for the complex step.

A joint's pose is a rotation R and a shift r in the parent's joint frame; its relative twist in the child's
frame is S ξ with a constant S, angular part first.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from poinsot.analytical import spaces
from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.operators import Array, wed

Pose = tuple[Array, Array]


@dataclass(frozen=True)
class JointKind:
    """A joint: ν coordinates, n velocities; q -> (R, r), q -> dq/dt per velocity, axis -> S."""

    size: int
    freedom: int
    absolute: bool  # whether velocities relative to the world are possible
    zero: Array
    pose: Callable[[Array, Array], Pose]
    rates: Callable[[Array], Array]
    subspace: Callable[[Array], Array]
    constraints: Callable[[Array], Array]


def rotation_about(c: Array, s: Array, a: Array) -> Array:
    """Return the rotation about a by the angle with cosine c and sine s."""
    return np.outer(a, a) * (1 - c) + c * np.eye(3) + s * wed(a)


def of_quaternion(u: Array) -> Array:
    """Return R(u), quadratic in u (not divided by |u|²)."""
    w, x, y, z = u
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


BODY, MATRIX, QUATERNION = spaces.rigid_body(), spaces.rotation_matrix(), spaces.unit_quaternion()
CIRCLE, LINE = spaces.circle(1.0), spaces.minimal(1)
ORIGIN, UPRIGHT = np.zeros(3), np.eye(3)
ROTATE = np.vstack([np.eye(3), np.zeros((3, 3))])


def _along(a: Array) -> Array:
    return np.concatenate([a, ORIGIN])[:, None]


def _turn(c: Array, s: Array, a: Array) -> Pose:
    return rotation_about(c, s, a), ORIGIN


def _shift(a: Array) -> Array:
    return np.concatenate([ORIGIN, a])[:, None]


def _kind(space: Coordinates, zero: Array, freedom: int, pose: Any, subspace: Any) -> JointKind:
    """Return a joint with the coordinates of a space."""
    return JointKind(space.size, freedom, True, zero, pose, space.A, subspace, space.constraints)


START = np.concatenate([ORIGIN, np.eye(3).ravel()])
UNIT = np.array([1.0, 0, 0, 0])
JOINTS = {
    "free": _kind(BODY, START, 6, lambda q, a: (spaces.matrix(q[3:]), q[:3]), lambda a: np.eye(6)),
    "spherical": _kind(MATRIX, START[3:], 3, lambda q, a: (spaces.matrix(q), ORIGIN), lambda a: ROTATE),
    "quaternion": _kind(QUATERNION, UNIT, 3, lambda q, a: (of_quaternion(q), ORIGIN), lambda a: ROTATE),
    "revolute": _kind(LINE, np.zeros(1), 1, lambda q, a: _turn(np.cos(q[0]), np.sin(q[0]), a), _along),
    "circle": _kind(CIRCLE, UNIT[:2], 1, lambda q, a: _turn(q[0], q[1], a), _along),
}
_SLIDE = _kind(LINE, np.zeros(1), 1, lambda q, a: (UPRIGHT, a * q[0]), _shift)
JOINTS["prismatic"] = replace(_SLIDE, absolute=False)

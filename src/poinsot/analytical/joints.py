"""Joints of `tree` and `moving_frame`: pose, rates of the coordinates, motion subspace; complex-step safe.

A joint's pose is a rotation R and a shift r in the parent's joint frame; its relative twist in the child's
frame is S ξ with a constant S, angular part first.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poinsot.analytical import spaces
from poinsot.analytical.operators import Array, wed

Pose = tuple[Array, Array]


@dataclass(frozen=True)
class Joint:
    """A joint: ν coordinates, n velocities; q -> (R, r), q -> dq/dt per velocity, axis -> S."""

    size: int
    freedom: int
    absolute: bool  # whether velocities relative to the world are possible
    zero: Array
    pose: Callable[[Array, Array], Pose]
    rates: Callable[[Array], Array]
    subspace: Callable[[Array], Array]
    constraints: Callable[[Array], Array]


def _free(q: Array) -> Array:
    """Return no constraint."""
    return np.zeros(0, dtype=q.dtype)


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


def _shift(a: Array) -> Array:
    return np.concatenate([ORIGIN, a])[:, None]


JOINTS = {
    "free": Joint(
        12,
        6,
        True,
        np.concatenate([ORIGIN, np.eye(3).ravel()]),
        lambda q, a: (spaces.matrix(q[3:]), q[:3]),
        BODY.A,
        lambda a: np.eye(6),
        BODY.constraints,
    ),
    "spherical": Joint(
        9,
        3,
        True,
        np.eye(3).ravel(),
        lambda q, a: (spaces.matrix(q), ORIGIN),
        MATRIX.A,
        lambda a: ROTATE,
        MATRIX.constraints,
    ),
    "quaternion": Joint(
        4,
        3,
        True,
        np.array([1.0, 0, 0, 0]),
        lambda q, a: (of_quaternion(q), ORIGIN),
        QUATERNION.A,
        lambda a: ROTATE,
        QUATERNION.constraints,
    ),
    "revolute": Joint(
        1,
        1,
        True,
        np.zeros(1),
        lambda q, a: (rotation_about(np.cos(q[0]), np.sin(q[0]), a), ORIGIN),
        LINE.A,
        _along,
        _free,
    ),
    "circle": Joint(
        2,
        1,
        True,
        np.array([1.0, 0]),
        lambda q, a: (rotation_about(q[0], q[1], a), ORIGIN),
        CIRCLE.A,
        _along,
        CIRCLE.constraints,
    ),
    "prismatic": Joint(
        1,
        1,
        False,
        np.zeros(1),
        lambda q, a: (UPRIGHT, a * q[0]),
        LINE.A,
        _shift,
        _free,
    ),
}

"""What the tests of `ps.analytical` share: random rotations, poses and points, made without library code."""

from typing import Any

import numpy as np

EPSILON = np.zeros((3, 3, 3))  # Levi-Civita
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    EPSILON[_i, _j, _k], EPSILON[_j, _i, _k] = 1, -1


def hat(x: Any) -> Any:
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def rotation(rng: np.random.Generator) -> Any:
    """From a random unit quaternion."""
    q = rng.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def pose(rng: np.random.Generator) -> Any:
    G = np.eye(4)
    G[:3, :3], G[:3, 3] = rotation(rng), rng.normal(size=3)
    return G


def turned(R: Any, x: Any) -> Any:
    """R exp(hat x), by Rodrigues' formula."""
    a = np.linalg.norm(x)
    X = hat(x)
    if a < 1e-8:
        return R @ (np.eye(3) + X + X @ X / 2)
    return R @ (np.eye(3) + np.sin(a) / a * X + (1 - np.cos(a)) / a**2 * X @ X)

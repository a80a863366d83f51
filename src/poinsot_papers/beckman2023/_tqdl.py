"""The quaternion library of the notebook and its RK4 scheme in plain Python, with its data.

    k1 = h f(x0),  k2 = h f(x0 + k1/2),  k3 = h f(x0 + k2/2),  k4 = h f(x0 + k3)
    x1 = x0 + (k1 + 2 k2 + 2 k3 + k4)/6                                                (1)
    dw/dt = J^-1 (R(q0)^T tau - w x J w),  with q0 and tau constant over the step      (2)
    dq/dt = q (0, w0)/2,                   with w0 constant over the step              (3)

(1) is applied to (2) and to (3) one after the other, so that neither depends on the change of the other.  The
coupled scheme applies (1) to both at once, with q and tau(q) of the stage in (2) and w of the stage in (3).
"""

from collections.abc import Callable, Iterator
from math import cos, hypot, pi, sin

Vector = tuple[float, ...]
MOMENTS: Vector = (0.0801587, 0.0825397, 0.00396825)  # of the body that the notebook calls dzhanybekhov
ROTATION: Vector = (cos(pi / 8), 0.0, sin(pi / 8), 0.0)  # by 45 degrees about y
SPIN: Vector = (6.0, 0.01, 0.0)
ZERO: Vector = (0.0, 0.0, 0.0)


def rk4(f: Callable[[Vector], Vector], x0: Vector, h: float) -> Vector:
    """Make one step of RK4, (1)."""
    k1 = f(x0)
    k2 = f(tuple([x + h / 2 * k for x, k in zip(x0, k1, strict=True)]))
    k3 = f(tuple([x + h / 2 * k for x, k in zip(x0, k2, strict=True)]))
    k4 = f(tuple([x + h * k for x, k in zip(x0, k3, strict=True)]))
    every = zip(x0, k1, k2, k3, k4, strict=True)
    return tuple([x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in every])


def rotated(q: Vector, x: Vector) -> Vector:
    """Rotate a vector from the body frame to space, q x q*."""
    w, a, b, c = q
    u, v, s = 2 * (b * x[2] - c * x[1]), 2 * (c * x[0] - a * x[2]), 2 * (a * x[1] - b * x[0])
    return (
        x[0] + w * u + b * s - c * v,
        x[1] + w * v + c * u - a * s,
        x[2] + w * s + a * v - b * u,
    )


def rotated_back(q: Vector, x: Vector) -> Vector:
    """Rotate a vector from space to the body frame, q* x q."""
    return rotated((q[0], -q[1], -q[2], -q[3]), x)


def spin_rate(J: Vector, w: Vector, torque: Vector) -> Vector:
    """Return dw/dt by (2) for a torque in the body frame."""
    L = (J[0] * w[0], J[1] * w[1], J[2] * w[2])
    return (
        (torque[0] - w[1] * L[2] + w[2] * L[1]) / J[0],
        (torque[1] - w[2] * L[0] + w[0] * L[2]) / J[1],
        (torque[2] - w[0] * L[1] + w[1] * L[0]) / J[2],
    )


def rotation_rate(q: Vector, w: Vector) -> Vector:
    """Return dq/dt by (3)."""
    return (
        (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]) / 2,
        (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2,
        (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]) / 2,
        (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2,
    )


def unit(q: Vector) -> Vector:
    """Scale a quaternion to length one."""
    size = hypot(*q)
    return tuple([x / size for x in q])


def step(J: Vector, w0: Vector, q0: Vector, h: float, torque: Vector = ZERO) -> tuple[Vector, Vector]:
    """Make one step of the notebook's scheme with a torque in space."""
    body = rotated_back(q0, torque)
    w1 = rk4(lambda w: spin_rate(J, w, body), w0, h)  # (2)
    return w1, unit(rk4(lambda q: rotation_rate(q, w0), q0, h))  # (3)


def coupled(
    J: Vector, w0: Vector, q0: Vector, h: float, torque: Callable[[Vector], Vector]
) -> tuple[Vector, Vector]:
    """Make one step of RK4 on w and q together; `torque` in space is a function of q."""

    def f(x: Vector) -> Vector:
        w, q = x[:3], x[3:]
        return (*spin_rate(J, w, rotated_back(q, torque(q))), *rotation_rate(q, w))

    x1 = rk4(f, (*w0, *q0), h)
    return x1[:3], unit(x1[3:])


def free_run(h: float, steps: int) -> Iterator[tuple[Vector, Vector]]:
    """Yield w and q of the notebook's run of the free body after 0, 1, 2 ... steps."""
    w, q = SPIN, ROTATION
    yield w, q
    for _ in range(steps):
        w, q = step(MOMENTS, w, q, h)
        yield w, q

"""The soft wall with the torque as printed in section 3.6, whose sign is reversed."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array
from poinsot_papers.krysl2005._convergence import Problem

TOUCH = 0.02 ** (1 / 9)  # 1.1 + R33 below which the repulsion exceeds half of the attraction


def torque(t, R, w, p, v):  # type: ignore[no-untyped-def]
    """Return the torque in space as printed."""
    x = 1.1 + R[2][2]
    f = -(x**-2) + 0.01 * x**-11
    return -f * R[1][2], f * R[0][2], 0.0


def potential(R, p):  # type: ignore[no-untyped-def]
    """Return the potential of the printed torque."""
    x = 1.1 + R[2][2]
    return 1.0 / x - 0.001 * x**-10


def corrected() -> Problem:
    """Return the problem with the right sign, which is the scenario."""
    s = ps.scenario("soft-wall")
    return Problem(s.mechanism, s.start)


def as_printed() -> Problem:
    """Return the problem with the torque as printed."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("body", ps.Body(1.0, (2.0, 3.0, 4.5)), ps.Spherical())
    m.apply(ps.Torque("body", torque, potential=potential))
    return Problem(m, m.state({"body": {"angular_velocity": (1.0, 2.0 / 3.0, 2.0 / 4.5)}}))


def contacts(R: Array) -> int:
    """Count how often the body enters the wall."""
    inside = R[:, 2, 2] + 1.1 < TOUCH
    return int(np.count_nonzero(inside[1:] & ~inside[:-1]))

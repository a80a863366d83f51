"""The soft wall with the torque as printed in section 3.6, whose sign is reversed."""

import numpy as np

from poinsot.gallery.papers.krysl2005._convergence import Problem
from poinsot.gallery.scenario import scenario
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.forces.applied import Torque
from poinsot.model.joints import Spherical
from poinsot.model.mechanism import Mechanism

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
    s = scenario("soft-wall")
    return Problem(s.mechanism, s.start)


def as_printed() -> Problem:
    """Return the problem with the torque as printed."""
    m = Mechanism(gravity=(0, 0, 0))
    m.add("body", Body(1.0, (2.0, 3.0, 4.5)), Spherical())
    m.apply(Torque("body", torque, potential=potential))
    return Problem(m, m.state({"body": {"angular_velocity": (1.0, 2.0 / 3.0, 2.0 / 4.5)}}))


def contacts(R: Array) -> int:
    """Count how often the body enters the wall."""
    inside = R[:, 2, 2] + 1.1 < TOUCH
    return int(np.count_nonzero(inside[1:] & ~inside[:-1]))

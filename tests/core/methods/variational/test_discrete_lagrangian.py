"""A step against the discrete Lagrangian itself: momenta are its derivatives.

The witness knows nothing of joints, increments or passes: it has the poses of all bodies by NumPy
(`motions`), the rotation vectors of SciPy, and differences along the coordinates.  Welded bodies are one
body for the product, so there are none in that test.

    p0 = -D1 L,   p1 = D2 L,   L(q0, q1) = K(q0, q1)/h - h/2 (V(q0) + V(q1))  or  - h V(q_mid)       (1)
"""

from math import factorial

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.model.kinematics import motions
from support import zoo

H = 0.05
ALL = tuple(zoo.PARENTS)
HINGED = tuple(name for name in ALL if name != "boat")
SINGLE = tuple(name for name in ALL if name != "weld")


def poses(m, state):
    found = motions(m, state.q[None], state.v[None])
    centers = {link.name: found[link.name].point(link.body.center_of_mass)[0][0] for link in m.links}
    return [(link, found[link.name].rotation[0], centers[link.name]) for link in m.links]


def potential(m, state):
    return -sum(link.body.mass * m.gravity @ p for link, _, p in poses(m, state))


def kinetic(m, start, end, product):
    """Times h: of the displacements of the bodies, seen at their centres of mass."""
    total = 0.0
    for (link, R0, p0), (_, R1, p1) in zip(poses(m, start), poses(m, end), strict=True):
        w, v = Rotation.from_matrix(R0.T @ R1).as_rotvec(), R0.T @ (p1 - p0)
        if not product:
            W = np.cross(np.eye(3), -w)
            v = np.linalg.solve(sum(np.linalg.matrix_power(W, j) / factorial(j + 1) for j in range(12)), v)
        total += 0.5 * w @ link.body.inertia @ w + 0.5 * link.body.mass * v @ v
    return total


def middle(m, start, end):
    n = m.lengths[1]
    way = ps.dynamics.difference(m, end, start)
    return ps.dynamics.move(m, start, np.concatenate([0.5 * way[:n], np.zeros(n)]))


def action(m, start, end, product, midpoint):  # (1)
    if midpoint:
        return kinetic(m, start, end, product) / H - H * potential(m, middle(m, start, end))
    return kinetic(m, start, end, product) / H - 0.5 * H * (potential(m, start) + potential(m, end))


def slopes(m, state, function):
    """Derivatives of a function of a state along its coordinates."""
    n = m.lengths[1]
    found = []
    for j in range(n):
        e = np.zeros(2 * n)
        e[j] = 2e-3
        f = [function(ps.dynamics.move(m, state, k * e)) for k in (-2, -1, 1, 2)]
        found.append((f[0] - 8 * f[1] + 8 * f[2] - f[3]) / 24e-3)
    return np.array(found)


@pytest.mark.parametrize(
    ("method", "names", "product", "midpoint"),
    [
        pytest.param("variational_se3", ALL, False, False, marks=pytest.mark.slow),
        pytest.param("variational_product", SINGLE, True, False, marks=pytest.mark.slow),
        ("variational", SINGLE, True, False),  # a body flies
        ("variational", HINGED, False, False),
        pytest.param("variational_midpoint", HINGED, False, True, marks=pytest.mark.slow),
    ],
)
def test_momenta_are_derivatives_of_the_discrete_lagrangian(method, names, product, midpoint):
    m = zoo.bodies(names)
    start = zoo.start(m)
    end = ps.simulate(m, start, method, step=H, steps=1).final
    p0 = ps.dynamics.mass_matrix(m, start) @ start.v
    p1 = ps.dynamics.mass_matrix(m, end) @ end.v
    first = slopes(m, start, lambda state: action(m, state, end, product, midpoint))
    last = slopes(m, end, lambda state: action(m, start, state, product, midpoint))
    assert -first == pytest.approx(p0, abs=3e-9 * np.abs(p0).max())
    assert last == pytest.approx(p1, abs=3e-9 * np.abs(p1).max())


def test_the_midpoint_of_a_free_joint_is_the_mean_of_positions():
    """Forces there: the potential of a spring to the world, in the middle of a tumbling flight."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("boat", ps.Body(1.2, (0.3, 0.4, 0.5)), ps.Free())
    m.apply(ps.Spring("world", "boat", 40.0, at_b=(0.3, -0.2, 0.1)))
    start = m.state(
        {"boat": {"position": (0.4, 0.1, 0.2), "angular_velocity": (1.0, 2.0, -1.5), "velocity": (1, 0, 2)}}
    )
    end = ps.simulate(m, start, "variational_midpoint", step=H, steps=1).final

    def stretched(a, b):
        R0, R1 = (poses(m, x)[0][1] for x in (a, b))
        half = ps.so3.exp(0.5 * np.array(ps.so3.log(R0.T @ R1)))
        point = 0.5 * (poses(m, a)[0][2] + poses(m, b)[0][2]) + R0 @ half @ (0.3, -0.2, 0.1)
        return kinetic(m, a, b, True) / H - H * 20.0 * point @ point

    p0 = ps.dynamics.mass_matrix(m, start) @ start.v
    p1 = ps.dynamics.mass_matrix(m, end) @ end.v
    assert -slopes(m, start, lambda x: stretched(x, end)) == pytest.approx(p0, abs=1e-8)
    assert slopes(m, end, lambda x: stretched(start, x)) == pytest.approx(p1, abs=1e-8)

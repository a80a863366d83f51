"""Drag in a fluid with any motion: the sum over points, and the closed form where the fluid is rigid."""

import math

import numpy as np
import pytest

import poinsot as ps

CENTER = (0.1, -0.05, 0.2)
POINTS = np.array([(0.3, 0.1, 0.0), (-0.2, 0.4, 0.1), (0.0, -0.3, 0.5), (0.2, 0.2, -0.4)])
DAMPING = np.array([0.3, 0.5, 0.2, 0.4])
SPIN, STREAM = np.array([0.3, -0.5, 0.8]), np.array([0.4, 0.1, -0.2])


def rigid(t, p):
    """The velocity of a fluid that moves like a rigid body."""
    return (
        0.4 + (-0.5 * p[2] - 0.8 * p[1]),
        0.1 + (0.8 * p[0] - 0.3 * p[2]),
        -0.2 + (0.3 * p[1] + 0.5 * p[0]),
    )


def gust(t, p):
    return math.sin(3.0 * t) * p[1] * p[1], p[0] * p[2], 0.3 * math.cos(t)


def leaf(force):
    body = ps.Body(1.5, (0.1, 0.2, 0.25), center_of_mass=CENTER)
    m = ps.Mechanism().add("leaf", body, ps.Free())
    m.apply(force)
    start = dict(position=(1, 0.5, -0.3), euler=("ZYX", (0.3, 0.4, 0.5)), angular_velocity=(0.5, 1.0, -0.3))
    return m, m.state({"leaf": {**start, "velocity": (0.2, -0.4, 0.6)}})


def test_a_rigid_fluid_is_the_drag_in_closed_form():
    """(3.76) with (3.78): the same motion as with `Drag`, whose matrix is the sum over the points."""
    assert np.allclose(rigid(0.0, (1.0, 2.0, 3.0)), STREAM + np.cross(SPIN, (1, 2, 3)))
    D = ps.analytical.prime(DAMPING, POINTS)
    a = ps.simulate(*leaf(ps.FluidDrag("leaf", DAMPING, POINTS, rigid, CENTER)), "gauss3", step=0.02, until=1)
    b = ps.simulate(*leaf(ps.Drag("leaf", D, STREAM, SPIN)), "gauss3", step=0.02, until=1)
    assert np.abs(a.final.q - b.final.q).max() < 1e-12
    assert np.abs(a.final.v - b.final.v).max() < 1e-12
    assert a.work == pytest.approx(b.work, abs=1e-12)


def test_a_general_fluid_is_the_sum_over_the_points():
    m, start = leaf(ps.FluidDrag("leaf", DAMPING, POINTS, gust, CENTER))
    still, _ = leaf(ps.Damping("world", "leaf", np.zeros((6, 6))))
    at = ps.State(0.7, start.q, start.v)
    R, w, v = ps.quaternion.matrix(start.q[3:]), start.v[:3], start.v[3:]
    expected = np.zeros(6)
    for d, h in zip(DAMPING, POINTS, strict=True):
        place, speed = start.q[:3] + R @ h, R @ (v + np.cross(w, h))
        F = R.T @ (d * (np.array(gust(0.7, place)) - speed))
        expected += np.concatenate([np.cross(h, F), F])  # about the origin of the body frame, body axes
    a, b = (ps.dynamics.acceleration(one, at) for one in (m, still))
    assert ps.dynamics.mass_matrix(m, at) @ (a - b) == pytest.approx(expected, abs=1e-12)


WRONG = {
    "damping must not be negative": lambda: ps.FluidDrag("leaf", [-1.0], [(0, 0, 0)], gust),
    "points must be": lambda: ps.FluidDrag("leaf", [1.0, 2.0], [(0, 0, 0)], gust),
    "flow must take": lambda: ps.FluidDrag("leaf", [1.0], [(0, 0, 0)], lambda t: (0, 0, 0)),
    "center_of_mass must be that of the body": lambda: leaf(ps.FluidDrag("leaf", [1.0], [(0, 0, 0)], gust)),
}


@pytest.mark.parametrize("message", WRONG)
def test_mistakes_are_one_clear_line(message):
    with pytest.raises(ps.ModelError, match=message) as caught:
        WRONG[message]()
    assert "\n" not in str(caught.value)

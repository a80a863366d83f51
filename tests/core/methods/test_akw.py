"""AKW with a torque in space and a large step: the inverse of the average attitude is not its transpose.

With M = (R0 + R1)/2 equations (1) and (2) of the method give, for any step and any torque Tm,

    R1 P1 - R0 P0 = h M Tm                                                                      (4)

A torque t in space goes to the body by Tm = M^-1 t, so it changes the angular momentum by h t exactly.
Functions see the rotation half way, the polar factor of M, and so a torque may be written in either axes.
"""

import numpy as np
import pytest
from scipy.linalg import polar
from scipy.optimize import root

import poinsot as ps
from poinsot.model.rotations import matrix

I = np.array([1.0, 2.0, 2.5])
TORQUE = np.array([0.7, -0.4, 1.1])
TURN = ps.quaternion.exp((0.3, -0.5, 0.7))
H = 0.6  # turns the body by about one radian


def push(t, R, w, p, v):
    return 0.7, -0.4, 1.1


def bent(t, R, w, p, v):
    """Depends on the attitude, the velocity and the time."""
    return 0.9 * R[1][2] + 0.1 * t, -0.9 * R[0][2] - 0.2 * w[1], 0.5 - 0.3 * w[2]


def pushed(force, center=(0.0, 0.0, 0.0)):
    """A body that turns fast about a fixed point, and where it starts."""
    m = ps.Mechanism()
    m.add("body", ps.Body(1.0, I, center_of_mass=center), ps.Spherical()).apply(ps.Torque("body", force))
    return m, m.state({"body": dict(rotation=TURN, angular_velocity=(0.8, 1.2, -0.7))})


def test_a_constant_torque_changes_the_angular_momentum_by_its_impulse():
    """To rounding of momenta of about 4; with the transpose each step is wrong by about 0.1."""
    m, start = pushed(push)
    run = ps.simulate(m, start, "akw", step=H, steps=4)
    L = np.einsum("nij,nj->ni", matrix(run.trajectory.q), I * run.trajectory.v)
    assert np.abs(L - L[0] - np.outer(run.time, TORQUE)).max() < 1e-13


def hat(a):
    return np.cross(np.eye(3), a)


def cay(a):
    return np.linalg.solve(np.eye(3) - hat(a) / 2, np.eye(3) + hat(a) / 2)


def test_a_step_solves_the_published_equations():
    """SciPy's root finder on (1) and (2) as matrices, with gravity and a torque of everything."""
    c = np.array([0.1, 0.2, 0.3])
    m, start = pushed(bent, c)
    end = ps.simulate(m, start, "akw", step=H, steps=1).final
    J = np.diag(I) + np.dot(c, c) * np.eye(3) - np.outer(c, c)  # about the fixed point, of 1 kg
    R0, P0 = matrix(start.q), J @ start.v

    def average(w):
        return (R0 + R0 @ cay(H * w)) / 2

    def gap(Pm):
        w = np.linalg.solve(J, Pm)
        M = average(w)
        half = polar(M)[0]
        T = np.linalg.solve(M, bent(H / 2, half, w, None, None)) + np.cross(c, M.T @ m.gravity)
        return 2 * (Pm - P0) - H * (np.cross(Pm, w) + T)

    Pm = root(gap, P0, tol=1e-14).x
    w = np.linalg.solve(J, Pm)
    M = average(w)
    assert np.abs(M.T - np.linalg.inv(M)).max() > 0.1, "transpose and inverse differ"
    assert np.abs(matrix(end.q) - R0 @ cay(H * w)).max() < 1e-13
    assert np.abs(J @ end.v - (2 * Pm - P0)).max() < 1e-13


def into_body(R, x):
    return (
        R[0][0] * x[0] + R[1][0] * x[1] + R[2][0] * x[2],
        R[0][1] * x[0] + R[1][1] * x[1] + R[2][1] * x[2],
        R[0][2] * x[0] + R[1][2] * x[1] + R[2][2] * x[2],
    )


def into_space(row, x):
    return row[0] * x[0] + row[1] * x[1] + row[2] * x[2]


def push_in_body(t, R, w, p, v):
    return into_body(R, (0.7, -0.4, 1.1))


def bent_in_body(t, R, w, p, v):
    return into_body(R, (0.9 * R[1][2] + 0.1 * t, -0.9 * R[0][2] - 0.2 * w[1], 0.5 - 0.3 * w[2]))


def thrust(t, R, w, p, v):
    """A constant wrench in body axes."""
    return 0.3, -0.2, 0.5, 1.0, 0.4, -0.6


def thrust_in_space(t, R, w, p, v):
    T, f = (0.3, -0.2, 0.5), (1.0, 0.4, -0.6)
    return (
        into_space(R[0], T),
        into_space(R[1], T),
        into_space(R[2], T),
        into_space(R[0], f),
        into_space(R[1], f),
        into_space(R[2], f),
    )


@pytest.mark.parametrize("joint", [ps.Spherical(), ps.Free()], ids=["held", "free"])
@pytest.mark.parametrize(
    ("space", "body", "kind"),
    [
        (push, push_in_body, ps.Torque),
        (bent, bent_in_body, ps.Torque),
        (thrust_in_space, thrust, ps.Wrench),
    ],
)
def test_the_axes_in_which_a_torque_is_written_do_not_matter(space, body, kind, joint):
    """To rounding of three steps of about one radian."""
    ends = []
    for function, frame in ((space, "space"), (body, "body")):
        m = ps.Mechanism()
        m.add("body", ps.Body(1.0, I, center_of_mass=(0.1, 0.2, 0.3)), joint)
        m.apply(kind("body", function, frame=frame))
        start = m.state({"body": dict(rotation=TURN, angular_velocity=(0.8, 1.2, -0.7))})
        final = ps.simulate(m, start, "akw", step=H, steps=3).final
        ends.append(np.concatenate([final.q, final.v]))
    assert np.abs(ends[0] - ends[1]).max() < 1e-13

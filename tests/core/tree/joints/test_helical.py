"""A nut on a screw: closed forms of its fall, of its joint forces, and of what its threads carry.

With k = pitch/(2 pi), mass m, and the moment of inertia J about the axis, gravity g against the axis,

    (J + m k^2) q.. = tau - k m g                                                                (1)
"""

import numpy as np
import pytest

import poinsot as ps
from support import zoo

G, M, J = 9.81, 1.7, 0.013
PITCH = 0.31
METHODS = [method.name for method in zoo.METHODS]
AXES = {"vertical": np.array((0.0, 0.0, 1.0)), "skew": np.array((1.0, 2.0, 2.0)) / 3}


def nut(axis="skew", pitch=PITCH, center=0.0):
    """On a screw along an axis; gravity acts against it.  The centre of mass may lie off the axis."""
    n = AXES[axis]
    side = np.cross(n, (1.0, 0.0, 0.0)) / np.linalg.norm(np.cross(n, (1.0, 0.0, 0.0)))
    inertia = 0.02 * np.eye(3) + (J - 0.02) * np.outer(n, n)
    m = ps.Mechanism(gravity=-G * n)
    return m.add("nut", ps.Body(M, inertia, center_of_mass=center * side), ps.Helical(n, pitch), at=(1, 2, 3))


def fall(pitch=PITCH, moment=J):
    """(1) without torque."""
    k = pitch / (2 * np.pi)
    return -k * M * G / (moment + M * k**2)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("axis", AXES)
def test_a_nut_falls_evenly(axis, method):
    """Angle and rate are polynomials of second degree, which every method follows to rounding."""
    m = nut(axis)
    run = ps.simulate(m, m.state({"nut": dict(angle=0.3, rate=1.5)}), method, step=0.01, steps=100)
    t, a = run.time, fall()
    assert abs(a) > 10.0, "it is steep enough to see"
    angle = 0.3 + 1.5 * t + a * t**2 / 2
    assert run.joint("nut")[:, 0] == pytest.approx(angle, abs=2e-13)
    assert run.rate("nut")[:, 0] == pytest.approx(1.5 + a * t, abs=1e-12)  # 47 rad/s, up to 900 substeps
    height = PITCH / (2 * np.pi) * angle
    assert run.position("nut") - (1, 2, 3) == pytest.approx(np.outer(height, AXES[axis]), abs=2e-14)
    assert np.ptp(run.kinetic) > 1.0
    assert np.ptp(run.energy) < 5e-13


@pytest.mark.parametrize("method", ["rk4", "gauss2", "variational", "variational4", "dop853"])
@pytest.mark.parametrize("pitch", [-PITCH, 0.02, 5.0])
def test_any_thread_and_a_centre_off_the_axis(pitch, method):
    """Left-handed, fine, and steep; the centre of mass circles about the axis."""
    m, c = nut(pitch=pitch, center=0.08), 0.08
    run = ps.simulate(m, m.state({"nut": dict(rate=0.7)}), method, step=0.005, steps=100)
    a = fall(pitch, J + M * c**2)
    assert np.sign(a) == -np.sign(pitch)
    assert run.joint("nut")[:, 0] == pytest.approx(0.7 * run.time + a * run.time**2 / 2, abs=1e-13)
    assert np.ptp(run.energy) < 1e-12 * max(1.0, np.ptp(run.kinetic))


def test_one_turn_is_one_pitch():
    """A positive pitch is a right-hand thread."""
    m = nut("vertical")
    x = [m.state({"nut": dict(angle=angle)}) for angle in (0.0, 2 * np.pi)]
    a, b = (ps.simulate(m, state, "rk4", step=0.1, steps=0) for state in x)
    assert b.position("nut")[0] - a.position("nut")[0] == pytest.approx((0, 0, PITCH), abs=1e-15)
    assert b.rotation("nut")[0] == pytest.approx(a.rotation("nut")[0], abs=1e-15)


@pytest.mark.parametrize("rate", [0.0, 3.0])
def test_torques_of_a_nut(rate):
    """Inverse dynamics is (1) read backwards; k m g holds the nut."""
    m, k = nut(), PITCH / (2 * np.pi)
    state = m.state({"nut": dict(angle=0.4, rate=rate)})
    assert ps.dynamics.mass_matrix(m, state) == pytest.approx(np.array([[J + M * k**2]]), rel=1e-14)
    assert ps.dynamics.acceleration(m, state) == pytest.approx([fall()], rel=1e-14)
    assert ps.dynamics.acceleration(m, state, [k * M * G]) == pytest.approx([0.0], abs=1e-13)
    assert ps.dynamics.inverse_dynamics(m, state, [0.0]) == pytest.approx([k * M * G], rel=1e-14)
    for wanted in (-20.0, fall(), 7.0):
        tau = ps.dynamics.inverse_dynamics(m, state, [wanted])
        assert tau == pytest.approx([(J + M * k**2) * wanted + k * M * G], abs=1e-14)
        assert ps.dynamics.acceleration(m, state, tau) == pytest.approx([wanted], rel=1e-13)


def test_the_threads_carry_what_is_missing():
    """Force m (g + k q..) along the axis, and the torque -k times it: the joint itself does no work."""
    m, k = nut("vertical"), PITCH / (2 * np.pi)
    wrench = ps.dynamics.reactions(m, m.state({"nut": dict(rate=2.0)}))["nut"]
    force = M * (G + k * fall())
    assert wrench == pytest.approx([0, 0, -k * force, 0, 0, force], abs=1e-13)
    assert -k * force == pytest.approx(J * fall(), rel=1e-13)  # what turns the nut


def test_a_spring_swings_the_nut_like_a_cosine():
    """(J + m k^2) q.. = -c (q - rest): w = sqrt(c/(J + m k^2)), about where gravity is balanced."""
    m, k, c = nut().apply(ps.JointSpring("nut", 2.0)), PITCH / (2 * np.pi), 2.0
    w, middle = np.sqrt(c / (J + M * k**2)), -k * M * G / c
    run = ps.simulate(m, m.state(), "gauss4", step=0.01, until=2.0)
    assert run.joint("nut")[:, 0] == pytest.approx(middle * (1 - np.cos(w * run.time)), abs=1e-12)


def test_without_pitch_it_is_a_hinge():
    body = ps.Body(M, (0.02, 0.03, 0.04), center_of_mass=(0.1, -0.2, 0.05))
    ends = []
    for joint in (ps.Helical((1, 2, 2), 0.0), ps.Revolute((1, 2, 2))):
        m = ps.Mechanism().add("a", body, joint).add("b", body, ps.Spherical(), "a", at=(0.1, 0.2, 0.3))
        start = zoo.start(m)
        ends.append([ps.simulate(m, start, name, step=0.01, steps=50).final for name in METHODS])
    for screw, hinge in zip(*ends, strict=True):
        assert screw.q == pytest.approx(hinge.q, abs=1e-12)
        assert screw.v == pytest.approx(hinge.v, abs=1e-12)


def test_two_screws_on_one_axis_add_up():
    """A bolt with a left-hand thread in a sleeve with a right-hand one: Lagrange's equations by hand."""
    m = ps.Mechanism(gravity=(0, 0, -G))
    m.add("sleeve", ps.Body(M, (J, J, J)), ps.Helical((0, 0, 1), PITCH))
    m.add("bolt", ps.Body(M, (J, J, J)), ps.Helical((0, 0, 1), -PITCH), "sleeve")
    start = m.state({"sleeve": dict(rate=1.0), "bolt": dict(rate=-0.5)})
    k = PITCH / (2 * np.pi)
    # T = (J a.^2 + m k^2 a.^2 + J (a. + b.)^2 + m k^2 (a. - b.)^2)/2,  V = m g k a + m g k (a - b)
    mass = np.array([[2 * (J + M * k**2), J - M * k**2], [J - M * k**2, J + M * k**2]])
    pull = M * G * k * np.array([-2.0, 1.0])
    assert ps.dynamics.mass_matrix(m, start) == pytest.approx(mass, rel=1e-13)
    assert ps.dynamics.acceleration(m, start) == pytest.approx(np.linalg.solve(mass, pull), rel=1e-12)

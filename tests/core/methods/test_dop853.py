"""dop853 for references: the same motion far away, long ago, after many turns or small has the same digits.

Bounds of differences are 100 roundings of the largest coordinate or time: that is what is known of them.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps

EPS = 2.0**-52


def pendulum(*forces):
    m = ps.Mechanism()
    m.add("p", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1.0))
    for force in forces:
        m.apply(force)
    return m


def swung(m, angle=0.5, time=0.0):
    return ps.simulate(m, m.state({"p": dict(angle=angle)}, time=time), "dop853", step=0.01, steps=500)


@pytest.mark.parametrize("time", [1e6, 1e9, 1.7e9, 1e12])
def test_a_motion_without_time_in_it_has_the_same_bits_at_any_time(time):
    m = pendulum(ps.JointDamper("p", 0.2))
    assert swung(m, time=time).final.q[0] == swung(m).final.q[0]


@pytest.mark.parametrize("turns", [10**6, 10**9])
def test_turns_do_no_harm(turns):
    m = pendulum(ps.JointDamper("p", 0.2))
    there, here = swung(m, angle=0.5 + 2 * np.pi * turns), swung(m)
    assert abs(there.final.q[0] - 2 * np.pi * turns - here.final.q[0]) < 100 * EPS * 2 * np.pi * turns
    assert there.evaluations < 2 * here.evaluations


@pytest.mark.parametrize("time", [1e6, 1e9])
def test_a_forced_motion_is_known_as_well_as_the_time(time):
    """It stood still at 1e9 s.  Both times are multiples of the period."""
    m = pendulum(ps.JointTorque("p", lambda t, q, v: 3.0 * math.cos(2.0 * math.pi * t)))
    there, here = swung(m, time=time), swung(m)
    assert abs(there.final.q[0] - here.final.q[0]) < 100 * EPS * time
    assert there.evaluations < 2 * here.evaluations


@pytest.mark.parametrize("size", [1.0, 1e-3, 1e-6, 1e-9, 1e6])
def test_an_oscillation_of_any_size_has_the_same_relative_error(size):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("b", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    m.apply(ps.JointSpring("b", 40.0))
    run = ps.simulate(m, m.state({"b": dict(displacement=size)}), "dop853", step=0.01, until=10.0)
    off = np.abs(run.joint("b")[:, 0] - size * np.cos(np.sqrt(40) * run.time)).max()
    assert off < 5e-12 * size  # 2.3e-12: fifty intervals of 1e-12


def pair(X):
    m, body = ps.Mechanism(gravity=(0, 0, 0)), ps.Body(1.3, (0.1, 0.12, 0.08))
    m.add("a", body, ps.Free()).add("c", body, ps.Free())
    m.apply(ps.Spring("a", "c", 30.0, 0.4, at_a=(0, 0, -0.5), at_b=(0.1, 0, 0)))
    start = m.state(
        {
            "a": dict(position=(X, 0, 0), angular_velocity=(1, 0.5, -0.3)),
            "c": dict(position=(X + 0.6, 0.2, -1.5), angular_velocity=(0.3, 0.1, 2.0)),
        }
    )
    return ps.simulate(m, start, "dop853", step=0.002, until=1.0)


@pytest.mark.parametrize("X", [1e6, 1e8])
def test_two_bodies_on_a_spring_far_away(X):
    """1e6 m: 1 nm of rounding; 1e8 m: 15 nm."""
    here, there = pair(0.0), pair(X)
    assert np.abs(there.rotation("a")[-1] - here.rotation("a")[-1]).max() < 100 * EPS * X
    assert there.evaluations < 2 * here.evaluations


def torque(t, R, w, p, v):
    return (1.0, 0.0, 0.2) if t < 0.33 else (-5.0, 3.0, 0.0)


@pytest.mark.parametrize("cut", [10, 15, 17, 18, 19, 20, 30])
def test_a_split_before_a_switch_changes_no_bit(cut):
    """The switch is at step 20: an interval must not reach across it because the first part ends before."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("b", ps.Body(1.0, (1.3, 0.8, 2.0)), ps.Spherical())
    m.apply(ps.Torque("b", torque, switches=(0.33,)))
    start = m.state({"b": dict(angular_velocity=(0.9, -0.4, 1.7))}, time=0.13)
    whole = ps.simulate(m, start, "dop853", step=0.01, steps=60)
    first = ps.simulate(m, start, "dop853", step=0.01, steps=cut)
    rest = ps.simulate(m, first.final, "dop853", step=0.01, steps=60 - cut)
    assert np.array_equal(first.final.v, whole.trajectory.v[cut])
    assert np.array_equal(rest.final.q, whole.final.q)
    assert np.array_equal(rest.final.v, whole.final.v)
    assert rest.work[-1] == whole.work[-1]


def test_a_body_at_rest_stays_and_costs_little():
    m = pendulum()
    run = ps.simulate(m, m.state({"p": dict(angle=0.0)}), "dop853", step=0.01, steps=100)
    assert np.abs(run.final.q).max() < 1e-15
    assert run.evaluations < 200


def attract(t, Ra, wa, pa, va, Rb, wb, pb, vb):
    d = pb[0] - pa[0], pb[1] - pa[1], pb[2] - pa[2]
    square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    k = -1.0 / (square * math.sqrt(square))
    return 0.0, 0.0, 0.0, k * d[0], k * d[1], k * d[2]


def masses(size, forces, motion):
    """Bodies that do not rotate: (position, velocity) of each."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    for name in motion:
        m.add(name, ps.Box(size).body(mass=1.0), ps.Free())
    m.apply(*forces)
    start = m.state({name: dict(position=p, velocity=v) for name, (p, v) in motion.items()})
    return ps.simulate(m, start, "dop853", step=0.05, until=6.0)


@pytest.mark.parametrize("size", [0.1, 1e-3])
def test_a_torque_of_rounding_is_no_motion(size):
    """The force along d has a torque of rounding about the other body; this was taken for a rotation."""
    x, v = np.array([0.97000436, -0.24308753, 0.0]), np.array([-0.93240737, -0.86473146, 0.0])
    motion = {"a": (x, -v / 2), "b": (-x, -v / 2), "c": (np.zeros(3), v)}
    eight = masses(size, [ps.Gravitation(list("abc"), G=1.0)], motion)
    pairs = masses(size, [ps.PairForce(a, b, attract) for a, b in ("ab", "bc", "ca")], motion)
    for name in motion:
        off = np.abs(pairs.position(name) - eight.position(name)).max()
        assert off < 1e-11  # 3e-14: the intervals are nearly the same; each has an error of 1e-12
    assert pairs.evaluations < 1.2 * eight.evaluations


@pytest.mark.parametrize("size", [0.1, 1e-3])
@pytest.mark.parametrize("unit", [1.0, 1e3])
def test_two_masses_on_a_spring_with_a_rest_length(size, unit):
    """Planar and in space, against SciPy's DOP853 in relative coordinates; rounding is rare in the plane."""
    for p, v in (((0, -0.2, 0.5), (1, 1, 0)), ((0.3, 0.4, 0.2), (0.1, 0.5, -0.2))):
        motion = {
            "a": (unit * np.array(p), unit * np.array(v)),
            "b": (unit * np.array((1, -0.2, 0.5)), np.zeros(3)),
        }
        run = masses(unit * size, [ps.Spring("a", "b", 3.0, 0.7 * unit)], motion)
        d, w = motion["b"][0] - motion["a"][0], -motion["a"][1]

        def slope(t, y):
            r = np.linalg.norm(y[:3])
            return np.concatenate([y[3:], -6.0 * (1 - 0.7 * unit / r) * y[:3]])

        there = solve_ivp(
            slope, (0, 6), np.concatenate([d, w]), "DOP853", run.time, rtol=1e-13, atol=1e-14 * unit
        )
        off = np.abs(run.position("b") - run.position("a") - there.y[:3].T).max()
        assert off < 5e-11 * unit  # 1e-11: the error of 1e-12 in an interval, ten times
        assert run.evaluations < 5000  # 2300, and 3e5 if noise were motion

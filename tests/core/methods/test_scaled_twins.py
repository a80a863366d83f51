"""The same motion in other units, elsewhere or at another time has the same digits, for all methods of trees.

Scales that are powers of two change no rounding: such twins have the same bits, if no tolerance of a method
has a unit.  Other twins agree to rounding times the condition of the motion, which is measured by a start
that is a little different.
"""

import numpy as np
import pytest

import poinsot as ps
from support import zoo

EPS = 2.0**-52
H, STEPS = 0.01, 40
LENGTHS_Q = np.array((0, 0, 0, 0, 1, 0, 0, 1, 1, 0))  # 1 where a coordinate of `arm` is a length
LENGTHS_V = np.array((0, 0, 0, 1, 0, 0, 1, 1, 0))
METHODS = pytest.mark.parametrize("method", [x.name for x in zoo.METHODS])


def arm(T=1.0, L=1.0, M=1.0, time=0.0):
    """A ball, a slide on it, a cardan joint and a puck, with springs and dampers; in other units."""
    m = ps.Mechanism(gravity=np.array((0.3, -0.5, -9.81)) * L / T**2)

    def body(mass, *inertia):
        return ps.Body(mass * M, np.array(inertia) * M * L**2, np.array((0.05, 0.02, -0.4)) * L)

    place = np.array((0.0, 0.1, -0.8)) * L
    m.add("ball", body(1.3, 0.30, 0.32, 0.08), ps.Spherical())
    m.add("slide", body(0.5, 0.20, 0.22, 0.08), ps.Prismatic((1, 0.2, 0)), "ball", at=place)
    m.add("cardan", body(0.8, 0.25, 0.20, 0.06), ps.Universal((1, 0, 0), (0, 1, 0)), "slide", at=place)
    m.add("puck", body(0.7, 0.20, 0.22, 0.04), ps.Planar((0.1, 0.2, 1)), "ball", at=0.5 * place)
    m.apply(
        ps.Spring("world", "cardan", 30.0 * M / T**2, 0.4 * L, at_a=np.array((0.5, 0.2, -1.0)) * L),
        ps.Damper("world", "slide", 0.7 * M / T, at_a=np.array((0.5, 1.2, -1.0)) * L),
        ps.JointSpring("slide", 20.0 * M / T**2),
        ps.JointDamper("ball", 0.05 * M * L**2 / T),
        ps.JointSpring("puck", np.array((15.0 * M, 25.0 * M, 2.0 * M * L**2)) / T**2),
    )
    start = {
        "ball": dict(rotation=ps.so3.exp((0.3, 0.2, 0.1)), angular_velocity=np.array((1, 0.5, -0.3)) / T),
        "slide": dict(displacement=0.1 * L, speed=0.3 * L / T),
        "cardan": dict(angles=(0.3, -0.4), rates=np.array((0.2, 0.6)) / T),
        "puck": dict(
            displacement=np.array((0.1, -0.05)) * L,
            speed=np.array((0.2, 0.1)) * L / T,
            angle=0.2,
            rate=0.5 / T,
        ),
    }
    return m, m.state(start, time=time)


def end(method, T=1.0, L=1.0, M=1.0, time=0.0):
    """q and v at the end in the units of the first twin, and the evaluations."""
    m, start = arm(T, L, M, time)
    run = ps.simulate(m, start, method, step=H * T, steps=STEPS, every=STEPS)
    q, v = run.final.q / L**LENGTHS_Q, run.final.v * T / L**LENGTHS_V
    return np.concatenate([q, v]), run.evaluations


@METHODS
@pytest.mark.parametrize(
    ("T", "L", "M"),
    [
        (2.0**40, 1, 1),
        (2.0**-40, 1, 1),
        (1, 2.0**10, 1),
        (1, 2.0**-10, 1),
        (1, 1, 2.0**30),
        (2.0**20, 2.0**-14, 2.0**-40),
    ],
)
def test_other_units_have_the_same_bits(method, T, L, M):
    here, there = end(method), end(method, T, L, M)
    assert np.array_equal(here[0], there[0])
    assert here[1] == there[1]


@METHODS
def test_a_motion_without_time_in_it_has_the_same_bits_at_any_time(method):
    assert np.array_equal(end(method, time=1e9)[0], end(method)[0])


def condition(method, delta=1e-9):
    """How much the end changes with the start, relative to it."""
    m, start = arm()
    v = start.v * (1 + delta * np.cos(np.arange(len(start.v))))
    run = ps.simulate(m, ps.State(0.0, start.q, v), method, step=H, steps=STEPS, every=STEPS)
    return np.abs(np.concatenate([run.final.q, run.final.v]) - end(method)[0]).max() / delta


@METHODS
@pytest.mark.parametrize(("T", "L"), [(1e-12, 1), (1e12, 1), (1, 1e-3), (1, 1e3)])
def test_other_units_agree_to_rounding(method, T, L):
    """Compositions round in each of their substeps."""
    off = np.abs(end(method, T, L)[0] - end(method)[0]).max()
    substeps = {"variational4": 5, "variational6": 9}.get(method, 1)
    assert off < 100 * np.sqrt(substeps) * EPS * condition(method)


def pair(X):
    """Two free bodies on a spring."""
    m, body = ps.Mechanism(gravity=(0, 0, 0)), ps.Body(1.3, (0.1, 0.12, 0.08))
    m.add("a", body, ps.Free()).add("b", body, ps.Free())
    m.apply(ps.Spring("a", "b", 30.0, 0.4, at_a=(0, 0, -0.5), at_b=(0.1, 0, 0)))
    start = {
        "a": dict(position=(X, 0, 0), angular_velocity=(1, 0.5, -0.3)),
        "b": dict(position=(X + 0.6, 0.2, -1.5), angular_velocity=(0.3, 0.1, 2.0)),
    }
    return m, m.state(start)


@METHODS
def test_bodies_far_away_move_as_well_as_their_place_is_known(method):
    """15 nm are a rounding of 1e8 m."""
    ends = []
    for X in (0.0, 1e8):
        m, start = pair(X)
        run = ps.simulate(m, start, method, step=0.01, steps=50)
        ends.append(
            [*(run.rotation(name)[-1] for name in "ab"), run.position("b")[-1] - run.position("a")[-1]]
        )
    for here, there in zip(*ends, strict=True):
        assert np.abs(here - there).max() < 100 * EPS * 1e8


@pytest.mark.parametrize("method", [x.name for x in zoo.METHODS if x.name != "dop853"])  # steps of its own
def test_a_light_body_is_as_accurate_beside_a_heavy_one(method):
    """Two pendulums that do not know of each other; alone, the light one has the same motion."""

    def pendulum(m, name, mass):
        body = ps.Body(mass, mass * np.array((0.3, 0.32, 0.1)), (0.05, 0.02, -0.4))
        return m.add(name, body, ps.Spherical())

    swing = dict(rotation=ps.so3.exp((0.3, 0.2, 0.1)), angular_velocity=(1, 0.5, -0.3))
    fast = dict(rotation=ps.so3.exp((0.8, 0.1, 0.1)), angular_velocity=(3.0, 1.0, 2.0))
    both = pendulum(pendulum(ps.Mechanism(), "light", 1e-12), "heavy", 1e3)
    alone = pendulum(ps.Mechanism(), "light", 1e-12).add("rest", ps.Body(1e-12, (1, 1, 1)), ps.Spherical())
    runs = [
        ps.simulate(m, m.state(start), method, step=0.01, steps=100)
        for m, start in ((both, {"light": swing, "heavy": fast}), (alone, {"light": swing}))
    ]
    a, b = (run.rotation("light")[-1] for run in runs)
    assert np.abs(a - b).max() < 100 * EPS

"""Thin rods in variational steps of order 2: the spin is slow by a known part, and the bound is told."""

import re
import warnings

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.method_choice import system_for
from poinsot.mechanics.thin import SpinError, spin_error

SLOW = ["variational", "variational_midpoint", "variational_se3", "variational_product", "variational_riqn"]


def rod(ratio, joint, across=1.0, spin=1.0, scale=1.0, mass=1.0):
    """A free symmetric rod that rotates across its axis and spins."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("rod", ps.Body(mass, mass * scale**2 * np.array([1.0, 1.0, ratio])), joint)
    return m, m.state({"rod": dict(angular_velocity=(across, 0.0, spin))})


def slowness(m, start, method, h, spin):
    """By how much the attitudes spin more slowly than those of the exact solution, as a part of the spin."""
    a, b = (ps.simulate(m, start, name, step=h, steps=20) for name in (method, "exact"))
    D = b.rotation("rod")[-1].T @ a.rotation("rod")[-1]
    return -np.arctan2(D[1, 0] - D[0, 1], D[0, 0] + D[1, 1]) / (spin * 20 * h)


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
@pytest.mark.parametrize("ratio", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("part", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("joint", [ps.Spherical(), ps.Free()], ids=["held", "free"])
def test_the_spin_is_slow_by_the_added_inertia(ratio, part, joint):
    """The added inertia is I3 c^2/12 with c = h w (I1/I3)^(1/2), to O(h w)^2 and to O(I3/I1)."""
    h, spin = part * np.sqrt(ratio), 0.01
    m, start = rod(ratio, joint, spin=spin)
    expected = part**2 / 12 / (1 + part**2 / 12)
    assert slowness(m, start, "variational", h, spin) == pytest.approx(expected, rel=3 * h * h + 2 * ratio)
    found = spin_error(system_for(m, "variational")[0], start.q, start.v, h)
    assert found.bound == pytest.approx(np.sqrt(ratio), rel=ratio + spin)
    assert found.relative == pytest.approx(spin * expected, rel=0.01 + 2 * ratio)


@pytest.mark.parametrize("method", SLOW)
@pytest.mark.parametrize(
    ("scale", "mass", "speed"), [(1.0, 1.0, 1.0), (1e-3, 1e-9, 1.0), (1.0, 1e6, 1e3), (1e4, 1.0, 1e-5)]
)
def test_the_bound_is_told_at_any_scale(method, scale, mass, speed):
    m, start = rod(1e-4, ps.Spherical(), speed, speed, scale, mass)
    quiet, loud = 0.01 / speed, 0.03 / speed
    ps.simulate(m, start, method, step=quiet, steps=10)
    with pytest.warns(ps.StepWarning, match=f"'rod' is thin.* step below {re.escape(f'{quiet:.1g}')} "):
        ps.simulate(m, start, method, step=loud, steps=10)


def test_a_rod_that_cannot_or_does_not_spin_is_not_told():
    for joint, rates in (
        (ps.Revolute((1, 0, 0)), {"rate": 1.0}),
        (ps.Spherical(), {"angular_velocity": (1.0, 0.0, 0.0)}),
    ):
        m = ps.Mechanism(gravity=(0, 0, 0))
        m.add("rod", ps.Body(1.0, (1.0, 1.0, 1e-4)), joint)
        ps.simulate(m, m.state({"rod": rates}), "variational", step=0.05, steps=10)


def test_higher_orders_and_thick_bodies_are_not_told():
    m, start = rod(1e-4, ps.Spherical())
    ps.simulate(m, start, "variational4", step=0.02, steps=10)
    m, start = rod(0.5, ps.Spherical())
    ps.simulate(m, start, "variational", step=0.3, steps=10)


@pytest.mark.filterwarnings("ignore::poinsot.PhysicsWarning")
@pytest.mark.parametrize("name", ps.gallery())
def test_no_false_alarm_in_the_gallery(name):
    """With the method and the step of the scenario."""
    s = ps.scenario(name)
    if s.method not in ("auto", "variational", "variational4"):
        pytest.skip("the scenario has a method without this bound")
    steps = min(300, round(s.until / s.step))
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".* is thin")
        ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=steps, controller=s.controller)


@pytest.mark.parametrize(("links", "looked_at"), [(20, True), (101, False)])
def test_large_trees_are_not_looked_at(links, looked_at, monkeypatch):
    """The check has dense matrices: with 1500 velocities it took minutes after a run of milliseconds."""
    calls = []
    monkeypatch.setattr(
        "poinsot.simulation.messages.spin_error", lambda *all: calls.append(all) or SpinError(0.0, 1, 1.0)
    )
    m, bar = ps.Mechanism(), ps.Cylinder(0.002, 0.5).body(mass=0.1)
    for i in range(links):
        at = (0, 0, -0.25 if i else 0)
        m.add(str(i), bar, ps.Spherical(), parent=str(i - 1) if i else "world", at=at, body_at=(0, 0, -0.25))
    start = m.state({"0": dict(angular_velocity=(1.0, 0, 1.0))})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.StepWarning)
        ps.simulate(m, start, "variational", step=0.01, steps=2)
    assert bool(calls) == looked_at

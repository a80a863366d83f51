"""Gauss methods add their increments with Kahan's carry, so that rounding errors do not accumulate.

The energy of a free body and the length of its quaternion are quadratic invariants, which these methods
keep exactly but for rounding.  Without the carry each step rounds the sum once more, and the errors of n
steps form a random walk of about sqrt(n)/4 units in the last place.
"""

import numpy as np
import pytest

import poinsot as ps

EPS = 2.0**-52
STEP, STEPS = 1e-4, 100_000
ROUNDED = 12 * EPS  # measured with the carry: at most 2 EPS; without it: at least 70 EPS
GAUSS = ["gauss1", "gauss2", "gauss3", "gauss4"]


@pytest.mark.parametrize("method", GAUSS)
def test_a_free_body_keeps_energy_and_unit_quaternion_through_many_steps(method):
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("body", ps.Body(1.3, (0.5, 0.8, 1.1)), ps.Spherical())
    start = m.state({"body": dict(angular_velocity=(0.4, 1.0, 0.7))})
    run = ps.simulate(m, start, method, step=STEP, steps=STEPS, every=1000)
    length = (run.trajectory.q**2).sum(axis=1)
    assert np.abs(length - 1).max() < ROUNDED
    assert np.ptp(run.energy) < ROUNDED * run.energy[0]


@pytest.mark.parametrize("method", GAUSS[1:])
def test_a_pendulum_keeps_its_energy_through_many_steps(method):
    """At this step the error of the methods themselves is below rounding from order 4 on."""
    m = ps.Mechanism()
    m.add("link", ps.Body(1.0, (0.1, 0.1, 0.1), (0, 0, -0.5)), ps.Revolute((0, 1, 0)))
    run = ps.simulate(m, m.state({"link": dict(angle=1.0)}), method, step=STEP, steps=STEPS, every=1000)
    assert np.ptp(run.kinetic) > 1.0, "it swings"
    assert np.ptp(run.energy) < ROUNDED * np.abs(run.potential).max()

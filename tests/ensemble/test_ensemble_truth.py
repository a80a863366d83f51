"""Closed forms: periods of pendulums, mean and variance of linear oscillators."""

import numpy as np
import pytest
from scipy.special import ellipk

import poinsot as ps

G, LENGTH = 9.81, 0.7


@pytest.mark.parametrize("count", [12, pytest.param(1000, marks=pytest.mark.slow)])
def test_periods_are_elliptic_integrals(count):
    """T = 4 sqrt(l/g) K(sin^2(a/2)); the kinetic moment of a point mass is m l^2."""
    m = ps.Mechanism(gravity=(0, 0, -G))
    bob = ps.Body(mass=1.3, inertia=(0.0, 0.0, 0.0))
    m.add("bob", bob, ps.Revolute((1, 0, 0)), body_at=(0, 0, -LENGTH))
    angles = np.linspace(0.05, 2.5, count)
    turn = ps.Event("bob.rate", name="turn")
    e = ps.ensemble(
        m, starts=(angles[:, None], np.zeros((count, 1))), method="gauss4", step=0.01, until=4.6,
        events=[turn], reduce=["events"],
    )  # fmt: skip
    assert not e.failed
    wanted = 4 * np.sqrt(LENGTH / G) * ellipk(np.sin(angles / 2) ** 2)
    assert e["events.turn"][:, 1] == pytest.approx(wanted, rel=1e-12)  # the second turn is at the start


def test_mean_and_variance_of_linear_oscillators():
    """A linear map takes mean and covariance of the starts to those of the ends: m = A m0, C = A C0 A^T."""
    k, mass, t = 4.0, 1.5, 3.0
    m = ps.Mechanism(gravity=(0, 0, 0)).add("bob", ps.Box(0.1).body(mass=mass), ps.Prismatic((1, 0, 0)))
    m.apply(ps.JointSpring("bob", k))
    rng = np.random.default_rng(7)
    q, v = rng.normal(0.3, 0.5, (200, 1)), rng.normal(-0.2, 1.0, (200, 1))
    e = ps.ensemble(m, starts=(q, v), method="gauss4", step=0.02, until=t)
    w = np.sqrt(k / mass)
    A = np.array([[np.cos(w * t), np.sin(w * t) / w], [-w * np.sin(w * t), np.cos(w * t)]])
    first, last = np.hstack([q, v]), np.hstack([e.final_q, e.final_v])
    assert last.mean(axis=0) == pytest.approx(A @ first.mean(axis=0), abs=1e-12)
    assert np.cov(last.T) == pytest.approx(A @ np.cov(first.T) @ A.T, abs=1e-12)
    assert e.mean("final_v") == pytest.approx(last.mean(axis=0)[1:])
    assert e.quantiles("final_q", 0.5)[0] == pytest.approx(np.median(e.final_q, axis=0))

"""No trend: the mean energy of a symplectic method stays where it was, over a hundred thousand steps (a
million in the slow tests), on problems that show a trend where there is one.

The step gives the energy a band between 1e-8 and 1e-4.  The trend is the last minus the first of ten means;
it is below 1 % of the band, or below a walk of rounding errors.  The motions are regular: where a motion is
chaotic, its energy band walks with it, and means of tenths do not show a trend.
"""

import numpy as np
import pytest

import poinsot as ps
from support import zoo

SAMPLES = 20_000
SYMPLECTIC = [method for method in zoo.METHODS if method.symplectic and not method.variant]
EPS = np.finfo(float).eps


def heavy():
    """A heavy asymmetric body on a ball joint."""
    m = ps.Mechanism()
    m.add("body", ps.Body(1.0, (0.3, 0.25, 0.1), (0.02, 0.01, 0.4)), ps.Spherical())
    start = dict(rotation=ps.so3.exp([0.5, 0.1, 0.0]), angular_velocity=(0.5, 0.4, 15.0))
    return m, m.state({"body": start})


def arm():
    """A robot with six hinges and springs at its joints."""
    axes = [(0, 0, 1), (0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1)]
    m = ps.Mechanism(gravity=(9.81, 0, 0))
    for i, axis in enumerate(axes):
        body = ps.Body(2.0 - 0.2 * i, (0.02, 0.015, 0.01), (0.05, 0.02, 0.15))
        parent, at = (f"link{i - 1}", (0.1, 0.05, 0.3)) if i else ("world", (0, 0, 0))
        m.add(f"link{i}", body, ps.Revolute(axis), parent, at).apply(
            ps.JointSpring(f"link{i}", 30.0 * (6 - i))
        )
    return m, m.state({f"link{i}": dict(angle=0.05 * (1 + 0.2 * i), rate=0.1 * i) for i in range(6)})


def chain():
    """Four links on ball joints that swing a little."""
    m, start = ps.Mechanism(), {}
    for i in range(4):
        body = ps.Body(1.0, (0.09, 0.09, 0.01), (0, 0, -0.5))
        m.add(f"link{i}", body, ps.Spherical(), f"link{i - 1}" if i else "world", (0, 0, -1.0 if i else 0.0))
        start[f"link{i}"] = dict(rotation=ps.so3.exp([0.04, 0.02 * i, 0.0]), angular_velocity=(0, 0, 0.3))
    return m, m.state(start)


PROBLEMS = {"heavy": heavy, "arm": arm, "chain": chain}
STEPS = {"heavy": 0.01, "arm": 0.005, "chain": 0.01}  # where the search for the step begins


def energies(m, start, method, step, steps):
    run = ps.simulate(m, start, method, step=step, steps=steps, every=max(1, steps // SAMPLES))
    return run.energy


def span(m, start):
    """The size of the energy: what moves, between its least and its largest value."""
    run = ps.simulate(m, start, "gauss4", step=0.002, until=2.0)
    return np.ptp(run.kinetic)


def step_for(m, start, method, first, size):
    """A step with a band of about 1e-6."""
    h = first
    for _ in range(12):
        try:
            band = np.ptp(energies(m, start, method.name, h, 2000)) / size
        except ps.ConvergenceError:
            band = 1.0
        if 1e-8 < band < 1e-5:
            break
        h *= min(2.0, max(0.25, (1e-6 / max(band, 1e-16)) ** (1 / method.order)))
    return h


def trend(m, start, name, h, steps):
    """(last minus first of ten means of the energy, band of the first tenth)."""
    parts = np.array_split(energies(m, start, name, h, steps), 10)
    return abs(parts[-1].mean() - parts[0].mean()), np.ptp(parts[0])


def law(method, problem, steps):
    m, start = PROBLEMS[problem]()
    size = span(m, start)
    h = step_for(m, start, method, STEPS[problem], size)
    moved, band = trend(m, start, method.name, h, steps)
    assert 1e-8 < band / size < 1e-4, (h, band / size)
    assert moved < max(0.01 * band, 10 * np.sqrt(steps) * EPS * size), (h, moved / band)


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("method", SYMPLECTIC, ids=lambda method: method.name)
def test_the_mean_energy_stays(method, problem):
    law(method, problem, 100_000)


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("method", SYMPLECTIC, ids=lambda method: method.name)
def test_the_mean_energy_stays_for_a_million_steps(method, problem):
    law(method, problem, 1_000_000)


@pytest.mark.parametrize("name", ["gauss2", "gauss3"])
def test_the_test_sees_a_trend(name):
    """Gauss in (q, v) is not symplectic: its mean energy moves, linearly in time."""
    m, start = heavy()
    moved, band = trend(m, start, name, {"gauss2": 0.02, "gauss3": 0.03}[name], 100_000)
    assert moved > 0.05 * band

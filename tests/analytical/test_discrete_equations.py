"""The discrete equations of own Lagrangians: printed steps, orders, invariants, forces, constraints."""

import numpy as np
import pytest

import poinsot as ps

an = ps.analytical
G = 9.81
PRINTED = ((0.174604, 0.0873026), (0.174816, 0.0874112))  # Out[342] and Out[344] of Beckman (2023)
METHODS = ("variational", "variational_midpoint", "variational4", "variational6", "variational8")
GAUSS = ("sgauss1", "sgauss2", "sgauss3", "sgauss4")


def pitch_cone(t, x, v):
    """The Lagrangian of the notebook: a spherical pendulum of 1 kg and 1.2 m, in pitch and cone angle."""
    c = np.cos(x[0])
    return 0.72 * (v[0] ** 2 + c**2 * v[1] ** 2) - 11.772 * c * np.cos(x[1])


def polar(t, x, v):
    """A spherical pendulum in polar angles: the second one is cyclic."""
    return (v[0] ** 2 + np.sin(x[0]) ** 2 * v[1] ** 2) / 2 + G * np.cos(x[0])


def plane(L, **options):
    return an.lagrange(an.spaces.minimal(2), L, **options)


START = ps.State(0.0, [1.0, 0.2], [0.3, 1.5])


def errors(system, method, steps, start=START, until=0.4):
    exact = ps.simulate(system, start, "dop853", step=until, steps=1).final.q
    return np.array(
        [
            abs(ps.simulate(system, start, method, step=until / n, steps=n).final.q - exact).max()
            for n in steps
        ]
    )


def test_the_first_steps_of_the_notebook():
    start = ps.State(0.0, np.radians([10.0, 5.0]), [0.0, 0.0])
    run = ps.simulate(plane(pitch_cone), start, "variational_midpoint", step=0.01, steps=2)
    assert np.abs(run.x[1:] - PRINTED).max() < 0.51e-6  # the last printed digit


def test_the_same_steps_in_quasi_velocities():
    """The chart of `spaces.pitch_cone` has the velocities (d delta/dt, cos delta d eta/dt)."""
    chart = an.spaces.pitch_cone()
    system = an.levi_civita(chart, lambda x: 1.44 * np.eye(2), lambda x: 11.772 * np.cos(x[0]) * np.cos(x[1]))
    start = ps.State(0.0, np.radians([10.0, 5.0]), [0.0, 0.0])
    run = ps.simulate(system, start, "variational_midpoint", step=0.01, steps=2)
    assert np.abs(run.x[1:] - PRINTED).max() < 0.51e-6


@pytest.mark.parametrize("method", [*METHODS, *GAUSS])
def test_orders(method):
    steps = {2: (40, 80), 4: (20, 40), 6: (8, 16), 8: (4, 8) if method in GAUSS else (8, 16)}
    steps = steps[ps.method(method).order]
    found = errors(plane(polar), method, steps)
    order = np.log2(found[0] / found[1])
    assert abs(order - ps.method(method).order) < 0.5, (found, order)


def cyclic(method, steps, every=1):
    run = ps.simulate(plane(polar), START, method, step=0.02, steps=steps, every=every)
    return run, np.sin(run.x[:, 0]) ** 2 * run.velocity[:, 1]


@pytest.mark.parametrize("method", ["variational", "variational_midpoint", "variational4", "sgauss2"])
def test_the_momentum_of_a_cyclic_coordinate_is_kept(method):
    run, p = cyclic(method, 300)
    assert np.abs(p - p[0]).max() < 4e-15
    assert np.ptp(run.energy) > 1e-7  # the energy is not: it moves in a band


@pytest.mark.slow
@pytest.mark.parametrize("method", ["variational", "variational_midpoint"])
def test_hundred_thousand_steps(method):
    run, p = cyclic(method, 100_000, every=10)
    assert np.abs(p - p[0]).max() < 1e-13
    drift = run.drift()
    assert drift.trend < 0.02 * drift.band  # no trend; a random walk of the phase is left


def test_energy_has_no_trend():
    drift = cyclic("variational_midpoint", 2000)[0].drift()
    assert drift.trend < 0.1 * drift.band
    control = ps.simulate(plane(polar), START, "rk4", step=0.1, steps=400).drift()
    assert control.trend > 0.5 * control.band  # a method with a trend is seen


@pytest.mark.parametrize("method", ["variational", "variational_midpoint", "variational4", "sgauss2"])
def test_forces_by_dalembert(method):
    """A damped, driven oscillator, and its work."""
    system = an.lagrange(
        an.spaces.minimal(1),
        lambda t, x, v: v[0] ** 2 / 2 - 2 * x[0] ** 2,
        lambda t, x, v: np.array([-0.3 * v[0] + np.sin(t)]),
    )
    start = ps.State(0.0, [1.0], [0.0])
    found = errors(system, method, (20, 40), start, until=1.0)
    assert abs(np.log2(found[0] / found[1]) - ps.method(method).order) < 0.3, found
    run = ps.simulate(system, start, method, step=0.02, until=1.0)
    assert np.abs(run.energy - run.work - run.energy[0]).max() < 1e-3
    assert abs(run.work[-1]) > 0.1


def test_redundant_coordinates_stay_on_their_constraint():
    circle = an.Coordinates(2, lambda x: np.array([[-x[1]], [x[0]]]), lambda x: np.array([x @ x - 1]))
    system = an.levi_civita(circle, lambda x: np.eye(1), lambda x: G * x[1])
    angle = an.levi_civita(an.spaces.minimal(1), lambda x: np.eye(1), lambda x: G * np.sin(x[0]))
    exact = ps.simulate(
        angle, ps.State(0.0, [np.arctan2(-0.8, 0.6)], [0.3]), "dop853", step=0.4, steps=1
    ).final.q
    off = []
    for n in (20, 40):
        run = ps.simulate(system, ps.State(0.0, [0.6, -0.8], [0.3]), "variational", step=0.4 / n, steps=n)
        off.append(np.abs(run.final.q - [np.cos(exact[0]), np.sin(exact[0])]).max())
        assert run.constraint.max() < 1e-15
    assert abs(np.log2(off[0] / off[1]) - 2) < 0.1


@pytest.mark.parametrize("method", ["variational", "variational_midpoint", "variational4"])
def test_constraints_by_multipliers(method):
    """A bead in the plane that a loop constraint holds on a circle."""

    def mass(x):
        return np.eye(2)

    falling = an.levi_civita(an.spaces.minimal(2), mass, lambda x: G * x[1])
    hanging = an.with_loop_constraints(falling, mass, lambda x: np.array([x @ x - 1]))
    run = ps.simulate(hanging, ps.State(0.0, [0.6, -0.8], [0.24, 0.18]), method, step=0.02, until=0.4)
    assert np.abs((run.x**2).sum(axis=1) - 1).max() < 1e-14
    assert np.abs((run.x * run.velocity).sum(axis=1)).max() < 1e-13
    angle = an.levi_civita(an.spaces.minimal(1), lambda x: np.eye(1), lambda x: G * np.sin(x[0]))
    exact = ps.simulate(
        angle, ps.State(0.0, [np.arctan2(-0.8, 0.6)], [0.3]), "dop853", step=0.4, steps=1
    ).final.q
    limit = 1e-6 if method == "variational4" else 1e-3
    assert np.abs(run.final.q - [np.cos(exact[0]), np.sin(exact[0])]).max() < limit


def test_a_split_run_has_the_same_bits():
    whole = ps.simulate(plane(polar), START, "variational4", step=0.05, steps=10)
    half = ps.simulate(plane(polar), START, "variational4", step=0.05, steps=5)
    system = plane(polar)
    first = ps.simulate(system, START, "variational4", step=0.05, steps=5)
    rest = ps.simulate(system, first.final, "variational4", step=0.05, steps=5)
    assert np.array_equal(half.final.q, first.final.q)
    assert np.array_equal(rest.final.q, whole.final.q)
    assert np.array_equal(rest.final.v, whole.final.v)


def test_a_controller_acts_on_the_discrete_equations():
    motor = an.InputForce(lambda t, x: np.eye(1))
    law = ps.Controller(lambda t, state, memory: ([-2 * state.v[0]], memory), period=0.02, inputs=[motor])
    system = an.lagrange(an.spaces.minimal(1), lambda t, x, v: v[0] ** 2 / 2 - 2 * x[0] ** 2)
    a, b = (
        ps.simulate(system, ps.State(0.0, [1.0], [0.0]), method, step=0.02, until=1.0, controller=law)
        for method in ("variational_midpoint", "gauss3")
    )
    assert abs(a.final.q - b.final.q).max() < 1e-3
    assert abs(a.work[-1] - b.work[-1]) < 2e-3


def refused(system, method, says, start=START):
    with pytest.raises(ps.ScenarioError, match=says):
        ps.simulate(system, start, method, step=0.1, steps=1)


def test_what_has_no_discrete_equations_is_refused():
    line = an.spaces.minimal(2)
    refused(an.hamilton(line, lambda t, x, p: p @ p / 2), "variational", "without a Lagrangian")
    circle = an.Coordinates(2, lambda x: np.array([[-x[1]], [x[0]]]), lambda x: np.array([x @ x - 1]))
    system = an.levi_civita(circle, lambda x: np.eye(1), lambda x: G * x[1])
    refused(system, "sgauss2", "minimal coordinates", ps.State(0.0, [0.6, -0.8], [0.3]))
    edge = an.Coordinates(3, lambda x: np.array([[np.cos(x[2]), 0], [np.sin(x[2]), 0], [0, 1]]))
    knife = an.System(edge, lambda t, x, v: v, lambda t, x, v: 0 * v, lagrangian=lambda t, x, v: v @ v / 2)
    refused(knife, "variational", "non-holonomic", ps.State(0.0, [0.0, 0.0, 0.3], [1.0, 1.0]))
    refused(plane(polar), "variational_se3", "moves joints")


def test_a_step_that_is_too_large_is_told():
    system = an.lagrange(an.spaces.minimal(1), lambda t, x, v: v[0] ** 2 / 2 - np.exp(40 * x[0] ** 2))
    with pytest.raises(ps.StepError):
        ps.simulate(system, ps.State(0.0, [1.0], [30.0]), "variational", step=1.0, steps=5)

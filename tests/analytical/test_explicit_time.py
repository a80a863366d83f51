"""Systems that depend on time, work and Hamiltonians of own systems, multipliers, springs and controllers."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps

an = ps.analytical
G, TURNING = 9.81, 3.0
LINE = an.spaces.minimal(1)


def hoop(rate: Any = lambda t: TURNING * t) -> Any:
    """A bead at the angle x on a hoop of radius 1 that has turned by rate(t) about the vertical."""

    def place(t: Any, x: Any) -> Any:
        s = np.sin(x[0])
        return np.array([[s * np.cos(rate(t)), s * np.sin(rate(t)), -np.cos(x[0])]])

    return place


def weight(t: float, x: Any) -> Any:
    return -G * np.cos(x[0])


def test_a_bead_on_a_rotating_hoop() -> None:
    """x'' = Omega^2 sin x cos x - g sin x; H is conserved, the energy is not."""
    bead = an.moving_particles(LINE, [1.0], hoop(), weight)
    x, xi = np.array([0.7]), np.array([0.4])
    expected = TURNING**2 * np.sin(0.7) * np.cos(0.7) - G * np.sin(0.7)
    assert bead.acceleration(0.3, x, xi)[0] == pytest.approx(expected, rel=1e-11)
    run = ps.simulate(bead, ps.State(0.0, [1.0], [0.0]), "gauss3", step=0.01, until=2.0)
    energy = (run.velocity[:, 0] ** 2 + TURNING**2 * np.sin(run.x[:, 0]) ** 2) / 2 - G * np.cos(run.x[:, 0])
    assert run.energy == pytest.approx(energy, abs=1e-12)
    jacobi = (run.velocity[:, 0] ** 2 - TURNING**2 * np.sin(run.x[:, 0]) ** 2) / 2 - G * np.cos(run.x[:, 0])
    assert run.hamiltonian == pytest.approx(jacobi, abs=1e-12)
    assert np.ptp(run.hamiltonian) < 1e-9
    assert np.ptp(run.energy) > 1
    assert not run.work.any()  # no force without a potential


def test_the_balance_of_the_hamiltonian_with_time_force_and_dissipation() -> None:
    """(3.47): dH/dt = xi (f - dR/dxi) - dL/dt, on a hoop that spins up."""
    spin = lambda t: t**2  # noqa: E731 - the angle of the hoop
    bead = an.moving_particles(
        LINE,
        [2.0],
        hoop(spin),
        lambda t, x: 2 * weight(t, x),
        force=lambda t, x, xi: np.array([0.3 * np.sin(t)]),
        dissipation=lambda t, x, xi: 0.2 * xi[0] ** 2,
    )
    run = ps.simulate(bead, ps.State(0.0, [1.0], [0.0]), "gauss4", step=0.01, until=1.0)

    def lagrangian(t: Any, x: Any, xi: Any) -> Any:
        return xi[0] ** 2 + (2 * t) ** 2 * np.sin(x[0]) ** 2 + 2 * G * np.cos(x[0])

    partial = [
        lagrangian(t + 1e-30j, x, xi).imag / 1e-30
        for t, x, xi in zip(run.time, run.x, run.velocity, strict=True)
    ]
    power = run.velocity[:, 0] * (0.3 * np.sin(run.time) - 0.4 * run.velocity[:, 0])
    rate = np.gradient(run.hamiltonian, run.time, edge_order=2)
    assert rate[5:-5] == pytest.approx((power - partial)[5:-5], abs=2e-2)  # second order in 0.01
    work = np.concatenate([[0], np.cumsum((power[1:] + power[:-1]) / 2 * 0.01)])
    assert run.work == pytest.approx(work, abs=1e-4)  # the trapezoidal rule


def test_energy_minus_work_is_constant_for_own_forces() -> None:
    """Of a pendulum with friction, in three forms; work is part of what is integrated."""
    friction = lambda t, x, xi: -0.4 * xi  # noqa: E731
    mass, potential = lambda x: np.array([[1.0]]) + 0 * x[0], lambda x: -G * np.cos(x[0])
    systems = {
        "levi-civita": an.levi_civita(LINE, mass, potential, friction),
        "lagrange": an.lagrange(LINE, lambda t, x, v: v[0] ** 2 / 2 + G * np.cos(x[0]), friction),
        "hamilton": an.hamilton(LINE, lambda t, x, p: p[0] ** 2 / 2 - G * np.cos(x[0]), friction),
    }
    for name, system in systems.items():
        run = ps.simulate(system, ps.State(0.0, [1.0], [0.0]), "gauss3", step=0.02, until=1.0)
        assert run.work[-1] < -0.5, name
        assert np.ptp(run.energy - run.work) < 1e-9, name
    more = ps.simulate(system, run.final, "gauss3", step=0.02, until=1.2)
    whole = ps.simulate(system, ps.State(0.0, [1.0], [0.0]), "gauss3", step=0.02, until=1.2)
    assert more.work[-1] == whole.work[-1]  # the same bits as one long run


def test_multipliers_are_the_tension_of_a_pendulum() -> None:
    """c = r.r - 1, force 2 r lambda: the tension is -2 lambda = m (v^2 + g cos x)."""
    bob = an.constrained_particles(
        [2.0], lambda r: np.array([r @ r - 1]), lambda t, r, v: np.array([[0.0, -2 * G]]), axes=2
    )
    x = 0.6
    r, v = np.array([np.sin(x), -np.cos(x)]), 1.5 * np.array([np.cos(x), np.sin(x)])
    lam = bob.multipliers(0.0, r, v)
    assert -2 * lam[0] == pytest.approx(2 * (1.5**2 + G * np.cos(x)), rel=1e-10)
    run = ps.simulate(bob, ps.State(0.0, r, v), "gauss3", step=0.01, steps=5)
    assert run.multipliers.shape == (6, 1)
    assert run.multipliers[0, 0] == pytest.approx(lam[0], rel=1e-14)


def test_springs_and_dissipation_between_particles() -> None:
    """Two particles on a line with a spring, and a third one bound to a point; SciPy solves the same."""
    k, c = 30.0, 0.5
    free = an.constrained_particles(
        [1.0, 2.0, 1.0],
        lambda r: np.zeros(0),
        lambda t, r, v: np.zeros((3, 2)),
        axes=2,
        springs=[(0, 1, k, 0.8), (2, (0.0, 3.0), k, 0.5)],
        dissipation=lambda t, r, v: c * ((v[0] - v[1]) ** 2).sum() / 2,
    )
    start = np.array([0.0, 0.0, 1.0, 0.0, 0.2, 2.0]), np.array([0.0, 0.3, 0.0, 0.0, 0.8, 0.0])

    def field(t: float, y: Any) -> Any:
        r, v = y[:6].reshape(3, 2), y[6:].reshape(3, 2)
        d, e = r[1] - r[0], r[2] - np.array([0.0, 3.0])
        pull = k * (np.linalg.norm(d) - 0.8) * d / np.linalg.norm(d) + c * (v[1] - v[0])
        back = -k * (np.linalg.norm(e) - 0.5) * e / np.linalg.norm(e)
        return np.concatenate([v.ravel(), pull, -pull / 2, back])

    exact = solve_ivp(field, (0, 1), np.concatenate(start), rtol=1e-11, atol=1e-12).y[:, -1]
    run = ps.simulate(free, ps.State(0.0, *start), "gauss3", step=0.02, until=1.0)
    assert np.concatenate([run.x[-1], run.velocity[-1]]) == pytest.approx(exact, abs=1e-7)
    assert run.work[-1] < -1e-3
    assert np.ptp(run.energy - run.work) < 1e-6
    moving = an.moving_particles(
        an.spaces.minimal(2),
        [1.0],
        lambda t, x: np.array([[x[0], x[1] + t]]),
        springs=[(0, (0.0, 0.0), k, 0.5)],
    )
    f = moving.acceleration(0.5, np.array([0.3, -0.1]), np.zeros(2))
    assert f == pytest.approx(-k * (0.5 - 0.5) * np.array([0.3, 0.4]) / 0.5, abs=1e-9)  # at rest length


def test_a_controller_holds_its_inputs_on_an_own_system() -> None:
    """The same law on the same pendulum as a mechanism: the states agree, and so does the work."""

    def law(t: float, state: Any, memory: Any) -> Any:
        return [-20 * state.q[0] - 6 * state.v[0]], memory

    rod = an.levi_civita(LINE, lambda x: np.array([[1.0]]) + 0 * x[0], lambda x: G * np.cos(x[0]))
    own = ps.Controller(law, 0.05, [an.InputForce(lambda t, x: np.eye(1), limit=3.0)])
    run = ps.simulate(rod, ps.State(0.0, [0.4], [0.0]), "gauss3", step=0.01, until=1.0, controller=own)
    m = ps.Mechanism().add(
        "rod", ps.Body(1.0, (0, 0, 0), physical=False), ps.Revolute((0, 1, 0)), body_at=(0, 0, 1)
    )
    same = ps.Controller(law, 0.05, [ps.Actuator("rod", limit=3.0)])
    there = ps.simulate(m, m.state({"rod": dict(angle=0.4)}), "gauss3", step=0.01, until=1.0, controller=same)
    assert run.x[:, 0] == pytest.approx(there.joint("rod")[:, 0], abs=1e-10)
    assert run.inputs[:, 0] == pytest.approx(there.input("rod")[:, 0], abs=1e-9)
    assert np.abs(run.inputs).max() == 3.0  # at its limit
    assert run.work == pytest.approx(there.work, abs=1e-9)
    first = ps.simulate(rod, ps.State(0.0, [0.4], [0.0]), step=0.01, steps=53, controller=own)
    rest = ps.simulate(rod, first.final, step=0.01, steps=47, controller=own)
    assert rest.final.q[0] == run.final.q[0]  # the same bits, although the run was cut within a period


def test_controllers_and_records_that_do_not_fit_are_one_clear_line() -> None:
    rod = an.levi_civita(LINE, lambda x: np.eye(1))
    start = ps.State(0.0, [0.0], [0.0])
    motor = an.InputForce(lambda t, x: np.eye(2))
    law = lambda t, state, memory: ([1.0], memory)  # noqa: E731

    def run(**options: Any) -> Any:
        return ps.simulate(rod, start, step=0.01, steps=3, **options)

    with pytest.raises(ps.ScenarioError, match="InputForce"):
        run(controller=ps.Controller(law, 0.01, ["joint"]))
    with pytest.raises(ps.StepError, match="B must be a matrix"):
        run(controller=ps.Controller(law, 0.01, [motor]))
    with pytest.raises(ps.StepError, match="must return 1 number"):
        run(controller=ps.Controller(lambda t, s, m: ([1.0, 2.0], m), 0.01, [motor]))
    with pytest.raises(ps.ModelError, match="written without multipliers"):
        _ = run().multipliers
    with pytest.raises(ps.ModelError, match="two ends"):
        an.moving_particles(LINE, [1.0], lambda t, x: np.array([[x[0]]]), springs=[(0, 0, 1.0, 1.0)])
    m = ps.Mechanism().add("a", ps.Box(1.0).body(mass=1.0), ps.Revolute((1, 0, 0)))
    with pytest.raises(ps.ModelError, match="not a mechanism"):
        ps.simulate(m, m.state(), step=0.01, steps=1, controller=ps.Controller(law, 0.01, [motor]))
    recorded = run(record={"t": lambda t, state: t}).recorded
    assert recorded["t"] == pytest.approx([0.0, 0.01, 0.02, 0.03])

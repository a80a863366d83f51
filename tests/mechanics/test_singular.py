"""Masses that nothing resists, potentials of all sizes, energies that explode."""

import math

import numpy as np
import pytest

import poinsot as ps


def test_a_massless_leaf_is_named_and_not_nan():
    m = ps.Mechanism().add("a", ps.Body(1.0, (1, 1, 1)), ps.Spherical())
    m.add("b", None, ps.Prismatic((1, 0, 0)), parent="a")
    for ask in (
        lambda: ps.dynamics.acceleration(m, m.state()),
        lambda: ps.dynamics.reactions(m, m.state()),
        lambda: ps.dynamics.linearize(m, m.state()),
        lambda: ps.simulate(m, m.state(), "rk4", step=0.01, steps=1),
    ):
        with pytest.raises(ps.ModelError, match="joint 'b': nothing resists its motion"):
            ask()


@pytest.mark.parametrize(("length", "far"), [(1.0, 0.0), (1e-3, 0.0), (1e-6, 0.0), (1.0, 1e3), (1e4, 1e5)])
def test_a_right_potential_is_accepted_and_a_wrong_one_refused(length, far):
    def force(t, R, w, p, v):
        return 0.0, 0.0, 0.0, math.sin((p[0] - far) / length), 0.0, 0.0

    def right(R, p):
        return length * math.cos((p[0] - far) / length)

    def wrong(R, p):
        return -length * math.cos((p[0] - far) / length)

    for potential in (right, wrong):
        m = ps.Mechanism(gravity=(0, 0, 0)).add("b", ps.Body(1.0, (1, 1, 1)), ps.Free())
        m.apply(ps.Wrench("b", force, potential=potential))
        start = m.state({"b": dict(position=(far + 0.3 * length, 0, 0))})
        if potential is right:
            ps.simulate(m, start, "rk4", step=1e-9, steps=1)
        else:
            with pytest.raises(ps.ModelError, match="potential does not"):
                ps.simulate(m, start, "rk4", step=1e-9, steps=1)


@pytest.mark.parametrize(("method", "step"), [("variational", 0.021), ("newmark", 0.021), ("rk4", 0.029)])
def test_an_energy_that_explodes_on_a_tree_is_told(method, step):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("b", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    m.apply(ps.JointSpring("b", 1e4))
    with pytest.warns(ps.StepWarning, match="the energy moves by"):
        run = ps.simulate(m, m.state({"b": dict(displacement=1.0)}), method, step=step, steps=100)
    assert run.energy[-1] > 1e3 * run.energy[0]


def test_a_motion_in_a_large_potential_is_not_told():
    """A pendulum that hardly moves: its energy is rounding of the potential."""
    m = ps.Mechanism().add("b", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1e3))
    ps.simulate(m, m.state({"b": dict(angle=1e-9)}), "rk4", step=0.01, steps=100)


def test_constrained_particles_can_be_simulated():
    g = 9.81
    system = ps.analytical.constrained_particles(
        [1.0],
        lambda r: np.array([r[0] ** 2 + r[1] ** 2 - 1]),
        lambda t, r, v: np.array([[0.0, -g]]),
        axes=2,
    )
    run = ps.simulate(system, ps.State(0.0, [1.0, 0.0], [0.0, 0.0]), "gauss3", step=0.01, until=1.0)
    m = ps.Mechanism().add("b", ps.Body(1.0, (1e-9, 1e-9, 1e-9)), ps.Revolute((0, -1, 0)), body_at=(1, 0, 0))
    pendulum = ps.simulate(m, m.state(), "gauss3", step=0.01, until=1.0)
    assert run.x[:, 0] == pytest.approx(np.cos(pendulum.joint("b")[:, 0]), abs=1e-7)
    assert run.constraint.max() < 1e-8
    with pytest.raises(ps.ModelError, match="violate the constraints"):
        ps.simulate(system, ps.State(0.0, [2.0, 0.0], [0.0, 0.0]), "gauss3", step=0.01, until=1.0)


def orbit():
    strength = 39.47841760435743 * 2.5

    def pull(t, R, w, p, v):
        r2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
        g = -strength / (r2 * math.sqrt(r2))
        return 0.0, 0.0, 0.0, g * p[0], g * p[1], g * p[2]

    def potential(R, p):
        return -strength / math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])

    m = ps.Mechanism(gravity=(0, 0, 0)).add("b", ps.Body(2.5, (0.01, 0.02, 0.025)), ps.Free())
    m.apply(ps.Wrench("b", pull, potential=potential))
    speed = math.sqrt(39.47841760435743 * 1.6 / 0.4)
    motion = dict(position=(0.4, 0, 0), velocity=(0, speed, 0), angular_velocity=(0.1, 0.2, 0.3))
    return m, m.state({"b": motion})


def test_advise_and_compare_see_the_position_of_a_free_body():
    m, start = orbit()
    advice = ps.advise(m, start, until=1.0, accuracy=1e-6)
    end = ps.simulate(m, start, advice.method, step=advice.step, until=1.0).position("b")[-1]
    assert np.linalg.norm(end - (0.4, 0, 0)) < 2e-6 * 2  # two astronomical units are the scale of the motion
    (row,) = ps.compare(m, ["srkn4"], [1 / 64], start=start, until=1.0, step=1 / 64).rows
    end = ps.simulate(m, start, "srkn4", step=1 / 64, until=1.0).position("b")[-1]
    assert row.error > np.linalg.norm(end - (0.4, 0, 0)) / 3

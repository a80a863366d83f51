"""A million flights: rounding neither drifts nor, where there is something to keep, walks.

Before the invariants of flight were carried in the memory, each flight of a symmetric body multiplied its
transverse momentum by the same rounding: 6e-10 of the energy and 3e-7 rad in these runs, 2e-8 rad in that of
the Dzhanibekov body.
"""

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.one_body import compile_body
from poinsot.core.body.invariants import Gain, combined, gained, invariants_of, settled, shifted, squares
from poinsot.core.body.records import BODY, STATE
from poinsot.core.lie import quaternion
from poinsot.model.rotations import apply

BODIES = {"disc": (1, 1, 1.7), "rod": (1, 1.7, 1.7), "brick": (1, 1.3, 1.7)}
FLYING = ("exkick", "srkn4", "exk4", "exk6", "exact")
EPS = 2.0**-52


def body(I, c=(0, 0, 0), g=(0, 0, 0)):
    m = ps.Mechanism(gravity=g).add("b", ps.Body(1.0, I, center_of_mass=c), ps.Spherical())
    return m, m.state({"b": dict(angular_velocity=(0.9, -0.4, 1.7))})


def momentum(run):
    """Angular momentum in space, from the state of the core."""
    x = compile_body(run.mechanism).to_core(run.trajectory.q, run.trajectory.v)
    return apply(x[:, :4], x[:, 4:7])


@pytest.mark.parametrize("method", ["exact", "srkn4"])
@pytest.mark.parametrize("name", BODIES)
def test_a_million_free_steps_keep_energy_and_momentum(name, method):
    """Momentum 1e-14, energy 5e-13 are asked for; kept values leave some roundings of the samples."""
    m, start = body(BODIES[name])
    run = ps.simulate(m, start, method, step=0.001, steps=1_000_000, every=10_000)
    L = momentum(run)
    assert np.abs(L - L[0]).max() < 10 * EPS * np.linalg.norm(L[0])
    assert np.abs(run.energy / run.energy[0] - 1).max() < 10 * EPS
    whole = ps.simulate(m, start, "exact", step=1000.0, steps=1)
    apart = np.abs(run.rotation("b")[-1] - whole.rotation("b")[-1]).max()
    assert apart < 1e-11  # 2000 rad of roundings relative to the angle, and a walk of 6e6 roundings


@pytest.mark.parametrize("method", FLYING)
@pytest.mark.parametrize("name", BODIES)
def test_steps_of_any_size_keep_energy_and_momentum(name, method):
    """0.3 rad and 6 rad a step: there the factors of a flight are rounded, not only its end."""
    m, start = body(BODIES[name])
    for h in (0.15, 3.0):
        run = ps.simulate(m, start, method, step=h, steps=20_000, every=1000)
        L = momentum(run)
        assert np.abs(L - L[0]).max() < 10 * EPS * np.linalg.norm(L[0])
        assert np.abs(run.energy / run.energy[0] - 1).max() < 10 * EPS


@pytest.mark.parametrize("method", ["srkn4", "exk4", "exk6"])
def test_near_the_separatrix_many_small_steps_do_no_harm(method):
    """16 000 steps over the flip of the Dzhanibekov body: within ten times the error of gauss3, 2.3e-13."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("b", ps.Body(1.0, (0.0801587, 0.0825397, 0.00396825)), ps.Spherical())
    start = m.state({"b": dict(angular_velocity=(6, 0.01, 0))})
    end = ps.simulate(m, start, "exact", step=4.4, steps=1).rotation("b")[-1]  # 1e-14 off 32 digits
    run = ps.simulate(m, start, method, step=4.4 / 16_000, steps=16_000, every=16_000)
    assert np.abs(run.rotation("b")[-1] - end).max() < 3e-13  # 3e-14 and 4e-14


@pytest.mark.parametrize("name", BODIES)
def test_a_torque_does_not_bring_the_drift_back(name):
    """Kicks of 1e-9 of the momentum; the energy drifted by 4e-10 of itself in this time."""
    m, start = body(BODIES[name], c=(0, 0, 1e-9), g=(0, 0, -9.81))
    run = ps.simulate(m, start, "srkn4", step=0.01, steps=300_000, every=3000)
    means = run.energy[1:].reshape(10, -1).mean(axis=1) / run.energy[0]
    assert np.abs(means - means[0]).max() < 1e-13  # a walk of 3e5 roundings of J, here 6e-14


def test_a_body_that_is_braked_and_flies_on_keeps_its_momentum_again():
    """The torque ends at 1 s: from there on, the momentum in space is kept and not walked."""

    def brake(t, R, w, p, v):
        return (-0.3, 0.1, 0.2) if t < 1.0 else (0.0, 0.0, 0.0)

    m, start = body(BODIES["brick"])
    m.apply(ps.Torque("b", brake, switches=(1.0,)))
    run = ps.simulate(m, start, "srkn4", step=0.01, steps=100_100, every=100)
    L = momentum(run)[1:]
    assert np.abs(momentum(run)[0] - L[0]).max() > 0.1
    assert np.abs(L - L[0]).max() < 10 * EPS * np.linalg.norm(L[0])


# the parts


def some_body(I=(1.0, 1.3, 1.7)):
    return BODY._replace(I=I, a=tuple(1 / x for x in I))


@pytest.mark.parametrize(
    "P",
    [(0.7, -1.1, 0.4), (1e-4, 2.0, 3e-4), (2.0, 1e-5, 2e-5), (1e-5, 3e-5, 2.0), (0.5, 0.0, 0.3)],
    ids=["middle", "saddle", "first axis", "third axis", "plane"],
)
@pytest.mark.parametrize("I", [(1.0, 1.3, 1.7), (1.7, 1.3, 1.0), (1.3, 1.3, 0.4), (1.0, 1.0 + 1e-12, 2.0)])
def test_a_momentum_is_moved_to_its_invariants(I, P):
    """By no more, relative to each component, than it was off: also where components are tiny."""
    a, rng = some_body(I).a, np.random.default_rng(3)
    J = combined(a, squares(P))
    for _ in range(20):
        off = rng.uniform(-1, 1, 3)
        moved = tuple(p * (1 + 1e-13 * x) for p, x in zip(P, off, strict=True))
        found, same = shifted(a, moved, J)
        assert same == J
        d = np.abs((a[0] - a[1], a[1] - a[2], a[0] - a[2]))
        s = np.square(P)
        sizes = (d[0] * s[1] + d[2] * s[2], d[0] * s[0] + d[1] * s[2], d[2] * s[0] + d[1] * s[1])
        left = np.abs(np.subtract(combined(a, squares(found)), J))
        assert (left <= 8 * EPS * np.array(sizes)).all()
        change = np.abs(np.subtract(found, moved)) / np.where(P, np.abs(P), 1.0)
        assert change.max() < 4e-13  # four times 1e-13


def test_invariants_that_are_too_far_away_are_those_of_the_state():
    b, P = some_body(), (0.7, -1.1, 0.4)
    J = tuple(1.001 * x for x in combined(b.a, squares(P)))
    found, new = shifted(b.a, P, J)
    assert found == P
    assert new == combined(b.a, squares(P))


def test_kicks_change_the_invariants_as_the_momentum():
    b, P = some_body(), np.array((0.7, -1.1, 0.4))
    gain = Gain((0.0, 0.0, 0.0), 0.0)
    x = STATE._replace(P=tuple(P))
    kept = invariants_of(b, x)
    for k in ((0.1, 0.2, -0.3), (-0.4, 0.1, 0.0)):
        gain, P = gained(gain, k, tuple(P)), P + k
    end, after = settled(b, x, STATE._replace(P=tuple(P)), kept, gain)
    assert pytest.approx(combined(b.a, squares(tuple(P))), rel=1e-14) == after.J
    assert pytest.approx(P, rel=1e-14) == end.P
    assert after.flying == 0.0


def test_in_free_flight_the_attitude_is_rotated_to_the_momentum_in_space():
    b, P, q = some_body(), (0.7, -1.1, 0.4), (0.5, 0.1, -0.7, 0.5)
    x, gain = STATE._replace(q=q, P=P), Gain((0.0, 0.0, 0.0), 0.0)
    kept = invariants_of(b, x)
    moved = x._replace(q=quaternion.compose(q, quaternion.exp((2e-13, -1e-13, 3e-13))))
    end, after = settled(b, x, moved, kept, gain)
    L = quaternion.apply(q, P)
    assert after.flying == 1.0
    assert after.L == L
    assert np.abs(np.subtract(quaternion.apply(end.q, end.P), L)).max() < 4 * EPS

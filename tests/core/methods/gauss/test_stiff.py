"""Stiff springs and dampers: Gauss methods go on with Newton's method where the fixed point cannot.

On a linear problem a step of the method with s stages multiplies by Padé's approximant of exp,

    R(z) = N(z)/N(-z),   N(z) = sum_j (2s - j)! s! / ((2s)! j! (s - j)!) z^j,                  (1)

whatever z = h lambda is: an exact witness for z from 0.1 to 1e5.
"""

import math
import warnings

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.catalogue import by_name
from poinsot.compile.tree import compile_tree
from poinsot.simulation.engine import Engine
from support import zoo

GAUSS = {1: "gauss1", 2: "gauss2", 3: "gauss3", 4: "gauss4"}
J, H, STEPS = 0.02, 0.01, 20
GROWTH = {1: 1, 2: 4, 3: 10, 4: 40}  # of rounding, with the size of the coefficients of F


def stretched(s, z):
    """(1)"""

    def N(z):
        f = math.factorial
        return sum(f(2 * s - j) * f(s) / (f(2 * s) * f(j) * f(s - j)) * z**j for j in range(s + 1))

    return N(z) / N(-z)


def hinge(*forces):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("link", ps.Body(1.0, (J, J, J)), ps.Revolute((0, 0, 1)))
    return m.apply(*forces)


@pytest.mark.parametrize("s", GAUSS)
@pytest.mark.parametrize("z", [0.1, 1, 3, 10, 100, 1e3, 1e5])
def test_a_damped_hinge(s, z):
    """v_n = R(-z)^n v_0, and c q + J v stays."""
    c = z * J / H
    m = hinge(ps.JointDamper("link", c))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = ps.simulate(m, m.state({"link": dict(rate=1.0)}), GAUSS[s], step=H, steps=STEPS)
    assert run.final.memory.changed == (z > 2 or (s == 1 and z == 1)), "where the fixed point gives up"
    assert ("continues with Newton's method" in run.reason) == run.final.memory.changed
    said = ["'link' is stiff" in str(one.message) and "radau3" in str(one.message) for one in caught]
    assert said == [True] * (run.final.memory.changed and abs(stretched(s, -z)) > 0.5), (
        "a step that leaves more than half is warned of"
    )
    q, v = run.joint("link")[:, 0], run.rate("link")[:, 0]
    amplified = STEPS * z * 2.0**-52  # rounding of a stage, times h lambda, in each step
    assert np.abs(v - stretched(s, -z) ** np.arange(STEPS + 1)).max() < 5e-14 * GROWTH[s] + amplified
    assert np.ptp(c * q + J * v) < (2e-14 + amplified) * J
    assert np.ptp(run.energy - run.work) < (1e-13 * GROWTH[s] + 2 * amplified) * run.energy[0]


@pytest.mark.parametrize("s", GAUSS)
@pytest.mark.parametrize("z", [0.1, 1, 3, 10, 100, 1e3, 1e4])
def test_a_stiff_spring(s, z):
    """q_n = Re R(i z)^n q_0, and the energy stays; a small angle, so that nothing turns far in a step."""
    m = hinge(ps.JointSpring("link", (z / H) ** 2 * J))
    run = ps.simulate(m, m.state({"link": dict(angle=1e-3)}), GAUSS[s], step=H, steps=STEPS)
    assert run.final.memory.changed == (z > 2), "where the fixed point gives up"
    exact = 1e-3 * (stretched(s, 1j * z) ** np.arange(STEPS + 1)).real
    assert np.abs(run.joint("link")[:, 0] - exact).max() < 1e-3 * 5e-14 * GROWTH[s]
    assert np.ptp(run.energy) < 2e-13 * GROWTH[s] * run.energy[0]


def test_small_steps_follow_the_exponential():
    """The closed form of the motion itself, at h lambda = 0.05: error of order h^6."""
    m = hinge(ps.JointDamper("link", 5 * J))
    run = ps.simulate(m, m.state({"link": dict(rate=1.0)}), "gauss3", step=H, steps=100)
    assert np.abs(run.rate("link")[:, 0] - np.exp(-5 * run.time)).max() < 1e-13


def greased(damping):
    """A light link on a swinging arm, with grease in its joint, and a stiff spring beside."""
    m = ps.Mechanism()
    m.add("arm", ps.Body(1.0, (0.1, 0.12, 0.02), (0, 0.05, -0.5)), ps.Spherical())
    m.add("tip", ps.Body(0.05, (1e-3, 2e-3, 1.5e-3), (0, 0.05, 0.02)), ps.Spherical(), "arm", (0, 0, -1))
    m.add(
        "bob",
        ps.Body(0.2, (1e-2, 1e-2, 1e-2), (0, 0, -0.2)),
        ps.Universal((1, 0, 0), (0, 1, 0)),
        "arm",
        (0, 0, -0.5),
    )
    return m.apply(ps.JointDamper("tip", damping), ps.JointSpring("bob", 5.0))


def swung(m):
    turn = ps.quaternion.exp((1.2, 0.1, 0.3))
    return m.state({"arm": dict(rotation=turn, angular_velocity=(0.1, 0.2, 1.0))})


@pytest.mark.parametrize(("method", "bound"), [("gauss1", 2e-2), ("gauss2", 1e-4), ("gauss3", 2e-6)])
def test_a_greased_link_moves_as_with_tiny_steps(method, bound):
    """h lambda is about 1e3 in the grease; the slow motion is what matters, and dop853 agrees on it."""
    m = greased(50.0)
    assert 0.02 * 50.0 / 1.5e-3 > 600, "h lambda"
    run = ps.simulate(m, swung(m), method, step=0.02, steps=50)
    assert run.final.memory.changed
    exact = ps.simulate(m, swung(m), "dop853", step=1.0, steps=1)
    assert np.abs(run.final.q - exact.final.q).max() < bound
    assert np.ptp(run.energy - run.work) < 10 * bound


@pytest.mark.parametrize("s", GAUSS)
def test_newtons_method_has_the_declared_order(s):
    """The second kernel from the first step on, where both converge: same stages, so same result."""
    m, until = zoo.everything(), 0.4
    method, start = by_name(GAUSS[s]), zoo.start(m)
    exact = ps.simulate(m, start, "gauss4", step=until / 400, steps=400).final.v
    counts, errors = {1: (20, 40), 2: (10, 20), 3: (8, 16), 4: (4, 6)}[s], []
    for steps in counts:
        engine = Engine(compile_tree(m), method, until / steps, start)
        engine.time_loop = engine.time_loop.fallback()
        engine.go(steps, 0)
        assert engine.status.stopped is None
        v = engine.state().v
        other = ps.simulate(m, start, method.name, step=until / steps, steps=steps).final
        assert not other.memory.changed
        assert np.abs(v - other.v).max() < 1e-12
        errors.append(np.abs(v - exact).max())
    order = np.log(errors[0] / errors[1]) / np.log(counts[1] / counts[0])
    assert order == pytest.approx(2 * s, abs=0.2)


def stuck(t, q, v):
    """Quiet until t = 0.1, then dry friction, which no stage can rest in."""
    dry = 1.0 if v[0] > 0.0 else -1.0
    return -dry if t > 0.1 else 0.0


def clogged(t, q, v):
    """For newmark, which is explicit in q: a damper that it cannot follow."""
    return -1e7 * max(t - 0.1, 0.0) * v[0]


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
@pytest.mark.parametrize("method", [*GAUSS.values(), "newmark"])
@pytest.mark.parametrize("every", [1, 4])
def test_what_nothing_can_save_is_an_error_that_keeps_the_rest(method, every):
    m = hinge(ps.JointTorque("link", clogged if method == "newmark" else stuck))
    start = m.state({"link": dict(angle=0.3, rate=0.1)})
    blown = method == "newmark"  # it is explicit in the velocity: the state grows, and is infinite at last
    what = (ps.StepError, "became infinite") if blown else (ps.ConvergenceError, "did not converge")
    with pytest.raises(what[0], match=what[1]) as caught:
        ps.simulate(m, start, method, step=H, steps=100, every=every)
    error = caught.value
    assert 9 <= error.step <= (30 if blown else 12)
    assert f"{method}: step {error.step} from t = {error.time:g}" in str(error)
    said = (
        "'clogged' at 'link' is stiff"
        if method == "newmark"
        else "'stuck' at 'link' is discontinuous: method='cf4' makes this step, but not accurately, or make"
    )
    if every == 1 or not blown:  # the samples show where the growth began
        assert said in str(error)
        assert ("method='radau3' makes this step" in str(error)) == blown
    assert error.time == pytest.approx(error.step * H)
    assert error.run.time[-1] == error.time
    assert np.array_equal(error.state.v, error.run.trajectory.v[-1])
    quiet = ps.simulate(m, start, method, step=H, steps=error.step)
    assert np.array_equal(error.state.q, quiet.final.q)
    assert len(error.run.time) == len({*range(0, error.step + 1, every), error.step})


def test_dop853_gives_up_too():
    m = hinge(ps.JointTorque("link", lambda t, q, v: 1.0 / max(0.2 - t, 0.0) ** 3))
    with pytest.raises(ps.StepError) as caught:
        ps.simulate(m, m.state(), "dop853", step=H, steps=100)
    assert caught.value.time < 0.2 + 1e-9

"""4DISP: its free motion against an independent integration; balanced, driven and swung up."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.gallery import disp4
from poinsot.gallery.disp4 import motion, without_spin
from support.data import load

REFERENCE = load("disp4.json")


def run_of(s, method=None, **options):
    settings = {"step": s.step, "until": s.until, "controller": s.controller, **options}
    return ps.simulate(s.mechanism, s.start, method or s.method, **settings)


@pytest.mark.parametrize(("mass", "close"), [(0, 5e-10), (1, 2e-10)])  # the reference: 1.3e-10, at t = 10
def test_free_motion_agrees_with_the_reference(mass, close):
    s = ps.scenario("4disp", **{"bodies.cart.mass": mass})
    body = s.mechanism.link("baton").body
    assert np.diag(body.inertia) == pytest.approx([0.4801, 0.4801, 2e-4], rel=1e-14)
    run = run_of(s, "gauss3", step=0.0025, until=10.0, every=200)
    expected = REFERENCE[f"Mc{mass}"]
    assert run.energy[0] == pytest.approx(expected["E0"], rel=1e-14)
    for time, state in expected["state"].items():
        if float(time) <= 10:
            k = round(float(time) / 0.5)
            found = motion(ps.State(0.0, run.trajectory.q[k], run.trajectory.v[k]))
            there = np.concatenate([found.x, found.n, found.u, found.rate])
            assert there == pytest.approx(state, abs=close), time


def test_a_heavy_cart_runs_too():
    run = run_of(ps.scenario("4disp", **{"bodies.cart.mass": 5}), until=5.0)
    assert run.linear_momentum[:, :2] == pytest.approx(np.zeros((501, 2)), abs=1e-6)  # nobody pushes


def test_the_state_without_spin():
    """The same direction and rate of the baton, no rotation about its axis."""
    m = ps.scenario("4disp").mechanism
    turn = ps.quaternion.exp((0.3, -0.2, 1.9))
    state = m.state({"baton": dict(rotation=turn, angular_velocity=(0.5, 0.7, 3.0)), "rail": dict(speed=1.0)})
    plain = without_spin(state)
    assert motion(plain).n == pytest.approx(motion(state).n, abs=1e-15)
    assert motion(plain).rate == pytest.approx(motion(state).rate, abs=1e-15)
    assert ps.quaternion.log(plain.q[2:])[2] == 0.0
    assert (plain.v[:2] == state.v[:2]).all()


def test_balanced_and_driven_to_the_target():
    s = ps.scenario("4disp-balance")
    run = run_of(s)
    assert np.hypot(*(run.final.q[:2] - [2.0, -1.0])) < 1e-5  # asked for: 1e-3
    assert motion(run.final).tilt < 1e-5
    states = zip(run.trajectory.q, run.trajectory.v, strict=True)
    assert np.rad2deg(max(motion(ps.State(0, q, v)).tilt for q, v in states)) < 11.2  # it starts at 11.17
    assert np.abs(run.trajectory.inputs).max() < 15.0
    assert np.ptp(run.energy - run.work) < 5e-5  # of second order
    assert "within 1 mm of the target from t = " in s.story(run)


def test_the_gain_is_that_of_the_axis_by_hand():
    """Per axis (M + m) x.. + m l s.. = u, m l x.. + I_p s.. = m g l s, held over the period: the same LQR."""
    s = ps.scenario("4disp-balance")
    target = s.mechanism.state()
    found = ps.control.sample_model(s.mechanism, target, ["rail"], period=0.02, method="gauss3", step=0.01)
    keep = [
        found.states.index(f"{name}")
        for name in ("rail.displacement", "baton.rotation[1]", "rail.speed", "baton.angular_velocity[1]")
    ]
    M = np.array([[2.0, 1.2], [1.2, 0.4801 + 1.44]])
    below = np.linalg.solve(M, [[0, 0], [0, 9.81 * 1.2]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [below, np.zeros((2, 2))]])
    B = np.concatenate([[0, 0], np.linalg.solve(M, [1, 0])])[:, None]
    hand = ps.control.discretize(A, B, 0.02)
    assert found.A[np.ix_(keep, keep)] == pytest.approx(hand[0], abs=1e-11)  # gauss3: h^7
    assert found.B[keep] == pytest.approx(hand[1], abs=1e-12)


def path(run):
    """Cart and direction of the baton; its spin is of no interest, and wanders."""
    return np.hstack([run.joint("rail"), run.joint("cart"), run.rotation("baton")[:, :, 2]])


@pytest.mark.parametrize("method", ["gauss1", "variational"])
@pytest.mark.parametrize(("name", "until"), [("4disp-balance", 4.0), ("4disp-swingup", 8.0)])
def test_the_same_controller_on_a_dop853_plant(name, until, method):
    """A plant of order 2 comes nearer to the exact one by 4 at half the step, also through the catch."""
    s = ps.scenario(name)
    exact = run_of(s, "dop853", step=0.02, until=until)
    off = []
    for h in (0.01, 0.005):
        run = run_of(s, method, step=h, until=until, every=round(0.02 / h))
        assert np.allclose(run.time, exact.time)
        off.append(np.abs(path(run) - path(exact)).max())
    assert off[0] / off[1] == pytest.approx(4, abs=0.1)
    assert off[0] < 0.005


def test_swung_up_caught_and_driven():
    s = ps.scenario("4disp-swingup")
    assert np.rad2deg(motion(s.start).tilt) == pytest.approx(170.0)
    run = run_of(s)
    caught = ps.control.memory_of(run.final)
    assert caught == pytest.approx(6.36)
    assert np.abs(run.trajectory.inputs).max() < 28.0
    assert np.hypot(*(run.final.q[:2] - [2.0, -1.0])) < 1e-4
    assert motion(run.final).tilt < 1e-5
    assert np.ptp(run.energy - run.work) < 1e-2  # of second order; 23 J were put in
    assert f"caught at t = {caught:.2f} s" in s.story(run)
    other = run_of(s, "dop853")
    assert ps.control.memory_of(other.final) == caught  # not an accident of the method


def test_without_damping_of_the_angular_momentum_it_is_never_caught(monkeypatch):
    monkeypatch.setattr(disp4, "K_L", 0.0)
    s = ps.scenario("4disp-swingup")
    run = run_of(s)
    assert ps.control.memory_of(run.final) is None
    assert s.story(run).startswith("The baton was not caught.")


def test_partial_feedback_linearisation_gives_the_wanted_acceleration():
    """(4) in the full mechanism: the cart accelerates by (1)."""
    s = ps.scenario("4disp-swingup")
    m, law = s.mechanism, disp4.SwingUp(s.mechanism)
    turn = ps.quaternion.exp((2.0, 0.5, 0.0))
    state = m.state(
        {"rail": dict(speed=0.4, displacement=1.0), "baton": dict(rotation=turn, angular_velocity=(1, 2, 0))}
    )
    u = law.force(state)
    x, v, n, rate = motion(state)
    excess = 0.5 * 1.9201 * rate @ rate + 1.2 * 9.81 * (n[2] - 1)
    around = 1.9201 * np.cross(n, rate)[2]
    wanted = (
        1.5 * excess * rate[:2] / (1 + np.linalg.norm(rate))
        + 3.0 * around * np.array([-n[1], n[0]])
        - 0.7 * x
        - v
    )
    found = ps.dynamics.acceleration(m, state, [*u, 0, 0, 0])
    assert found[:2] == pytest.approx(wanted, abs=1e-12)


def test_splitting_the_swing_up_changes_no_bit(tmp_path):
    """Cut between two ticks while it swings, through a file, and on to the catch."""
    s = ps.scenario("4disp-swingup")
    whole = run_of(s, until=8.0)
    half = ps.load(run_of(s, until=3.01).save(tmp_path / "half.poinsot"))
    end = ps.simulate(s.mechanism, half.final, s.method, step=s.step, until=8.0, controller=s.controller)
    assert np.array_equal(end.final.q, whole.final.q)
    assert ps.control.memory_of(end.final) == ps.control.memory_of(whole.final) is not None


def test_compare_refuses_a_controlled_scenario():
    with pytest.raises(ps.ScenarioError, match="'4disp-balance' has a controller"):
        ps.compare("4disp-balance", methods=["rk4"])

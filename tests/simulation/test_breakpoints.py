"""Impulses and switches: what happens at one moment, on a step, once."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.core.jit import COMPILED

C = np.array([0.3, -0.1, 0.2])
BODY = ps.Body(1.5, (1.0, 1.3, 1.7), center_of_mass=C)
JOINTS = {"spherical": ps.Spherical(), "free": ps.Free()}
TURN = Rotation.from_rotvec([0.4, -0.8, 0.5])
SPIN = (1.0, 2.0, 1.5)
TORQUE, FORCE = np.array([0.5, -0.2, 0.3]), np.array([1.0, 2.0, -1.5])
METHODS = [method.name for method in ps.methods() if method.scope != "free"]


def mechanism(*forces, joint="free", gravity=(0, 0, 0)):
    m = ps.Mechanism(gravity=gravity).add("link", BODY, JOINTS[joint], at=(1, 2, 3)).apply(*forces)
    return m, m.state({"link": {"rotation": TURN.as_matrix(), "angular_velocity": SPIN}})


def numbers(entry):
    return np.array(entry, dtype=float)


# the kick


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("frame", ["space", "body"])
def test_an_impulse_changes_the_momenta_by_what_it_is(joint, frame):
    """Free: p by f, L about the centre of mass by t.  Held: L about the joint by t + arm x f."""
    impulse = ps.Impulse("link", 0.0, torque=TORQUE, force=FORCE, frame=frame)
    h = 1e-6  # one step after: the free motion moves nothing that counts
    struck, quiet = (
        ps.simulate(*mechanism(*forces, joint=joint), "srkn4", step=h, steps=1) for forces in ([impulse], [])
    )
    t, f = (TURN.apply(x) if frame == "body" else x for x in (TORQUE, FORCE))
    pivot = np.array([1.0, 2.0, 3.0]) if joint == "spherical" else quiet.position("link")[1]
    arm = quiet.position("link")[1] - pivot
    change = struck.linear_momentum[1] - quiet.linear_momentum[1]
    spins = [
        run.angular_momentum[1] - np.cross(pivot, run.linear_momentum[1]) for run in (struck, quiet)
    ]  # about the pivot
    close = 10 * h  # the step itself
    assert spins[0] - spins[1] == pytest.approx(t + np.cross(arm, f), abs=close)
    if joint == "free":
        assert change == pytest.approx(f, abs=close)
    assert np.array_equal(struck.trajectory.v[0], quiet.trajectory.v[0])  # the sample at 0 is before it


def test_two_impulses_at_one_time_add_up():
    halves = [ps.Impulse("link", 0.1, torque=TORQUE / 2, force=FORCE / 2) for _ in range(2)]
    a, b = (
        ps.simulate(*mechanism(*forces), "rk4", step=0.05, steps=4)
        for forces in (halves, [ps.Impulse("link", 0.1, torque=TORQUE, force=FORCE)])
    )
    assert a.trajectory.v == pytest.approx(b.trajectory.v, rel=1e-14)


# on a step


@pytest.mark.parametrize("time", [0.105, 0.0999])
def test_an_event_off_a_step_is_an_error(time):
    impulse = ps.Impulse("link", time, torque=TORQUE)
    switch = ps.Torque("link", lambda t, R, w, p, v: (0.0, 0.0, 0.0), switches=(time,))
    labels = f"impulse on 'link' at t = {time:g}: ", "switch of torque '<lambda>' on 'link': "
    for force, label in zip((impulse, switch), labels, strict=True):
        with pytest.raises(ps.ScenarioError, match=r"does not lie on a step of 0\.05") as caught:
            ps.simulate(*mechanism(force), "rk4", step=0.05, steps=10)
        assert str(caught.value).startswith(label)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("time", [-1.0, 0.55, 7.77])
def test_an_event_outside_the_run_does_nothing(time):
    runs = [
        ps.simulate(*mechanism(*forces), "nmb", step=0.05, steps=10)
        for forces in ([], [ps.Impulse("link", time, torque=TORQUE)])
    ]
    assert np.array_equal(runs[0].trajectory.v, runs[1].trajectory.v)


def test_a_time_that_is_a_step_but_for_rounding_is_on_it():
    """0.3 is not 3 x 0.1 in binary."""
    impulse = ps.Impulse("link", 0.3, torque=TORQUE)
    run = ps.simulate(*mechanism(impulse), "rk4", step=0.1, until=0.6)
    spin = run.angular_momentum - np.cross(run.position("link"), run.linear_momentum)
    assert spin[4] - spin[3] == pytest.approx(TORQUE, abs=1e-4)  # rk4 loses 1e-5 in a step of 0.1


# once


def push(t, R, w, p, v):
    return (3.0 if t < 0.5 else -2.0), 1.0 - p[0], 0.5


@pytest.mark.parametrize("method", METHODS)
def test_events_at_the_seam_of_two_runs_act_once(method):
    events = (ps.Torque("link", push, switches=(0.5,)), ps.Impulse("link", 0.5, torque=TORQUE, force=FORCE))
    m, start = mechanism(*events, joint="spherical", gravity=(0, 0, -9.81))
    whole = ps.simulate(m, start, method, step=0.05, steps=20)
    for seam in (9, 10, 11):
        first = ps.simulate(m, start, method, step=0.05, steps=seam)
        second = ps.simulate(m, first.final, method, step=0.05, steps=20 - seam)
        for name in ("time", "q", "v", "work"):
            joined = [getattr(first.trajectory, name), getattr(second.trajectory, name)[1:]]
            assert np.array_equal(np.concatenate(joined), getattr(whole.trajectory, name)), (seam, name)


@pytest.mark.skipif(not COMPILED, reason="NumPy warns of what overflows")
def test_a_step_that_fails_after_an_impulse_leaves_the_state_before_it():
    """The state of an error, like every sample, is before the impulse, so that going on strikes once."""
    m, start = mechanism(ps.Impulse("link", 0.2, torque=(0, 0, 1e152)))
    with pytest.raises(ps.StepError) as caught:
        ps.simulate(m, start, "rk4", step=0.1, steps=10)
    error = caught.value
    assert error.time == error.state.time == error.run.time[-1] == 0.2
    assert np.array_equal(error.run.trajectory.v[-1], error.state.v)


# accuracy


def test_a_force_is_seen_from_its_own_side_of_the_switch():
    """Constant before and after, so the momentum is a broken line: no step sees the other side."""
    step = ps.Torque("link", lambda t, R, w, p, v: ((2.0 if t < 0.5 else -1.0), 0.0, 0.0), switches=(0.5,))
    run = ps.simulate(*mechanism(step), "srkn4", step=0.1, steps=10)
    spin = run.angular_momentum - np.cross(run.position("link"), run.linear_momentum)
    t = run.time
    broken = np.where(t <= 0.5, 2.0 * t, 1.0 - (t - 0.5))
    assert spin[:, 0] - spin[0, 0] == pytest.approx(broken, abs=1e-13)  # srkn4 adds h T exactly


def test_nmb_keeps_its_order_across_a_switch():
    m, start = mechanism(ps.Torque("link", push, switches=(0.5,)), joint="spherical", gravity=(0, 0, -9.81))
    counts = [20, 40, 80, 160]
    runs = [ps.simulate(m, start, "nmb", step=1 / n, steps=n, every=n) for n in [*counts, 20480]]
    ends = np.array([np.concatenate([run.final.q, run.final.v]) for run in runs])
    errors = np.abs(ends[:-1] - ends[-1]).max(axis=1)
    slope = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert slope == pytest.approx(2.0, abs=0.05)


@pytest.mark.filterwarnings("ignore::poinsot.PhysicsWarning")
@pytest.mark.parametrize(("method", "step", "close"), [("srkn4", 0.01, 5e-11), ("nmb", 0.001, 1e-4)])
def test_the_book_toss_agrees_with_the_reference(reference, method, step, close):
    """Spun up by 20 about axis 1, struck at t = 2, free after: R off by 9e-12 and 5e-5 at t = 5."""
    s = ps.scenario("book-toss", step=step)
    run = ps.simulate(s.mechanism, s.start, method, step=s.step, until=s.until, every=round(1 / step))
    assert run.time.tolist() == [0, 1, 2, 3, 4, 5]
    for time, expected in reference["book_toss_ideal_impulse"]["at"].items():
        k = round(float(time))
        assert run.rotation("book")[k] == pytest.approx(numbers(expected["R"]), abs=close)
        assert run.angular_velocity("book")[k] == pytest.approx(
            numbers(expected["Omega_body"]), abs=10 * close
        )
        assert run.angular_momentum[k] == pytest.approx(numbers(expected["pi_space"]), abs=40 * close)

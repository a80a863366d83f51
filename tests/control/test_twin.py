"""Actuators, sensors and observers against reference vectors and closed forms; a twin in flight."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.control import vehicle as observer
from poinsot.control.actuators import moved
from poinsot_papers.konz2024 import _flights as flights
from support.data import load

DATA = load("control.json")
REAL = DATA["vectors"]["realisation"]
C = ps.control
RNG = np.random.default_rng(5)


def test_a_servo_follows_a_step():
    w, z = REAL["servo"]["w0"], REAL["servo"]["zeta"]
    for sample in REAL["servo"]["step"]:
        x, _ = moved(np.zeros(1), np.zeros(1), np.ones(1), 2 * z * w, w * w, sample["t"])
        assert x[0] == pytest.approx(sample["angle"], abs=1e-9)


@pytest.mark.parametrize(("a", "b"), [(3.0, 100.0), (20.0, 100.0), (60.0, 100.0)])
def test_the_motion_of_second_order(a, b):
    """Under-, critically and overdamped: it solves its equation, and two halves are the whole."""
    x, v, goal = (RNG.normal(size=2) for _ in range(3))
    h = 1e-4
    before, now, after = (moved(x, v, goal, a, b, t)[0] for t in (0.1 - h, 0.1, 0.1 + h))
    rate = moved(x, v, goal, a, b, 0.1)[1]
    assert np.abs((after - before) / (2 * h) - rate).max() < 1e-5
    assert np.abs((after - 2 * now + before) / h**2 + a * rate + b * (now - goal)).max() < 1e-3
    half = moved(*moved(x, v, goal, a, b, 0.05), goal, a, b, 0.05)
    assert np.abs(half[0] - now).max() < 1e-14


def test_a_lag_and_its_slope():
    lag = C.Lag(rate=20.0, slew=3.0)
    x = np.array([0.0, 1.0])
    out = lag._advance((), x, np.array([0.1, 9.0]), 0.01).u
    assert out[0] == pytest.approx(0.1 * (1 - np.exp(-0.2)), rel=1e-12)
    assert out[1] == pytest.approx(1.03, rel=1e-12)


def test_rotors_answer_as_their_filters():
    """A step of the heading torque: drag and reaction together lag with w0^2/a; hover is a rest."""
    v = flights.quadcopter()
    inputs, model = tuple(v.inputs), C.RotorDynamics()
    hover = np.full(4, 1.001 * 9.81 / 4)
    x = model._rest(inputs, hover)
    still = model._advance(inputs, x, hover, 0.01)
    assert np.abs(still.u - hover).max() < 1e-12
    assert np.abs(still.wrench).max() < 1e-15
    spin = np.array([1.0, -1, 1, -1])
    command = hover - 0.05 * spin  # a torque about z without thrust and tilt
    lead = REAL["hover"]["yaw_zero"]
    assert lead == pytest.approx(1 / REAL["hover"]["rotor_time_constant"], rel=1e-9)
    want = 0.2 * flights.TORQUE
    t = 0.0
    for _ in range(8):
        after = model._advance(inputs, x, command, 5e-4)
        x, t = after.x, t + 5e-4
        torque = -flights.TORQUE * float(spin @ after.u) + after.wrench[2]
        assert torque == pytest.approx(want * (1 - np.exp(-(66**2) / lead * t)), rel=0.02)
    assert after.wrench[2] > 0.9 * want  # nearly all of it is the reaction


def test_the_reaction_of_rotors():
    """Force and torques of four rotors with their accelerations, as in the reference."""
    data = REAL["quad_force"]
    w, wd = np.array(data["w"]), np.array(data["wd"])
    B = C.input_matrix(
        flights.quadcopter().mechanism, flights.quadcopter().mechanism.state(), flights.quadcopter().inputs
    )
    wrench = B @ (1.44e-5 * w**2)
    wrench[2] -= 3.6e-5 * np.array([1, -1, 1, -1]) @ wd
    assert np.abs(wrench[[5, 0, 1, 2]] - data["Fz_tau"]).max() < 1e-9


def test_the_torque_observer():
    data = REAL["torque_observer_step"]
    J = np.diag(data["J"])
    found = observer.rate_step(
        J, *(np.array(data[x]) for x in ("w_hat", "tau_bias_hat", "tau", "gyro")), 0.005
    )
    assert np.abs(found[0] - data["w_hat_next"]).max() < 1e-9
    assert np.abs(found[1] - data["tau_bias_hat_next"]).max() < 1e-9
    zero = np.zeros(3)
    columns = [
        np.concatenate(observer.rate_step(J, e[:3], e[3:], zero, zero, 0.005)) for e in 1e-9 * np.eye(6)
    ]
    roots = np.sort(np.linalg.eigvals(np.array(columns).T / 1e-9).real)
    assert np.abs(roots - np.sort(np.ravel(REAL["torque_observer_roots"]))).max() < 1e-6


def test_the_roots_of_the_position_observer():
    """One period of poses, about rest: the error of position, velocity and bias has these roots."""
    T, count = 0.005, 20
    columns = []
    for k in range(3):
        belief = observer.begun(np.zeros(3), np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3))
        name = ("r", "v", "b")[k]
        belief[name] = np.array([1e-3, 0.0, 0.0])
        belief["past"][0, :6] = [*belief["r"], *belief["v"]]
        for _ in range(count):
            observer.sampled(belief, np.zeros(3), np.zeros(3), np.zeros(3), T, 8)
        observer.corrected(belief, 0, np.zeros(3), np.eye(3), count * T, np.zeros(3), T)
        columns.append([belief[x][0] / 1e-3 for x in ("r", "v", "b")])
    roots = np.sort(np.linalg.eigvals(np.array(columns).T).real)
    assert np.abs(roots - np.sort(REAL["position_observer_roots"])).max() < 1e-6


def test_a_late_pose_corrects_the_past():
    """Exact readings, wrong belief of the position: a pose of 35 ms ago sets the position of now."""
    T, w, a = 0.005, np.array([0.3, -0.2, 0.5]), np.array([0.1, 0.2, 9.9])
    true = observer.begun(np.zeros(3), np.array([1.0, 0, 0]), np.eye(3), w, a)
    wrong = observer.begun(np.array([0.2, 0, 0]), np.array([1.0, 0, 0]), np.eye(3), w, a)
    for _ in range(10):
        for belief in (true, wrong):
            observer.sampled(belief, w, a, np.array([0, 0, -9.81]), T, 8)
    y, Y = true["past"][-8, :3].copy(), true["past"][-8, 6:].reshape(3, 3).copy()
    off = wrong["r"] - true["r"]
    observer.corrected(wrong, 7, y, Y, 0.1, np.array([0, 0, -9.81]), T)
    assert np.linalg.norm(off) == pytest.approx(0.2)
    expected = 7 * T * 0.575 / 0.1 * -0.2  # its velocity was corrected too
    assert wrong["r"][0] - true["r"][0] == pytest.approx(expected, rel=0.1)
    assert np.abs(wrong["R"] - true["R"]).max() < 1e-12


def test_the_published_gains_of_the_quadcopter():
    """Poles of its hover, with moments about the origin of the frame: those of the specification."""
    v = flights.quadcopter()
    m = ps.Mechanism().add("copter", v.mechanism.links[0].body, ps.Free())  # without drag
    law = C.track(m, C.Template("particle", [v.pair]), C.references.constant(m.state()), v.inputs)
    found = C.poles(law)
    for pole in (-33.6, -4.30, -2.10 + 3.19j, -2.20 + 1.78j, -1.63 + 1.97j):
        assert np.abs(found - pole).min() < 0.05


def test_the_observers_find_the_bias():
    """A hovering twin with a bias and exact sensors: the wrench that it did not expect, after 4 s."""
    v = flights.quadcopter()
    goal = C.references.constant(v.mechanism.state())
    inner = C.track(v.mechanism, C.Template("particle", [v.pair]), goal, v.inputs, period=0.005)
    law = C.twin(v.mechanism, inner, step=0.005, actuators=None, delay=1, bias=v.bias, sensors=C.Sensors())
    run = ps.simulate(
        v.mechanism, v.mechanism.state(), "rk4", step=0.005, until=4.0, every=100, controller=law
    )
    belief = C.memory_of(run.final)["belief"]
    assert np.abs(belief["torque"] - v.bias[:3]).max() < 1e-3
    assert np.abs(belief["force"] - v.bias[3:]).max() < 5e-3
    assert np.linalg.norm(run.final.q[:3]) < 0.02  # the level reference is not one with a side force
    assert np.abs(run.input("disturbance")[0] - v.bias).max() < 1e-12


def test_a_twin_without_realism_is_the_controller():
    v = flights.tricopter()
    goal = C.references.constant(v.mechanism.state())
    inner = C.track(v.mechanism, C.Template("body", [v.pair]), goal, v.inputs, period=0.01)
    start = v.mechanism.state({"copter": dict(position=(0.1, 0.2, -0.1))})
    same = C.twin(v.mechanism, inner, step=0.01, delay=0)
    runs = [
        ps.simulate(v.mechanism, start, "rk4", step=0.01, until=0.1, controller=one) for one in (inner, same)
    ]
    first = runs[1].input("rotors")
    mean = (runs[0].input("rotors")[:-1] + runs[0].input("rotors")[1:]) / 2
    assert np.abs(first[0] - runs[0].input("rotors")[0]).max() < 1e-12
    assert np.abs(first[1] - mean[0]).max() < 1e-3  # its inputs are means over a step


def test_a_twin_in_flight_again_and_with_another_seed():
    """The same seed gives the same bits; noise of another seed another flight."""
    v = flights.quadcopter()
    reference = flights.quadcopter_loops(v)
    ends = []
    for seed in (1, 1, 2):
        law = flights.controller(v, reference, 3, seed=seed)
        run = ps.simulate(
            v.mechanism, reference(0.0)[0], "rk4", step=0.001, until=0.2, every=5, controller=law
        )
        ends.append(run.final.q)
    assert (ends[0] == ends[1]).all()
    assert 1e-6 < np.abs(ends[0] - ends[2]).max() < 0.01


def test_a_twin_is_another_one_if_a_number_of_its_actuators_is():
    """Also deep in an array, which a text of it would leave out."""

    class Measured(C.Lag):
        def __init__(self, table):
            super().__init__(rate=20.0)
            vars(self)["table"] = table

    v = flights.tricopter()
    goal = C.references.constant(v.mechanism.state())
    inner = C.track(v.mechanism, C.Template("body", [v.pair]), goal, v.inputs, period=0.01)
    tables = np.zeros((3, 5000))
    tables[2, 2500] = 1.0
    one, same, other = (
        C.twin(v.mechanism, inner, step=0.01, delay=0, actuators=Measured(table)).identity for table in tables
    )
    assert one == same != other


def test_what_is_wrong_is_named():
    v, t = flights.quadcopter(), flights.tricopter()
    goal = C.references.constant(v.mechanism.state())
    inner = C.track(v.mechanism, C.Template("particle", [v.pair]), goal, v.inputs, period=0.005)
    with pytest.raises(ps.ModelError, match="tilt servo: it is for tilt rotors, and one input is a thrust"):
        C.twin(v.mechanism, inner, step=0.001, actuators=C.TiltServo())
    with pytest.raises(ps.ScenarioError, match="must be a whole number of steps"):
        C.twin(v.mechanism, inner, step=0.003)
    other = C.track(t.mechanism, C.Template("body", [t.pair]), goal, t.inputs, period=0.005)
    with pytest.raises(ps.ModelError, match="rotor dynamics: all inputs must be thrusts on one body"):
        C.twin(t.mechanism, other, step=0.001, actuators=C.RotorDynamics())
    with pytest.raises(ps.ModelError, match="gyro must not be negative"):
        C.Sensors(gyro=-1.0)
    with pytest.raises(ps.ModelError, match="period must be positive"):
        C.Sensors(period=0.0)
    with pytest.raises(ps.ModelError, match="expected a Controller"):
        C.twin(v.mechanism, None, step=0.001)

"""The four manoeuvres that Konz' copters flew, and a simulated twin of the copters that flies them.

Vehicle data, gains, limits and the times of the transitions are published; the shapes of loop and flip, the
noise and the axes of the flips are ours.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array

C = ps.control
TORQUE = 2.45e-7 / 1.44e-5
T, STEP, UNTIL = 0.005, 0.001, 35.0  # sample time, step of plant and actuators, length of a record in s
NOISE = C.Sensors(
    gyro=0.01,
    accelerometer=0.15,
    accelerometer_bias=(0.15, -0.1, 0.2),
    position=5e-4,
    attitude=2e-3,
)
LEVELS = ("ideal", "actuators and delay", "observers", "bias and noise")


class Vehicle(NamedTuple):
    """A copter with its inputs, gains, actuators and the bias of one flight (torque, force)."""

    mechanism: ps.Mechanism
    inputs: list[Any]
    pair: Any
    actuators: Any
    bias: tuple[float, ...]
    drag: float  # over the mass, 1/s


def _about_origin(total: float, height: float, moments: tuple[float, float, float]) -> tuple[Any, ...]:
    """Return (total, centre, moments about it) from moments about the origin, as the gains are published."""
    shift = total * height**2
    x, y, z = moments
    return total, (0.0, 0.0, height), (x - shift, y - shift, z)


def _body(mass: float, J: tuple[float, float, float], drag: float) -> ps.Mechanism:
    m = ps.Mechanism().add("copter", ps.Body(mass, J), ps.Free())
    return m.apply(ps.Drag("copter", np.diag([0.0, 0.0, 0.0, drag, drag, drag])))


def quadcopter() -> Vehicle:
    """Return the quadcopter with its published gains."""
    arms = [(0.24, 0.0, 0.0), (0.0, 0.24, 0.0), (-0.24, 0.0, 0.0), (0.0, -0.24, 0.0)]
    inputs = [
        ps.Thrust("copter", at, (0, 0, 1), spin * TORQUE, (0.3, 7.8), name="rotors")
        for at, spin in zip(arms, (1, -1, 1, -1), strict=True)
    ]
    pair = C.Pair(
        "copter",
        inertia=_about_origin(1.001, 0.043, (0.0095, 0.0095, 0.0307)),
        damping=_about_origin(4.4, 0.255, (0.4, 0.4, 0.1)),
        stiffness=_about_origin(8.0, 0.255, (2.6, 2.6, 0.2)),
    )
    bias = 0.049, -0.015, -0.012, 0.09, 0.02, -0.09
    m = _body(1.001, (17.9e-3, 18e-3, 30.7e-3), 0.32)
    return Vehicle(m, inputs, pair, C.RotorDynamics(), bias, 0.32 / 1.001)


def tricopter() -> Vehicle:
    """Return the tricopter with its published gains."""
    inputs = []
    for angle, spin in zip(np.deg2rad([60, 180, 300]), (-1, 1, 1), strict=True):
        c, s = float(np.cos(angle)), float(np.sin(angle))
        at = 0.24 * c, 0.24 * s, -0.006
        more = (c, s, 0.0), spin * TORQUE, (0.3, 7.0), float(np.pi / 4)
        inputs.append(ps.TiltRotor("copter", at, (0, 0, 1), *more, name="rotors"))
    J, O = (19.2e-3, 19.2e-3, 30.8e-3), (0.0, 0.0, 0.0)
    pair = C.Pair("copter", "world", (1.251, O, J), (6.0, O, (0.3, 0.3, 0.25)), (8.0, O, (1.7, 1.7, 0.7)))
    bias = 0.037, -0.024, -0.003, -0.21, -0.02, 0.03
    return Vehicle(_body(1.251, J, 0.343), inputs, pair, C.TiltServo(), bias, 0.343 / 1.251)


def _moves(begin: float, *moves: tuple[float, float, float], degree: int = 9) -> Any:
    return C.references.rest_to_rest(
        [begin], [(t, length, [goal]) for t, length, goal in moves], degree=degree
    )


def _stacked(*curves: Any) -> Callable[[float], Array]:
    return lambda t: np.hstack([curve(t) for curve in curves])


def quadcopter_transitions(v: Vehicle) -> Any:
    """Return the transitions of the quadcopter as flown, with its turns."""
    x = _moves(
        0,
        (4.095, 2, -1),
        (7.095, 2.5, 1),
        (10.095, 1.5, -1),
        (13.095, 2, 1),
        (16.095, 2, -1),
        (19.095, 1.2, 0),
    )
    z = _moves(0, (13.095, 2, 0.3), (16.095, 2, 0), (22.095, 1, 0.5), (25.095, 1, 0))
    turn = np.pi / 180
    yaw = _moves(0, (13.095, 2, 90 * turn), (16.095, 2, 0), (28.095, 4, 360 * turn), degree=5)
    return C.references.flat_quadcopter(
        v.mechanism, "copter", _stacked(x, _moves(0), z), heading=yaw, drag=v.drag
    )


def quadcopter_loops(v: Vehicle) -> Any:
    """Return four loops, 8.2 s apart."""
    loops = [C.references.loop_the_loop(1.0, 3.6, begin=2.0 + 8.2 * k) for k in range(4)]
    return C.references.flat_quadcopter(
        v.mechanism, "copter", lambda t: np.sum([one(t) for one in loops], axis=0), heading=None, drag=v.drag
    )


def quadcopter_flips(v: Vehicle) -> Any:
    """Return six flips, 5 s apart, each in a plane that is turned by 60 degrees."""
    flips = []
    for k in range(6):
        R = np.asarray(ps.so3.exp((0.0, 0.0, k * np.pi / 3)))
        flips.append((C.references.flip(begin=2.0 + 5.0 * k), R))
    return C.references.flat_quadcopter(
        v.mechanism,
        "copter",
        lambda t: np.sum([one(t) @ R.T for one, R in flips], axis=0),
        heading=None,
        drag=v.drag,
    )


def tricopter_transitions(v: Vehicle) -> Any:
    """Return the transitions of the tricopter as flown: level, then leaning into its motion, then tilted."""
    x = _moves(
        0,
        (2.225, 2, -1),
        (5.225, 2.3, 1),
        (8.225, 2.3, -1),
        (11.225, 2.3, 1),
        (14.225, 2.3, -1),
        (17.225, 2, 0),
    )
    z = _moves(0, (20.225, 1.3, 0.5), (29.225, 2, -0.2))
    turn = np.pi / 180
    yaw = _moves(0, (14.225, 2.3, 90 * turn), (17.225, 2, 0), (29.225, 2, 360 * turn), degree=5)
    pitch = _moves(0, (23.225, 1, 15 * turn), (27.225, 1, 0), degree=5)
    roll = _moves(0, (25.225, 1, -15 * turn), (27.225, 1, 0), degree=5)
    position = _stacked(x, _moves(0), z)
    level = C.references.free_motion(
        v.mechanism, "copter", position, C.references.euler_attitude(_stacked(roll, pitch, yaw))
    )
    leaning = C.references.flat_quadcopter(
        v.mechanism, "copter", lambda t: position(t + 11.0), heading=lambda t: yaw(t + 11.0), drag=v.drag
    )

    def reference(t: float) -> Any:
        if not 11.0 <= t < 20.0:
            return level(t)
        state, a = leaning(t - 11.0)
        return ps.State(t, state.q, state.v), a

    return reference


MANOEUVRES = {
    "tricopter transitions": (tricopter, tricopter_transitions),
    "quadcopter transitions": (quadcopter, quadcopter_transitions),
    "quadcopter loops": (quadcopter, quadcopter_loops),
    "quadcopter flips": (quadcopter, quadcopter_flips),
}


def controller(v: Vehicle, reference: Any, level: int, law: str = "particle", seed: int = 1) -> Any:
    """Return the controller of a level of realism."""
    inner: Any = C.track(v.mechanism, C.Template(law, [v.pair]), reference, v.inputs, period=T)
    if level == 0:
        return inner
    bias = v.bias if level == 3 else np.zeros(6)
    sensors = (None, None, C.Sensors(), NOISE)[level]
    return C.twin(
        v.mechanism, inner, step=STEP, actuators=v.actuators, delay=1, bias=bias, sensors=sensors, seed=seed
    )


def errors(run: Any, reference: Any) -> Array:
    """Return distance (m), angle and heading error (rad) at the samples of a run, (n, 3)."""
    rows = []
    for t, q in zip(run.time, run.trajectory.q, strict=True):
        there = reference(float(t))[0].q
        E = ps.quaternion.matrix(there[3:]).T @ ps.quaternion.matrix(q[3:])
        angle = 2 * np.arccos(min(1.0, abs(float(q[3:] @ there[3:]))))
        heading = abs(np.arctan2(E[1, 0] - E[0, 1], E[0, 0] + E[1, 1]))
        rows.append((np.linalg.norm(q[:3] - there[:3]), angle, heading))
    return np.array(rows)


def flown(name: str, level: int, law: str = "particle", until: float = UNTIL, seed: int = 1) -> Array:
    """Return RMS errors of a manoeuvre: position in m, attitude and heading in degrees."""
    make, path = MANOEUVRES[name]
    v = make()
    reference = path(v)
    step = T if level == 0 else STEP
    run = ps.simulate(
        v.mechanism,
        reference(0.0)[0],
        "rk4",
        step=step,
        until=until,
        every=round(T / step),
        controller=controller(v, reference, level, law, seed),
    )
    rms = np.sqrt((errors(run, reference) ** 2).mean(axis=0))
    return np.asarray(rms * [1.0, 180 / np.pi, 180 / np.pi])

"""The limits of several inputs together.

The input matrix of actuators, and what they can and cannot reach.

The motion of x'' + a x' + b (x - c) = 0 over a time t, exactly.

r = sqrt(a^2/4 - b),    C = exp(-a t/2) cosh(r t),    S = exp(-a t/2) sinh(r t) / r                 (1)
x - c = e C + (v + a e/2) S,     x' = v C - (b e + a v/2) S,       e = x - c at the beginning       (2)

How inputs follow their commands: a lag with a limited slope, and what all such models answer.

    x' = rate (command - x),    |x'| <= slew                                                        (1)

A model has a state x, which it advances over a short time with a constant command.

A tilting rotor with a lag of its thrust and a servo that tilts it.

F' = rate (F_D - F),     t'' + 2 zeta w t' + w^2 (t - t_D) = 0,     u = (F cos t, F sin t)          (1)

Rotors of one body that share an axis, with speeds that follow a filter of the forces (Konz' quadcopter).

    u_k = kF w_k^2 thrusts,    F = (thrust, torques across, torque along the axis) = B u                  (1)
    F'' + 2 zeta w0 F' + w0^2 (F - F_D) = 0          of thrust and torques across, each with its own w0  (2)
    F'' + a F' + w0^2 (F + F'/a - F_D) = 0           of the torque along the axis, a = 2 kT w / JP       (3)
    the body feels, besides u,     -spin JP w_k' along the axis                                          (4)

JP is the inertia of a rotor and kT = |drag| kF.  At rates above a the reaction (4) is larger than the drag
torque itself; (3) makes both together follow the command with the lag w0^2 / a.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from poinsot.core.control.least_constraint import RANK
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Inputs, actuators, hold_inputs
from poinsot.model.inputs import Thrust, TiltRotor
from poinsot.model.inputs.feedback import input_matrix as matrix_of
from poinsot.model.inputs.input import Input, both_sides
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_problem
from poinsot.model.state import State


def polygon(mechanism: Mechanism, inputs: Sequence[Input]) -> tuple[Array, Array]:
    """Return the limits Z u <= b of all inputs, in their order."""
    counts, rows = [one.count(mechanism) for one in inputs], [one.rows(mechanism) for one in inputs]
    Z = np.zeros((sum(len(b) for _, b in rows), sum(counts)))
    row = column = 0
    for (Zi, bi), count in zip(rows, counts, strict=True):
        Z[row : row + len(bi), column : column + count] = Zi
        row, column = row + len(bi), column + count
    return Z, np.concatenate([np.zeros(0), *(b for _, b in rows)])


class Actuation(NamedTuple):
    """What the inputs of a mechanism reach at a state.

    Attributes
    ----------
    kind : "full": as many independent inputs as velocities; "over": more inputs than needed; "under": fewer
    rank : number of independent inputs
    condition : largest over smallest of the `rank` singular values of the input matrix
    directions : orthonormal directions that no input reaches: B_perp (nv, nv - rank)

    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    >>> ps.control.actuation(m, m.state(), ["cart"]).kind
    'full'
    """

    kind: str
    rank: int
    condition: float
    directions: Array


def _checked(mechanism: Mechanism, state: State, inputs: Inputs) -> tuple[Input, ...]:
    check_problem(mechanism, state)
    found = actuators(inputs, "inputs")
    hold_inputs(mechanism, found)
    return found


def input_matrix(mechanism: Mechanism, state: State, inputs: Inputs) -> Array:
    """Return the input matrix B: the inputs u act as the joint forces B u.

    `inputs`: joints by name, or inputs, as of a `Controller`.

    >>> m = ps.Mechanism().add("drone", ps.Box(1.0).body(mass=1.0), ps.Free())
    >>> ps.control.input_matrix(m, m.state(), [ps.Thrust("drone", at=(0.2, 0, 0), axis=(0, 0, 1))]).T + 0.0
    array([[ 0. , -0.2,  0. ,  0. ,  0. ,  1. ]])
    """
    return matrix_of(mechanism, _checked(mechanism, state, inputs), state.q)


def actuation(mechanism: Mechanism, state: State, inputs: Inputs) -> Actuation:
    """Return whether the inputs reach all velocities: full, over- or underactuation.

    `inputs`: joints by name, or inputs, as of a `Controller`.

    >>> m = ps.Mechanism().add("drone", ps.Box(1.0).body(mass=1.0), ps.Free())
    >>> ps.control.actuation(m, m.state(), [ps.Thrust("drone", at=(0, 0, 0), axis=(0, 0, 1))]).rank
    1
    """
    B: Any = input_matrix(mechanism, state, inputs)
    U, s, _ = np.linalg.svd(B)
    rank = int((s > RANK * max(s[0], 1e-300)).sum())
    n, k = B.shape
    kind = "under" if rank < n else "full" if k == n else "over"
    condition = float(s[0] / s[rank - 1]) if rank else float("inf")
    return Actuation(kind, rank, condition, U[:, rank:])


SMALL = 1e-4  # r t below which S is taken from its series


def moved(x: Array, v: Array, goal: Array, a: float, b: float, t: float) -> tuple[Array, Array]:
    """Return x and its rate after a time."""
    r = np.sqrt(complex(a * a / 4 - b))
    up, down = np.exp((r - a / 2) * t), np.exp((-r - a / 2) * t)
    C = (up + down).real / 2
    near = abs(r * t) < SMALL
    S = t * np.exp(-a * t / 2) * (1 + (r * t) ** 2 / 6).real if near else ((up - down) / (2 * r)).real  # (1)
    e = x - goal
    return goal + e * C + (v + a / 2 * e) * S, v * C - (b * e + a / 2 * v) * S  # (2)


InputTuple = tuple[Input, ...]


class Follows(NamedTuple):
    """An actuator after a short time: its state, the input that acts, and a wrench on the body besides."""

    x: Array
    u: Array
    wrench: Array  # (6,)


class ActuatorDynamics(ABC):
    """The dynamics between the commands of a controller and the inputs that act."""

    reacts = False  # True if it gives a wrench besides the inputs

    @abstractmethod
    def _check(self, mechanism: Mechanism, inputs: InputTuple) -> None:
        """Raise a ModelError unless the model fits the inputs of a controller."""

    @abstractmethod
    def _rest(self, inputs: InputTuple, u: Array) -> Array:
        """Return the state in which the inputs u act and are the command."""

    @abstractmethod
    def _advance(self, inputs: InputTuple, x: Array, command: Array, dt: float) -> Follows:
        """Return the model a time dt later, with a constant command."""


def lagged(x: Array, command: Array, rate: float, slew: float, dt: float) -> Array:
    """Return the solution of (1) after a time: exact where the slope is not limited."""
    part = -math.expm1(-rate * dt) if rate < math.inf else 1.0
    step = part * (command - x)
    return np.asarray(x + np.clip(step, -slew * dt, slew * dt))


class Lag(ActuatorDynamics):
    """A first-order lag between command and input, with a limited slope.

    Parameters
    ----------
    rate : rate of the lag [1/s]: the inverse of its time constant
    slew : largest slope of each input, in N/s or N m/s

    See Also
    --------
    twin : a controller with these dynamics.

    >>> ps.control.Lag(rate=20.0).slew
    inf
    """

    def __init__(self, rate: float = math.inf, slew: float = math.inf) -> None:
        self.rate, self.slew = (
            math.inf
            if isinstance(value, float) and value == math.inf
            else checks.number("lag", what, value, positive=True)
            for what, value in (("rate", rate), ("slew", slew))
        )

    def _check(self, mechanism: Mechanism, inputs: InputTuple) -> None:
        """Do nothing: every input may lag."""

    def _rest(self, inputs: InputTuple, u: Array) -> Array:
        return np.array(u)

    def _advance(self, inputs: InputTuple, x: Array, command: Array, dt: float) -> Follows:
        after = lagged(x, command, self.rate, self.slew, dt)
        return Follows(after, after, np.zeros(6))


class TiltServo(ActuatorDynamics):
    """Dynamics of `TiltRotor` inputs: the thrust lags, and a servo of second order turns the rotor.

    Parameters
    ----------
    rate : rate of the lag of the thrust [1/s]
    frequency : angular frequency of the servo [rad/s]
    damping : damping ratio of the servo

    >>> ps.control.TiltServo(rate=75.0).frequency
    39.44
    """

    def __init__(self, rate: float = 75.0, frequency: float = 39.44, damping: float = 0.93) -> None:
        self.rate, self.frequency, self.damping = (
            checks.number("tilt servo", what, value, positive=True)
            for what, value in (("rate", rate), ("frequency", frequency), ("damping", damping))
        )

    def _check(self, mechanism: Mechanism, inputs: InputTuple) -> None:
        wrong = [one.label for one in inputs if not isinstance(one, TiltRotor)]
        if wrong:
            raise ModelError(f"tilt servo: it is for tilt rotors, and one input is a {wrong[0]}")

    def _rest(self, inputs: InputTuple, u: Array) -> Array:
        c, s = u.reshape(-1, 2).T
        return np.array([np.hypot(c, s), np.arctan2(s, c), 0 * c])

    def _advance(self, inputs: InputTuple, x: Array, command: Array, dt: float) -> Follows:
        thrust, tilt = self._rest(inputs, command)[:2]
        F = lagged(x[0], thrust, self.rate, np.inf, dt)
        w = self.frequency
        t, rate = moved(x[1], x[2], tilt, 2 * self.damping * w, w * w, dt)  # (1)
        return Follows(
            np.array([F, t, rate]), np.column_stack([F * np.cos(t), F * np.sin(t)]).ravel(), np.zeros(6)
        )


PARALLEL = 1e-9  # largest difference of two axes
SLOWEST = 0.01  # speed of a rotor, relative to the bandwidth of its thrust


class RotorDynamics(ActuatorDynamics):
    """Dynamics of the `Thrust` inputs of a multicopter: speeds, drag torques, and reaction torques.

    Parameters
    ----------
    factor : thrust over the square of the speed, in N s²
    inertia : moment of inertia of a rotor about its axis [kg m²]
    bandwidth : angular frequencies of the filters [rad/s]
    damping : damping ratio of the filters of thrust and tilt

    >>> ps.control.RotorDynamics(inertia=4e-5).inertia
    4e-05
    """

    reacts = True

    def __init__(
        self,
        factor: float = 1.44e-5,
        inertia: float = 3.6e-5,
        bandwidth: Any = (100.0, 125.0, 66.0),
        damping: float = 0.707,
    ) -> None:
        who = "rotor dynamics"
        self.factor, self.inertia, self.damping = (
            checks.number(who, what, value, positive=True)
            for what, value in (("factor", factor), ("inertia", inertia), ("damping", damping))
        )
        self.bandwidth = checks.vector(who, "bandwidth", bandwidth)
        if not (self.bandwidth > 0).all():
            raise ModelError(f"{who}: bandwidth must be positive, got {checks.show(bandwidth)}")

    def _check(self, mechanism: Mechanism, inputs: InputTuple) -> None:
        rotors = [one for one in inputs if isinstance(one, Thrust)]
        if len(rotors) < len(inputs) or len({one.body for one in rotors}) != 1:
            raise ModelError("rotor dynamics: all inputs must be thrusts on one body")
        if np.ptp([one.axis for one in rotors], axis=0).max() > PARALLEL or not all(
            one.drag for one in rotors
        ):
            raise ModelError(
                "rotor dynamics: the rotors must have one axis, and a drag with the sign of the spin"
            )

    def _rest(self, inputs: InputTuple, u: Array) -> Array:
        return np.array([_rotors(inputs).B @ u, np.zeros(4)])

    def _advance(self, inputs: InputTuple, x: Array, command: Array, dt: float) -> Follows:
        r = _rotors(inputs)
        goal, u = r.B @ command, r.back @ x[0]
        speed = float(np.sqrt(np.maximum(u, 0.0) / self.factor).mean())
        slowest = SLOWEST * float(self.bandwidth[0])
        lead = 2 * r.torque * self.factor * max(speed, slowest) / self.inertia  # a of (3)
        F, rate = np.empty(4), np.empty(4)
        for k in range(4):
            w0 = float(self.bandwidth[(0, 1, 1, 2)[k]])
            a = lead + w0 * w0 / lead if k == 3 else 2 * self.damping * w0
            F[k], rate[k] = moved(x[0, k], x[1, k], goal[k], a, w0 * w0, dt)  # (2), (3)
        u, slope = r.back @ F, r.back @ rate
        slope = np.where((u > r.low) & (u < r.high), slope, 0.0)
        u = np.clip(u, r.low, r.high)
        w = np.maximum(np.sqrt(np.maximum(u, 0.0) / self.factor), slowest)
        reaction = -self.inertia * float(r.spin @ (slope / (2 * self.factor * w)))  # (4)
        return Follows(np.array([r.B @ u, r.B @ slope]), u, np.concatenate([reaction * r.axis, np.zeros(3)]))


class _Rotors(NamedTuple):
    """What (1) to (4) need of the rotors."""

    B: Array  # (4, n)
    back: Array  # its pseudo-inverse
    axis: Array
    spin: Array
    torque: float  # torque per thrust in metres
    low: Array
    high: Array


@cache
def _rotors(inputs: InputTuple) -> _Rotors:
    rotors = [one for one in inputs if isinstance(one, Thrust)]
    axis = np.array(rotors[0].axis)
    across = np.linalg.svd(axis[None])[2][1:]
    wrenches = np.vstack([one.wrenches for one in rotors])
    torques, forces = wrenches[:, :3], wrenches[:, 3:]
    B = np.vstack([forces @ axis, across @ torques.T, torques @ axis])  # (1)
    drags = np.array([one.drag for one in rotors])
    low, high = np.array([both_sides(one.limit) for one in rotors]).T
    return _Rotors(B, np.linalg.pinv(B), axis, np.sign(drags), float(np.abs(drags).mean()), low, high)

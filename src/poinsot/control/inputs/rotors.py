"""Rotors of one body that share an axis, with speeds that follow a filter of the forces (Konz' quadcopter).

    u_k = kF w_k^2 thrusts,    F = (thrust, torques across, torque along the axis) = B u                  (1)
    F'' + 2 zeta w0 F' + w0^2 (F - F_D) = 0          of thrust and torques across, each with its own w0  (2)
    F'' + a F' + w0^2 (F + F'/a - F_D) = 0           of the torque along the axis, a = 2 kT w / JP       (3)
    the body feels, besides u,     -spin JP w_k' along the axis                                          (4)

JP is the inertia of a rotor and kT = |drag| kF.  At rates above a the reaction (4) is larger than the drag
torque itself; (3) makes both together follow the command with the lag w0^2 / a.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from poinsot.control.inputs.dynamics import ActuatorDynamics, Follows, Inputs
from poinsot.control.inputs.second_order import moved
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.inputs import Thrust
from poinsot.model.inputs.input import both_sides
from poinsot.model.mechanism import Mechanism

PARALLEL = 1e-9  # largest difference of two axes
SLOWEST = 1.0  # rad/s of a rotor


class RotorDynamics(ActuatorDynamics):
    """Dynamics of the `Thrust` inputs of a multicopter: speeds, drag torques, and reaction torques.

    Parameters
    ----------
    factor : float, default 1.44e-5
        Thrust over the square of the speed, in N s².
    inertia : float, default 3.6e-5
        Moment of inertia of a rotor about its axis, in kg m².
    bandwidth : (thrust, tilt, heading), default (100, 125, 66)
        Angular frequencies of the filters in rad/s.
    damping : float, default 0.707
        Damping ratio of the filters of thrust and tilt.

    Raises
    ------
    ModelError
        If an argument is not positive.

    Examples
    --------
    >>> import poinsot as ps
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

    def _check(self, mechanism: Mechanism, inputs: Inputs) -> None:
        rotors = [one for one in inputs if isinstance(one, Thrust)]
        if len(rotors) < len(inputs) or len({one.body for one in rotors}) != 1:
            raise ModelError("rotor dynamics: all inputs must be thrusts on one body")
        if np.ptp([one.axis for one in rotors], axis=0).max() > PARALLEL or not all(
            one.drag for one in rotors
        ):
            raise ModelError(
                "rotor dynamics: the rotors must have one axis, and a drag with the sign of the spin"
            )

    def _rest(self, inputs: Inputs, u: Array) -> Array:
        return np.array([_rotors(inputs).B @ u, np.zeros(4)])

    def _advance(self, inputs: Inputs, x: Array, command: Array, dt: float) -> Follows:
        r = _rotors(inputs)
        goal, u = r.B @ command, r.back @ x[0]
        speed = float(np.sqrt(np.maximum(u, 0.0) / self.factor).mean())
        lead = 2 * r.torque * self.factor * max(speed, SLOWEST) / self.inertia  # a of (3)
        F, rate = np.empty(4), np.empty(4)
        for k in range(4):
            w0 = float(self.bandwidth[(0, 1, 1, 2)[k]])
            a = lead + w0 * w0 / lead if k == 3 else 2 * self.damping * w0
            F[k], rate[k] = moved(x[0, k], x[1, k], goal[k], a, w0 * w0, dt)  # (2), (3)
        u, slope = r.back @ F, r.back @ rate
        slope = np.where((u > r.low) & (u < r.high), slope, 0.0)
        u = np.clip(u, r.low, r.high)
        w = np.maximum(np.sqrt(np.maximum(u, 0.0) / self.factor), SLOWEST)
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
def _rotors(inputs: Inputs) -> _Rotors:
    rotors = [one for one in inputs if isinstance(one, Thrust)]
    axis = np.array(rotors[0].axis)
    across = np.linalg.svd(axis[None])[2][1:]
    wrenches = np.vstack([one.wrenches for one in rotors])
    torques, forces = wrenches[:, :3], wrenches[:, 3:]
    B = np.vstack([forces @ axis, across @ torques.T, torques @ axis])  # (1)
    drags = np.array([one.drag for one in rotors])
    low, high = np.array([both_sides(one.limit) for one in rotors]).T
    return _Rotors(B, np.linalg.pinv(B), axis, np.sign(drags), float(np.abs(drags).mean()), low, high)

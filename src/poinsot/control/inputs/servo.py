"""A tilting rotor with a lag of its thrust and a servo that tilts it.

F' = rate (F_D - F),     t'' + 2 zeta w t' + w^2 (t - t_D) = 0,     u = (F cos t, F sin t)          (1)
"""

import numpy as np

from poinsot.control.inputs.dynamics import ActuatorDynamics, Follows, Inputs, lagged
from poinsot.control.inputs.second_order import moved
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.inputs import TiltRotor
from poinsot.model.mechanism import Mechanism


class TiltServo(ActuatorDynamics):
    """Dynamics of `TiltRotor` inputs: the thrust lags, and a servo of second order turns the rotor.

    Parameters
    ----------
    rate : float, default 75.0
        Rate of the lag of the thrust in 1/s.
    frequency : float, default 39.44
        Angular frequency of the servo in rad/s.
    damping : float, default 0.93
        Damping ratio of the servo.

    Raises
    ------
    ModelError
        If an argument is not positive.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.control.TiltServo(rate=75.0).frequency
    39.44
    """

    def __init__(self, rate: float = 75.0, frequency: float = 39.44, damping: float = 0.93) -> None:
        self.rate, self.frequency, self.damping = (
            checks.number("tilt servo", what, value, positive=True)
            for what, value in (("rate", rate), ("frequency", frequency), ("damping", damping))
        )

    def _check(self, mechanism: Mechanism, inputs: Inputs) -> None:
        wrong = [one.label for one in inputs if not isinstance(one, TiltRotor)]
        if wrong:
            raise ModelError(f"tilt servo: it is for tilt rotors, and one input is a {wrong[0]}")

    def _rest(self, inputs: Inputs, u: Array) -> Array:
        c, s = u.reshape(-1, 2).T
        return np.array([np.hypot(c, s), np.arctan2(s, c), 0 * c])

    def _advance(self, inputs: Inputs, x: Array, command: Array, dt: float) -> Follows:
        thrust, tilt = self._rest(inputs, command)[:2]
        F = lagged(x[0], thrust, self.rate, np.inf, dt)
        w = self.frequency
        t, rate = moved(x[1], x[2], tilt, 2 * self.damping * w, w * w, dt)  # (1)
        return Follows(
            np.array([F, t, rate]), np.column_stack([F * np.cos(t), F * np.sin(t)]).ravel(), np.zeros(6)
        )

"""How inputs follow their commands: a lag with a limited slope, and what all such models answer.

    x' = rate (command - x),    |x'| <= slew                                                        (1)

A model has a state x, which it advances over a short time with a constant command.
"""

import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.inputs.input import Input
from poinsot.model.mechanism import Mechanism

Inputs = tuple[Input, ...]


class Follows(NamedTuple):
    """An actuator after a short time: its state, the input that acts, and a wrench on the body besides."""

    x: Array
    u: Array
    wrench: Array  # (6,)


class ActuatorDynamics(ABC):
    """The dynamics between the commands of a controller and the inputs that act."""

    reacts = False  # True if it gives a wrench besides the inputs

    @abstractmethod
    def _check(self, mechanism: Mechanism, inputs: Inputs) -> None:
        """Raise a ModelError unless the model fits the inputs of a controller."""

    @abstractmethod
    def _rest(self, inputs: Inputs, u: Array) -> Array:
        """Return the state in which the inputs u act and are the command."""

    @abstractmethod
    def _advance(self, inputs: Inputs, x: Array, command: Array, dt: float) -> Follows:
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
    rate : float, default inf
        Rate of the lag in 1/s: the inverse of its time constant.
    slew : float, default inf
        Largest slope of each input, in N/s or N m/s.

    Raises
    ------
    ModelError
        If an argument is not positive.

    See Also
    --------
    twin : a controller with these dynamics.

    Examples
    --------
    >>> import poinsot as ps
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

    def _check(self, mechanism: Mechanism, inputs: Inputs) -> None:
        """Do nothing: every input may lag."""

    def _rest(self, inputs: Inputs, u: Array) -> Array:
        return np.array(u)

    def _advance(self, inputs: Inputs, x: Array, command: Array, dt: float) -> Follows:
        after = lagged(x, command, self.rate, self.slew, dt)
        return Follows(after, after, np.zeros(6))

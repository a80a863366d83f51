"""The hand of a person in a live simulation, as a controller: a spring from a pointer to a point of a body.

    f = k (target - p) - c p'          p: the point of the body, in space                             (1)
    f = impulse / period               a push: for one period                                          (2)

The force is held over a period in body axes, and its work is counted as that of any input.  What the hand
does is a list of rows, each of which holds from its time on, so that it can be done again to the same bits:

    [time, kind, body, point in the body frame (3), target or impulse in space (3), k, c]              (3)
"""

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np

from poinsot.model import plain
from poinsot.model.cascade import merge
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.inputs import WrenchInput
from poinsot.model.rotations import cross, times
from poinsot.model.state import State

PULL, PUSH, REST = "pull", "push", "rest"
Row = list[Any]


class Hand:
    """The law of a hand that may act on some bodies.

    Attributes
    ----------
    rows : what it did, see (3)
    next : what it is to do from the next tick on, a row without its time; None: what it does
    """

    def __init__(self, bodies: Sequence[str], period: float, rows: Sequence[Row] = ()) -> None:
        self.bodies, self.period = tuple(bodies), period
        self.rows: list[Row] = [list(row) for row in rows]
        self.times = [float(row[0]) for row in self.rows]
        self.next: Row | None = None
        self.__name__ = "hand"

    @property
    def identity(self) -> str:
        """Text that identifies what the hand does (`model.identity`)."""
        text = repr((self.bodies, self.period, self.rows))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def controller(self) -> Controller:
        """Return the controller of this law."""
        inputs = [WrenchInput(body, name=f"hand on {body}") for body in self.bodies]
        return Controller(self, self.period, inputs)

    def forget(self, time: float) -> None:
        """Forget what it did after a time."""
        count = bisect_right(self.times, time)
        del self.rows[count:], self.times[count:]
        self.next = None

    def __call__(self, t: float, state: State, memory: Any) -> tuple[list[float], Any]:
        if self.next is not None:
            self.forget_at(t)
            self.rows.append([t, *self.next])
            self.times.append(t)
            self.next = None
        u = [0.0] * (6 * len(self.bodies))
        count = bisect_right(self.times, t)
        if not count:
            return u, memory
        at, kind, body, point, aim, k, c = self.rows[count - 1]
        if kind == REST or (kind == PUSH and at != t):
            return u, memory
        place = state[body]
        p = place.point(point)
        if kind == PULL:
            w = times(place.rotation, place.angular_velocity)
            force = k * (np.array(aim) - p) - c * (place.velocity + cross(w, p - place.position))  # (1)
        else:
            force = np.array(aim) / self.period  # (2)
        own = times(place.rotation.T, force)
        first = 6 * self.bodies.index(body)
        u[first : first + 6] = [*cross(np.array(point), own).tolist(), *own.tolist()]
        return u, memory

    def forget_at(self, t: float) -> None:
        """Forget what it did at a time and after it: it is decided anew."""
        while self.times and self.times[-1] >= t:
            del self.rows[-1], self.times[-1]


def hand_data(hand: Hand, controllers: Sequence[Controller | Feedback]) -> str:
    """Return a hand, and the memories with which the controllers beside it began, as text."""
    memories = [one.memory for one in controllers if isinstance(one, Controller) and one.function is not hand]
    return plain.write([list(hand.bodies), hand.period, hand.rows, memories])


def hand_of(text: str, given: Controller | Feedback | None) -> Controller:
    """Return a controller that does again what the text says, beside the one that is given.

    A ValueError says that it cannot.
    """
    try:
        bodies, period, rows, memories = plain.read(text)
        others = () if given is None else getattr(given.function, "controllers", (given,))
        pairs = list(zip(others, memories, strict=True))
        known = [Controller(one.function, one.period, one.inputs, plain.read(x)) for one, x in pairs]
        made: Controller = merge([*known, Hand(bodies, float(period), rows).controller()])
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"these are no data of a hand: {error}") from None
    return made

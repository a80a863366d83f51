"""A tracking law as the function of a `Controller`: in Python, or compiled with its reference in a table.

A compiled law decides at all ticks by the same compiled function, inside the time loop (`simulation.ticking`)
and here; where limits act, the law in Python decides.
"""

from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.compile.functions.ticks import decider
from poinsot.control.laws.compiled import law_numbers, node
from poinsot.control.laws.tracking import TrackingLaw
from poinsot.errors import ModelError, PoinsotError
from poinsot.model.checks import Array
from poinsot.model.state import State

KEPT = 100_000  # ticks whose reference is kept for the next run
LIBRARY = "poinsot."


class SampledLaw:
    """A tracking law as the function of a `Controller`.

    It is compiled if it can be, and its reference is known to depend on the time alone: because the library
    made it, or because a horizon is given.
    """

    numbers: Array | None = None  # of the compiled law

    def __init__(self, law: TrackingLaw, horizon: float | None = None) -> None:
        self.law, self.__name__ = law, "track"
        self.horizon = np.inf if horizon is None else horizon
        self._key: tuple[float, float, int] | None = None  # origin, step, steps in a period
        self._first, self._nodes = 0, np.zeros((0, 36))
        own = (getattr(law.reference, "__module__", None) or "").startswith(LIBRARY)
        if horizon is not None:
            self.numbers = law_numbers(law)
        elif own:
            with suppress(ModelError):  # the law of another mechanism runs in Python
                self.numbers = law_numbers(law)

    @cached_property
    def _identity(self) -> str:
        return self.law.identity

    @property
    def identity(self) -> str:
        """Digest of the law; a compiled one, whose reference is kept, does not change."""
        return self._identity if self.numbers is not None else self.law.identity

    def decide(self, t: float, state: State) -> Any:
        """Return the decision of the law, in Python."""
        return self.law.decide(t, state)

    def check_flight(self, begin: float, end: float) -> None:
        """Check that the inputs can fly the reference between two times (`TrackingLaw.check_flight`)."""
        self.law.check_flight(begin, end)

    def nodes(self, origin: float, h: float, period: int, first: int, last: int) -> tuple[int, Array]:
        """Return the reference at ticks as numbers, and the number of the first of them.

        Tick k is at the time origin + k period h.  There are fewer than asked where the reference ends.
        """
        if self._key != (origin, h, period) or not 0 <= first - self._first <= len(self._nodes) <= KEPT:
            self._key, self._first, self._nodes = (origin, h, period), first, self._nodes[:0]
        more = []
        for tick in range(self._first + len(self._nodes), last + 1):
            t = origin + tick * period * h
            try:
                if t > self.horizon:
                    break
                more.append(node(self.law, t))
            except PoinsotError:
                break  # the law in Python says why, when it comes there
        if more:
            self._nodes = np.vstack([self._nodes, more])
        return self._first, self._nodes

    def _node(self, t: float) -> Array:
        """Return the reference at a time as numbers."""
        if self._key is not None:
            origin, h, period = self._key
            tick = round((t - origin) / (period * h))
            at = tick - self._first
            if 0 <= at < len(self._nodes) and origin + tick * period * h == t:
                return np.asarray(self._nodes[at])
        return node(self.law, t)

    def __call__(self, t: float, state: State, memory: Any) -> tuple[Array, Any]:
        if self.numbers is not None and t <= self.horizon:
            u = np.empty(int(self.numbers[1]))
            q, v = np.array(state.q, dtype=float), np.array(state.v, dtype=float)
            if decider()(self.numbers, self._node(t), q, v, u):
                return u, memory
        return self.law(t, state), memory

"""A law as the function of a `Controller`: in Python, or compiled with its reference in a table.

A compiled law decides at all ticks by the same compiled function, inside the time loop (`simulation.control`)
and here; where limits act, the law in Python decides.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from poinsot.compile.functions.laws.compiled_law import CompiledLaw, LawCall
from poinsot.errors import ModelError, PoinsotError
from poinsot.model.checks import Array
from poinsot.model.state import State

KEPT = 100_000  # ticks whose reference is kept for the next run
LIBRARY = "poinsot."


class Law(Protocol):
    """A law that can be compiled."""

    reference: Callable[[float], Any]
    __name__: str

    @property
    def identity(self) -> str:
        """Digest of all that the law depends on."""
        ...

    def compiled(self) -> CompiledLaw:
        """Return the compiled law; raise a ModelError if there is none."""
        ...

    def node(self, t: float) -> Array:
        """Return a time, and what the compiled law knows of the reference there."""
        ...

    def __call__(self, t: float, state: State) -> Array:
        """Return the input."""
        ...


L = TypeVar("L", bound=Law)


class SampledLaw(Generic[L]):
    """A law as the function of a `Controller`.

    It is compiled if it can be, and its reference is known to depend on the time alone: because the library
    made it, or because a horizon is given.
    """

    compiled: CompiledLaw | None = None

    def __init__(self, law: L, horizon: float | None = None) -> None:
        self.law, self.__name__ = law, law.__name__
        self.horizon = np.inf if horizon is None else horizon
        self._key: tuple[float, float, int] | None = None  # origin, step, steps in a period
        self._first, self._nodes = 0, np.zeros((0, 0))
        self._own = threading.local()  # the call of the compiled law
        own = (getattr(law.reference, "__module__", None) or "").startswith(LIBRARY)
        if horizon is not None or own:
            with suppress(ModelError):  # such as of driven joints: it runs in Python
                self.compiled = law.compiled()

    @cached_property
    def _identity(self) -> str:
        return self.law.identity

    @property
    def identity(self) -> str:
        """Digest of the law; a compiled one, whose reference is kept, does not change."""
        return self._identity if self.compiled is not None else self.law.identity

    def _compiled_law(self, mechanism: Any, inputs: Any) -> CompiledLaw | None:
        """Return the compiled law for the time loop, if there is one."""
        return self.compiled

    def decide(self, t: float, state: State) -> Any:
        """Return the decision of a tracking law, in Python."""
        return self.law.decide(t, state)  # type: ignore[attr-defined]

    def check_flight(self, begin: float, end: float) -> None:
        """Check that the inputs can fly the reference between two times (`TrackingLaw.check_flight`)."""
        check: Any = getattr(self.law, "check_flight", None)
        if check is not None:
            check(begin, end)

    def nodes(self, origin: float, h: float, period: int, first: int, last: int) -> tuple[int, Array]:
        """Return the reference at ticks as numbers, and the number of the first of them.

        Tick k is at the time origin + k period h.  There are fewer than asked where the reference ends.
        """
        assert self.compiled is not None, "the law is compiled"
        if self._key != (origin, h, period) or not 0 <= first - self._first <= len(self._nodes) <= KEPT:
            self._key, self._first = (origin, h, period), first
            self._nodes = np.zeros((0, self.compiled.width))
        more = []
        for tick in range(self._first + len(self._nodes), last + 1):
            t = origin + tick * period * h
            try:
                if t > self.horizon:
                    break
                more.append(self.law.node(t))
            except PoinsotError:
                break  # the law in Python says why, when it comes there
        if more:
            self._nodes = np.vstack([self._nodes, more])
        return self._first, self._nodes

    def _node(self, t: float) -> Array:
        """Return the reference at a time as numbers."""
        if self._key is not None:
            origin, h, period = self._key
            at = round((t - origin) / (period * h)) - self._first
            if 0 <= at < len(self._nodes) and self._nodes[at, 0] == t:
                return np.asarray(self._nodes[at])
        return self.law.node(t)

    def __call__(self, t: float, state: State, memory: Any) -> tuple[Array, Any]:
        if self.compiled is not None and t <= self.horizon:
            if not hasattr(self._own, "call"):
                self._own.call = LawCall(self.compiled)
            u = self._own.call(self._node(t), state.q, state.v)
            if u is not None:
                return u, memory
        return self.law(t, state), memory

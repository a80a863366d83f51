"""Several controllers with periods and inputs of their own, as one `Controller`.

Its ticks are the common ones of all: its period is the greatest common divisor of theirs.  At a tick those
are called whose period begins there, in the order of the list; the inputs of the others are held.

    memory = [MARK, number of the tick, inputs of each, memory of each]

An inner loop gets what the outer loops decided: a function with a fourth argument is given the memories of
the controllers before it in the list.
"""

import hashlib
import inspect
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.model import checks, plain
from poinsot.model.checks import show
from poinsot.model.controller import MARK, ON_STEP, Controller
from poinsot.model.state import State

LONGEST = 10_000  # common ticks in a period


def merge(given: Any) -> Any:
    """Return several controllers as one; what is not a list is returned as it is."""
    if isinstance(given, Controller) and not given.inputs:
        raise ScenarioError(
            f"the controller '{given.name}' has no inputs: give it before others, controller=[outer, inner]"
        )
    if not isinstance(given, list | tuple):
        return given
    if not given:
        raise ScenarioError("controller is an empty list: give ps.Controllers, or None for none")
    for one in given:
        if not isinstance(one, Controller):
            raise ScenarioError(f"a list of controllers must have ps.Controllers in it, got {show(one)}")
    if len(given) == 1:
        return merge(given[0])
    inputs = [one for controller in given for one in controller.inputs]
    if not inputs:
        raise ScenarioError("controller is a list without inputs: give a ps.Controller that drives something")
    period, counts = common_period([one.period for one in given])
    memory = [MARK, 0, [[] for _ in given], [plain.read(one.memory) for one in given]]
    return Controller(Cascade(given, counts), period, inputs, memory)


def common_period(periods: Sequence[float]) -> tuple[float, list[int]]:
    """Return the greatest common divisor of periods, and how often it is in each."""
    first = periods[0]
    shares = [Fraction(one / first).limit_denominator(LONGEST) for one in periods]
    whole = math.lcm(*(share.denominator for share in shares))
    counts = [int(share * whole) for share in shares]
    divisor = math.gcd(*counts)
    counts = [count // divisor for count in counts]
    unit = first / max(counts[0], 1)
    close = all(abs(one / unit - count) <= ON_STEP for one, count in zip(periods, counts, strict=True))
    if not close or min(counts) < 1 or max(counts) > LONGEST:
        text = ", ".join(f"{one:g}" for one in periods)
        raise ScenarioError(
            f"the periods of the controllers ({text} s) must be multiples of one time, and that at least "
            f"{max(periods) / LONGEST:g} s"
        )
    return unit, counts


class Cascade:
    """The function of the one controller."""

    def __init__(self, controllers: Iterable[Controller], counts: Sequence[int]) -> None:
        self.controllers, self.counts = tuple(controllers), tuple(counts)
        self.outer = [_takes_outer(one) for one in self.controllers]
        self._sizes: tuple[Any, list[int]] = (None, [])  # of the inputs on the last mechanism
        self.__name__ = ", ".join(one.name for one in self.controllers)

    @property
    def identity(self) -> str:
        """Text that identifies the controllers (`model.identity`)."""
        text = repr([(one.identity, count) for one, count in zip(self.controllers, self.counts, strict=True)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def check_flight(self, start: float, end: float) -> None:
        """Check the references of controllers that track one, from `start` to `end`."""
        for one in self.controllers:
            check = getattr(one.function, "check_flight", None)
            if check is not None:
                check(start, end)

    def __call__(self, t: float, state: State, memory: Any) -> tuple[list[float], Any]:
        mark, tick, inputs, memories = memory
        sizes = self._counts_on(state._of)
        for i, one in enumerate(self.controllers):
            if tick % self.counts[i] == 0:
                outer = (tuple(memories[:i]),) if self.outer[i] else ()
                answer = one.function(t, state, memories[i], *outer)
                if not isinstance(answer, tuple | list) or len(answer) != 2:
                    raise ScenarioError(f"'{one.name}' must return (u, memory), got {show(answer)}")
                u = checks.real(() if answer[0] is None else answer[0])
                inputs[i], memories[i] = u.reshape(-1).tolist(), answer[1]
                if sizes and len(inputs[i]) != sizes[i]:
                    raise ScenarioError(
                        f"'{one.name}' must return {sizes[i]} number{'' if sizes[i] == 1 else 's'} as u, "
                        f"got {show(answer[0])}"
                    )
        return [x for each in inputs for x in each], [mark, tick + 1, inputs, memories]

    def _counts_on(self, mechanism: Any) -> list[int]:
        """Return how many inputs each controller has; nothing without a mechanism."""
        if mechanism is not None and self._sizes[0] is not mechanism:
            each = [sum(one.count(mechanism) for one in c.inputs) for c in self.controllers]
            self._sizes = mechanism, each
        return [] if mechanism is None else self._sizes[1]


def _takes_outer(controller: Controller) -> bool:
    """Return whether the function of a controller takes a fourth argument."""
    try:
        signature = inspect.signature(controller.function)
    except ValueError:
        return False
    try:
        signature.bind(0.0, None, (), ())
    except TypeError:
        return False
    return True

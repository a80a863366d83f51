"""Controllers: a Python function looks at the state once a period, and what it wants is held until the next.

    def f(t, state, memory):
        return u, memory                       u: one number for each component of the inputs, in order

    c = Controller(f, period=0.02, inputs=["cart", Actuator("arm", limit=5.0)])
    run = simulate(m, start, step=0.01, until=10, controller=c)

u acts as joint forces that are constant over a period (zero-order hold).  `memory` is what f returned the
last time; it is data (see `plain`), so that it travels with the state and through archives.
"""

import hashlib
import inspect
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError, ScenarioError
from poinsot.model import checks, plain
from poinsot.model.checks import Array, show
from poinsot.model.forces.elements import Element, Places
from poinsot.model.forces.joint import AtJoint
from poinsot.model.identity import digest_of_callable
from poinsot.model.state import State

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

HOLD_NUMBERS = 5  # of an element: the value, and its derivatives along four directions
ON_STEP = 1e-6  # how far a period may be from a whole number of steps, in steps


@dataclass(frozen=True)
class Actuator:
    """A motor at a joint: all components of the joint, or one; `limit` is the largest force it can give."""

    joint: str
    component: int | None = None
    limit: float | None = None

    def __post_init__(self) -> None:
        who = f"actuator at {self.joint!r}"
        if not isinstance(self.joint, str):
            raise ModelError(f"an actuator needs the name of a joint, got {show(self.joint)}")
        if self.component is not None and (
            not isinstance(self.component, int | np.integer) or self.component < 0
        ):
            raise ModelError(f"{who}: component must be a whole number from 0, got {show(self.component)}")
        if self.limit is not None:
            object.__setattr__(self, "limit", checks.number(who, "limit", self.limit, positive=True))

    def components(self, mechanism: "Mechanism") -> list[int]:
        """Of the joint's velocities, those that it drives."""
        who = f"actuator at {self.joint!r}"
        known = [link.name for link in mechanism.links]
        if self.joint not in known:
            raise ModelError(f"{who}: unknown joint{checks.suggestion(self.joint, known)}")
        n = mechanism.link(self.joint).joint.nv
        if n == 0:
            raise ModelError(f"{who}: a Fixed joint does not move")
        if self.component is None:
            return list(range(n))
        if self.component >= n:
            raise ModelError(f"{who}: component must be below {n}, got {self.component}")
        return [int(self.component)]


@dataclass(frozen=True, eq=False)
class Hold(AtJoint):
    """A joint force that a controller sets: constant from tick to tick (zero-order hold, `Tree.hold`)."""

    joint: str
    components: tuple[int, ...]
    identity: str = ""  # of the controller
    reads_velocity = False

    @property
    def label(self) -> str:
        return f"controller's force at '{self.joint}'"

    def elements(self, places: Places) -> list[Element]:
        _, _, v = places.joints[self.joint]
        return [Element("hold", 0, v + j, [0.0] * HOLD_NUMBERS) for j in self.components]


def actuators(inputs: Any, who: str) -> tuple[Actuator, ...]:
    """Joints by name, or actuators."""
    if isinstance(inputs, str | Actuator) or not isinstance(inputs, Iterable):
        raise ScenarioError(f"{who}: inputs must be a list of joints or actuators, got {show(inputs)}")
    found = tuple(one if isinstance(one, Actuator) else Actuator(one) for one in inputs)
    if not found:
        raise ScenarioError(f"{who}: inputs is empty, name the joints that it drives")
    return found


def hold_forces(mechanism: "Mechanism", inputs: tuple[Actuator, ...], identity: str = "") -> list[Hold]:
    """The forces of these inputs, in order; no component twice."""
    forces = [Hold(one.joint, tuple(one.components(mechanism)), identity) for one in inputs]
    driven = [(force.joint, j) for force in forces for j in force.components]
    twice = [pair for pair in driven if driven.count(pair) > 1]
    if twice:
        raise ModelError(f"inputs: component {twice[0][1]} of joint '{twice[0][0]}' is driven twice")
    return forces


def _check_arguments(f: Callable[..., Any]) -> None:
    """That f takes (t, state, memory), as far as it tells: a function that is not Python's may not."""
    try:
        signature = inspect.signature(f)
    except ValueError:
        return
    try:
        signature.bind(0.0, None, ())
    except TypeError as error:
        raise ScenarioError(f"controller: f must take (t, state, memory): {error}") from None


@dataclass(frozen=True, init=False, eq=False)
class Controller:
    """`f(t, state, memory)` returns `(u, memory)`, once each `period` seconds."""

    function: Callable[..., Any]
    period: float
    inputs: tuple[Actuator, ...]
    memory: str  # as text

    def __init__(
        self, f: Callable[..., Any], period: float, inputs: Iterable[str | Actuator], memory: Any = ()
    ) -> None:
        if not callable(f):
            raise ScenarioError(f"controller: f must be a function f(t, state, memory), got {show(f)}")
        _check_arguments(f)
        try:
            seconds = checks.number("controller", "period", period, positive=True)
        except ModelError as error:
            raise ScenarioError(str(error)) from None
        try:
            text = plain.written(memory)
        except TypeError as error:
            raise ScenarioError(
                f"controller: memory must be data ({plain.WRITTEN}), and there is {error} in it"
            ) from None
        vars(self).update(function=f, period=seconds, inputs=actuators(inputs, "controller"), memory=text)

    @property
    def name(self) -> str:
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    @property
    def identity(self) -> str:
        """Changes when the controller would do something else, as far as one can see."""
        what = digest_of_callable(self.function), self.period, self.inputs
        return hashlib.sha256(repr(what).encode()).hexdigest()[:16]

    def forces(self, mechanism: "Mechanism") -> list[Hold]:
        return hold_forces(mechanism, self.inputs, self.identity)

    def steps(self, h: float) -> int:
        """The period in steps."""
        return whole_steps(self.period, h)

    def limits(self, mechanism: "Mechanism") -> Array:
        """The largest force of each component."""
        each = [
            math.inf if one.limit is None else one.limit
            for one in self.inputs
            for _ in one.components(mechanism)
        ]
        return np.array(each)


def whole_steps(period: float, h: float) -> int:
    """A period in steps, or a ScenarioError."""
    k = period / h
    if round(k) < 1 or abs(k - round(k)) > ON_STEP:
        raise ScenarioError(
            f"controller: the period {period:g} must be a whole number of steps of {h:g}, "
            f"and is {k:.6g} of them"
        )
    return round(k)


def remembered(state: State) -> Any:
    """What the controller of a run remembers at this state (`run.final`); None if there is nothing."""
    text = state.memory.control if state.memory is not None else ""
    return plain.read(plain.read(text)[1]) if text else None


def uncontrolled(mechanism: "Mechanism") -> "Mechanism":
    """A copy without what controllers of earlier runs held."""
    copy = mechanism.snapshot()
    copy.forces = [force for force in copy.forces if not isinstance(force, Hold)]
    return copy

"""Controllers: a Python function is called once a period with the state; its output is held until the next.

    def f(t, state, memory):
        return u, memory                       u: one number for each component of the inputs, in order

    c = Controller(f, period=0.02, inputs=["cart", Actuator("arm", limit=5.0)])
    run = simulate(m, start, step=0.01, until=10, controller=c)

u acts as joint forces, thrusts or wrenches that are constant over a period (zero-order hold).  `memory` is
the one that f returned the last time; it is data (see `plain`), so that it travels with the state and
through archives.
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
from poinsot.model.identity import digest_of_callable
from poinsot.model.inputs import Actuator, Input
from poinsot.model.inputs.control import Control, control_of
from poinsot.model.inputs.hold import Held, Hold
from poinsot.model.state import State

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

MARK = "memories of several controllers"
ON_STEP = 1e-6  # how far a period may be from a whole number of steps, in steps


Inputs = Iterable[str | Input]


def actuators(inputs: Any, who: str) -> tuple[Input, ...]:
    """Return inputs, given as names of joints or as inputs, as inputs."""
    try:
        given = checks.items(who, "inputs", inputs, "a list of joints or actuators")
    except ModelError as error:
        raise ScenarioError(str(error)) from None
    found = tuple(one if isinstance(one, Input) else Actuator(one) for one in given)
    if not found:
        raise ScenarioError(f"{who}: inputs is empty, name the joints that it drives")
    return found


def hold_inputs(mechanism: "Mechanism", inputs: tuple[Input, ...]) -> Control:
    """Return what inputs exert that are held; raise a ModelError if a component is driven twice."""
    forces: list[Held] = [one.hold(mechanism) for one in inputs]
    driven = [(force.joint, j) for force in forces if isinstance(force, Hold) for j in force.components]
    twice = [pair for pair in driven if driven.count(pair) > 1]
    if twice:
        raise ModelError(f"inputs: component {twice[0][1]} of joint '{twice[0][0]}' is driven twice")
    bounds = tuple((low, high) for one in inputs for low, high in one.bounds(mechanism).tolist())
    return control_of(forces, mechanism)._replace(bounds=bounds)


def _check_arguments(f: Callable[..., Any]) -> None:
    """Raise a ScenarioError unless f takes (t, state, memory), as far as its signature is known."""
    try:
        signature = inspect.signature(f)
    except ValueError:
        return
    try:
        try:
            signature.bind(0.0, None, ())
        except TypeError:
            signature.bind(0.0, None, (), ())  # and the memories of controllers before it in a list
    except TypeError as error:
        raise ScenarioError(f"controller: f must take (t, state, memory): {error}") from None


@dataclass(frozen=True, init=False, eq=False)
class Controller:
    """A sampled controller: a Python function that sets its inputs once in each period.

    Parameters
    ----------
    f : `f(t, state, memory)` returns `(u, memory)`: `u` has one number for each component of the inputs
        [N, N m], which acts until the next call (zero-order hold); `memory` is passed to the next call.
        In a list of controllers it may take a fourth argument: the memories of those before it.
    period : Time between two calls [s], a whole number of steps.
    inputs : Joints by name, or inputs, in the order of `u`; None for a controller that only has a memory,
        which those after it in a list read.
    memory : Memory for the first call: numbers, strings, None, arrays, and lists, tuples and dicts of them.

    The attributes are the same: `function` (f), `period`, `inputs`, and `memory` as text.

    >>> def brake(t, state, memory):
    ...     return [-0.5 * state.v[0]], memory
    >>> controller = ps.Controller(brake, period=0.02, inputs=["arm"])
    >>> controller.name, controller.steps(0.01)
    ('brake', 2)
    """

    function: Callable[..., Any]
    period: float
    inputs: tuple[Input, ...]
    memory: str  # as text

    def __init__(self, f: Callable[..., Any], period: float, inputs: Inputs | None, memory: Any = ()) -> None:
        if not callable(f):
            raise ScenarioError(f"controller: f must be a function f(t, state, memory), got {show(f)}")
        _check_arguments(f)
        try:
            seconds = checks.number("controller", "period", period, positive=True)
        except ModelError as error:
            raise ScenarioError(str(error)) from None
        try:
            text = plain.write(memory)
        except TypeError as error:
            raise ScenarioError(
                f"controller: memory must be data ({plain.WRITTEN}), and there is {error} in it"
            ) from None
        found = () if inputs is None else actuators(inputs, "controller")
        vars(self).update(function=f, period=seconds, inputs=found, memory=text)

    @property
    def name(self) -> str:
        """Name of the function, for reports."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    @property
    def identity(self) -> str:
        """Digest of the function, period and inputs: it changes when the controller would act differently."""
        what = digest_of_callable(self.function), self.period, self.inputs
        return hashlib.sha256(repr(what).encode()).hexdigest()[:16]

    def control(self, mechanism: "Mechanism") -> Control:
        """Return what this controller exerts on a `mechanism`: one force for each input."""
        return hold_inputs(mechanism, self.inputs)._replace(identity=self.identity)

    def steps(self, h: float) -> int:
        """Return the number of steps in a period: steps between two calls of the function.  `h`: step [s]."""
        return whole_steps(self.period, h)

    def limits(self, mechanism: "Mechanism") -> Array:
        """Return the largest absolute value of each component [N, N m], or infinity, (nu,); see `bounds`."""
        return np.asarray(np.abs(self.bounds(mechanism)).max(axis=1))

    def bounds(self, mechanism: "Mechanism") -> Array:
        """Return the smallest and the largest value of each component [N, N m], or infinity, (nu, 2)."""
        return np.concatenate([np.empty((0, 2)), *(one.bounds(mechanism) for one in self.inputs)])


def saturate(inputs: tuple[Input, ...], mechanism: "Mechanism", u: Array) -> Array:
    """Return u with the numbers of each input moved to the nearest admissible ones; a NaN remains one."""
    parts = np.split(u, np.cumsum([one.count(mechanism) for one in inputs])[:-1])
    return np.concatenate([one.saturate(mechanism, part) for one, part in zip(inputs, parts, strict=True)])


def whole_steps(period: float, h: float) -> int:
    """Return the number of steps in a period; raise a ScenarioError if it is not a whole number."""
    try:
        k = period / checks.number("controller", "step", h, positive=True)
    except ModelError as error:
        raise ScenarioError(str(error)) from None
    if not 0.5 < k < math.inf or abs(k - round(k)) > ON_STEP:
        raise ScenarioError(
            f"controller: the period {period:g} must be a whole number of steps of {h:g}, "
            f"and is {k:.6g} of them"
        )
    return round(k)


def memory_of(state: State) -> Any:
    """Return the memory that the controller of a run returned last, at a state such as `run.final`; or None.
    Of several controllers it is a tuple of their memories.

    >>> ps.control.memory_of(ps.State(0.0, [0.0], [0.0])) is None
    True
    """
    if not isinstance(state, State):
        raise ModelError(f"memory_of: expected a State, got {show(state)}")
    text = state.memory.control if state.memory is not None else ""
    memory: Any = plain.read(plain.read(text)[1]) if text else None
    several = isinstance(memory, list) and len(memory) == 4 and memory[0] == MARK
    return tuple(memory[3]) if several else memory


def without_control(mechanism: "Mechanism") -> "Mechanism":
    """Return a copy without the controller of an earlier run."""
    copy = mechanism.snapshot()
    vars(copy).pop("control", None)
    return copy

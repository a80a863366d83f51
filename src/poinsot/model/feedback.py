"""Feedback: a law that acts continuously, evaluated by the method like a force."""

import hashlib
import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from poinsot.errors import ScenarioError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.controller import Inputs, actuators, hold_inputs, saturate
from poinsot.model.identity import digest_of_callable
from poinsot.model.inputs.control import Control
from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.inputs.input import Input

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


class Feedback:
    """A continuous controller: a Python function of time and state that the method evaluates like a force.

    A `Controller` is sampled, with zero-order hold.  A plain function of `t`, `state.q`, `state.v` and
    `state.time` is compiled, as those of forces are; what cannot be compiled runs in Python, at some hundred
    times the cost, and `run.reason` says so and why.

    Parameters
    ----------
    f : `f(t, state)` returns u, one number for each component of the inputs [N, N m].  It is called at every
        evaluation of the method and must have no memory.
    inputs : Joints by name, or inputs, in the order of `u`.  Their limits are kept.
    compiled : False: the function runs in Python, as it is.

    >>> m = ps.Mechanism(gravity=(0, 0, 0)).add("cart", ps.Box(1.0).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    >>> spring = ps.Feedback(lambda t, state: -4.0 * state.q, inputs=["cart"])
    >>> start = m.state({"cart": dict(displacement=1.0)})
    >>> run = ps.simulate(m, start, "rk4", step=0.01, until=1.0, controller=spring)
    >>> round(float(run.final.q[0]), 6)  # cos 2
    -0.416147
    """

    def __init__(self, f: Callable[..., Any], inputs: Inputs, *, compiled: bool = True) -> None:
        if not callable(f):
            raise ScenarioError(f"feedback: f must be a function f(t, state), got {show(f)}")
        try:
            with suppress(ValueError):  # a function without a signature
                inspect.signature(f).bind(0.0, None)
        except TypeError as error:
            raise ScenarioError(f"feedback: f must take (t, state): {error}") from None
        self.function, self.compiled = f, checks.flag("feedback", "compiled", compiled)
        self.inputs: tuple[Input, ...] = actuators(inputs, "feedback")

    @property
    def name(self) -> str:
        """Name of the function, for reports."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    @property
    def identity(self) -> str:
        """Digest of the function and inputs: it changes when the law would act differently."""
        what = digest_of_callable(self.function), self.inputs
        return hashlib.sha256(repr(what).encode()).hexdigest()[:16]

    def control(self, mechanism: "Mechanism") -> Control:
        """Return what the law exerts on a `mechanism`."""
        hold_inputs(mechanism, self.inputs)
        law = FeedbackForce(self, mechanism)
        return Control((law,), law.names, inside=False, identity=self.identity, law=law)

    def _saturate(self, mechanism: "Mechanism", u: Array) -> Array:
        """Return the admissible input nearest to u."""
        return saturate(self.inputs, mechanism, u)

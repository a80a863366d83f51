"""The force of a law that acts continuously: tau = B(q) u(t, q, v)."""

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.forces.force import Force
from poinsot.model.state import State, attach

if TYPE_CHECKING:
    from poinsot.model.feedback import Feedback
    from poinsot.model.mechanism import Mechanism

_keys = itertools.count(1)  # next() is atomic: keys are unique also with threads


class FeedbackForce(Force):
    """The joint forces of a continuous law on one mechanism."""

    def __init__(self, feedback: "Feedback", mechanism: "Mechanism") -> None:
        self.feedback, self.mechanism, self.key = feedback, mechanism, next(_keys)
        self.counts = [one.count(mechanism) for one in feedback.inputs]
        self.compiled: Any = getattr(feedback, "continuous", None)  # the law, if it is compiled
        self.in_python = ""  # why it is not
        self.kept: list[Any] = []  # what compiled code refers to by its address
        self.fault: BaseException | None = None
        self.fault_time = 0.0

    @property
    def bodies(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(dict.fromkeys(getattr(one, "body", None) or one.key for one in self.feedback.inputs))

    @property
    def place(self) -> tuple[object, ...]:
        """What is compiled of it: forces with the same places are compiled to the same."""
        return ("law", "" if self.compiled is None else self.compiled.kind)

    @property
    def label(self) -> str:
        return f"continuous controller '{self.feedback.name}'"

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each input in a run."""
        pairs = zip(self.feedback.inputs, self.counts, strict=True)
        return tuple(one.key for one, count in pairs for _ in range(count))

    def inputs(self, state: State) -> Array:
        """Return the input at a state, checked and within its limits."""
        answer = self.feedback.function(state.time, attach(state, self.mechanism))
        u = np.atleast_1d(checks.real(answer))
        n = sum(self.counts)
        if u.shape != (n,):
            raise ModelError(f"must return {n} number{'s' if n > 1 else ''} as u, got {show(answer)}")
        u = self.feedback._saturate(self.mechanism, u)
        if not np.isfinite(u).all():
            raise ModelError(f"must return finite numbers as u, got {show(answer)}")
        return u

    def recorded_inputs(self, state: State) -> Array:
        """Return the input at a state; NaN where the law cannot be evaluated."""
        try:
            return self.inputs(state)
        except Exception:
            return np.full(sum(self.counts), np.nan)

    def joint_forces(self, t: float, q: Array, v: Array) -> Array:
        """Return tau (nv,) at the time t."""
        return input_matrix(self.mechanism, self.feedback.inputs, q) @ self.inputs(State(t, q, v))

    def keep(self, what: Any) -> Any:
        """Keep an object as long as this force, and return it."""
        self.kept.append(what)
        return what

    def keep_fault(self, error: BaseException, t: float) -> None:
        """Keep the first exception of the law until the compiled time loop has returned."""
        if self.fault is None:
            self.fault, self.fault_time = error, t

    def raise_fault(self) -> None:
        """Raise the exception that the law raised during the compiled time loop."""
        fault, self.fault = self.fault, None
        if isinstance(fault, Exception):
            own = str(fault) if isinstance(fault, ModelError) and str(fault).startswith("must") else ""
            what = own or checks.error_line(fault)
            raise ControllerFault(f"the {self.label} {what} at t = {self.fault_time:g}")
        if fault is not None:
            raise fault


class ControllerFault(Exception):  # noqa: N818 - internal: `simulate` turns it into a StepError
    """A continuous controller raised an exception."""


def input_matrix(mechanism: "Mechanism", inputs: tuple[Any, ...], q: Array) -> Array:
    """Return B (nv, nu) at the coordinates q: tau = B u."""
    from poinsot.model.kinematics import jacobians  # which imports the forces

    J = jacobians(mechanism, q)
    return np.hstack([one.columns(mechanism, J) for one in inputs])

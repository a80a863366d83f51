"""The tracking law: the input that brings a mechanism nearest to its template, at a time and a state.

    M dv/dt + f = B u        M_ dv/dt + f_ = 0        u by Gauss' least constraint, within the limits   (1)

A template that leaves velocities free is completed by a small part of the plant itself,

    M_ + c M,     f_ + c (bias without gravity and forces + rate M v)                                   (2)
"""

import hashlib
from typing import NamedTuple

import numpy as np

from poinsot.compile.functions.laws.compiled_law import CompiledLaw
from poinsot.control.inputs.polygon import polygon
from poinsot.control.laws import compiled, feasible
from poinsot.control.laws.least_constraint import LeastConstraint, solved
from poinsot.control.plant import Plant
from poinsot.control.references.checked import Reference, reference_at
from poinsot.control.templates.pair import check_pair
from poinsot.control.templates.template import Template, TemplateAt
from poinsot.model.checks import Array
from poinsot.model.identity import digest_of_callable
from poinsot.model.inputs.input import Input
from poinsot.model.inputs.on_body import OnBody
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

CHECKED = 0.0, 0.1, 0.4, 1.0, 2.0  # seconds at which a reference is checked when a law is made


class Decision(NamedTuple):
    """What a tracking law decides at a state.

    Attributes
    ----------
    template : TemplateAt
        The template there.
    law : LeastConstraint
        Input, residual, matching force and acceleration.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> pair = ps.control.Pair("cart", inertia=(1, (0, 0, 0), (0, 0, 0)), stiffness=(8, (0, 0, 0), (0, 0, 0)))
    >>> wanted = ps.control.Template("particle", [pair])
    >>> controller = ps.control.track(m, wanted, ps.control.constant(m.state()), ["cart"])
    >>> controller.function.decide(0.0, m.state({"cart": dict(displacement=0.5)})).law.u
    array([-8.])
    """

    template: TemplateAt
    law: LeastConstraint


class TrackingLaw:
    """The tracking law as a function of time and state; `ps.control.track` makes it.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism.
    template : Template
        The wanted behaviour.
    reference : callable
        `reference(t)` returns the state and the acceleration of the reference motion.
    inputs : tuple of Input
        The inputs.
    Z, b : ndarray
        Limits Z u <= b, besides those of the inputs.
    metric : ndarray, shape (nv,), optional
        Factors of the metric where limits act.
    completion, rate : float
        Part of the plant that completes the template, and its damping rate in 1/s.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> pair = ps.control.Pair("cart", inertia=(1, (0, 0, 0), (0, 0, 0)), stiffness=(8, (0, 0, 0), (0, 0, 0)))
    >>> wanted = ps.control.Template("particle", [pair])
    >>> law = ps.control.track(m, wanted, ps.control.constant(m.state()), ["cart"]).function
    >>> law(0.0, m.state({"cart": dict(displacement=0.5)}))
    array([-8.])
    """

    __name__ = "track"

    def __init__(
        self,
        mechanism: Mechanism,
        template: Template,
        reference: Reference,
        inputs: tuple[Input, ...],
        Z: Array,
        b: Array,
        metric: Array | None = None,
        completion: float = 0.0,
        rate: float = 2.0,
    ) -> None:
        for pair in template.pairs:
            check_pair(pair, mechanism)
        self.plant, self.template, self.reference, self.inputs = Plant(mechanism), template, reference, inputs
        m = self.plant.mechanism
        on_bodies = [one for one in inputs if isinstance(one, OnBody)]
        self.metric, self.completion, self.rate = metric, completion, rate
        self.checked: tuple[float, float] | None = None  # times between which it was; None: it is not to be
        self.wrenches = {  # (k, 6) of all inputs on a body
            name: np.vstack([one.wrenches for one in on_bodies if one.body == name])
            for name in dict.fromkeys(one.body for one in on_bodies)
        }
        counts = [one.count(m) for one in inputs]
        self._columns(m, counts)
        own, bounds = polygon(m, inputs)
        self.Z, self.b = np.vstack([own, Z]), np.concatenate([bounds, b])

    def _columns(self, m: Mechanism, counts: list[int]) -> None:
        """Find the columns of B: unit ones of the motors, and those of each body."""
        ends = np.cumsum([0, *counts])
        self.units = np.zeros((m.lengths[1], ends[-1]))
        self.places: dict[str, list[int]] = {name: [] for name in self.wrenches}
        for one, begin, end in zip(self.inputs, ends[:-1], ends[1:], strict=True):
            if isinstance(one, OnBody):
                self.places[one.body] += range(begin, end)
            else:
                self.units[:, begin:end] = one.columns(m, {})

    @property
    def identity(self) -> str:
        """Digest of all that the law depends on."""
        pairs = [
            (
                pair.body,
                pair.relative_to,
                *(x.tobytes() for x in (pair.inertia, pair.damping, pair.stiffness)),
            )
            for pair in self.template.pairs
        ]
        metric = None if self.metric is None else self.metric.tobytes()
        more = self.Z.tobytes(), self.b.tobytes(), metric, self.completion, self.rate, self.inputs
        what = self.plant.identity, self.template.kind, pairs, digest_of_callable(self.reference), more
        return hashlib.sha256(repr(what).encode()).hexdigest()[:16]

    def reference_at(self, t: float) -> tuple[State, Array]:
        """Return state and acceleration of the reference, checked.

        Parameters
        ----------
        t : float
            Time in seconds.

        Returns
        -------
        state : State
            State of the reference.
        acceleration : ndarray, shape (nv,)
            Rate of its velocities.

        Raises
        ------
        ModelError
            If the reference does not return a state of the mechanism and its acceleration.
        """
        return reference_at(self.plant.mechanism, self.reference, t)

    def matrix(self, state: State) -> Array:
        """Return the input matrix B at a state.

        Parameters
        ----------
        state : State
            The state.

        Returns
        -------
        ndarray, shape (nv, nu)
            Input matrix.
        """
        B = self.units.copy()
        moving = self.plant.moving(state, list(self.wrenches)) if self.wrenches else {}
        for name, wrenches in self.wrenches.items():
            B[:, self.places[name]] = moving[name].J.T @ wrenches.T
        return B

    def decide(self, t: float, state: State, expected: Array | None = None) -> Decision:
        """Return the input at a state, with what led to it.

        Parameters
        ----------
        t : float
            Time in seconds.
        state : State
            The state.
        expected : ndarray, shape (nv,), optional
            Joint forces that act besides those of the mechanism, such as observed ones.  Default: none.

        Returns
        -------
        Decision
            The template there, and the input of the least constraint.

        Raises
        ------
        ModelError
            If the reference is wrong there, or the template is singular.
        """
        return self.decided(state, *self.reference_at(t), expected)

    def decided(
        self, state: State, reference: State, acceleration: Array, expected: Array | None = None
    ) -> Decision:
        """Return the decision at a state for a state and an acceleration of the reference."""
        wanted = self.template._at(self.plant, state, reference, acceleration)
        M, f = self.plant.mass(state), self.plant.bias(state)
        if expected is not None:
            f = f - expected
        M_bar, f_bar = wanted.M, wanted.f
        if self.completion:
            coriolis = self.plant.coriolis(state)
            M_bar = M_bar + self.completion * M
            f_bar = f_bar + self.completion * (coriolis + self.rate * M @ state.v)  # (2)
        metric = None
        if self.metric is not None:
            root = np.sqrt(self.metric)
            metric = root[:, None] * M_bar * root
        return Decision(wanted, solved(M, f, self.matrix(state), M_bar, f_bar, self.Z, self.b, metric))

    def __call__(self, t: float, state: State) -> Array:
        return self.decide(t, state).law.u

    def compiled(self) -> CompiledLaw:
        """Return the compiled law.

        Returns
        -------
        CompiledLaw
            Law for the compiled time loop.

        Raises
        ------
        ModelError
            If it cannot be compiled.
        """
        return compiled.compiled_tracking(self)

    def node(self, t: float) -> Array:
        """Return what the compiled law knows of the reference at a time.

        Parameters
        ----------
        t : float
            Time in seconds.

        Returns
        -------
        ndarray
            The time, then the pose of each pair with two derivatives.
        """
        return compiled.node(self, t)

    def check(self) -> None:
        """Check that the inputs can fly the reference at some times, within their limits at the first.

        Raises
        ------
        ModelError
            If no input can give the forces of the reference, or the limits do not allow it.
        """
        feasible.check_limits(self, *feasible.forces_at(self, 0.0))
        feasible.check_times(self, CHECKED[1:])
        self.checked = 0.0, 0.0

    def check_flight(self, begin: float, end: float) -> None:
        """Check that the inputs can fly the reference during a flight, unless it has been checked before.

        Parameters
        ----------
        begin, end : float
            Times in seconds.

        Raises
        ------
        ModelError
            If no input can give the forces of the reference at some time; it names the residual.
        """
        if self.checked is None or (self.checked[0] <= begin and end <= self.checked[1]):
            return
        feasible.check_flight(self, begin, end)
        self.checked = begin, end

"""The tracking law: the input that brings a mechanism nearest to its template, at a time and a state.

    M dv/dt + f = B u        M_ dv/dt + f_ = 0        u by Gauss' least constraint, within the limits   (1)

A template that leaves velocities free is completed by a small part of the plant itself,

    M_ + c M,     f_ + c (bias without gravity and forces + rate M v)                                   (2)

The inputs can fly a reference if

    M xi_R' + f = B u      has a solution, which the limits allow at the first time                     (3)

With loops and driven joints these hold for the accelerations that they allow (`core.control.freedom`).

One free body with constant matrices has a law of its own (`core.control.one_body`), four lanes wide.
"""

import hashlib
import threading
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from poinsot.compile.laws import CompiledLaw, LawCall, limit_numbers
from poinsot.control.actuators import polygon
from poinsot.control.constraint import LeastConstraint, diagnose, fault
from poinsot.control.law import ReferenceLaw, natural_rates
from poinsot.control.plant import Plant, flat, pair_numbers, pose_derivatives, with_plant
from poinsot.control.references.motions import Reference
from poinsot.control.templates import (
    Pair,
    Template,
    TemplateAt,
    check_pair,
    map_fault,
    moments,
    template_samples,
)
from poinsot.core.control.least_constraint import DEFINITE, RANK
from poinsot.core.control.one_body import one_body
from poinsot.core.control.pairs import KINDS
from poinsot.core.control.records import DECIDED, FREE_VELOCITY, NO_MAP, SAMPLE, work_places
from poinsot.core.control.tracking import tracking, tracking_on_loops
from poinsot.errors import ModelError
from poinsot.model.checks import Array, show
from poinsot.model.identity import digest_of_callable
from poinsot.model.inputs.input import Input
from poinsot.model.inputs.on_body import OnBody
from poinsot.model.joints import Free
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.state import State

CHECKED = 0.05, 0.2, 0.5, 1.0  # slowest periods of the template after which a reference is checked at first
EACH = SAMPLE // 3  # numbers of a group of a sample that have two derivatives
OFTEN, MOST = 8.0, 240  # checks in such a period of a flight, and of the whole flight
FEASIBLE = 1e-5  # relative: forces that no input can give, along a reference
ROUNDING = 1e-11  # relative to what moves the vehicle by its size in a period of the template: such forces


class Decision(NamedTuple):
    """What a tracking law decides at a state: the template there, and the input of the least constraint."""

    template: TemplateAt
    law: LeastConstraint


class TrackingLaw(ReferenceLaw):
    """The tracking law as a function of time and state; `ps.control.track` makes it.

    Parameters
    ----------
    mechanism, template, reference, inputs : as of `track`
    limits : limits Z u <= b (Z, b), besides those of the inputs
    metric : factors (nv) of the metric where limits act, or none
    completion : part of the plant that completes the template, and its damping rate [1/s]; None: twice the
        slowest rate of the template

    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> pair = ps.control.Pair("cart", inertia=(1, (0, 0, 0), (0, 0, 0)), stiffness=(8, (0, 0, 0), (0, 0, 0)))
    >>> wanted = ps.control.Template("particle", [pair])
    >>> law = ps.control.track(m, wanted, ps.control.references.constant(m.state()), ["cart"]).function
    >>> law(0.0, m.state({"cart": dict(displacement=0.5)}))
    array([-8.])
    """

    __name__ = "track"
    blocks = slice(0, 9), slice(9, 12)  # rotation and position

    def __init__(
        self,
        mechanism: Mechanism,
        template: Template,
        reference: Reference,
        inputs: tuple[Input, ...],
        *,
        limits: tuple[Array, Array],
        metric: Array | None = None,
        completion: tuple[float, float | None] = (0.0, None),
    ) -> None:
        for pair in template.pairs:
            check_pair(pair, mechanism)
        self.plant, self.template, self.reference, self.inputs = Plant(mechanism), template, reference, inputs
        m = self.plant.mechanism
        self.driven = np.sort(self.plant.tree.driven_coordinates[1])
        self.groups = len(template.pairs) - -len(self.driven) // EACH
        self.metric, (self.completion, self._rate) = metric, completion
        self.checked: tuple[float, float] | None = None  # times between which it was; None: it is not to be
        on_bodies = [one for one in inputs if isinstance(one, OnBody)]
        self.wrenches = {  # (k, 6) of all inputs on a body
            name: np.vstack([one.wrenches for one in on_bodies if one.body == name])
            for name in dict.fromkeys(one.body for one in on_bodies)
        }
        ends = np.cumsum([0, *(one.count(m) for one in inputs)])
        self.units = np.zeros((m.lengths[1], ends[-1]))  # columns of B: those of the motors
        self.places: dict[str, list[int]] = {name: [] for name in self.wrenches}  # those of each body
        for one, begin, end in zip(inputs, ends[:-1], ends[1:], strict=True):
            if isinstance(one, OnBody):
                self.places[one.body] += range(begin, end)
            else:
                self.units[:, begin:end] = one.columns(m, {})
        own, bounds = polygon(m, inputs)
        self.Z, self.b = np.vstack([own, limits[0]]), np.concatenate([bounds, limits[1]])
        self._general = threading.local()

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

    def matrix(self, state: State) -> Array:
        """Return the input matrix B (nv, nu) at a state."""
        B = self.units.copy()
        moving = self.plant.moving(state, list(self.wrenches)) if self.wrenches else {}
        for name, wrenches in self.wrenches.items():
            B[:, self.places[name]] = moving[name].J.T @ wrenches.T
        return B

    @cached_property
    def compiled(self) -> CompiledLaw:
        """The compiled law with its data."""
        return (self._one_body() if self._is_one_body else None) or self.general

    @cached_property
    def general(self) -> CompiledLaw:
        """The law of any tree."""
        m, own = self.plant.mechanism, self.template._ordered
        pairs = list(own)
        if self.completion:
            for link in m.links:
                P = self.completion * moments(link.body.mass, link.body.center_of_mass, link.body.inertia)
                pairs.append(Pair(link.name, inertia=P, damping=self.rate * P))
        limits = len(self.b), limit_numbers(m, self.inputs, self.Z, self.b)
        facts = KINDS.index(self.template.kind), len(own), self.template._seen
        more, width = [] if self.metric is None else [self.metric], 1 + SAMPLE * self.groups
        if self.plant.constrained:
            more = [np.array([float(len(self.driven))])]
        entry = tracking_on_loops if self.plant.constrained else tracking
        return with_plant(entry, self.plant, self.inputs, pairs, limits, facts=facts, width=width, more=more)

    @cached_property
    def _is_one_body(self) -> bool:
        """Whether the matrices are constant: one free body at the origin, one pair to the world."""
        m, pair = self.plant.mechanism, self.template.pairs[0]
        link = m.links[0]
        plain = (
            not link.at.any()
            and not link.body_at.any()
            and link.rotation[0] ** 2 == link.body_rotation[0] ** 2 == 1
        )
        alone = len(m.links) == 1 and isinstance(link.joint, Free) and plain and not (m.forces or m.loops)
        one = len(self.template.pairs) == 1 and (pair.body, pair.relative_to) == (link.name, "world")
        return alone and one and not self.completion and not self.units.any()

    def _one_body(self) -> CompiledLaw | None:
        """Return the law of one free body; None if its template is singular."""
        m, pair, plant = self.plant.mechanism, self.template.pairs[0], self.plant
        still = State(0.0, np.eye(7)[3], np.zeros(6))
        M, B = plant.mass(still), self.matrix(still)
        try:
            L = np.linalg.cholesky(pair.M)
        except np.linalg.LinAlgError:
            return None
        pseudo = np.linalg.pinv(L.T @ np.linalg.solve(M, B), rcond=RANK)
        P, S = pseudo @ L.T @ np.linalg.inv(M), pseudo @ np.linalg.inv(L)
        root = L.T if self.metric is None else L.T * np.sqrt(self.metric)
        W = root @ np.linalg.solve(M, B)
        H, inverse = W.T @ W, np.linalg.pinv(W, rcond=RANK)
        if np.linalg.matrix_rank(W, tol=RANK * np.linalg.norm(W, 2)) < len(H):
            H = H + DEFINITE * np.trace(H) / len(H) * np.eye(len(H))
        limited = [P, S]
        if self.metric is not None:
            limited = [inverse @ root @ np.linalg.inv(M), inverse @ root @ np.linalg.inv(pair.M)]
        bounds = limit_numbers(m, self.inputs, self.Z, self.b)
        numbers = flat([M, m.gravity, pair_numbers(pair), B.T, P, S, *limited, H, *bounds])
        ints = np.array([KINDS.index(self.template.kind), len(self.b)], dtype=np.int64)
        return CompiledLaw(one_body, plant.tree, ints, numbers, B.shape[1], 1 + SAMPLE, 0)

    def sample(self, t: float) -> Array:
        """Return the time, and the pose of each pair of the reference with two derivatives."""
        state, rate = self.reference_at(t)
        if self._is_one_body:
            return np.array([t, *pose_derivatives(matrix(state.q[3:]), state.q[:3], state.v, rate)])
        return self._sample(t, state, rate)

    def _sample(self, t: float, reference: State, acceleration: Array) -> Array:
        """Return a sample of the general law: that of the template, then the drives in groups as its own."""
        found = template_samples(self.plant, self.template, t, reference, acceleration)
        if not len(self.driven):
            return found
        motion = np.zeros((3, self.groups - len(self.template.pairs), EACH))
        for row, numbers in zip(motion, self._driven_motion(t), strict=True):
            row.reshape(-1)[: len(numbers)] = numbers
        return np.concatenate([found, np.moveaxis(motion, 1, 0).ravel()])

    def _driven_motion(self, t: float) -> list[Array]:
        """Return coordinates, velocities and accelerations of the driven joints."""
        q, v, a = self.plant.drives(t)
        at = np.sort(self.plant.tree.driven_coordinates[0])
        plain = len(at) == len(self.driven)  # else those of a ball: no table interpolates them
        return [q[at] if plain else np.full(len(self.driven), np.nan), v[self.driven], a[self.driven]]

    def decide(self, t: float, state: State, expected: Array | None = None) -> Decision:
        """Return the input at a state, with what led to it.

        `expected` are joint forces (nv) that act besides those of the mechanism, such as observed ones.
        """
        return self.decide_for(state, *self.reference_at(t), expected)

    def decide_for(
        self, state: State, reference: State, acceleration: Array, expected: Array | None = None
    ) -> Decision:
        """Return the decision at a state for a state and an acceleration of the reference."""
        if not hasattr(self._general, "call"):
            self._general.call = LawCall(self.general)
        call: LawCall = self._general.call
        nv, nu = self.plant.nv, len(call.u)
        at, x = work_places(nv, nu, len(self.b)), call.workspace
        sample = self._sample(state.time, reference, acceleration)
        x[at.expected] = 0.0 if expected is None else expected
        status = call(sample, state.q, state.v)
        if status != DECIDED:
            raise self._fault(status, call)
        M, M_bar = (x[place].reshape(nv, nv) for place in (at.M, at.wanted_mass))
        f, B, f_bar, u = x[at.f], x[at.B].reshape(nv, nu), x[at.wanted_force], call.u.copy()
        law = self._diagnose(state, (M, f, B, M_bar, f_bar), u, x[at.active])
        return Decision(self.template._evaluate(self.plant, state, reference, acceleration), law)

    def _diagnose(self, state: State, parts: tuple[Array, ...], u: Array, active: Array) -> LeastConstraint:
        """Return an input with what it leaves, for what loops and drives let plant and template do."""
        M, f, B, M_bar, f_bar = (part.copy() for part in parts)
        free = self.plant.reduction(state)
        if free is None:
            return diagnose(M, f, B, M_bar, f_bar, u, active)
        N, a0 = free
        mass, wanted = free.squares(M, M_bar)
        found = diagnose(mass, N.T @ (f + M @ a0), N.T @ B, wanted, N.T @ (f_bar + M_bar @ a0), u, active)
        return found._replace(acceleration=N @ found.acceleration + a0)

    def _fault(self, status: int, call: LawCall) -> ModelError:
        if status in (NO_MAP, FREE_VELOCITY):
            return map_fault(self.template.kind, status)
        if not call.law.plant:
            return fault(status, self.template.pairs[0].M)
        nv, place = self.plant.nv, work_places(self.plant.nv, len(call.u), len(self.b)).wanted_mass
        return fault(status, call.workspace[place].reshape(nv, nv))

    @cached_property
    def rate(self) -> float:
        """The damping rate of the completion [1/s]."""
        if self._rate is None:
            return 2 * self.rates[0] if self.completion else 0.0
        return self._rate

    @cached_property
    def rates(self) -> tuple[float, float]:
        """The smallest and the largest rate [rad/s] of the template, at the reference at the time 0."""
        state = self.reference_at(0.0)[0]
        M_, D_, K_ = self.template._matrices(self.plant, state)
        free, found = self.plant.reduction(state), [M_ + self.completion * self.plant.mass(state), D_, K_]
        return natural_rates(*(found if free is None else free.squares(*found)))

    def check(self) -> None:
        """Check that the inputs can fly the reference at some times, within their limits at the first.

        Raises
        ------
        ModelError
            If no input can give the forces of the reference, or the limits do not allow it.
        """
        self._check_limits(*self._forces_at(0.0))
        slow = self.rates[0]
        self._check_times(2 * np.pi / slow * part for part in CHECKED if slow)
        self.checked = 0.0, 0.0

    def check_flight(self, begin: float, end: float) -> None:
        """Check that the inputs can fly the reference between two times [s], unless that was done before."""
        if self.checked is None or (self.checked[0] <= begin and end <= self.checked[1]):
            return
        count = np.clip(OFTEN * (end - begin) * self.rates[0] / (2 * np.pi), 2, MOST)
        self._check_times(np.linspace(begin, end, 1 + int(np.ceil(count))).tolist())
        self.checked = begin, end

    def _forces_at(self, t: float) -> tuple[State, Array, Array]:
        """Return the reference at a time, and inputs that give the forces that it needs."""
        reference, acceleration = self.reference_at(t)
        broken = self.plant.broken_by(reference, acceleration, self.rates[1], FEASIBLE)
        if broken:
            raise ModelError(f"reference at t = {t:g}: its {broken}")
        B, needed, sizes = self._needs(reference, acceleration)
        u = np.asarray(np.linalg.lstsq(B / sizes[:, None], needed / sizes, rcond=None)[0], dtype=float)  # (3)
        self._check_miss(reference, acceleration, u, "the inputs cannot give its forces")
        return reference, acceleration, u

    def _needs(self, reference: State, acceleration: Array) -> tuple[Array, Array, Array]:
        """Return B and the forces of (3), and the roots of the masses that they accelerate."""
        B, M, free = self.matrix(reference), self.plant.mass(reference), self.plant.reduction(reference)
        needed = M @ acceleration + self.plant.bias(reference)
        if free is not None:
            (M,), B, needed = free.squares(M), free.N.T @ B, free.N.T @ needed
        return B, needed, np.sqrt(np.diag(M))

    def _check_miss(self, at: State, acceleration: Array, u: Array, what: str) -> None:
        """Raise a ModelError if forces are missed by more than rounding, measured by what they accelerate."""
        B, needed, sizes = self._needs(at, acceleration)
        miss = B @ u - needed
        left, whole = np.abs(miss / sizes).max(), np.abs(needed / sizes).max()
        small = (np.sqrt(np.diag(self.plant.mass(at))) * self.plant.sizes(at)).max() * self.rates[1] ** 2
        if left > FEASIBLE * whole + ROUNDING * small:
            worst = int(np.argmax(np.abs(miss / sizes)))
            raise ModelError(
                f"reference at t = {at.time:g}: {what}, the residual is {abs(miss[worst]):.3g} of "
                f"{np.abs(needed).max():.3g} (N or N m)"
            )

    def _check_times(self, times: Iterable[float]) -> None:
        for t in times:
            try:
                self.reference_at(t)
            except ModelError:
                continue  # it ends before
            self._forces_at(t)

    def _check_limits(self, reference: State, acceleration: Array, u: Array) -> None:
        if (self.Z @ u - self.b <= FEASIBLE * (np.abs(self.Z) @ np.abs(u) + np.abs(self.b))).all():
            return
        best = self.decide_for(reference, reference, acceleration).law
        what = (
            f"the limits of the inputs do not allow it, it needs u = {show(u)}, and the nearest admissible "
            f"input is {show(best.u)}"
        )
        self._check_miss(reference, acceleration, best.u, what)

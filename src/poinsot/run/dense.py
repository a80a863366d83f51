"""Dense output: the state at any time of a run.

A step of the method itself leads from the last sample to the time that is asked for (`compile.own_step`),
after whole steps if there are some between the two: the result has the order of the method, for every method,
joint and force.  Impulses and jumps of forces on the way are those of the run, and an event that changed the
state begins a new motion.

Where the forces are not known any more (functions of a loaded run, or inputs that a controller changed
between two samples), coordinates are interpolated from the samples at both ends, H apart in time:

    q(t0 + s H) = (1 + 2s)(1 - s)^2 q0 + s (1 - s)^2 H q0' + s^2 (3 - 2s) q1 - s^2 (1 - s) H q1'       (1)
    v = B(q)^+ q',   with q' = B(q) v                                                            (2)

The errors of q and v are O(H^4) and O(H^3); quaternions are made unit.
"""

import math
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from poinsot.compile.cache import cache_of, tree_for, with_open
from poinsot.compile.catalogue import absent
from poinsot.compile.method_choice import system_for
from poinsot.compile.modes import ModeTree
from poinsot.compile.own_step import OwnStep
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.tree import Tree
from poinsot.core.methods.method import Method
from poinsot.diagnostics.distance import apart, scales_of
from poinsot.diagnostics.trajectory import Samples
from poinsot.elementary.linear import inverse, norm, product
from poinsot.errors import ModelError, StepError
from poinsot.mechanics.algorithms import rates
from poinsot.mechanics.breakpoints import (
    NO_BREAKPOINT,
    Breakpoint,
    apply_impulse,
    breakpoints_of,
    jumps_ahead,
)
from poinsot.mechanics.drive_forces import drive_forces
from poinsot.mechanics.modes import JointModes, mode_events
from poinsot.model import checks
from poinsot.model.checks import MOST_STEPS, Array
from poinsot.model.forces.drive import Drive
from poinsot.model.loop_history import Open
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run.events import firings_of

if TYPE_CHECKING:
    from poinsot.run.run import Run

ORDER = 3  # of Hermite interpolation
ON_GRID = 1e-9  # distance from a step, in steps, below which a time lies on it


class DenseOutput(NamedTuple):
    """How `run.at` finds the states between two samples.

    Parameters
    ----------
    kind : "own step": by a step of the method itself; "Hermite": from the samples at both ends
    order : its order in the step size; None: exact; that of "Hermite" is in the distance of two samples

    Examples
    --------
    >>> s = ps.scenario("dzhanibekov")
    >>> ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, steps=1).dense_output
    DenseOutput(kind='own step', order=4)
    """

    kind: str
    order: int | None


class Reset(NamedTuple):
    """A change of the state by an event: the states on both sides, and what changed the modes of joints."""

    before: State
    after: State
    margins: tuple[str, ...] = ()


class DensePoint(NamedTuple):
    """The motion at one time, as a sample has it."""

    q: Array
    v: Array
    work: float


def dense_output(mechanism: Mechanism, method: Method, every: int) -> DenseOutput:
    """Return how states between two samples are found."""
    if mechanism.missing or method.step is absent or (mechanism.control.held and every > 1):
        return DenseOutput("Hermite", ORDER)
    return DenseOutput("own step", method.order)


class Hermite:
    """Interpolates between two states of a mechanism."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.tree = cache_of(mechanism).bodies()  # without forces: the kinematics
        self.quaternions: list[slice] = []  # where they are in q
        nq = 0
        for link in mechanism.links:
            if link.joint.quaternion is not None:
                begin = nq + link.joint.quaternion
                self.quaternions.append(slice(begin, begin + 4))
            nq += link.joint.nq

    def between(self, one: State, two: State, t: float) -> tuple[Array, Array]:
        """Return q and v at a time t after the first state by (1) and (2)."""
        H = two.time - one.time
        s = (t - one.time) / H
        r = 1 - s
        q0, q1 = one.q.copy(), two.q.copy()
        d0, d1 = rates(self.tree, q0, one.v), rates(self.tree, q1, two.v)
        for place in self.quaternions:
            if product(q0[place], q1[place]) < 0:
                q1[place], d1[place] = -q1[place], -d1[place]
        q = (
            (1 + 2 * s) * r * r * q0 + s * r * r * H * d0 + s * s * (3 - 2 * s) * q1 - s * s * r * H * d1
        )  # (1)
        dq = 6 * s * r * (q1 - q0) / H + r * (1 - 3 * s) * d0 + s * (3 * s - 2) * d1
        for place in self.quaternions:
            q[place] /= norm(q[place])
        B = np.array([rates(self.tree, q, e) for e in np.eye(len(one.v))]).T
        v = product(inverse(product(B.T, B)), product(B.T, dq)) if B.size else np.zeros(0)  # (2)
        return q, v


class Dense:
    """The dense output of one run: `point(t)` is the motion at a time."""

    def __init__(self, run: "Run") -> None:
        self.x, self.h, self.steps, self.loops = run.trajectory, run.step, run.steps, run.loop_history
        self.own_steps: dict[Open, OwnStep] = {}
        self.opened: dict[Open, CompiledMechanism] = {}
        happened = firings_of(run.events)  # in the order of time
        ends = {str(one.name) for one in mode_events(self.x.mechanism)} if happened else set()
        self.resets: list[Reset] = []
        for one in happened:
            if one.after is None:
                continue
            last = self.resets[-1] if self.resets and one.name in ends else None
            if last is not None and last.margins and last.before.time == one.before.time:
                self.resets[-1] = last._replace(margins=(*last.margins, one.name))
            else:
                margins = (one.name,) if one.name in ends else ()
                self.resets.append(Reset(one.before, one.after, margins))
        self.reset_times = [one.after.time for one in self.resets]
        mechanism, method = self.x.mechanism, run.method
        self.method = method
        self.output = dense_output(mechanism, method, run.every)
        self.held, self.law = mechanism.control.held, mechanism.control.law
        drives = [force for force in mechanism.forces if isinstance(force, Drive)]
        forces = sum(mechanism.link(one.joint).joint.nv for one in drives)
        self.inputs = len(self.x.driven) - forces  # of a controller; then come the forces of drives
        self.start = self.x.span[1]
        self.at = -1  # the sample whose row is kept

    @cached_property
    def system(self) -> CompiledMechanism:
        """The mechanism in the numbers of the core; it may hold inputs."""
        return system_for(self.x.mechanism, self.method)[0]

    @cached_property
    def modes(self) -> JointModes | None:
        """The modes of joints, where they have some."""
        return JointModes(self.system) if isinstance(self.system, ModeTree) else None

    def _system(self, open: Open) -> CompiledMechanism:
        """Return the mechanism with some loops open."""
        if not open:
            return self.system
        joints = self.method.tree.joints if self.method.tree is not None else None
        if open not in self.opened:
            self.opened[open] = tree_for(with_open(self.x.mechanism, open), joints=joints)
        return self.opened[open]

    def _own_step(self, time: float) -> OwnStep:
        """Return the step of the method from a time on, with the loops and the inputs that there are then."""
        open = self.loops.at(time)
        if open not in self.own_steps:
            self.own_steps[open] = OwnStep(self._system(open), self.method)
        if self.held:
            self._system(open).hold(self.x.inputs[self.at, : self.inputs])
        return self.own_steps[open]

    @cached_property
    def hermite(self) -> Hermite:
        """Interpolates between two states, where the forces are not known any more."""
        return Hermite(self.x.mechanism)

    @cached_property
    def points(self) -> dict[int, Breakpoint]:
        """The breakpoints by step."""
        return breakpoints_of(self.x.mechanism, self.start, self.h, self.steps)

    @cached_property
    def jumps(self) -> list[tuple[int, float]]:
        """The steps at which forces jump, and the last time at which they may be evaluated before."""
        return jumps_ahead(self.x.mechanism, self.points, self.start, self.h, self.steps)

    def point(self, t: float) -> DensePoint:
        """Return the motion at a time of the run."""
        samples = self.samples(np.array([t]))
        return DensePoint(samples.q[0], samples.v[0], float(samples.work[0]))

    def samples(self, times: Array) -> Samples:
        """Return samples at these times, which do not decrease."""
        x = self.x
        places = np.searchsorted(x.time, times, side="right") - 1
        inputs = x.inputs[places] if len(x.inputs) else np.zeros((len(times), 0))
        pairs = list(zip(places.tolist(), times.tolist(), strict=True))
        if self.output.kind == "Hermite":
            points = [self._hermite(i, t) for i, t in pairs]
            q, v = (np.array([getattr(p, name) for p in points]) for name in ("q", "v"))
            potential = np.interp(times, x.time, x.applied_potential)
            return Samples(times, q, v, np.array([p.work for p in points]), potential, inputs)
        rows = np.array([self._own(i, t) for i, t in pairs])
        q, v = self.system.from_core(rows[:, :-1])
        for k, (i, t) in enumerate(pairs):  # samples and resets as they are, without a rounding
            at = bisect_right(self.reset_times, t) - 1
            if at >= 0 and self.reset_times[at] == t:
                q[k], v[k] = self.resets[at].after.q, self.resets[at].after.v
            elif x.time[i] == t:
                q[k], v[k] = x.q[i], x.v[i]
        inputs = self._inputs(times, q, v, inputs[:, : self.inputs])
        return Samples(times, q, v, rows[:, -1], self.system.potential(q, v), inputs)

    def state_error(self, most: int) -> float | None:
        """Return an estimate of the error of the state at the end, if the errors of all steps add up.

        That of a step is the distance (`diagnostics.distance.apart`, relative to the motion) of one step from
        two of half its length; it is taken in the mean over at most `most` samples.  None: a step failed.
        """
        x, h, known = self.x, self.h, 1 - 2.0 ** -(self.method.order or 1)
        rows = np.unique(np.linspace(0, x.count - 2, min(most, x.count - 1)).astype(int)).tolist()
        few = x.thin(most * most)
        scales, found = scales_of(x.mechanism, few.q, few.v, h), []
        for i in rows:
            row, t = self._sample_row(i), float(x.time[i])
            own, k = self._own_step(t), round((t - self.start) / h)
            if self.modes is not None:
                self.modes.begin(self.system.state_of(t, row))
            point = self.points.get(k, NO_BREAKPOINT)
            for impulse in point.impulses:
                row = np.append(apply_impulse(self.system, impulse, row[:-1]), row[-1])
            last = next((before for step, before in self.jumps if step > k), math.inf)
            ends = [own(t, row, h / n, n, point.after, last) for n in (1, 2)]
            if any(one is None or not np.isfinite(one).all() for one in ends):
                return None
            states = [self.system.state_of(t + h, one) for one in ends if one is not None]
            found.append(apart(x.mechanism, scales, *states) / known)
        self.at = -1  # the tree may hold other inputs
        return float(np.float64(self.steps) * np.mean(found)) if self.steps <= MOST_STEPS else None

    def _inputs(self, times: Array, q: Array, v: Array, held: Array) -> Array:
        """Return the inputs at states: those of a law, or what is held there; then the forces of drives."""
        inputs = held
        if self.law is not None:
            states = zip(times.tolist(), q, v, strict=True)
            inputs = np.array([self.law.recorded_inputs(State(*state)) for state in states])
        if len(self.x.driven) == self.inputs:
            return inputs
        self.at = -1  # the tree will hold other inputs
        forces, held = [], held[:, :0] if self.law is not None else held
        for part, open in self.loops.groups(times):
            system = self._system(open)
            assert isinstance(system, Tree), "one body has no drives"
            forces.append(drive_forces(system, times[part], q[part], v[part], held[part]))
        return np.hstack([inputs, np.concatenate(forces)])

    def _own(self, i: int, t: float) -> Array:
        """Return the row at t by own steps from sample i, or from the state after the last reset before t.

        The work of a motion that begins at a reset is that of all motions before it, from the sample on.
        """
        row, time = self._sample_row(i), float(self.x.time[i])
        first, last = bisect_right(self.reset_times, time), bisect_right(self.reset_times, t)
        if self.modes is not None:
            self._own_step(time)  # which holds the inputs
            self.modes.begin(self.system.state_of(time, row))
        for one in self.resets[first:last]:
            row = self._walk(time, row, one.before.time)
            row[:-1] = self.system.to_core(one.after.q, one.after.v)
            if self.modes is not None:
                row[-1] += self.modes.follow(one.margins, one.before, one.after)
            time = one.after.time
        return self._walk(time, row, t)

    def _sample_row(self, i: int) -> Array:
        """Return the row of a sample, whose inputs act from there on."""
        if self.at != i:
            x, self.at = self.x, i
            self.row = np.append(self.system.to_core(x.q[i], x.v[i]), x.work[i])
        return self.row.copy()

    def _walk(self, a: float, row: Array, t: float) -> Array:
        """Return the row at t from the row at a: to the next step of the run, whole steps, the rest."""
        own, h, begin, first = self._own_step(a), self.h, a, -math.inf
        while begin < t:
            k = round((begin - self.start) / h)
            on_grid = abs((begin - self.start) / h - k) < ON_GRID
            if on_grid and k in self.points:
                point = self.points.get(k, NO_BREAKPOINT)
                first = point.after
                for impulse in point.impulses:
                    row = np.append(apply_impulse(self.system, impulse, row[:-1]), row[-1])
            after = k if on_grid else math.floor((begin - self.start) / h)
            border = min((step for step in self.points if step > after), default=self.steps + 1)
            last = next((before for step, before in self.jumps if step > after), math.inf)
            end = min(t, self.start + border * h)
            whole = math.floor((end - begin) / h + ON_GRID) if on_grid else 0
            if whole:
                length, to = h, begin + whole * h
                to = end if abs(to - end) < ON_GRID * h else to
            else:
                to = end if on_grid else min(end, self.start + (after + 1) * h)
                length, whole = to - begin, 1
            found = own(begin, row, length, whole, first, last)
            if found is None:
                raise StepError(
                    f"{self.method.name}: the step from t = {begin:g} to {to:g} failed",
                    time=begin,
                    step=max(0, after),
                    state=self.system.state_of(begin, row),
                )
            row, begin = found, to
        return row

    def _hermite(self, i: int, t: float) -> DensePoint:
        """Return the motion at t between sample i and the next, or the resets between them."""
        x, at = self.x, bisect_right(self.reset_times, t) - 1
        late = at >= 0 and self.reset_times[at] > x.time[i]  # a reset after the sample
        one = self.resets[at].after if late else State(float(x.time[i]), x.q[i], x.v[i])
        if one.time == t:
            return DensePoint(one.q, one.v, float(x.work[i]))
        if at + 1 < len(self.resets) and self.reset_times[at + 1] <= x.time[i + 1]:
            two = self.resets[at + 1].before
        else:
            two = State(float(x.time[i + 1]), x.q[i + 1], x.v[i + 1])
        share = (t - x.time[i]) / (x.time[i + 1] - x.time[i])
        work = float(x.work[i] + share * (x.work[i + 1] - x.work[i]))
        return DensePoint(*self.hermite.between(one, two, t), work)


def check_times(times: object, first: float, last: float) -> Array:
    """Return times within a run as an array; a ModelError says what is wrong."""
    found = checks.real(times)
    if found.ndim != 1 or not len(found) or not np.isfinite(found).all():
        raise ModelError(f"run: times must be a list of finite numbers, got {checks.show(times)}")
    if (np.diff(found) < 0).any():
        raise ModelError(f"run: times must not decrease, got {checks.show(times)}")
    if not first <= found[0] <= found[-1] <= last:
        raise ModelError(f"run: times must lie in {first:g} .. {last:g}, got {checks.show(times)}")
    return np.array(found)

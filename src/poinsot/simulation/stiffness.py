"""Forces that are stiff for a step, or jump in it: which one it is, and which method makes the step.

The accelerations that one force causes, c = a with this force - a without any force, are asked for along

    q exp(s h v), v        and        q, v (1 - 2 s),        0 <= s <= 1                             (1)

the way of the bodies in the time of a step, and velocities up to the reversed ones in its middle.  A force
jumps if c changes from one float to the next.  Otherwise its slopes along (1) are the square of a frequency
and a rate of damping:

    h lambda = h |dc/dv|,    h omega = h sqrt(|dc/dq|)                                               (2)

One body meets forces that begin somewhere, such as contacts, on the way that it would fly without forces.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from poinsot.compile.catalogue import by_name
from poinsot.compile.method_choice import objection, system_for
from poinsot.compile.own_step import OwnStep
from poinsot.compile.system import CompiledMechanism
from poinsot.core.methods.method import Method
from poinsot.errors import PoinsotError
from poinsot.mechanics.dynamics import bind
from poinsot.mechanics.tangent import move
from poinsot.model.checks import Array
from poinsot.model.forces.drive import Drive
from poinsot.model.forces.force import Force
from poinsot.model.forces.impulse import Impulse
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.simulation.engine import resumes

DAMPING = "radau3"  # what "auto" takes for stiff forces
CANDIDATES = (DAMPING, "gauss3", "cf4", "rk4")  # that are tried on a failed step
FIRST = ("gauss3", "cf4")  # choices of "auto" that stiff forces may stop
POINTS = 33  # of (1)
PLACES = 64  # on the way of one body without forces
ABRUPT = 0.01  # of its range along (1): a force that changes so much at once jumps
FELT = 1e-6  # a force that changes velocities by less, relative to the motion, does nothing in a step
STIFF = 1.0  # of (2)
AGREED = 0.1  # a step and its two halves agree if they differ by less, relative to the motion
LEFT = 0.5  # of a mode that a step of a method leaves: more is not damped


class StiffForce(NamedTuple):
    """A force that is stiff for a step, or jumps in it."""

    label: str
    jumps: bool
    damping: float  # h lambda of (2)
    frequency: float  # h omega

    def __str__(self) -> str:
        """Say what is wrong with the force."""
        if self.jumps:
            return f"{self.label} is discontinuous"
        if self.damping >= self.frequency:
            return f"{self.label} is stiff (h lambda = {self.damping:.2g})"
        return f"{self.label} is stiff (h omega = {self.frequency:.2g})"

    @property
    def size(self) -> float:
        """The larger one of (2); infinite if the force jumps."""
        return math.inf if self.jumps else max(self.damping, self.frequency)


def steepest(f: Callable[[float], Array], a: float, b: float) -> tuple[float, float]:
    """Return a place between a and b, and what f changes there from one float to the next."""
    while a < (m := a + (b - a) / 2) < b:  # into the half that changes more
        low, middle, high = f(a), f(m), f(b)
        a, b = (a, m) if np.abs(middle - low).max() > np.abs(high - middle).max() else (m, b)
    return b, float(np.abs(f(b) - f(a)).max())


def _with_forces(mechanism: Mechanism, forces: list[Force]) -> Any:
    """Return the equations of a mechanism with these forces only."""
    copy = mechanism.snapshot()
    copy.forces = forces
    return bind(copy)


def stiffest(mechanism: Mechanism, state: State, h: float) -> StiffForce | None:
    """Return the force that is stiffest for a step from a state; None if none is stiff or jumps."""
    drives: list[Force] = [force for force in mechanism.forces if isinstance(force, Drive)]
    acting = [force for force in mechanism.forces if not isinstance(force, Drive | Impulse)]
    try:
        alone = _with_forces(mechanism, drives)
        found = [
            _stiffness(mechanism, _with_forces(mechanism, [*drives, one]), alone, one, state, h)
            for one in acting
        ]
    except (PoinsotError, ArithmeticError):  # a force that cannot be evaluated has a message of its own
        return None
    worst = max(found, key=lambda one: one.size, default=None)
    return worst if worst is not None and worst.size > STIFF else None


def _stiffness(
    mechanism: Mechanism, whole: Any, alone: Any, force: Force, state: State, h: float
) -> StiffForce:
    t, q, v = state.time, state.q, state.v
    a = whole.acceleration(q, v, time=t)
    speed = v if v.any() else h * a
    still = np.zeros(len(v))

    def effect(t: float, q: Array, v: Array) -> Array:
        return np.asarray(whole.acceleration(q, v, time=t) - alone.acceleration(q, v, time=t))

    def along_way(s: float) -> Array:
        return effect(t + s * h, move(mechanism, state, np.concatenate([s * h * speed, still])).q, v)

    def along_speed(s: float) -> Array:
        return effect(t + h / 2, q, speed * (1.0 - 2.0 * s))

    scale = float(np.abs(speed).max(initial=0.0) + h * np.abs(a).max(initial=0.0))
    slopes, jumps = [], False
    for path, length in ((along_speed, 2.0 * speed), (along_way, h * speed)):
        places = np.linspace(0.0, 1.0, POINTS)
        c = np.array([path(float(s)) for s in places])
        rise = np.abs(np.diff(c, axis=0)).max(axis=1, initial=0.0)
        reach, far = float(np.ptp(c, axis=0).max(initial=0.0)), float(np.abs(length).max(initial=0.0))
        slopes.append(float(rise.max()) * (POINTS - 1) / far if far > 0.0 else 0.0)
        k = int(np.argmax(rise))
        if h * reach > FELT * scale:
            jumps = jumps or steepest(path, float(places[k]), float(places[k + 1]))[1] > ABRUPT * reach
    return StiffForce(force.label, jumps, h * slopes[0], h * math.sqrt(slopes[1]))


def _first_step(
    system: CompiledMechanism, method: Method, state: State, h: float, fall_back: bool
) -> tuple[bool, bool]:
    """Return whether a method makes a step, and whether its two halves agree with it."""
    step, row = OwnStep(system, method, fall_back), np.append(system.to_core(state.q, state.v), 0.0)
    whole = step(state.time, row, h)
    if whole is None or not np.isfinite(whole).all():
        return False, False
    halves = step(state.time, row, h / 2, 2)
    if halves is None or not np.isfinite(halves).all():
        return True, False
    (_, v), (_, w) = (system.from_core(one[None, :-1]) for one in (whole, halves))
    scale = max(float(np.abs(x).max(initial=0.0)) for x in (w, state.v))
    return True, bool(np.abs(v - w).max(initial=0.0) <= AGREED * scale)


def remedy(mechanism: Mechanism, state: State, h: float, but: str) -> str:
    """Return what makes the step that failed, tried on it: a method, but this one; empty if none does."""
    found = ""
    for name in CANDIDATES:
        if name == but or objection(by_name(name), mechanism):
            continue
        try:
            makes, agrees = _first_step(*system_for(mechanism, name)[:2], state, h, True)
        except PoinsotError:  # a function without derivatives
            continue
        if agrees:
            return f"method='{name}' makes this step"
        if makes and not found:
            found = f"method='{name}' makes this step, but not accurately"
    return found


def advice(mechanism: Mechanism, state: State, h: float, method: str) -> str:
    """Return which force stops a method, and what to take instead; empty if no force is stiff or jumps."""
    found = stiffest(mechanism, state, h)
    if found is None:
        return ""
    other = [
        remedy(mechanism, state, h, method),
        "make the force smooth" if found.jumps else "try a smaller step",
    ]
    return f"{found}: {', or '.join(text for text in other if text)}"


def first_trouble(
    mechanism: Mechanism, system: CompiledMechanism, method: Method, state: State, h: float, span: float
) -> State | None:
    """Return the first state, on the way that one body would fly without forces, from which a step does not
    agree with its halves; None if there is none."""
    copy = mechanism.snapshot()
    copy.forces = []
    fly, step = OwnStep(system_for(copy, method.label)[0], method), OwnStep(system, method)
    rows, length = [np.append(system.to_core(state.q, state.v), 0.0)], span / PLACES
    for i in range(PLACES):
        if (row := fly(state.time + i * length, rows[-1], length)) is not None:
            rows.append(row)
    times = state.time + length * np.arange(len(rows))
    try:
        here = [(step(t, row, h), step(t, row, h / 2, 2)) for t, row in zip(times, rows, strict=True)]
    except Exception:  # of a function of the user, at a place where the motion may never come
        return None
    none = np.full(len(rows[0]), np.nan)
    table = np.array([[none if x is None else x for x in both] for both in here])
    q, start = system.from_core(np.array(rows)[:, :-1])
    whole, halves = (system.from_core(table[:, i, :-1])[1] for i in range(2))
    scale = np.maximum(np.abs(halves).max(axis=1), np.abs(start).max(axis=1))
    bad = np.flatnonzero(~(np.abs(whole - halves).max(axis=1) <= AGREED * scale))
    return State(float(times[bad[0]]), q[bad[0]], start[bad[0]]) if len(bad) else None


def stiff_reason(
    mechanism: Mechanism, system: CompiledMechanism, method: Method, state: State, h: float, steps: int
) -> str:
    """Return why "auto" takes `DAMPING` in the place of its first choice; empty if it does not."""
    damping = by_name(DAMPING)
    if method.name not in FIRST or objection(damping, mechanism):
        return ""
    if resumes(system_for(mechanism, DAMPING)[0], damping, h, state):
        return f"auto: goes on with {DAMPING}"
    makes, agrees = _first_step(system, method, state, h, False)
    if makes and method.implicit:
        return ""
    there: State | None = state
    if makes and agrees:
        there = first_trouble(mechanism, system, method, state, h, steps * h)
    found = None if there is None else stiffest(mechanism, there, h)
    if found is None:
        return ""
    try:
        able, _ = _first_step(system_for(mechanism, DAMPING)[0], damping, state, h, False)
    except PoinsotError:
        return ""
    where = "" if there is state else " on its way"
    return f"auto: {found}{where} for a step of {h:g}, and the method damps what is stiff" if able else ""


def damper_message(mechanism: Mechanism, method: Method, state: State, h: float) -> str:
    """Return a warning if a step of a Gauss method does not damp what a damper damps; else an empty text."""
    found = stiffest(mechanism, state, h)
    if found is None or found.jumps or method.order is None:
        return ""
    left = gauss_damping(method.order // 2, -found.damping)
    if abs(left) < LEFT or found.damping < found.frequency:
        return ""
    return (
        f"{method.label}: {found}, and a step leaves {100 * left:.0f} % of a motion that should die out; "
        f"method='{DAMPING}' damps it"
    )


def gauss_damping(s: int, z: float) -> float:
    """Return what a step of Gauss' method with s stages makes of a mode, for z = h lambda: N(z)/N(-z)."""
    f = math.factorial
    powers = [f(2 * s - j) * f(s) / (f(2 * s) * f(j) * f(s - j)) for j in range(s + 1)]
    return float(np.polyval(powers[::-1], z) / np.polyval(powers[::-1], -z))

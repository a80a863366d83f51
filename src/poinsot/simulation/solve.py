"""`solve`: an initial value problem on Lie groups, without a mechanism.

    y' = y hat(xi),  xi = fun(t, y)      on SO(3) and SE(3): xi is the velocity in the body frame    (1)
    y' = w x y,      w = fun(t, y)       on the sphere S2                                            (2)
    y' = fun(t, y)                       on vectors, R1, R2, ...                                     (3)

The steps are those of `simulate`: one rotation runs in the kernels of one body, a product of groups in those
of trees, with a joint for each group.  A step with half the length estimates the error (Richardson).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from poinsot.compile.catalogue import by_name
from poinsot.compile.group_system import SIZES, GroupSystem, Point
from poinsot.compile.own_step import OwnStep
from poinsot.core.methods.explicit import ROTATIONS
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError, StepError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.state import State
from poinsot.simulation.engine import Engine, Stopped
from poinsot.simulation.options import count_steps
from poinsot.simulation.roots import root

GROWTH = 4.0  # largest factor by which the number of steps grows from one attempt to the next
SAFE = 0.7  # of the accuracy: what the estimate may be
FIRST = 16  # steps of the first attempt
MOST = 22  # attempts


class Crossings(NamedTuple):
    """Where a function of `events` is zero: times (n,), and the points there."""

    t: Array
    y: Point


@dataclass(frozen=True)
class Solution:
    """What `ps.solve` returns.

    Parameters
    ----------
    t : Times of the steps, (n,).
    y : Points there: (n, 3, 3) on SO3, (n, 4, 4) on SE3, (n, 3) on S2, or a tuple of these.
    sol : Function of a time, or of times, that gives the points there, by steps of the method itself.
    events : Crossings `t` and `y` of each function of `events`.
    step : Length of the steps; the last one may be shorter.
    evaluations : Number of calls of `fun`.
    compiled : Whether `fun` was compiled.
    """

    t: Array
    y: Point
    sol: Callable[[Any], Point] = field(repr=False)
    events: tuple[Crossings, ...]
    step: float
    evaluations: int
    compiled: bool


class Stretch:
    """Steps of one length over a span, with a shorter last one."""

    def __init__(self, system: GroupSystem, method: Method, span: tuple[float, float], start: State) -> None:
        self.system, self.method, self.span, self.first = system, method, span, start
        self.evaluations = 0

    @cached_property
    def own(self) -> OwnStep:
        """Steps of any length."""
        return OwnStep(self.system, self.method)

    def go(self, step: float) -> tuple[Array, Array]:
        """Return times and rows."""
        (begin, end), engine = self.span, Engine(self.system, self.method, step, self.first)
        _, steps = count_steps(self.first, step, end, None)
        short = end - (begin + (steps - 1) * step)
        whole = steps if short >= step * (1 - checks.time_slack(begin, end, step)) else steps - 1
        rows = [engine.sample(), engine.go(whole, 1)] if whole else [engine.sample()]
        self.evaluations += engine.status.evaluations
        if engine.status.stopped is not None:
            self.fail(engine)
        t: Array = begin + step * np.arange(whole + 1, dtype=float)
        if whole < steps:
            t, rows = (
                np.append(t, end),
                [*rows, self.part(float(t[-1]), rows[-1][-1], end - float(t[-1]))[None]],
            )
        return t, np.concatenate(rows)

    def part(self, t: float, row: Array, length: float) -> Array:
        """Return the row after a time of this length in a step."""
        found = self.own(t, row, length)
        if found is None:
            raise StepError(
                f"solve: the step from t = {t:g} became infinite or NaN", time=t, step=0, state=None
            )
        return found

    def fail(self, engine: Engine[Any]) -> None:
        """Raise the error of a failed step."""
        stop, time = engine.status.stopped, engine.clock.time()
        if not isinstance(stop, Stopped):
            assert stop is not None
            raise stop
        what = f"fun {stop.fault}" if stop.fault else "the point became infinite or NaN"
        raise StepError(
            f"solve: step {engine.clock.count} from t = {time:g}: {what}",
            time=time,
            step=engine.clock.count,
            state=engine.here(),
        )

    def points(self, rows: Array) -> Point:
        """Return the points of rows."""
        return self.system.point(*self.system.from_core(rows[:, :-1]))


def distance(a: Point, b: Point) -> float:
    """Return the largest difference of two points: of a matrix, a point or a vector, number by number."""
    parts = zip(a, b, strict=True) if isinstance(a, tuple) else [(a, b)]
    return max(float(np.abs(x - y).max()) for x, y in parts)


def steps_for(stretch: Stretch, order: int, accuracy: float) -> tuple[float, Array, Array]:
    """Return a step whose error at the end is within the accuracy, by Richardson's estimate; its motion."""
    begin, end = stretch.span
    n, last = FIRST, None
    for _ in range(MOST):
        step = (end - begin) / n
        try:
            t, rows = stretch.go(step)
            here = stretch.points(rows[-1:])
        except StepError:
            here, t, rows = None, np.zeros(0), np.zeros((0, 0))
        if here is not None and last is not None:
            ratio = n / last[0]
            error = distance(here, last[1]) / (ratio**order - 1)
            if error <= SAFE * accuracy:
                return step, t, rows
            growth = (error / (SAFE * accuracy)) ** (1 / order) * 1.1
        else:
            growth = 2.0
        last = None if here is None else (n, here)
        n = math.ceil(n * min(GROWTH, max(growth, 1.25)))
    raise ScenarioError(f"solve: accuracy {accuracy:g} is not reached with {n} steps: give a larger one")


def find_crossings(
    solution: "Solution", functions: Sequence[Callable[..., Any]]
) -> tuple[list[list[float]], float | None]:
    """Return the times of the crossings of each function, and the time at which one ends the motion."""
    found: list[list[float]] = [[] for _ in functions]
    values = [[_value(g, t, solution.sol(t)) for t in solution.t.tolist()] for g in functions]
    for i in range(1, len(solution.t)):
        a, b = float(solution.t[i - 1]), float(solution.t[i])
        ends = []
        for k, g in enumerate(functions):
            before, after = values[k][i - 1], values[k][i]
            side = int(np.sign(before))
            wanted = getattr(g, "direction", 0) in (0, -side)
            if side == 0 or side * after > 0 or not wanted:
                continue
            time = a + root(lambda s, g=g, a=a: _value(g, a + s, solution.sol(a + s)), side, 0.0, b - a)  # type: ignore[misc]
            found[k].append(min(time, b))
            if getattr(g, "terminal", False):
                ends.append(found[k][-1])
        if ends:
            return [[t for t in times if t <= min(ends)] for times in found], min(ends)
    return found, None


def _value(g: Callable[..., Any], t: float, y: Point) -> float:
    try:
        return float(g(t, y))
    except Exception as error:
        raise ScenarioError(f"solve: events: {checks.error_line(error)}") from None


def solve(
    fun: Callable[[float, Any], Any],
    span: tuple[float, float],
    y0: Any,
    *,
    group: str | Sequence[str] = "SO3",
    method: str | Method = "cf4",
    step: float | None = None,
    accuracy: float | None = None,
    events: Callable[..., Any] | Sequence[Callable[..., Any]] | None = None,
) -> Solution:
    """Solve a differential equation on a Lie group, or on a product of several: `solve_ivp` for rotations.

    The points stay on their group to rounding, without coordinates that become singular.

    Parameters
    ----------
    fun : Velocity at (t, y).  On "SO3", y is a matrix R (3, 3) and fun gives w (3,) with R' = R hat(w); on
        "SE3", a pose (4, 4) and the twist (w, v) (6,) in the body frame; on "S2", a unit vector and w with
        y' = w × y; on "R3" (any number), a vector and its rate.  It is compiled if Numba can.
    span : First and last time.
    y0 : Point at the first time.
    group : Group, or several, such as ("SO3", "R3"): `fun` then takes and returns a tuple, an entry each.
    method : "cf4", "rkmk4", "cg4" or, on one SO3 or S2, "cg3".
    step : Length of the steps; the last one may be shorter.  Give either `step` or `accuracy`.
    accuracy : Largest error of the last point, number by number, estimated by runs with other steps.
    events : Function g(t, y), or several, whose zeros are wanted.  As for `solve_ivp`, the attributes
        `terminal` (end there) and `direction` (1: from below, -1: from above) of a function are read.

    Returns
    -------
    Solution with `t`, `y`, `sol` and `events`.

    Examples
    --------
    A frame that is seen to rotate about a vertical axis:

    >>> answer = ps.solve(lambda t, R: R.T @ np.array([0.0, 0.0, 0.5]), (0, 2), np.eye(3), step=0.1)
    >>> answer.y.shape, bool(abs(answer.y[-1] - ps.so3.exp([0, 0, 1.0])).max() < 1e-14)
    ((21, 3, 3), True)
    >>> answer.sol(0.55).shape
    (3, 3)
    """
    begin, end = _span(span)
    one, groups = _groups(group)
    if not callable(fun):
        raise ScenarioError(f"solve: fun must be a function of (t, y), got {show(fun)}")
    if not one and not (isinstance(y0, list | tuple) and len(y0) == len(groups)):
        raise ScenarioError(f"solve: y0 must be a tuple of {len(groups)} points, one for each group")
    system = GroupSystem(fun, groups, one)
    how = _method(method, system)
    start = system.start(begin, y0)
    try:
        system.call(begin, start.q, np.zeros(system.nv) if system.body else start.v)
    except Exception as error:
        raise ScenarioError(f"solve: fun: {checks.error_line(error)}") from None
    stretch = Stretch(system, how, (begin, end), start)
    if (step is None) == (accuracy is None):
        raise ScenarioError("solve: give either step=LENGTH or accuracy=NUMBER")
    if accuracy is not None:
        goal = checks.number("solve", "accuracy", accuracy, positive=True)
        assert how.order is not None
        step, t, rows = steps_for(stretch, how.order, goal)
    else:
        step = checks.number("solve", "step", step, positive=True)
        t, rows = stretch.go(step)
    return _solution(stretch, t, rows, step, _functions(events))


def _solution(
    stretch: Stretch, t: Array, rows: Array, step: float, events: Sequence[Callable[..., Any]]
) -> Solution:
    """Return the solution up to the event that ends it, if there is one."""

    def row(time: float) -> Array:
        here = checks.number("solution", "time", time)
        if not t[0] <= here <= t[-1]:
            raise ScenarioError(f"solution: time {here:g} is outside {t[0]:g} .. {t[-1]:g}")
        i = max(0, int(np.searchsorted(t, here, side="right")) - 1)
        return rows[i] if t[i] == here else stretch.part(float(t[i]), rows[i], here - float(t[i]))

    def sol(times: Any) -> Point:
        many = np.ndim(times) > 0
        found = stretch.points(np.stack([row(one) for one in times]) if many else row(times)[None])
        return found if many else tuple(x[0] for x in found) if isinstance(found, tuple) else found[0]

    compiled = stretch.system.velocity.kept is None
    facts = step, stretch.evaluations, compiled
    whole = Solution(t, stretch.points(rows), sol, (), *facts)
    crossings, last = find_crossings(whole, events)
    found = tuple(Crossings(np.array(times), sol(times) if times else _none(whole.y)) for times in crossings)
    if last is not None:
        keep = t < last
        rows = np.concatenate([rows[keep], row(last)[None]])
        t = np.append(t[keep], last)
    return Solution(t, stretch.points(rows), sol, found, *facts)


def _none(y: Point) -> Point:
    return tuple(x[:0] for x in y) if isinstance(y, tuple) else y[:0]


def _span(span: Any) -> tuple[float, float]:
    begin, end = checks.vector("solve", "span", span, 2).tolist()
    if not begin < end:
        raise ScenarioError(f"solve: span must be (first, last) with first < last, got {show(span)}")
    return begin, end


def _groups(group: Any) -> tuple[bool, tuple[str, ...]]:
    """Return whether one group was given as such, and the names of all."""
    names = (group,) if isinstance(group, str) else tuple(group) if isinstance(group, list | tuple) else ()
    for name in names:
        vector = (
            isinstance(name, str) and name[:1] == "R" and name[1:].isdecimal() and 0 < int(name[1:]) <= 1000
        )
        if not (isinstance(name, str) and (name in SIZES or vector)):
            raise ScenarioError(
                f'solve: unknown group {show(name)}: use "SO3", "SE3", "S2", "R3" or a tuple of these'
            )
    if not names:
        raise ScenarioError(
            f'solve: group must be "SO3", "SE3", "S2", "R3" or a tuple of these, got {show(group)}'
        )
    return isinstance(group, str), names


def _method(method: str | Method, system: GroupSystem) -> Method:
    name = method.label if isinstance(method, Method) else method
    usable = list(ROTATIONS) if system.body else ["rkmk4", "cg4", "cf4"]
    if not isinstance(name, str) or name not in usable:
        raise ScenarioError(
            f"solve: method {show(name)} is not one for these groups: use {', '.join(usable)}"
        )
    return by_name(name)


def _functions(events: Any) -> tuple[Callable[..., Any], ...]:
    found = (
        ()
        if events is None
        else (events,)
        if callable(events)
        else tuple(events)
        if isinstance(events, list | tuple)
        else (None,)
    )
    if not all(map(callable, found)):
        raise ScenarioError(f"solve: events must be a function of (t, y), or several, got {show(events)}")
    return found

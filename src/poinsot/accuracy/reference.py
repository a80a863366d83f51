"""Reference solutions: two methods that have nothing in common must agree on them.

For one body, the first method is SciPy's DOP853 on the equations of motion in quaternions at its tightest
tolerance; the second is a Lie group method of ours whose step is halved until the two agree.  For trees, the
methods are our dop853 and the Gauss method of order 8.  For mechanisms with loops, they are SciPy's DOP853 on
accelerations that include the forces of the loops, projected onto the loops at the end, and the variational
method of order 6, which uses no accelerations.  The difference of the two is the error of the reference
solution.  Reference solutions are kept in the cache folder.
"""

import hashlib
import json
import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numba import float64

from poinsot.compile.catalogue import by_name
from poinsot.compile.method_choice import objection, system_for
from poinsot.compile.one_body import OneBody, compile_body, single
from poinsot.compile.tree import Tree, compile_tree
from poinsot.core.body.field import vector_field
from poinsot.core.kernel_cache import cache_home
from poinsot.core.numbers.arrays import flat
from poinsot.diagnostics.distance import apart, scales_at
from poinsot.errors import ScenarioError
from poinsot.formats.paths import replaced
from poinsot.mechanics.algorithms import acceleration, rates
from poinsot.mechanics.assembly import assemble, start_on_drives
from poinsot.mechanics.breakpoints import (
    NO_BREAKPOINT,
    ON_STEP,
    Breakpoint,
    OffStepError,
    apply_impulse,
    breakpoints_of,
)
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.model.checks import Array
from poinsot.model.forces.impulse import Impulse
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts
from poinsot.model.state import State
from poinsot.simulation.driver import require_end
from poinsot.simulation.simulate import simulate

TOLERANCE = 1e-13  # of DOP853, relative
GOOD = 1e-11  # difference at which the halving stops
POOR = 1e-6  # difference above which there is no reference solution
FINE = ("exk6", "rkmk4", "gauss4", "variational6")  # methods of ours: the first that can is used
HALVINGS = 8


class Segment(NamedTuple):
    """The time between two breakpoints."""

    begin: float
    end: float
    first: float  # forces are evaluated at times from here
    last: float  # to here: on this side of a jump
    point: Breakpoint  # at its begin


@dataclass(frozen=True, eq=False)
class ReferenceSolution:
    """The state at the end, and the difference of the two methods there."""

    q: Array
    v: Array
    error: float


def reference_solution(mechanism: Mechanism, start: State, until: float, step: float) -> ReferenceSolution:
    """Return the reference solution at the time `until`; `step` must divide the times of all breakpoints."""
    check_parts(mechanism)
    total = (until - start.time) / step
    if abs(total - round(total)) > ON_STEP or round(total) < 1:
        raise OffStepError(
            f"until = {until:g} does not lie on a step of {step:g}: choose a step that divides it"
        )
    known = system_for(mechanism)[0].fingerprint
    question = (known, start.time, start.q.tolist(), start.v.tolist(), until, _breakpoints(mechanism))
    key = hashlib.sha256(repr(question).encode()).hexdigest()[:24]
    path = cache_home() / "references" / f"{key}.json"
    with suppress(OSError, ValueError, KeyError):  # there is none yet, or it cannot be read
        data = json.loads(path.read_text())
        return ReferenceSolution(np.array(data["q"]), np.array(data["v"]), data["error"])
    found = _compute(mechanism, start, round(total), step)
    with suppress(OSError):  # a solution that cannot be stored is computed again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        with replaced(path) as fresh:
            fresh.write_text(json.dumps({"q": found.q.tolist(), "v": found.v.tolist(), "error": found.error}))
    return found


def _breakpoints(mechanism: Mechanism) -> list[str]:
    """Return texts that identify the impulses and jumps of a mechanism."""
    impulses = [force for force in mechanism.forces if isinstance(force, Impulse)]
    return [repr((i.time, i.torque.tolist(), i.force.tolist(), i.frame)) for i in impulses] + [
        repr(force.switches) for force in mechanism.forces
    ]


def _compute(mechanism: Mechanism, start: State, total: int, step: float) -> ReferenceSolution:
    """Compute the reference solution after `total` steps of time."""
    if single(mechanism):
        body = compile_body(mechanism)
        q, v = (x[0] for x in body.from_core(dop853(body, start, total, step)[None]))
    elif mechanism.loops:
        q, v = with_loops(compile_tree(mechanism), start, total, step)
    else:
        last = require_end(simulate(mechanism, start, "dop853", step=step, steps=total, every=total)).final
        q, v = last.q, last.v
    end, scales = State(start.time + total * step, q, v), scales_at(mechanism, start, total * step)
    name = next(name for name in FINE if not objection(by_name(name), mechanism))
    best = math.inf
    for k in range(1, HALVINGS + 1):
        n = total * 2**k
        run = require_end(simulate(mechanism, start, name, step=step / 2**k, steps=n, every=n))
        off = apart(mechanism, scales, run.final, end)
        if off < GOOD or off > 0.7 * best:  # good, or no longer converging
            best = min(best, off)
            break
        best = off
    if best > POOR:
        raise ScenarioError(
            f"no reference solution at t = {start.time + total * step:g}: DOP853 and {name} differ by "
            f"{best:.1e}; the motion is too sensitive for so long a time, choose a smaller until"
        )
    return ReferenceSolution(q, v, best)


def dop853(body: OneBody, start: State, total: int, step: float) -> Array:
    """Return the core's state of one body after `total` steps of time, by SciPy's DOP853."""
    from scipy.integrate import solve_ivp

    evaluate, force = vector_field(), body.force(float64)
    numbers, forced = np.array(flat(body.record)), int(bool(body.forces))
    x = body.to_core(start.q, start.v)
    for begin, end, first, last, point in _segments(body, start, total, step):
        for impulse in point.impulses:
            x = apply_impulse(body, impulse, x)

        def field(t: float, y: Array, first: float = first, last: float = last) -> Array:
            out = np.empty(body.width)
            evaluate(force, forced, first, last, numbers, t, y, out)
            return out

        done = solve_ivp(field, (begin, end), x, "DOP853", rtol=TOLERANCE, atol=TOLERANCE * 1e-2)
        x = np.ascontiguousarray(done.y[:, -1])
        x[:4] /= np.linalg.norm(x[:4])
    return x


def with_loops(tree: Tree, start: State, total: int, step: float) -> tuple[Array, Array]:
    """Return q and v of a mechanism with loops after `total` steps of time, by SciPy's DOP853."""
    from scipy.integrate import solve_ivp

    state, nq = assemble(tree, start_on_drives(tree, start)).state, len(start.q)
    for begin, end, first, last, point in _segments(tree, start, total, step):
        x = tree.to_core(state.q, state.v)
        for impulse in point.impulses:
            x = apply_impulse(tree, impulse, x)

        def field(t: float, y: Array, first: float = first, last: float = last) -> Array:
            q, v = y[:nq], y[nq:]
            free = acceleration(tree, min(max(t, first), last), q, v)
            return np.concatenate([rates(tree, q, v), LoopConstraints(tree, q).accelerate(v, free)])

        done = solve_ivp(field, (begin, end), x, "DOP853", rtol=TOLERANCE, atol=TOLERANCE * 1e-2)
        there = start_on_drives(tree, State(end, done.y[:nq, -1], done.y[nq:, -1]))
        state = assemble(tree, there).state
    return state.q, state.v


def _segments(body: OneBody | Tree, start: State, total: int, step: float) -> Iterator[Segment]:
    """Yield the segments of time between the breakpoints."""
    points = breakpoints_of(body.mechanism, start.time, step, total)
    borders = sorted({*points, 0, total})
    for a, b in pairwise(borders):
        point, last = points.get(a, NO_BREAKPOINT), points.get(b, NO_BREAKPOINT).before
        first = point.after
        yield Segment(start.time + a * step, start.time + b * step, first, last, point)

"""A reference solution for any run: two methods that have nothing in common must agree first.

For one body, one is scipy's DOP853 on the equations of motion in quaternions, to its last digits; the
other a Lie group method of ours at a step that is halved until it meets the first.  For trees they are our
dop853 and the Gauss method of order 8.  With loops they are scipy's DOP853 on accelerations that have the
forces of the loops in them, projected onto the loops in the end, and the variational method of order 6,
which knows of no accelerations.  What they differ by is the error of the reference.  References are kept in
the cache folder.
"""

import hashlib
import json
import math
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numba import float64

from poinsot.compile.method_choice import by_name, compiled, objection
from poinsot.compile.one_body import OneBody, compile_body, single
from poinsot.compile.tree import Tree, compile_tree
from poinsot.core.body.field import vector_field
from poinsot.core.kernel_cache import cache_home
from poinsot.core.numbers.arrays import flat
from poinsot.errors import ScenarioError
from poinsot.mechanics.algorithms import acceleration, rates
from poinsot.mechanics.assembly import assembled
from poinsot.mechanics.impulse import struck
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.model.checks import Array
from poinsot.model.forces.impulse import Impulse
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import Mechanism, check_parts
from poinsot.model.rotations import compose, inverse
from poinsot.model.state import State
from poinsot.simulation.breakpoints import NO_BREAKPOINT, ON_STEP, Breakpoint, breakpoints_of
from poinsot.simulation.simulate import completed, simulate

TOLERANCE = 1e-13  # of DOP853, relative
GOOD = 1e-11  # agreement at which the halving stops
POOR = 1e-6  # disagreement that is no reference
FINE = ("exk6", "rkmk4", "gauss4", "variational6")  # ours: the first that can run it
HALVINGS = 8
Piece = tuple[float, float, float, float, Breakpoint]


@dataclass(frozen=True, eq=False)
class Reference:
    """The state at the end, and how far the two methods are apart."""

    q: Array
    v: Array
    error: float


def angle(a: Array, b: Array) -> float:
    """The angle between two attitudes given by quaternions."""
    q = compose(inverse(a), b)
    return float(2 * np.arctan2(np.linalg.norm(q[1:]), abs(q[0])))


def apart(mechanism: Mechanism, a: Array, b: Array) -> float:
    """How far two configurations q are apart.

    The largest angle between the attitudes of a body in radians; in a tree also the largest distance between
    its centres of mass in metres.
    """
    still = np.zeros((1, mechanism.lengths[1]))
    here, there = (motions(mechanism, q[None], still) for q in (a, b))
    rotated = max(angle(x.quaternion[0], there[name].quaternion[0]) for name, x in here.items())
    if single(mechanism):
        return rotated
    moved = max(float(np.linalg.norm(x.position - there[name].position)) for name, x in here.items())
    return max(rotated, moved)


def reference(mechanism: Mechanism, start: State, until: float, step: float) -> Reference:
    """The reference solution at the time `until`; `step` divides the times of all breakpoints."""
    check_parts(mechanism)
    total = (until - start.time) / step
    if abs(total - round(total)) > ON_STEP or round(total) < 1:
        raise ScenarioError(
            f"until = {until:g} does not lie on a step of {step:g}: choose a step that divides it"
        )
    known = compiled(mechanism)[0].fingerprint
    question = (known, start.time, start.q.tolist(), start.v.tolist(), until, _events(mechanism))
    key = hashlib.sha256(repr(question).encode()).hexdigest()[:24]
    path = cache_home() / "references" / f"{key}.json"
    with suppress(OSError, ValueError, KeyError):  # none yet, or not readable
        data = json.loads(path.read_text())
        return Reference(np.array(data["q"]), np.array(data["v"]), data["error"])
    found = _computed(mechanism, start, round(total), step)
    with suppress(OSError):  # a reference that cannot be kept is computed again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps({"q": found.q.tolist(), "v": found.v.tolist(), "error": found.error}))
        os.replace(fresh, path)
    return found


def _events(mechanism: Mechanism) -> list[str]:
    impulses = [force for force in mechanism.forces if isinstance(force, Impulse)]
    return [repr((i.time, i.torque.tolist(), i.force.tolist(), i.frame)) for i in impulses] + [
        repr(force.switches) for force in mechanism.forces
    ]


def _computed(mechanism: Mechanism, start: State, total: int, step: float) -> Reference:
    if single(mechanism):
        body = compile_body(mechanism)
        q, v = (x[0] for x in body.from_core(dop853(body, start, total, step)[None]))
    elif mechanism.loops:
        q, v = with_loops(compile_tree(mechanism), start, total, step)
    else:
        end = completed(simulate(mechanism, start, "dop853", step=step, steps=total, every=total)).final
        q, v = end.q, end.v
    name = next(name for name in FINE if not objection(by_name(name), mechanism))
    best = math.inf
    for k in range(1, HALVINGS + 1):
        n = total * 2**k
        run = completed(simulate(mechanism, start, name, step=step / 2**k, steps=n, every=n))
        off = apart(mechanism, run.final.q, q)
        if off < GOOD or off > 0.7 * best:  # good, or as near as they come
            best = min(best, off)
            break
        best = off
    if best > POOR:
        raise ScenarioError(
            f"no reference at t = {start.time + total * step:g}: DOP853 and {name} differ by {best:.1e} rad; "
            "the motion is too sensitive for so long a time, take a smaller until"
        )
    return Reference(q, v, best)


def dop853(body: OneBody, start: State, total: int, step: float) -> Array:
    """The core's state after total steps of time, piece by piece between breakpoints."""
    from scipy.integrate import solve_ivp

    evaluate, force = vector_field(), body.force(float64)
    numbers, forced = np.array(flat(body.record)), int(bool(body.forces))
    x = body.to_core(start.q, start.v)
    for begin, end, first, last, point in _pieces(body, start, total, step):
        for impulse in point.impulses:
            x = struck(body, impulse, x)

        def field(t: float, y: Array, first: float = first, last: float = last) -> Array:
            out = np.empty(body.width)
            evaluate(force, forced, first, last, numbers, t, y, out)
            return out

        done = solve_ivp(field, (begin, end), x, "DOP853", rtol=TOLERANCE, atol=TOLERANCE * 1e-2)
        x = np.ascontiguousarray(done.y[:, -1])
        x[:4] /= np.linalg.norm(x[:4])
    return x


def with_loops(tree: Tree, start: State, total: int, step: float) -> tuple[Array, Array]:
    """q and v of a mechanism with loops after total steps of time."""
    from scipy.integrate import solve_ivp

    state, nq = assembled(tree, start).state, len(start.q)
    for begin, end, first, last, point in _pieces(tree, start, total, step):
        x = tree.to_core(state.q, state.v)
        for impulse in point.impulses:
            x = struck(tree, impulse, x)

        def field(t: float, y: Array, first: float = first, last: float = last) -> Array:
            q, v = y[:nq], y[nq:]
            free = acceleration(tree, min(max(t, first), last), q, v)
            return np.concatenate([rates(tree, q, v), LoopConstraints(tree, q).accelerated(v, free)])

        done = solve_ivp(field, (begin, end), x, "DOP853", rtol=TOLERANCE, atol=TOLERANCE * 1e-2)
        state = assembled(tree, State(end, done.y[:nq, -1], done.y[nq:, -1])).state
    return state.q, state.v


def _pieces(body: OneBody | Tree, start: State, total: int, step: float) -> Iterator[Piece]:
    """Pieces between breakpoints: begin, end, first and last time for the force, what happens first."""
    points = breakpoints_of(body.mechanism, start.time, step, total)
    borders = sorted({*points, 0, total})
    for a, b in pairwise(borders):
        point, next_jump = points.get(a, NO_BREAKPOINT), points[b].jump if b in points else None
        first = -math.inf if point.jump is None else point.jump
        last = math.inf if next_jump is None else math.nextafter(next_jump, -math.inf)
        yield start.time + a * step, start.time + b * step, first, last, point

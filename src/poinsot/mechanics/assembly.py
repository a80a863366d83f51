"""A state brought onto the loops of its mechanism: the nearest one, in the metric of the mass matrix.

    q <- q exp(u),   Phi u = -phi,   u the smallest such                                        (1)
    v <- v - M^-1 Phi^T (Phi M^-1 Phi^T)^+ Phi v                                                (2)

(1) is repeated until the gaps phi do not shrink any more; a step that does not make them smaller is
halved.  A state whose loops are closed already comes back as it is, with its memory.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from poinsot.compile.tree import Tree
from poinsot.core.tree.loops import entries, table
from poinsot.errors import ModelError
from poinsot.mechanics.loop_constraints import Closure, measured
from poinsot.model.checks import Array
from poinsot.model.closings import facing
from poinsot.model.kinematics import Motion, motions
from poinsot.model.loop import Loop
from poinsot.model.rotations import matrix
from poinsot.model.state import State

CLOSED = 1e-11  # gap of a closed loop, relative to the size of the mechanism; and rate, to its speed
TOLD = 1e-9  # the same, from which on the user hears of it
ROUNDS, HALVINGS = 100, 30
SAME = 0.5  # cosine between axes of a closed joint: it is 1, or else 0 or less
FARTHEST = 1.0  # that one correction (1) may move a joint


class LoopWarning(UserWarning):
    """A state was not on the loops of its mechanism."""


class Assembled(NamedTuple):
    """A state on the loops, and how far the given one was from it."""

    state: State
    gap: float  # largest of all loops, m (rad for angles)
    off: float  # largest relative to the size of the mechanism
    rate: float  # largest of their rates, at the given velocities on the loops
    speed: float  # what rates are compared with
    loop: str  # with the largest gap (or rate, if there was none)


def sizes(tree: Tree, closure: Closure, v: Array) -> tuple[Array, float]:
    """What the gap of each row is compared with, lengths with the largest in the mechanism; and all rates."""
    rows, marks = tree.closures
    placements = tree.floats[3 : 3 + 12 * int(tree.ints[0])].reshape(-1, 12)[:, 9:]
    kinds = rows[table.HEAD :].reshape(-1, table.ROW)
    points = [marks[k : k + 6] for kind, _, _, k in kinds if kind != table.SQUARE]
    places = [x.position for x in motions(tree.mechanism, closure.q[None], v[None]).values()]
    length = max(float(np.abs(x).max()) for x in (placements, *points, *places)) or 1.0
    scales = np.array([1.0 if kind == table.SQUARE else length for kind, *_ in kinds])
    return scales, max(float((np.abs(closure.Phi) @ np.abs(v)).max(initial=0.0)), length)


def assembled(tree: Tree, state: State) -> Assembled:
    """The state on the loops, or a ModelError if there is none near it."""
    first = Closure(tree, state.q)
    scales, speed = sizes(tree, first, state.v)
    gaps, worst = measured(tree, first.gaps), tree.loop_of(first.gaps / scales)
    gap, off = _largest(gaps), _largest(gaps / scales)
    here = first if off <= CLOSED else _closed(tree, first, scales)
    x = motions(tree.mechanism, here.q[None], np.zeros((1, len(state.v))))
    for loop in tree.mechanism.loops:
        _check_sides(loop, x)
    drift = here.Phi @ state.v
    rate = _largest(drift)
    if here is first and rate <= CLOSED * speed:
        return Assembled(state, gap, off, rate, speed, worst)
    v = state.v if rate <= CLOSED * speed else here.projected(state.v)  # (2)
    found = State(state.time, here.q, v)
    return Assembled(found, gap, off, rate, speed, worst if off > CLOSED else tree.loop_of(drift))


def _largest(x: Array) -> float:
    return float(np.abs(x).max(initial=0.0))


def _closed(tree: Tree, here: Closure, scales: Array) -> Closure:
    """(1)"""
    for _ in range(ROUNDS):
        u = here.correction(here.gaps)
        u = u * min(1.0, FARTHEST / max(_largest(u), 1e-300))
        for _ in range(HALVINGS):
            q = here.q.copy()
            entries.moved()(tree.ints, tree.floats, q, u)
            there = Closure(tree, q)
            better = float(there.gaps @ there.gaps) < float(here.gaps @ here.gaps)
            if better or _largest(here.gaps / scales) <= CLOSED:
                break
            u = u / 2
        if not better:
            break
        here = there
    gaps = measured(tree, here.gaps)
    gap = _largest(gaps)
    if _largest(gaps / scales) > CLOSED:
        raise ModelError(
            f"loop '{tree.loop_of(gaps / scales)}': cannot be closed from this state, "
            f"a gap of {gap:.2g} remains (is it long enough, and does the start come near it?)"
        )
    return here


def _check_sides(loop: Loop, x: Mapping[str, Motion]) -> None:
    """Rows see right angles only: an axis may look the wrong way, or stand in the place of another."""
    A, B = (
        x[body].rotation[0] @ matrix(turn) @ facing(loop.joint).T
        for body, turn in ((loop.a, loop.rotation_a), (loop.b, loop.rotation_b))
    )
    if (np.sum(A * B, axis=0) < SAME).any():
        raise ModelError(
            f"{loop.label}: its {type(loop.joint).__name__} joint is closed the wrong way round, an axis of "
            f"'{loop.a}' does not look along that of '{loop.b}' (see rotation_a and rotation_b)"
        )

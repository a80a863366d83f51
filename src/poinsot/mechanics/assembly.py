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
from poinsot.core.tree.dynamics import entries
from poinsot.errors import ModelError
from poinsot.mechanics.loop_constraints import LoopConstraints, gaps
from poinsot.model.checks import Array
from poinsot.model.kinematics import Motion, motions
from poinsot.model.loops import Loop
from poinsot.model.rotations import matrix
from poinsot.model.state import State

CLOSED = 1e-11  # gap of a closed loop, relative to the size of the mechanism; and rate, to its speed
TOLD = 1e-9  # the same, from which on the user hears of it
ROUNDS, HALVINGS = 100, 30
SAME = 0.5  # cosine between axes of a closed joint: it is 1, or else 0 or less
FARTHEST = 1.0  # that one correction (1) may move a joint


class LoopWarning(UserWarning):
    """Warning: a state does not lie on the loops of its mechanism.

    `ps.simulate` warns if it has to move the start onto the loops, and if a loop opens during the run.

    Examples
    --------
    >>> import warnings
    >>> import poinsot as ps
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", ps.LoopWarning)  # make it an error
    """


class Assembled(NamedTuple):
    """A state on the loops, and how far the given one was from it."""

    state: State
    gap: float  # largest of all loops, m (rad for angles)
    off: float  # largest relative to the size of the mechanism
    rate: float  # largest of their rates, at the given velocities on the loops
    speed: float  # what rates are compared with
    loop: str  # with the largest gap (or rate, if there was none)


def sizes(tree: Tree, here: LoopConstraints, v: Array) -> tuple[Array, float]:
    """What each gap is compared with, lengths with the largest in the mechanism; and all rates."""
    points = [np.array(one.numbers[:6]) for one in tree.constraints if one.kind != "angle"]
    places = [x.position for x in motions(tree.mechanism, here.q[None], v[None]).values()]
    length = max(float(np.abs(x).max()) for x in (tree.placements[:, 9:], *points, *places)) or 1.0
    scales = np.array([1.0 if one.kind == "angle" else length for one in tree.constraints])
    return scales, max(float((np.abs(here.Phi) @ np.abs(v)).max(initial=0.0)), length)


def assembled(tree: Tree, state: State) -> Assembled:
    """The state on the loops, or a ModelError if there is none near it."""
    first = LoopConstraints(tree, state.q)
    scales, speed = sizes(tree, first, state.v)
    offs, worst = gaps(tree, first.residuals), tree.loop_of(first.residuals / scales)
    gap, off = _largest(offs), _largest(offs / scales)
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


def _closed(tree: Tree, here: LoopConstraints, scales: Array) -> LoopConstraints:
    """(1)"""
    for _ in range(ROUNDS):
        u = here.correction(here.residuals)
        u = u * min(1.0, FARTHEST / max(_largest(u), 1e-300))
        for _ in range(HALVINGS):
            q = here.q.copy()
            entries.moved()(tree.model(), q, u)
            there = LoopConstraints(tree, q)
            better = float(there.residuals @ there.residuals) < float(here.residuals @ here.residuals)
            if better or _largest(here.residuals / scales) <= CLOSED:
                break
            u = u / 2
        if not better:
            break
        here = there
    offs = gaps(tree, here.residuals)
    gap = _largest(offs)
    if _largest(offs / scales) > CLOSED:
        raise ModelError(
            f"loop '{tree.loop_of(offs / scales)}': cannot be closed from this state, "
            f"a gap of {gap:.2g} remains (is it long enough, and does the start come near it?)"
        )
    return here


def _check_sides(loop: Loop, x: Mapping[str, Motion]) -> None:
    """Constraints see right angles only: an axis may look the wrong way, or stand in for another."""
    A, B = (
        x[body].rotation[0] @ matrix(rotation) @ loop.joint.facing.T
        for body, rotation in ((loop.a, loop.rotation_a), (loop.b, loop.rotation_b))
    )
    if (np.sum(A * B, axis=0) < SAME).any():
        raise ModelError(
            f"{loop.label}: its {type(loop.joint).__name__} joint is closed the wrong way round, an axis of "
            f"'{loop.a}' does not look along that of '{loop.b}' (see rotation_a and rotation_b)"
        )

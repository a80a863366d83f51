"""Projection of a state onto the loops of its mechanism: the nearest state in the metric of the mass matrix.

    q <- q exp(u),   Phi u = -phi,   u the smallest such                                        (1)
    v <- v - M^-1 Phi^T (Phi M^-1 Phi^T)^+ Phi v                                                (2)

(1) is repeated until the residuals phi do not shrink any more; a correction that does not reduce them is
halved.  A state whose loops are closed already is returned as it is, with its memory.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from poinsot.compile.tree import Tree
from poinsot.core.tree.dynamics import entries
from poinsot.elementary.linear import dot, product
from poinsot.errors import ModelError
from poinsot.mechanics.loop_constraints import LoopConstraints, gaps
from poinsot.model.checks import Array
from poinsot.model.kinematics import Motion, motions
from poinsot.model.loops import Loop
from poinsot.model.rotations import matrix
from poinsot.model.state import State

CLOSED = 1e-11  # gap of a closed loop, relative to the size of the mechanism; and rate, to its speed
WARNED = 1e-9  # the same, above which the user gets a warning
ROUNDS, HALVINGS = 100, 30
SAME = 0.5  # cosine between axes of a closed joint: it is 1, or else 0 or less
FARTHEST = 1.0  # largest correction (1) of a joint in one round


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
    """A state on the loops, and the distance of the given state from it."""

    state: State
    gap: float  # largest gap of all loops, m (rad for angles)
    off: float  # largest gap relative to the size of the mechanism
    rate: float  # largest rate of a residual, at the given velocities on the loops
    speed: float  # speed that rates are compared with
    moved: float  # change of the velocities by the projection, relative to them, in the metric of the masses
    loop: str  # name of the loop with the largest gap (or rate, if there is no gap)
    here: LoopConstraints  # the loop constraints at the state


def scales(tree: Tree, places: Iterable[Motion]) -> Array:
    """Return the scale of each gap: 1 for angles, the largest length in the mechanism for lengths."""
    points = [np.array(one.numbers[:6]) for one in tree.constraints if one.kind != "angle"]
    parts = (tree.placements[:, 9:], *points, *(x.position for x in places))
    length = max(float(np.abs(x).max()) for x in parts) or 1.0
    return np.array([1.0 if one.kind == "angle" else length for one in tree.constraints])


def assembled(tree: Tree, state: State) -> Assembled:
    """Project a state onto the loops; raise a ModelError if there is no closed state near it."""
    first = LoopConstraints(tree, state.q)
    x = motions(tree.mechanism, first.q[None], np.zeros((1, len(state.v))))
    sizes = scales(tree, x.values())
    speed = max(_largest(product(np.abs(first.Phi), np.abs(state.v))), _largest(sizes))
    offs = gaps(tree, first.residuals)
    gap, off = _largest(offs), _largest(offs / sizes)
    here = first if off <= CLOSED else _projected(tree, first, sizes)
    if here is not first:
        x = motions(tree.mechanism, here.q[None], np.zeros((1, len(state.v))))
    for loop in tree.mechanism.loops:
        _check_sides(loop, x)
    drift = product(here.Phi, state.v)
    rate = _largest(drift)
    if here is first and rate <= CLOSED * speed:
        return Assembled(state, gap, off, rate, speed, 0.0, "", here)
    v = state.v if rate <= CLOSED * speed else here.projected(state.v)  # (2)
    found = State(state.time, here.q, v)
    worst = tree.loop_of(first.residuals / sizes if off > CLOSED else drift)
    return Assembled(found, gap, off, rate, speed, here.distance(v, state.v), worst, here)


def _largest(x: Array) -> float:
    """Return the largest absolute value."""
    return float(np.abs(x).max(initial=0.0))


def _projected(tree: Tree, here: LoopConstraints, sizes: Array) -> LoopConstraints:
    """Iterate (1) until the loops are closed."""
    for _ in range(ROUNDS):
        u = here.correction(here.residuals)
        u = u * min(1.0, FARTHEST / max(_largest(u), 1e-300))
        for _ in range(HALVINGS):
            q = here.q.copy()
            entries.moved()(tree.model(), q, u)
            there = LoopConstraints(tree, q)
            better = dot(there.residuals, there.residuals) < dot(here.residuals, here.residuals)
            if better or _largest(here.residuals / sizes) <= CLOSED:
                break
            u = u / 2
        if not better:
            break
        here = there
    offs = gaps(tree, here.residuals)
    gap = _largest(offs)
    if _largest(offs / sizes) > CLOSED:
        raise ModelError(
            f"loop '{tree.loop_of(offs / sizes)}': cannot be closed from this state, "
            f"a gap of {gap:.2g} remains (is it long enough, and does the start come near it?)"
        )
    return here


def _check_sides(loop: Loop, x: Mapping[str, Motion]) -> None:
    """Raise a ModelError if an axis points the wrong way or is exchanged: constraints fix angles only."""
    facing, frames = loop.joint.facing.T, matrix(np.array([loop.rotation_a, loop.rotation_b]))
    A, B = (product(x[body].rotation[0], R, facing) for body, R in zip((loop.a, loop.b), frames, strict=True))
    if (np.sum(A * B, axis=0) < SAME).any():
        raise ModelError(
            f"{loop.label}: its {type(loop.joint).__name__} joint is closed the wrong way round, an axis of "
            f"'{loop.a}' does not look along that of '{loop.b}' (see rotation_a and rotation_b)"
        )

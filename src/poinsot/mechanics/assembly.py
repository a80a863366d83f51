"""The start of a run: its checks, and its projection onto the drives and the loops of its mechanism.

The projection is the nearest state in the metric of the mass matrix:

    q <- q exp(u),   Phi u = -phi,   u the smallest such                                        (1)
    v <- v - M^-1 Phi^T (Phi M^-1 Phi^T)^+ Phi v                                                (2)

(1) is repeated until the residuals phi do not shrink any more; a correction that does not reduce them is
halved.  A state whose loops are closed already is returned as it is, with its memory.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from poinsot.compile.functions import checks
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.tree import Tree
from poinsot.core.tree.dynamics import entries
from poinsot.elementary.linear import dot, product
from poinsot.errors import ModelError, warn
from poinsot.mechanics import pivots
from poinsot.mechanics.loop_constraints import LoopConstraints, gaps
from poinsot.model.checks import Array
from poinsot.model.contacts import FLAT, RollingContact, SkateContact, flat_advice
from poinsot.model.kinematics import SampledMotion, motions
from poinsot.model.loops import Loop
from poinsot.model.problem import check_state
from poinsot.model.rotations import matrix
from poinsot.model.state import State

CLOSED = 1e-11  # gap of a closed loop, relative to the size of the mechanism; and rate, to its speed
WARNED = 1e-9  # the same, above which the user gets a warning
ROUNDS, HALVINGS = 100, 30
SAME = 0.5  # cosine between axes of a closed joint: it is 1, or else 0 or less
APART = 1e-3  # gap of a loop that is closed during a run, relative to the mechanism, that is an error
OFF_BRANCH = 1e-6  # of the acceleration terms, that nothing balances: the velocities are those of no motion
FARTHEST = 1.0  # largest correction (1) of a joint in one round


class LoopWarning(UserWarning):
    """Warning: a state does not lie on the loops of its mechanism.

    `ps.simulate` warns if it has to move the start onto the loops, and if a loop opens during the run.

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", ps.LoopWarning)  # make it an error
    """


class Assembly(NamedTuple):
    """A state on the loops, and the distance of the given state from it."""

    state: State
    gap: float  # largest gap of all loops, m (rad for angles)
    off: float  # largest gap relative to the size of the mechanism
    rate: float  # largest rate of a residual, at the given velocities on the loops
    speed: float  # speed that rates are compared with
    moved: float  # change of the velocities by the projection, relative to them, in the metric of the masses
    loop: str  # name of the loop with the largest gap (or rate, if there is no gap)
    here: LoopConstraints  # the loop constraints at the state


def scales(tree: Tree, places: Iterable[SampledMotion]) -> Array:
    """Return the scale of each gap: 1 for angles, the largest length in the mechanism for lengths."""
    turning = [one.kind == "angle" or (one.kind == "gear" and not one.numbers[2]) for one in tree.constraints]
    points = [np.array(one.numbers[:6]) for one in tree.constraints if one.kind not in ("angle", "gear")]
    parts = (tree.placements[:, 9:], *points, *(x.position for x in places))
    length = max(float(np.abs(x).max()) for x in parts) or 1.0
    return np.where(turning, 1.0, length)


def assemble(tree: Tree, state: State) -> Assembly:
    """Project a state onto the loops; raise a ModelError if there is no closed state near it."""
    first = LoopConstraints(tree, state.q)
    offs = gaps(tree, first.residuals)
    x = motions(tree.mechanism, first.q[None], np.zeros((1, len(state.v))))
    sizes = scales(tree, x.values())
    speed = max(_largest(product(np.abs(first.Phi), np.abs(state.v))), _largest(sizes))
    gap, off = _largest(offs), _largest(offs / sizes)
    here = first if off <= CLOSED else _project(tree, first, sizes)
    if here is not first:
        x = motions(tree.mechanism, here.q[None], np.zeros((1, len(state.v))))
    for loop in tree.mechanism.loops:
        _check_sides(loop, x)
    drift = product(here.Phi, state.v)
    rate = _largest(drift)
    if here is first and rate <= CLOSED * speed:
        return Assembly(state, gap, off, rate, speed, 0.0, "", here)
    v = state.v if rate <= CLOSED * speed else here.project(state.v)  # (2)
    found = State(state.time, here.q, v)
    worst = tree.loop_of(first.residuals / sizes if off > CLOSED else drift)
    return Assembly(found, gap, off, rate, speed, here.distance(v, state.v), worst, here)


def _largest(x: Array) -> float:
    """Return the largest absolute value."""
    return float(np.abs(x).max(initial=0.0))


def _project(tree: Tree, here: LoopConstraints, sizes: Array) -> LoopConstraints:
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


def _check_sides(loop: Loop, x: Mapping[str, SampledMotion]) -> None:
    """Raise a ModelError if an axis points the wrong way or is exchanged: constraints fix angles only."""
    facing, frames = loop.joint.facing.T, matrix(np.array([loop.rotation_a, loop.rotation_b]))
    seats = [product(x[body].rotation[0], R) for body, R in zip((loop.a, loop.b), frames, strict=True)]
    if isinstance(loop.joint, SkateContact) and _largest(np.cross(seats[0][:, 2], seats[1][:, 0])) < FLAT:
        raise ModelError(f"{loop.label}: the blade stands upright on the plane: give another direction")
    if isinstance(loop.joint, RollingContact) and not loop.joint.sphere:
        advice = flat_advice(loop.joint, product(seats[1].T, seats[0][:, 2]))
        if advice:
            raise ModelError(f"{loop.label}: the shape lies flat, it touches more than a point: {advice}")
    A, B = (product(x[body].rotation[0], R, facing) for body, R in zip((loop.a, loop.b), frames, strict=True))
    if (np.sum(A * B, axis=0) < SAME).any():
        raise ModelError(
            f"{loop.label}: its {type(loop.joint).__name__} joint is closed the wrong way round, an axis of "
            f"'{loop.a}' does not look along that of '{loop.b}' (see rotation_a and rotation_b)"
        )


def check_start(system: CompiledMechanism, state: State) -> None:
    """Check that the state fits the mechanism, joints can be accelerated, and forces give finite numbers."""
    if not isinstance(system, Tree) or not system.plain.states.valid(state.q, state.v):
        check_state(system.mechanism, state)
    if isinstance(system, Tree) and not system.plain.solid:
        pivots.check(system.mechanism, state.q, state.v)
    checks.check(system.mechanism, state)


def start_on_drives(system: CompiledMechanism, start: State) -> State:
    """Return the start with the driven joints where their drives say, with the velocities of the drives."""
    if not system.drives:
        return start
    assert isinstance(system, Tree), "one body has no drives"
    q, v, _ = system.on_drives(start.time, start.q, start.v)
    return State(start.time, q, v)


def latch_loops(system: CompiledMechanism, state: State) -> State:
    """Return a state whose loops have just been closed: velocities that open them are lost."""
    assert isinstance(system, Tree), "one body has no loops"
    near = assemble(system, state)
    if near.off > APART:
        raise ModelError(f"loop '{near.loop}' cannot be closed here: it has a gap of {near.gap:.2g}")
    return start_on_loops(system, near.state)


def start_on_loops(system: CompiledMechanism, start: State) -> State:
    """Project the start onto the loops of its mechanism; warn if it was not on them."""
    assert isinstance(system, Tree), "one body has no loops"
    found = assemble(system, start)
    driven = bool(system.drives)  # which velocities that the loops allow follow from the drives
    opening = found.rate > WARNED * found.speed and not driven
    if driven:
        rates = np.abs(product(found.here.Phi, found.state.v))
        if rates.max(initial=0.0) > WARNED * found.speed:
            raise ModelError(
                f"loop '{system.loop_of(rates)}': does not allow the motion of {system.drives[0].label}"
            )
    if found.off > WARNED:
        also = ", and its velocities were projected onto the loop" if opening else ""
        warn(
            f"the start is {found.gap:.1e} off loop '{found.loop}'; it was moved onto the loop{also}",
            LoopWarning,
        )
    elif opening:
        text = f"the start velocities open loop '{found.loop}' at {found.rate:.1e} m/s"
        warn(f"{text}; they were projected onto the loop", LoopWarning)
    elif found.moved > WARNED and not driven:
        warn(
            f"the start is so close to a change point of loop '{found.loop}' that its velocities moved by "
            f"{100 * found.moved:.1g} % when they were projected onto the loop",
            LoopWarning,
        )
    if found.state.v.any():
        off = found.here.unreachable(found.state.v)
        if off.max(initial=0.0) > OFF_BRANCH:
            raise ModelError(
                f"loop '{system.loop_of(off)}': the start is at a change point, where the motion branches, "
                "and no branch has these velocities; give those of one branch, or start beside it"
            )
    return found.state

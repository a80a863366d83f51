"""The start of a run: its checks, and its projection onto the drives and the loops."""

import numpy as np

from poinsot.compile.functions import checks
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.tree import Tree
from poinsot.elementary.linear import product
from poinsot.errors import ModelError, warn
from poinsot.mechanics import pivots
from poinsot.mechanics.assembly import WARNED, LoopWarning, assembled
from poinsot.model.problem import check_state
from poinsot.model.state import State

APART = 1e-3  # gap of a loop that is closed during a run, relative to the mechanism, that is an error
OFF_BRANCH = 1e-6  # of the acceleration terms, that nothing balances: the velocities are those of no motion


def check_start(system: CompiledMechanism, state: State) -> None:
    """Check that the state fits the mechanism, joints can be accelerated, and forces give finite numbers."""
    if not isinstance(system, Tree) or not system.states.valid(state.q, state.v):
        check_state(system.mechanism, state)
    if isinstance(system, Tree) and not system.solid:
        pivots.check(system.mechanism, state.q, state.v)
    checks.check(system.mechanism, state)


def driven_start(system: CompiledMechanism, start: State) -> State:
    """Return the start with the driven joints where their drives say, with the velocities of the drives."""
    if not system.drives:
        return start
    assert isinstance(system, Tree), "one body has no drives"
    q, v, _ = system.on_drives(start.time, start.q, start.v)
    return State(start.time, q, v)


def latched(system: CompiledMechanism, state: State) -> State:
    """Return a state whose loops have just been closed: velocities that open them are lost."""
    assert isinstance(system, Tree), "one body has no loops"
    near = assembled(system, state)
    if near.off > APART:
        raise ModelError(f"loop '{near.loop}' cannot be closed here: it has a gap of {near.gap:.2g}")
    return closed_start(system, near.state)


def closed_start(system: CompiledMechanism, start: State) -> State:
    """Project the start onto the loops of its mechanism; warn if it was not on them."""
    assert isinstance(system, Tree), "one body has no loops"
    found = assembled(system, start)
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

"""Loops at both ends of a run: the start is moved onto them, and a loop that has opened is told of."""

import warnings

import numpy as np

from poinsot.compile.tree import Tree
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.mechanics.assembly import TOLD, LoopWarning, assembled, sizes
from poinsot.mechanics.loop_constraints import Closure, gaps_along, measured
from poinsot.model.state import State

OPEN = 1e-9  # gap of a loop that did not stay closed, relative to the size of the mechanism


def closed(tree: Tree, start: State) -> State:
    """The start on the loops of its mechanism; a warning says how far it was from them."""
    found = assembled(tree, start)
    if found.off > TOLD:
        slowed = ", and its velocities were changed" if found.rate > TOLD * found.speed else ""
        warnings.warn(
            f"start was {found.gap:.1e} off loop '{found.loop}': moved onto it{slowed}",
            LoopWarning, stacklevel=3,
        )  # fmt: skip
    elif found.rate > TOLD * found.speed:
        warnings.warn(
            f"start tore loop '{found.loop}' open with {found.rate:.1e}/s: its velocities were changed",
            LoopWarning, stacklevel=3,
        )  # fmt: skip
    return found.state


def watch_gaps(tree: Tree, thin: Trajectory) -> None:
    """Rows that were taken for redundant and were not: loops that did not stay closed."""
    gaps = measured(tree, gaps_along(tree, thin.q))
    scales, _ = sizes(tree, Closure(tree, thin.q[0]), thin.v[0])
    worst = np.abs(gaps).max(axis=0)
    if (worst / scales).max(initial=0.0) > OPEN:
        warnings.warn(
            f"loop '{tree.loop_of(worst / scales)}' did not stay closed: a gap of {worst.max():.1e}",
            LoopWarning,
            stacklevel=3,
        )

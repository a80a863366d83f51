"""Loops at one state: residuals, degrees of freedom, and the forces that keep them closed."""

from typing import NamedTuple

import numpy as np

from poinsot.compile.tree import Tree
from poinsot.mechanics import algorithms
from poinsot.mechanics.dynamics.given import tree_of
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


def multipliers(m: Mechanism, state: State) -> dict[str, Array]:
    """Return the constraint forces (Lagrange multipliers) that keep the loops closed.

    Where constraints are redundant they are not unique; the smallest are returned.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.

    Returns
    -------
    dict of str to ndarray
        For each loop by name one force for each of its constraints, in the order of the table in
        `model.loops`: N, or N m for angles.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("bob", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    Mechanism(bob)
    >>> m.close(ps.Loop("world", "bob", ps.Distance(1.0), name="rope"))
    Mechanism(bob)
    >>> ps.dynamics.multipliers(m, m.state({"bob": dict(position=(0, 0, -1))}))
    {'rope': array([-20.])}
    """
    tree = tree_of(m, state)
    return _by_loop(tree, _multipliers(tree, state)) if m.loops else {}


def _multipliers(tree: Tree, state: State) -> Array:
    """Return the multipliers of all loop constraints."""
    free = algorithms.acceleration(tree, state.time, state.q, state.v)
    return LoopConstraints(tree, state.q).multipliers(state.v, free)


def _by_loop(tree: Tree, x: Array) -> dict[str, Array]:
    """Split numbers, one for each constraint, by loops."""
    return {name: x[part] for name, part in tree.loop_slices.items()}


class LoopResiduals(NamedTuple):
    """Residuals of the loop constraints of a mechanism at a state; `Closed` is the older name.

    The residual of a constraint is zero where its loop is closed.  It is the gap in metres along a direction
    for a point, the deviation of a cosine for an angle, and (d² - l²)/2l for a distance d that should be l,
    which is the gap d - l to first order.

    Attributes
    ----------
    gaps : dict of str to ndarray
        Residuals of the constraints of each loop; `residuals` is the better name.
    rates : dict of str to ndarray
        Time derivatives of the residuals, in m/s or 1/s.
    rank : int
        Number of independent constraints.
    redundant : int
        Number of constraints that follow from the others.
    freedom : int
        Degrees of freedom: velocities less independent constraints.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("bob", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    >>> print(ps.dynamics.loop_constraints(m, m.state()))
    0 loops, 0 independent constraints, 0 redundant, 6 degrees of freedom, largest residual 0.0e+00
    """

    gaps: dict[str, Array]
    rates: dict[str, Array]
    rank: int
    redundant: int
    freedom: int

    @property
    def residuals(self) -> dict[str, Array]:
        """Residuals of the constraints of each loop."""
        return self.gaps

    def __str__(self) -> str:
        worst = max((float(np.abs(x).max()) for x in self.gaps.values()), default=0.0)
        return (
            f"{len(self.gaps)} loops, {self.rank} independent constraints, {self.redundant} redundant, "
            f"{self.freedom} degrees of freedom, largest residual {worst:.1e}"
        )


Closed = LoopResiduals


def loop_constraints(m: Mechanism, state: State) -> LoopResiduals:
    """Return the residuals of the loop constraints, and the degrees of freedom that loops and drives leave.

    `closure` is the older name of this function.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.

    Returns
    -------
    LoopResiduals
        Residuals and rates by loop, numbers of independent and redundant constraints, degrees of freedom.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("bob", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    >>> m.close(ps.Loop("world", "bob", ps.Distance(1.0), name="rope"))
    Mechanism(bob)
    >>> found = ps.dynamics.loop_constraints(m, m.state({"bob": dict(position=(0, 0, -2))}))
    >>> found.residuals, found.freedom
    ({'rope': array([1.5])}, 5)
    """
    tree, n = tree_of(m, state), len(state.v)
    if not m.loops:
        return LoopResiduals({}, {}, 0, 0, n - len(tree.driven_coordinates[1]))
    here = LoopConstraints(tree, state.q)
    rates = here.Phi @ state.v
    r = here.rank - len(here.driven)  # of the loops beside the drives
    gone = len(rates) - r
    return LoopResiduals(_by_loop(tree, here.residuals), _by_loop(tree, rates), r, gone, n - here.rank)


closure = loop_constraints

"""Wrenches that joints and loops exert, at one state and at many (`mechanics.reactions` computes them)."""

from collections.abc import Sequence

import numpy as np

from poinsot.compile.kept import kept
from poinsot.compile.tree import Tree
from poinsot.errors import ModelError
from poinsot.mechanics import pivots
from poinsot.mechanics.dynamics.given import tree_of
from poinsot.mechanics.reactions import holding, reactions_of
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


def _check_movable(tree: Tree, state: State) -> None:
    """Raise a ModelError if a joint cannot be accelerated."""
    if not tree.solid:
        pivots.check(tree.mechanism, state.q, state.v)


def reactions(m: Mechanism, state: State) -> dict[str, Array]:
    """Return the wrenches that joints and loops exert.

    The wrench of a joint acts from the parent on the child, at the origin of the child frame of the joint and
    in its axes.  It includes the springs, dampers and torques of the joint, as a sensor in the joint would
    measure it.  The wrench of a loop acts on its body b, at the point `at_b` and in the axes of `rotation_b`.
    Redundant loops share their load as in `multipliers`.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.

    Returns
    -------
    dict of str to ndarray, shape (6,)
        For each body (its joint) and each loop by name: torque in N m and force in N.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> ps.dynamics.reactions(m, m.state())["arm"].round(9) + 0.0
    array([ 0.,  0.,  0.,  0.,  0., 20.])
    """
    _check_movable(tree_of(m, state), state)
    return {name: found[0] for name, found in reactions_along(m, [state]).items()}


def reactions_along(m: Mechanism, states: Sequence[State], inputs: Array | None = None) -> dict[str, Array]:
    """Return the wrenches that joints and loops exert at many states.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    states : sequence of State
        States, such as of a run.
    inputs : ndarray, shape (n, nu), optional
        Input of the controller at each state.

    Returns
    -------
    dict of str to ndarray, shape (n, 6)
        For each body (its joint) and each loop by name: torque in N m and force in N, as of `reactions`.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> ps.dynamics.reactions_along(m, [m.state(), m.state()])["arm"].shape
    (2, 6)
    """
    checks.mechanism("dynamics", m)
    states = checks.items("dynamics", "states", states, "a list of states")
    lengths = m.lengths
    for state in states:
        if not isinstance(state, State) or (len(state.q), len(state.v)) != lengths:
            raise ModelError(f"dynamics: states must be states of the mechanism, got {checks.show(state)}")
    times, q, v = (np.array([getattr(state, name) for state in states]) for name in ("time", "q", "v"))
    q, v = q.reshape(-1, lengths[0]), v.reshape(-1, lengths[1])
    if inputs is not None:
        shape = len(states), len(kept(holding(m)).tree().hold_places)
        inputs = checks.array("dynamics", "inputs", inputs, f"an array {shape}", shape)
    return reactions_of(m, times, q, v, inputs)

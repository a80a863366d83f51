"""The discrete Euler-Poincare equations of a tree: how well three configurations obey them.

With the poses T of a body before, now and after, a step h apart, and G its inertia,

    x0 = log(T_before^-1 T_now),   x1 = log(T_now^-1 T_after)                                    (1)
    W = dlog(x1)^T G x1/h - dlog(-x0)^T G x0/h             its change of momentum, in its axes   (2)
    r = sum J^T W - h/2 (Q(x0/h) + Q(x1/h))                over all bodies                       (3)

J is the Jacobian of a body now, and Q the joint forces of gravity and of all forces, with the velocities of
the step before and of the step after.  r is zero along a run of `variational_se3` (of `variational`, if no
joint is free); along other runs it measures their error in a step.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from poinsot.compile.cache import tree_for
from poinsot.compile.tree import Tree
from poinsot.errors import ModelError
from poinsot.lie import quaternion, se3, so3
from poinsot.mechanics.algorithms import applied_forces, forward_dynamics, mass_matrix, response
from poinsot.mechanics.arguments import guard
from poinsot.mechanics.tangent import difference
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.kinematics import SampledMotion, jacobians, motions
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.problem import check_state
from poinsot.model.rotations import compose, inverse
from poinsot.model.state import State


def discrete_residual(mechanism: Mechanism, before: State, now: State, after: State, step: float) -> Array:
    """Return the residual r of the discrete Euler-Poincare equations at three configurations, shape (nv,).

    Parameters
    ----------
    mechanism : the mechanism, without loops and driven joints
    before : the state a step before
    now : the state
    after : the state a step after; of all three, only the coordinates count
    step : step [s]

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("dzhanibekov")
    >>> run = ps.simulate(s.mechanism, s.start, "variational_se3", step=0.02, steps=2)
    >>> r = ps.dynamics.discrete_residual(s.mechanism, *run.trajectory.states(), step=run.step)
    >>> bool(abs(r).max() < 1e-14)
    True
    """
    return np.asarray(discrete_residual_along(mechanism, [before, now, after], step)[1])


@guard
def discrete_residual_along(mechanism: Mechanism, states: Sequence[State], step: float) -> Array:
    """Return `discrete_residual` along states that are a step apart, shape (n, nv); NaN at both ends.

    Parameters
    ----------
    mechanism : the mechanism, without loops and driven joints
    states : states, such as `run.trajectory.states()` of a run with `every=1`
    step : step [s]
    """
    checks.mechanism("discrete_residual", mechanism)
    h = checks.number("discrete_residual", "step", step, positive=True)
    states = checks.items("discrete_residual", "states", states, "a list of states")
    for state in states:
        check_state(mechanism, state)
    tree = tree_for(mechanism)
    if mechanism.loops or tree.drives:
        raise ModelError("discrete_residual: the mechanism must have no loops and no driven joints")
    n, nv = len(states), mechanism.lengths[1]
    r = np.full((n, nv), np.nan)
    if n < 3:
        return r
    q = np.array([state.q for state in states])
    found = motions(mechanism, q, np.zeros((n, nv)))
    changes = {name: _change(mechanism.link(name).body, x, h) for name, x in found.items() if name != WORLD}
    steps = [difference(mechanism, b, a)[:nv] / h for a, b in pairwise(states)]
    for k in range(1, n - 1):
        J = jacobians(mechanism, q[k])
        Q = sum(_forces(tree, states[k], v) for v in steps[k - 1 : k + 1])
        r[k] = sum(J[name].T @ W[k - 1] for name, W in changes.items()) - h / 2 * Q  # (3)
    return r


class ResidualRecorder:
    """Takes the states of a run one after the other; a call returns the residual of the last three."""

    def __init__(self, mechanism: Mechanism, step: float) -> None:
        discrete_residual_along(mechanism, [], step)  # an error says if there is none
        self.mechanism, self.step = mechanism, step
        self.last: list[State] = []

    def __call__(self, t: float, state: State) -> Array:
        here = self.last[-1] if self.last else None
        apart = here is not None and abs(t - here.time - self.step) < self.step / 4
        self.last = [*(self.last[-2:] if apart else []), state]
        if len(self.last) < 3:
            return np.full(len(state.v), np.nan)
        return np.asarray(discrete_residual_along(self.mechanism, self.last, self.step)[1])


def discrete_residual_recorder(mechanism: Mechanism, step: float) -> ResidualRecorder:
    """Return a function for `record=` that gives `discrete_residual` at the sample before, shape (nv,).

    It is NaN as long as there are no three samples that are a step apart, so a run needs `every=1`.

    Parameters
    ----------
    mechanism : the mechanism, without loops and driven joints
    step : step of the run [s]

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("dzhanibekov")
    >>> residual = ps.dynamics.discrete_residual_recorder(s.mechanism, 0.02)
    >>> run = ps.simulate(
    ...     s.mechanism, s.start, "variational_se3", step=0.02, steps=9, record={"r": residual}
    ... )
    >>> bool(abs(run.recorded["r"][2:]).max() < 1e-13)
    True
    """
    return ResidualRecorder(mechanism, step)


def _change(body: Body, x: SampledMotion, h: float) -> Array:
    """Return W of (2) at all samples but the ends, shape (n - 2, 6)."""
    c = so3.hat(body.center_of_mass)
    G = np.block([[body.inertia - body.mass * c @ c, body.mass * c], [-body.mass * c, body.mass * np.eye(3)]])
    w = quaternion.log(compose(inverse(x.quaternion[:-1]), x.quaternion[1:]))
    moved = np.einsum("nji,nj->ni", x.rotation[:-1], np.diff(x.origin, axis=0))
    twist = np.hstack([w, so3.dexpinv(w, moved)])  # (1)
    begin, end = (np.einsum("nji,nj->ni", se3.dexpinv(s * twist), twist @ G) / h for s in (1, -1))
    return np.asarray(begin[1:] - end[:-1])


def _forces(tree: Tree, state: State, v: Array) -> Array:
    """Return the joint forces Q of gravity and all forces at a configuration, with these velocities."""
    q, zero = state.q, np.zeros(len(v))
    tau, model = applied_forces(tree, state.time, q, v)
    forced = forward_dynamics(tree, q, v, tau, model)
    free = response(tree, q, v, zero, np.zeros(tree.wrenches(model).shape), gravity=False)
    return np.asarray(mass_matrix(tree, q) @ (forced - free))

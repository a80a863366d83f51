"""Independent coordinates of a mechanism with loops and driven joints, about a state.

Deviations (dq, dv) that keep the loops closed and leave driven joints where they are satisfy

    Phi dq = 0,        Phi dv + (D Phi dq) v = 0                                                (1)

(of a contact, dq need only keep the bodies in touch: its other rows have no part in the first equation).

Some of the velocities, as many as there are degrees of freedom, determine the others; x = (dq, dv) of these
has no constraint, and all others follow:

    dq = P x_q,        dv = N x_v + K x_q        or  (dq, dv) = E x                             (2)

The rows of P and N that belong to x are those of the unit matrix, and of K zero.  N spans the velocities
that `LoopConstraints.freedom` finds, and P is the same without contacts.  A velocity is independent as far
as its unit vector lies in there, in the metric of `LoopConstraints`: the first joints are taken, unless
others are `BETTER` times as independent.

    da = nearest to D a along E x, with Phi da = -D(phi'')           a and lam as they are      (3)

is the derivative of the acceleration with loops (`LoopConstraints.accelerate`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.tree import Tree
from poinsot.mechanics.algorithms import acceleration
from poinsot.mechanics.derivatives import field_along
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.mechanics.tangent import lift
from poinsot.model.checks import Array
from poinsot.model.state import State

BETTER = 4.0


class Freedoms(NamedTuple):
    """Independent coordinates about a state."""

    rows: NDArray[np.int64]  # x in (dq, dv)
    basis: Array  # E of (2), (2 nv, n)


def freedoms(tree: Tree, state: State) -> Freedoms | None:
    """Return the independent coordinates about a state on its loops and drives; None: all are."""
    if not tree.constraints and not tree.drives:
        return None
    here = LoopConstraints(tree, state.q)
    here.check_freedom()
    rows, N = _span(here)
    contacts = any(one.of_velocities for one in tree.constraints)
    places, P = _span(LoopConstraints(tree, state.q, positions=True)) if contacts else (rows, N)
    slopes = here.jacobian_along(lift(tree.mechanism, state.q) @ P)
    still = np.zeros(len(here.driven))
    found = [here.nearest(np.zeros(tree.nv), slope @ state.v, still) for slope in np.moveaxis(slopes, 2, 0)]
    K = np.reshape(found, P.T.shape).T
    K = K - N @ K[rows]
    basis = np.block([[P, np.zeros_like(N)], [K, N]])
    return Freedoms(np.concatenate([places, tree.nv + rows]), basis)


def _span(here: LoopConstraints) -> tuple[NDArray[np.int64], Array]:
    """Return independent velocities, and how the others follow from them."""
    rows = _independent(here)
    return rows, np.asarray(np.linalg.solve(here.freedom[rows].T, here.freedom.T).T, dtype=np.float64)


def _independent(here: LoopConstraints) -> NDArray[np.int64]:
    """Return velocities that determine the others, in their order."""
    left = here.parts_in_freedom()
    rows: list[int] = []
    for _ in range(left.shape[1]):
        sizes = np.sqrt((left * left).sum(axis=1))
        first = int(np.argmax(BETTER * sizes >= sizes.max()))
        rows.append(first)
        along = left[first] / sizes[first]
        left = left - np.outer(left @ along, along)
    return np.array(sorted(rows), dtype=np.int64)


def accelerations_along(tree: Tree, state: State, u: Array, dy: Array, du: Array) -> Array:
    """Return the derivatives (nv, k) of the acceleration with loops and drives along (dy, du), by (3)."""
    nq, here, y = tree.nq, LoopConstraints(tree, state.q), np.concatenate([state.q, state.v])
    tree.hold(u)
    free = acceleration(tree, state.time, state.q, state.v)
    a = here.accelerate(state.v, free)
    lam = here.multipliers(state.v, free) if tree.constraints else np.zeros(0)
    push = np.einsum("jik,j->ik", here.jacobian_along(dy[:nq]), lam)
    loaded = np.concatenate([y, here.Phi.T @ lam]), np.vstack([dy, push])
    D = field_along(tree, state.time, loaded[0], u, loaded[1], du)[1][nq:]
    x, still = here.seconds_along(state.v, a, dy), np.zeros(len(here.driven))
    found = [here.nearest(D[:, j], x[:, j], still) for j in range(D.shape[1])]
    return np.reshape(found, D.T.shape).T

"""The rate of a Jacobian along the motion, by dual numbers."""

import numpy as np

from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics import entries
from poinsot.elementary.arrays import ArrayLike
from poinsot.mechanics import algorithms
from poinsot.mechanics.arguments import tree_of
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


def jacobian_rate(mechanism: Mechanism, state: State, body: str, at: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
    """Return the time derivative of `jacobian` along the motion, shape (6, nv), exact to rounding.

    The rate of the twist is J dv/dt + dJ/dt v.  `body`: name of the body or frame;
    `at`: point in the body frame, or in the frame [m].
    """
    tree, n = tree_of(mechanism, state), len(state.v)
    link, place = tree.seat(body, at)
    numbers = DOUBLES[dual4]
    q, J = np.zeros((len(state.q), numbers)), np.zeros((6, n, numbers))
    q[:, 0], q[:, 1] = state.q, algorithms.rates(tree, state.q, state.v)
    entries.point_jacobian(dual4)(
        tree.model(dual4), link, place, q.reshape(-1), np.zeros(n * numbers), J.reshape(-1)
    )
    return J[:, :, 1].copy()

"""Derivative of the exact motion, for methods that choose their own steps: `dop853`.

The step choice of an adaptive method has no derivative, but its result is the motion itself to its tolerance.
So its derivative is that of the motion: by Gauss' method of order 8, with steps that are halved until the
derivative converges.
"""

import numpy as np

from poinsot.compile.catalogue import by_name
from poinsot.compile.tree import Tree
from poinsot.errors import ScenarioError
from poinsot.mechanics.linearization.gauss import gauss_along
from poinsot.model.checks import Array
from poinsot.model.state import State

CONVERGED, HALVINGS = 1e-12, 10
ROUNDING = 1e-9  # a change that no longer shrinks below this is rounding


def flow_along(tree: Tree, state: State, u: Array, span: float, dy: Array, du: Array) -> tuple[Array, Array]:
    """Return y after the time `span`, and its derivatives along the columns of (dy, du)."""
    best = np.inf
    _, D = gauss_along(tree, by_name("gauss4"), state, u, span, 1, dy, du)
    for k in range(1, HALVINGS + 1):
        y, D1 = gauss_along(tree, by_name("gauss4"), state, u, span / 2**k, 2**k, dy, du)
        change = float(np.abs(D1 - D).max() / np.abs(D1).max())
        if change < CONVERGED or (change > 0.5 * best and change < ROUNDING):
            return y, D1
        D, best = D1, change
    raise ScenarioError(
        f"linearize: the derivative of the motion over {span:g} s does not settle: take a shorter time"
    )

"""Derivative of a step of a Gauss method, whose stages are lanes and leave no room for dual numbers.

    Y_k = y0 + h sum_l a_kl f(Y_l, u),      y1 = y0 + h sum_k b_k f(Y_k, u)                      (1)
    (1 - h a x J) DY = 1 x Dy0 + h (a x 1) f_u Du,      J = diag(df/dY_k)                         (2)
    Dy1 = Dy0 + h sum_k b_k (J_k DY_k + f_u Du)                                                  (3)

The stages are those of the step itself: its memory has their slopes.  J_k comes from the field on dual
numbers, so that (2), the implicit function theorem, is exact.
"""

import numpy as np

from poinsot.compile.tree import Tree
from poinsot.core.methods.gauss import tableau
from poinsot.core.methods.gauss.gauss import CARRY
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError
from poinsot.mechanics.linearization.trees import field_along, run
from poinsot.model.checks import Array
from poinsot.model.state import State

LARGEST = 3000  # largest number of unknowns of (2)


def gauss_along(
    tree: Tree, method: Method, state: State, u: Array, h: float, steps: int, dy: Array, du: Array
) -> tuple[Array, Array]:
    """Return y after `steps` steps, and its derivatives along the columns of (dy, du)."""
    y, here = np.concatenate([state.q, state.v]), state
    nq = len(state.q)
    for k in range(steps):
        y, dy = _one(tree, method, here, u, h, dy, du)
        here = State(state.time + (k + 1) * h, y[:nq], y[nq:])
    return y, dy


def _one(
    tree: Tree, method: Method, state: State, u: Array, h: float, dy: Array, du: Array
) -> tuple[Array, Array]:
    assert method.tree is not None
    rows = method.tree.coefficients[: tableau.ROWS * tableau.LANES].reshape(tableau.ROWS, tableau.LANES)
    s = int(rows[tableau.FACTS, 0])
    a, b, c = rows[tableau.A : tableau.A + s, :s].T, rows[tableau.B, :s], rows[tableau.C, :s]
    y0 = np.concatenate([state.q, state.v])
    n, m = len(y0), len(u)
    if s * n > LARGEST:
        raise ScenarioError(
            f"linearize: {method.name} on {n} coordinates has {s * n} unknowns, more than {LARGEST}: "
            "use a method that runs on dual numbers, such as rk4"
        )
    tree.hold(u)
    memory = run(tree.time_loop(method), method, y0, state, h, 1)
    first = n + 1 + CARRY + (n + 1)  # y and work, then the carry, then the slopes of the last step
    F = memory[first : first + (n + 1) * tableau.LANES].reshape(n + 1, tableau.LANES)[:n, :s]
    every = np.hstack([np.eye(n), np.zeros((n, m))]), np.hstack([np.zeros((m, n)), np.eye(m)])
    J = [field_along(tree, state.time + c[k] * h, y0 + h * F @ a[k], u, *every)[1] for k in range(s)]  # (1)
    lhs, rhs = np.eye(s * n), np.tile(dy, (s, 1))
    for k in range(s):
        for l in range(s):
            block = slice(k * n, (k + 1) * n), slice(l * n, (l + 1) * n)
            lhs[block] -= h * a[k, l] * J[l][:, :n]
            rhs[block[0]] += h * a[k, l] * J[l][:, n:] @ du
    DY = np.linalg.solve(lhs, rhs).reshape(s, n, -1)  # (2)
    D = dy + h * sum(b[k] * (J[k][:, :n] @ DY[k] + J[k][:, n:] @ du) for k in range(s))  # (3)
    return memory[:n].copy(), D

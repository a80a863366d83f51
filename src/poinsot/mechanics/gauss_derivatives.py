"""The derivative of a step of the Gauss methods, whose stages are lanes and leave no room for dual numbers.

All numbers here are those of the core, as in `derivatives`:

    Y_k = y0 + h sum_l a_kl f(Y_l, u),      y1 = y0 + h sum_k b_k f(Y_k, u)                      (1)
    (1 - h a x J) DY = 1 x Dy0 + h (a x 1) f_u Du,      J = diag(df/dY_k)                         (2)
    Dy1 = Dy0 + h sum_k b_k (J_k DY_k + f_u Du)                                                  (3)

The stages are those of the step itself: its memory has their slopes.  J_k comes from the field on dual
numbers, so that (2), the implicit function theorem, is exact.

With loops or contacts, the step is between states that multipliers mu move off the constraints (S, `SHIFT` of
the field), and E z are deviations on the constraints at its end (`freedoms`):

    S(y1, -mu) = step of S(y0, mu),      Dy1 = E z                                               (4)

whose derivative, with those of S by dual numbers, has the unknowns z and Dmu.

Methods that choose their own steps (`dop853`): the step choice has no derivative, but the result is the
motion itself to the tolerance.  So the derivative is that of the motion, by Gauss' method of order 8, with
steps that are halved until it converges.
"""

import numpy as np
from numba import float64

from poinsot.compile.catalogue import by_name
from poinsot.compile.tree import Tree
from poinsot.core.call import Call
from poinsot.core.methods.gauss import tableau
from poinsot.core.methods.gauss.gauss import CARRY
from poinsot.core.methods.method import Method
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.tree.field import displacement
from poinsot.errors import ScenarioError
from poinsot.mechanics.derivatives import WIDTH, along, run
from poinsot.mechanics.freedoms import freedoms
from poinsot.mechanics.linear_model import LinearModel
from poinsot.mechanics.tangent import to_tangent
from poinsot.model.checks import Array
from poinsot.model.state import State, view

LARGEST = 3000  # largest number of unknowns of (2)
CONVERGED, HALVINGS = 1e-12, 10
ROUNDING = 1e-9  # a change that no longer shrinks below this is rounding
DEPENDENT = 1e-9  # of a column of (4), relative: multipliers of rows that follow from others


def gauss_along(
    model: LinearModel, method: Method, state: State, u: Array, h: float, steps: int, dy: Array, du: Array
) -> tuple[Array, Array]:
    """Return y after `steps` steps, and its derivatives along the columns of (dy, du)."""
    y, here = np.concatenate([state.q, state.v]), state
    nq = len(state.q)
    for k in range(steps):
        y, dy = _gauss_step(model, method, here, u, h, dy, du)
        here = view(state.time + (k + 1) * h, y[:nq], y[nq:])
    return y, dy


def _gauss_step(
    model: LinearModel, method: Method, state: State, u: Array, h: float, dy: Array, du: Array
) -> tuple[Array, Array]:
    assert method.tree is not None
    rows = method.tree.coefficients[: tableau.ROWS * tableau.LANES].reshape(tableau.ROWS, tableau.LANES)
    s = int(rows[tableau.FACTS, 0])
    y0 = np.concatenate([state.q, state.v])
    n, k = len(y0), dy.shape[1]
    if s * n > LARGEST:
        raise ScenarioError(
            f"linearize: {method.name} on {n} coordinates has {s * n} unknowns, more than {LARGEST}: "
            "use a method that runs on dual numbers, such as rk4"
        )
    for tree in (model.tree, model.system(method.label)[0]):
        tree.hold(u)
    memory = run(model.time_loop(method, float64), method, y0, state, h, 1)
    first = n + 1 + CARRY + (n + 1)  # y and work, then the carry, then the slopes of the last step
    F = memory[first : first + (n + 1) * tableau.LANES].reshape(n + 1, tableau.LANES)[:n, :s]
    y1 = memory[:n].copy()
    if not model.tree.constraints:
        return y1, _stages(model, rows, state.time, h, y0, F, dy, du)
    first += 2 * (n + 1) * tableau.LANES
    mu = memory[first : first + 2 * len(model.tree.constraints)]
    begin, A = _shift(model.tree, state.time, y0, mu, u, dy)
    none = np.zeros((len(u), A.shape[1] - k))
    G = _stages(model, rows, state.time, h, begin, F, A, np.hstack([du, none]))
    return y1, _on_constraints(model, state.time + h, y1, mu, u, G, k)


def _stages(
    model: LinearModel, rows: Array, t: float, h: float, y0: Array, F: Array, dy: Array, du: Array
) -> Array:
    """Return the derivatives (3) of a step, whose stages have the slopes F."""
    s, n, m = F.shape[1], len(y0), len(du)
    a, b, c = rows[tableau.A : tableau.A + s, :s].T, rows[tableau.B, :s], rows[tableau.C, :s]
    J, one = np.empty((s, n, n + m)), model.raw
    for k in range(s):
        one.t[0], one.y[:] = t + c[k] * h, y0 + h * F @ a[k]  # (1)
        one.call()
        J[k] = one.D
    Jy, Ju = J[:, :, :n], J[:, :, n:] @ du
    lhs = (-h * a)[:, None, :, None] * Jy.transpose(1, 0, 2)
    lhs = np.eye(s * n) + lhs.reshape(s * n, s * n)
    rhs = dy + (h * a @ Ju.reshape(s, -1)).reshape(Ju.shape)
    DY = np.linalg.solve(lhs, rhs.reshape(s * n, -1)).reshape(s, n, -1)  # (2)
    return np.asarray(dy + (h * b @ (Jy @ DY + Ju).reshape(s, -1)).reshape(dy.shape))


def _shift(tree: Tree, t: float, y: Array, mu: Array, u: Array, dy: Array) -> tuple[Array, Array]:
    """Return S(y, mu) of (4), and its derivatives along dy, and then along mu."""
    n, whole, moves = len(y), np.zeros((len(y) + 1, WIDTH)), np.zeros((len(mu), WIDTH))
    m = len(tree.constraints)
    used = [j for j, one in enumerate(tree.constraints) if not one.of_velocities] + list(range(m, 2 * m))
    functions = tree.field_with_loops(dual4), *tree.functions(dual4)
    arrays = len(whole), whole.reshape(-1), len(mu), moves.reshape(-1)
    call = Call(displacement(), *functions, t, *arrays, tree.model(dual4))

    def apply(table: Array, _: Array) -> Array:
        whole[:n], moves[:] = table[:n], table[n:]
        call()
        return whole[:n].copy()

    seeds = np.block(
        [[dy, np.zeros((n, len(used)))], [np.zeros((len(mu), dy.shape[1])), np.eye(len(mu))[:, used]]]
    )
    return along(tree, apply, np.concatenate([y, mu]), u, seeds, np.zeros((len(u), seeds.shape[1])))


def _on_constraints(model: LinearModel, t: float, y: Array, mu: Array, u: Array, G: Array, k: int) -> Array:
    """Return Dy1 by (4), where G are derivatives of the step along k directions, and then along mu."""
    nq, tree = model.tree.nq, model.tree
    free = freedoms(tree, view(t, y[:nq], y[nq:]))
    assert free is not None, "there are constraints"
    nv = len(y) - nq
    E = np.concatenate([model.lift(y[:nq]) @ free.basis[:nv], free.basis[nv:]])
    end, C = _shift(tree, t, y, -mu, u, E)
    L, count = model.lift(end[:nq]), E.shape[1]
    matrix = np.hstack([C[:, :count], -C[:, count:] - G[:, k:]])
    matrix, right = (np.concatenate([to_tangent(L, x[:nq]), x[nq:]]) for x in (matrix, G[:, :k]))
    sizes = np.linalg.norm(matrix, axis=0)
    sizes[sizes == 0] = 1.0  # multipliers of rows that always hold
    found = np.linalg.lstsq(matrix / sizes, right, rcond=DEPENDENT)[0] / sizes[:, None]
    return np.asarray(E @ found[:count])


def flow_along(
    model: LinearModel, state: State, u: Array, span: float, dy: Array, du: Array
) -> tuple[Array, Array]:
    """Return y after the time `span`, and its derivatives along the columns of (dy, du)."""
    best = np.inf
    _, D = gauss_along(model, by_name("gauss4"), state, u, span, 1, dy, du)
    for k in range(1, HALVINGS + 1):
        y, D1 = gauss_along(model, by_name("gauss4"), state, u, span / 2**k, 2**k, dy, du)
        change = float(np.abs(D1 - D).max() / np.abs(D1).max())
        if change < CONVERGED or (change > 0.5 * best and change < ROUNDING):
            return y, D1
        D, best = D1, change
    raise ScenarioError(
        f"linearize: the derivative of the motion over {span:g} s does not settle: take a shorter time"
    )

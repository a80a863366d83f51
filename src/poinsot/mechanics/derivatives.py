"""Derivatives of the field of a mechanism, and of steps on it, by dual numbers: four directions at a time.

All numbers here are those of the core: y = (q, v) without the work, and u the constant forces at the joints.
Exact to rounding for methods that run on dual numbers; of the others, `gauss_derivatives` and
`radau_derivatives`.

One body has the state (q, P, r, p) in the core (`compile.one_body`) and the tangent (x, m, y, n), with
dq = q (0, x/2).  E are the principal axes, I the moments, c the center of mass, R the attitude, (w, v) the
velocity:

    Spherical   x = E^T R_b^T dq,     m = I E^T R_b^T dw                                         (1)
    Free        x = E^T a,            m = I E^T dw              dq = (a, b), dv = (dw, du)
                y = R (b + a x c),    n = m R (a x (v + w x c) + du + dw x c)                    (2)

C = the matrix of (1) or (2); a step with the derivative D in the core has C(x1)^-1 D C(x0).
"""

import math
from collections.abc import Callable

import numpy as np

from poinsot.compile.one_body import OneBody
from poinsot.compile.time_loop import TimeLoop
from poinsot.compile.tree import Tree
from poinsot.core.body.time_loop import OK, Counters
from poinsot.core.call import Call
from poinsot.core.methods.method import Method
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.field import evaluation
from poinsot.errors import StepError
from poinsot.lie import so3
from poinsot.mechanics.linear_model import LinearModel
from poinsot.model.checks import Array
from poinsot.model.rotations import compose, inverse, matrix
from poinsot.model.state import State

WIDTH = DOUBLES[dual4]
TANGENTS = WIDTH - 1
LARGEST = 3000  # largest number of unknowns of (2)
CONVERGED, HALVINGS = 1e-12, 10
ROUNDING = 1e-9  # a change that no longer shrinks below this is rounding
Map = Callable[[Array, Array], Array]


def along(tree: Tree, apply: Map, y: Array, u: Array, dy: Array, du: Array) -> tuple[Array, Array]:
    """Return the value of a map of (y, u), and its derivatives along the columns of (dy, du).
    `apply` takes y as a table with a row of doubles for each number, and returns such a table."""
    columns, value = [], np.zeros(0)
    try:
        for first in range(0, max(dy.shape[1], 1), TANGENTS):
            part = slice(first, first + TANGENTS)
            count = len(range(dy.shape[1])[part])
            table, seeds = np.zeros((len(y), WIDTH)), np.zeros((len(u), TANGENTS))
            table[:, 0], table[:, 1 : 1 + count], seeds[:, :count] = y, dy[:, part], du[:, part]
            tree.hold(u, seeds)
            found = apply(table, u)
            value = found[:, 0].copy()
            columns.append(found[:, 1 : 1 + count])
    finally:
        tree.hold(u)
    return value, np.concatenate(columns, axis=1)


def field_along(tree: Tree, t: float, y: Array, u: Array, dy: Array, du: Array) -> tuple[Array, Array]:
    """Return dy/dt and its derivatives; in y, joint forces that act besides may follow q and v."""
    functions, model, n = (tree.field(dual4), *tree.functions(dual4)), tree.model(dual4), tree.nq + tree.nv
    whole, f = np.zeros((2, n + 1, WIDTH))  # the last number is the work
    flat = whole.reshape(-1), f.reshape(-1)
    call = Call(evaluation(dual4), *functions, t, len(whole), *flat, model)

    def apply(table: Array, _: Array) -> Array:
        whole[:n], f[tree.nq : n] = table[:n], 0.0 if len(table) == n else table[n:]
        call()
        return f[:-1].copy()

    return along(tree, apply, y, u, dy, du)


def steps_along(
    model: LinearModel, method: Method, state: State, u: Array, h: float, steps: int, dy: Array, du: Array
) -> tuple[Array, Array]:
    """Return y after `steps` steps from fresh memory, and its derivatives."""
    time_loop, tree = model.time_loop(method, dual4), model.system(method.label)[0]
    assert isinstance(tree, Tree), "not one body"

    def apply(table: Array, _: Array) -> Array:
        return run(time_loop, method, table, state, h, steps)[: len(table)]

    return along(tree, apply, np.concatenate([state.q, state.v]), u, dy, du)


def run(time_loop: TimeLoop, method: Method, x: Array, state: State, h: float, steps: int) -> Array:
    """Return the memory after `steps` steps of a time loop from the state x."""
    memory = np.ascontiguousarray(time_loop.memory(x))
    counters = np.zeros(len(Counters), dtype=np.int64)
    counters[Counters.FRESH], counters[Counters.STEPS] = 1, steps
    time_loop(counters, np.array([state.time, h, -math.inf, math.inf]), memory.reshape(-1), np.zeros(0))
    if counters[Counters.STATUS] != OK:
        done = int(counters[Counters.DONE])
        fallback = time_loop.fallback()
        if fallback is not None:
            return run(fallback, method, x, state, h, steps)
        raise StepError(
            f"linearize: step {done} of {method.name} from t = {state.time:g} failed; try a smaller step",
            time=state.time + done * h,
            step=done,
            state=state,
        )
    return memory


def body_steps(body: OneBody, method: Method, state: State, h: float, steps: int) -> tuple[State, Array]:
    """Return the state after `steps` steps from fresh memory, and the derivative in tangent coordinates."""
    time_loop, x = body.time_loop(method, dual4), body.to_core(state.q, state.v)
    C = _chart(body, state)
    columns, y = [], x
    for first in range(0, C.shape[1], TANGENTS):
        table = np.zeros((len(x), WIDTH))
        table[:, 0] = x
        for k, tangent in enumerate(C.T[first : first + TANGENTS]):
            table[:, 1 + k] = np.concatenate(
                [compose(x[:4], np.concatenate([[0.0], tangent[:3] / 2])), tangent[3:]]
            )
        found = run(time_loop, method, table, state, h, steps)[: len(x)]
        y = found[:, 0].copy()
        for k in range(min(TANGENTS, C.shape[1] - first)):
            rotation = 2 * compose(inverse(y[:4]), found[:4, 1 + k])[1:] / (y[:4] @ y[:4])
            columns.append(np.concatenate([rotation, found[4:, 1 + k]]))
    q, v = body.from_core(y[None])
    image = State(state.time + steps * h, q[0], v[0])
    D, C1 = np.array(columns).T, _chart(body, image)
    used = slice(0, C.shape[1])  # only (x, m) of a body on a ball joint moves
    return image, np.linalg.solve(C1[used], D[used])


def _chart(body: OneBody, state: State) -> Array:
    """Return the matrix (12, 2 nv) of (1) or (2)."""
    E, I, link, zero = body.axes, body.moments, body.link, np.zeros((3, 3))
    if not body.free:
        T = E.T @ matrix(link.body_rotation).T
        return np.block([[T, zero], [zero, I[:, None] * T], [np.zeros((6, 6))]])  # (1)
    R, c, mass = (
        matrix(compose(link.rotation, state.q[3:])),
        so3.hat(link.body.center_of_mass),
        link.body.mass,
    )
    w, v = state.v[:3], state.v[3:]
    carried = so3.hat(v + np.cross(w, link.body.center_of_mass))
    return np.block(
        [
            [E.T, zero, zero, zero],
            [zero, zero, I[:, None] * E.T, zero],
            [-R @ c, R, zero, zero],
            [-mass * R @ carried, zero, -mass * R @ c, mass * R],
        ]
    )  # (2)

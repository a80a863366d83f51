"""Derivative of steps of a method for one body, in the coordinates of the mechanism.

The state of the core is (q, P, r, p) (`compile.one_body`), its tangent (x, m, y, n): dq = q (0, x/2).  With
E the principal axes, I the moments, c the centre of mass, R the attitude, (w, v) the velocity:

    Spherical   x = E^T R_b^T dq,     m = I E^T R_b^T dw                                         (1)
    Free        x = E^T a,            m = I E^T dw              dq = (a, b), dv = (dw, du)
                y = R (b + a x c),    n = m R (a x (v + w x c) + du + dw x c)                    (2)

C = the matrix of (1) or (2); a step with the derivative D in the core has C(x1)^-1 D C(x0).
"""

import numpy as np

from poinsot.compile.one_body import OneBody
from poinsot.core.methods.method import Method
from poinsot.core.numbers.dual4 import dual4
from poinsot.lie import so3
from poinsot.mechanics.linearization.trees import TANGENTS, WIDTH, run
from poinsot.model.checks import Array
from poinsot.model.rotations import compose, inverse, matrix
from poinsot.model.state import State


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

"""The derivative of a step of Radau's methods, in tangent coordinates (`tangent`).

With the stages u_k, V_k of `core.methods.radau`, ad = [u, .] and T = dexp(-u) = sum (-ad)^k/(k+1)!,

    u_k = h sum_l a_kl T_l^-1 V_l,    V_k = v0 + h sum_l a_kl a(t_l, q0 exp(u_l), V_l, input)           (1)
    q0 exp(dq) exp(u + du) = q0 exp(u) exp(x),     x = Ad dq + T du,     Ad = 1 - ad T                 (2)
    D(T^-1 V) = T^-1 (DV - sum (-1)^k/(k+1)! D_k Du),  D_k = ad D_(k-1) - ad(z_(k-1)),  z_k = ad^k T^-1 V  (3)

The stages are found here by Newton's method, whose matrix is also that of the derivative, and the end is
compared with that of the step itself: a step that was made of parts has another one.
"""

import numpy as np
from numba import float64

from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError
from poinsot.mechanics.derivatives import run
from poinsot.mechanics.linear_model import LinearModel
from poinsot.mechanics.tangent import bracket, move, to_tangent
from poinsot.model.checks import Array
from poinsot.model.state import State, view

TERMS = 32  # of the series of T: a step turns by less than a revolution
CORRECTIONS = 30
NEGLIGIBLE, SAME = 1e-15, 1e-9  # relative: a correction that is rounding; ends that are the same


def radau_along(
    model: LinearModel, method: Method, state: State, u: Array, h: float, steps: int, dy: Array, du: Array
) -> tuple[Array, Array]:
    """Return y after `steps` steps, and its derivatives along the columns of (dy, du)."""
    if model.tree.constraints:
        raise ScenarioError(
            f"linearize: the derivative of a step of {method.name} with loops is not known: "
            "use variational4, or no method for the continuous model"
        )
    nq, here = len(state.q), state
    dx = np.concatenate([to_tangent(model.lift(state.q), dy[:nq]), dy[nq:]])
    for k in range(steps):
        tree = model.system(method.label)[0]
        for one in (model.tree, tree):
            one.hold(u)
        y0 = np.concatenate([here.q, here.v])
        y = run(model.time_loop(method, float64), method, y0, here, h, 1)[: len(y0)].copy()
        dx = RadauStages(model, method, here, u, h).derivative(y[nq:], dx, du)
        here = view(state.time + (k + 1) * h, y[:nq], y[nq:])
    nv = len(here.v)
    return y, np.concatenate([model.lift(here.q) @ dx[:nv], dx[nv:]])


class RadauStages:
    """The stages of a step, and the matrices of their derivatives."""

    def __init__(self, model: LinearModel, method: Method, state: State, u: Array, h: float) -> None:
        assert method.tree is not None
        self.model, self.method, self.state, self.inputs, self.h = model, method, state, u, h
        numbers, self.nv = method.tree.coefficients, len(state.v)
        self.s = s = int(numbers[0])
        self.a, self.c = numbers[1 : 1 + s * s].reshape(s, s), numbers[1 + s * s :]
        self.V, self.u = np.tile(state.v, (s, 1)), h * np.outer(self.c, state.v)
        last = np.inf
        for _ in range(CORRECTIONS):
            self._evaluate()
            left = (state.v + h * self.a @ self.accelerations - self.V).ravel()
            change = np.linalg.solve(self.matrix, left).reshape(self.V.shape)
            self.V = self.V + change
            self.u = self.u + (self.follow @ change.ravel()).reshape(self.u.shape)
            size = float(np.abs(change).max() + np.abs(self.gap).max() / h)
            if size <= NEGLIGIBLE * np.abs(self.V).max() or not size < last:
                break
            last = size
        self._evaluate()

    def _evaluate(self) -> None:
        """Compute accelerations, and the matrices, of the stages as they are; u is brought nearer to (1)."""
        s, nv, h, model = self.s, self.nv, self.h, self.model
        still, kinds = np.zeros(nv), [self._chart(self.u[k], self.V[k]) for k in range(s)]
        T, inverse, slope, ad = (np.array(x) for x in zip(*kinds, strict=True))
        whole = np.kron(self.a, np.eye(nv))
        solve = np.linalg.inv(np.eye(s * nv) - h * whole @ blocks(slope))
        target = h * self.a @ np.einsum("kij,kj->ki", inverse, self.V)
        self.gap = (solve @ (target - self.u).ravel()).reshape(self.u.shape)
        self.u = self.u + self.gap
        self.follow = h * solve @ whole @ blocks(inverse)
        found = []
        for k in range(s):
            there = move(model.mechanism, self.state, np.concatenate([self.u[k], still]))
            A, B, _ = model.continuous(self.state.time + self.c[k] * h, there.q, self.V[k], self.inputs)
            found.append((A[nv:, :nv], A[nv:, nv:], B[nv:], model.acceleration))
        C, damping, self.by_input, self.accelerations = (np.array(x) for x in zip(*found, strict=True))
        self.T, self.Ad = T, np.eye(nv) - ad @ T
        self.push = h * whole @ blocks(C)
        self.matrix = np.eye(s * nv) - self.push @ blocks(T) @ self.follow - h * whole @ blocks(damping)

    def _chart(self, u: Array, V: Array) -> tuple[Array, Array, Array, Array]:
        """Return T and its inverse, the slope of T^-1 V along u by (3), and ad."""
        n, ad = len(u), bracket(self.model.mechanism, u)
        if not self.model.curved:
            return np.eye(n), np.eye(n), ad, ad
        T, power, factor = np.eye(n), np.eye(n), 1.0
        for k in range(1, TERMS):
            power, factor = power @ ad, -factor / (k + 1)
            T = T + factor * power
        inverse = np.asarray(np.linalg.inv(T), dtype=np.float64)
        z, D, total, factor = inverse @ V, np.zeros((n, n)), np.zeros((n, n)), 1.0
        for k in range(1, TERMS):
            D, z, factor = ad @ D - bracket(self.model.mechanism, z), ad @ z, -factor / (k + 1)
            total = total + factor * D
        return T, inverse, -inverse @ total, ad

    def derivative(self, end: Array, dx: Array, du: Array) -> Array:
        """Return the derivatives of the end of the step along (dx, du); `end` are the velocities there."""
        nv, s, h = self.nv, self.s, self.h
        if not np.abs(self.V[-1] - end).max() <= SAME * max(np.abs(end).max(), np.abs(self.state.v).max()):
            raise ScenarioError(
                f"linearize: a step of {self.method.name} from t = {self.state.time:g} is made of parts, "
                "because stiff forces begin or end in it: take a smaller step"
            )
        turned = (self.Ad @ dx[:nv]).reshape(s * nv, -1)
        pushed = (self.a @ (self.by_input @ du).reshape(s, -1)).reshape(s * nv, -1)
        dV = np.linalg.solve(self.matrix, np.tile(dx[nv:], (s, 1)) + self.push @ turned + h * pushed)
        moved = turned + blocks(self.T) @ self.follow @ dV  # (2)
        return np.concatenate([moved[-nv:], dV[-nv:]])


def blocks(parts: Array) -> Array:
    """Return the matrix with these blocks (s, n, n) on its diagonal."""
    s, n, _ = parts.shape
    out = np.zeros((s, n, s, n))
    out[np.arange(s), :, np.arange(s)] = parts
    return out.reshape(s * n, s * n)

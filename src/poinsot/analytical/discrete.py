"""Steps of the discrete equations of a Lagrangian: Euler and Lagrange's (variational), and symplectic Gauss.

With P = ∂L/∂u and Q = ∂L/∂x of the rates u = dx/dt, forces F without a potential, and u = (x₁ - x₀)/h,

    midpoint      Ld = h L(t + h/2, (x₀ + x₁)/2, u)          p₁ = p₀ + h (Q + F),  P = p₀ + h/2 (Q + F)   (1)
    trapezoidal   Ld = h/2 (L(t, x₀, u) + L(t + h, x₁, u))   p₁ = p₀ + h/2 (Q₀ + F₀ + Q₁ + F₁)            (2)
                                                             (P₀ + P₁)/2 = p₀ + h/2 (Q₀ + F₀)
    Gauss         Xᵢ = x₀ + h Σ aᵢⱼ Uⱼ,   P(Xᵢ, Uᵢ) = p₀ + h Σ aᵢⱼ (Q + F)ⱼ                              (3)
                  x₁ = x₀ + h Σ bᵢ Uᵢ,    p₁ = p₀ + h Σ bᵢ (Q + F)ᵢ

The second equation of (1), (2) is solved for x₁: it is p₀ = -D₁Ld - f⁻, and p₁ = D₂Ld + f⁺ (d'Alembert).  The
momentum of a coordinate that does not occur in L is constant to the last bit.  Constraints g(x) = 0, with
Φ = ∂g/∂x, add Φ₀ᵀλ to p₀ so that g(x₁) = 0, and Φ₁ᵀμ to p₁ so that Φ₁ u₁ = 0 (RATTLE).

Corrections are those of Broyden's method, which begins with the mass matrix ∂P/∂u in the place of the whole
derivative; if they do not shrink, with the whole derivative by differences.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.derivatives import TINY, Derivative
from poinsot.analytical.operators import Array
from poinsot.analytical.system import System
from poinsot.elementary.matrices import solve_square
from poinsot.elementary.quadrature import collocation, gauss_legendre

EPS = 2.0**-52
ROUNDS = 60  # corrections
SLOW = 16  # of them after which the whole derivative is taken
CLOSE = 1e-11  # relative size of a correction that does not shrink any more: rounding of the user's function


class NoStepError(ArithmeticError):
    """The corrections of a step do not converge."""


class Momentum(NamedTuple):
    """Coordinates, their rates, momenta, and the work of forces without a potential."""

    x: Array
    u: Array
    p: Array
    work: float


def solve(K: Array, r: Array) -> Array:
    """Return K⁻¹ r."""
    A, B = K.copy(), r.reshape(len(r), -1).copy()
    if solve_square(A, B):
        raise NoStepError("a singular mass matrix")
    return B.reshape(r.shape)


@dataclass
class Discretization:
    """A Lagrangian in coordinates x and rates u, with forces and constraints."""

    system: System
    force: Callable[[float, Array, Array], Array] | None  # f(t, x, ξ), besides that of the system

    start: Array  # coordinates

    def __post_init__(self) -> None:
        s, n = self.system, self.system.coordinates.size
        self.n, self.minimal = n, is_identity(s.coordinates, self.start)

        def L(z: Array) -> Any:
            x, u = z[1 : 1 + n], z[1 + n :]
            return s.lagrangian(z[0], x, self.velocities(x, u))  # type: ignore[misc]

        self._dL, self._places = Derivative(L, s.coordinates.step), np.eye(1 + 2 * n)[:, 1:]
        self._dg = Derivative(self.gaps, s.coordinates.step)
        self.held = len(self.gaps(self.start))

    def velocities(self, x: Array, u: Array) -> Array:
        """Return ξ of rates, with complex numbers as well: (AᵀA)⁻¹ Aᵀ u."""
        if self.minimal:
            return u
        A = np.asarray(self.system.coordinates.kinematics(x))
        return np.linalg.solve(A.T @ A, A.T @ u)

    def slopes(self, t: float, x: Array, u: Array) -> tuple[Array, Array]:
        """Return P and Q."""
        if self.system.slopes is not None:
            P, Q = self.system.slopes(t, x, u)
            return np.asarray(P, dtype=float), np.asarray(Q, dtype=float)
        z = np.concatenate([[t], x, u])
        found = self._gradient(z) if self._dL.exact else self._dL.along(z, self._places)
        return found[self.n :], found[: self.n]

    def _gradient(self, z: Array) -> Array:
        """Return the derivatives of L by the complex step."""
        y, found = z.astype(complex), np.empty(2 * self.n)
        for i in range(2 * self.n):
            y[1 + i] = complex(z[1 + i], TINY)
            found[i] = np.imag(self._dL.f(y)) / TINY
            y[1 + i] = z[1 + i]
        return found

    def forces(self, t: float, x: Array, u: Array) -> Array:
        """Return F, whose power is F·u."""
        total = np.zeros(self.n)
        for f in (self.system.force, self.force):
            if f is not None:
                found = np.asarray(f(t, x, self.velocities(x, u)), dtype=float)
                if not self.minimal:
                    A = np.asarray(self.system.coordinates.kinematics(x))
                    found = A @ np.linalg.solve(A.T @ A, found)
                total = total + found
        return total

    def gaps(self, x: Array) -> Array:
        """Return g(x): of redundant coordinates, and of constraints that forces hold."""
        parts = [] if self.minimal else [np.atleast_1d(self.system.coordinates.constraints(x))]
        if self.system.loop is not None:
            parts.append(np.atleast_1d(self.system.loop(x)))
        return np.concatenate([*parts, np.zeros(0)])

    def normals(self, x: Array) -> Array:
        """Return Φ, (m, ν)."""
        return self._dg.gradient(x).reshape(-1, self.n) if self.held else np.zeros((0, self.n))

    def mass(self, t: float, x: Array, u: Array) -> Array:
        """Return ∂P/∂u by differences, which are exact if L is quadratic in u."""
        size = max(1.0, float(np.abs(u).max(initial=0.0)))
        shifts = size * np.eye(self.n)
        columns = [self.slopes(t, x, u + e)[0] - self.slopes(t, x, u - e)[0] for e in shifts]
        return np.stack(columns, axis=1) / (2 * size)

    def border(self, M: Array, left: Array, right: Array) -> Array:
        """Return the matrix of a correction with multipliers."""
        n, m = self.n, len(right)
        K = np.zeros((n + m, n + m))
        K[:n, :n], K[:n, n:], K[n:, :n] = M, -left.T, right
        return K

    def rates(self, t: float, x: Array, p: Array, guess: Array) -> tuple[Array, Array, Array]:
        """Return u with P(x, u) = p + Φᵀμ and Φ u = 0, that momentum, and ∂P/∂u."""
        normals, u, last = self.normals(x), guess, np.inf
        M = self.mass(t, x, u)
        push = np.zeros(self.n)
        for _ in range(ROUNDS):
            off = np.concatenate([self.slopes(t, x, u)[0] - p - push, normals @ u])
            found = solve(self.border(M, normals, normals), off)
            u, push = u - found[: self.n], push - normals.T @ found[self.n :]
            size = float(np.abs(found[: self.n]).max(initial=0.0))
            scale = float(np.abs(u).max(initial=0.0))
            if size <= 2 * EPS * scale or (size >= last and size <= CLOSE * scale) or size == 0.0:
                return u, p + push, M
            if not size < np.inf:
                break
            M, last = (self.mass(t, x, u) if size > 0.1 * last else M), size
        raise NoStepError("the velocity of a momentum is not found")

    def correct(self, start: Array, residual: Callable[[Array], Array], K: Array, scale: float) -> Array:
        """Return the root of a residual near `start`; K is about its derivative."""
        z, last, r = start, np.inf, residual(start)
        inverse = solve(K, np.eye(len(z)))
        for k in range(ROUNDS):
            if k == SLOW:
                inverse = solve(slope_of(residual, z, scale), np.eye(len(z)))
            move = -(inverse @ r)
            z = z + move
            size = float(np.abs(move).max(initial=0.0))
            if size <= EPS * scale or (size >= last and size <= CLOSE * scale):
                return z
            if not size < np.inf:
                break
            last, old, r = size, r, residual(z)
            change = inverse @ (r - old)
            along = float(move @ change)
            if along != 0.0:  # Broyden
                inverse = inverse + np.outer((move - change) / along, move @ inverse)
        raise NoStepError("the corrections do not shrink")


def is_identity(coordinates: Coordinates, x: Array) -> bool:
    """Return whether dx/dt = ξ, looked at in three places."""
    for k in range(3):
        place = x + k * 0.37 * (1 + np.abs(x)) * np.sin(1.0 + np.arange(len(x)))
        try:
            A = np.asarray(coordinates.kinematics(place))
        except Exception:  # of a user's function that is not defined there
            return False
        if A.shape != (len(x), len(x)) or not np.array_equal(A, np.eye(len(x))):
            return False
    return True


def slope_of(f: Callable[[Array], Array], z: Array, scale: float) -> Array:
    """Return the derivative of a function by central differences."""
    h = scale * EPS ** (1 / 3)
    return np.stack([(f(z + h * e) - f(z - h * e)) / (2 * h) for e in np.eye(len(z))], axis=1)


def _end(
    d: Discretization, t: float, x: Array, p: Array, guess: Array, work: float
) -> tuple[Momentum, Array]:
    u, momentum, M = d.rates(t, x, p, guess)
    return Momentum(x, u, momentum, work), M


def variational(middle: bool) -> Any:
    """Return the step (1) or (2)."""

    def step(d: Discretization, t: float, h: float, y: Momentum, M: Array) -> tuple[Momentum, Array]:
        n, Phi = d.n, d.normals(y.x)
        first = None if middle else d.slopes

        def balance(z: Array) -> tuple[Array, Array, Array]:
            """Return what must vanish, the impulse of the step, and u."""
            x, u = z[:n], (z[:n] - y.x) / h
            if middle:
                half = (y.x + x) / 2
                P, Q = d.slopes(t + h / 2, half, u)
                pull = Q + d.forces(t + h / 2, half, u)
                return P - h / 2 * pull - y.p, h * pull, u
            assert first is not None
            (P0, Q0), (P1, Q1) = first(t, y.x, u), first(t + h, x, u)
            before, after = Q0 + d.forces(t, y.x, u), Q1 + d.forces(t + h, x, u)
            return (P0 + P1) / 2 - h / 2 * before - y.p, h / 2 * (before + after), u

        def residual(z: Array) -> Array:
            return np.concatenate([balance(z)[0] - Phi.T @ z[n:], d.gaps(z[:n])])

        scale = max(float(np.abs(y.x).max()), float(np.abs(h * y.u).max()))
        guess = y.x + h * y.u
        K = d.border(M / h, Phi, d.normals(guess))
        z = d.correct(np.concatenate([guess, np.zeros(len(Phi))]), residual, K, scale or h)
        _, impulse, u = balance(z)
        work = y.work + (_work(d, t, h, y.x, z[:n], u, middle) if d.system.force or d.force else 0.0)
        return _end(d, t + h, z[:n], y.p + Phi.T @ z[n:] + impulse, u, work)

    return step


def _work(d: Discretization, t: float, h: float, x0: Array, x1: Array, u: Array, middle: bool) -> float:
    if middle:
        return float(h * (d.forces(t + h / 2, (x0 + x1) / 2, u) @ u))
    return float(h / 2 * ((d.forces(t, x0, u) + d.forces(t + h, x1, u)) @ u))


def gauss(stages: int) -> Any:
    """Return the step (3)."""
    c, b = gauss_legendre(stages)
    a = collocation(c)

    def step(d: Discretization, t: float, h: float, y: Momentum, M: Array) -> tuple[Momentum, Array]:
        n = d.n

        def pulls(U: Array) -> tuple[Array, Array, Array]:
            X = y.x + h * (a @ U)
            found = [d.slopes(t + ci * h, x, u) for ci, x, u in zip(c, X, U, strict=True)]
            F = np.array([d.forces(t + ci * h, x, u) for ci, x, u in zip(c, X, U, strict=True)])
            return np.array([one[0] for one in found]), np.array([one[1] for one in found]) + F, F

        def residual(z: Array) -> Array:
            P, Q, _ = pulls(z.reshape(stages, n))
            return np.asarray((P - y.p - h * (a @ Q)).ravel())

        K = np.kron(np.eye(stages), M)
        scale = max(float(np.abs(y.u).max()), float(np.abs(y.x).max()) / h)
        U = d.correct(np.tile(y.u, stages), residual, K, scale or 1.0).reshape(stages, n)
        _, Q, F = pulls(U)
        work = y.work + float(h * (b @ (F * U).sum(axis=1)))
        return _end(d, t + h, y.x + h * (b @ U), y.p + h * (b @ Q), U[-1], work)

    return step


def compose(base: Any, fractions: Sequence[float]) -> Any:
    """Return the step that makes steps of these fractions."""

    def step(d: Discretization, t: float, h: float, y: Momentum, M: Array) -> tuple[Momentum, Array]:
        past = 0.0
        for fraction in fractions:
            y, M = base(d, t + past * h, fraction * h, y, M)
            past += fraction
        return y, M

    return step

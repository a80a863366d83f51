"""Redundant coordinates x with constraints φ(x) = 0 and minimal velocities ξ: dx/dt = A(x) ξ.

A user gives A (ν x n) and, if the coordinates are redundant, φ with ∂φ/∂x A = 0.  With any left inverse
Y A = 1 (the pseudoinverse, if none is given) and Φ = ∂φ/∂x,

    n = ν - rank Φ,    A A⁺ + Φ⁺ Φ = 1,    Y₊ Φᵀ = 0 for Y₊ = A⁺                                (1)
    ∂ᵢ = Aᵢᵃ ∂/∂xᵃ                                             directional derivatives            (2)
    γᵢⱼᵏ = Yᵏₐ (∂ᵢ Aⱼᵃ - ∂ⱼ Aᵢᵃ),    ∂ᵢ∂ⱼ - ∂ⱼ∂ᵢ = γᵢⱼᵏ ∂ₖ           commutation coefficients         (3)
    Γᵢⱼₖ = ½ (∂ₖMᵢⱼ + ∂ⱼMᵢₖ - ∂ᵢMⱼₖ + γᵢⱼˢMₛₖ + γᵢₖˢMₛⱼ - γⱼₖˢMₛᵢ)     connection of a metric M(x)      (4)
    (∇²V)ᵢⱼ = ∂ᵢ∂ⱼV - Γᵏⱼᵢ ∂ₖV                                   Hessian on the manifold          (5)
    ε = Y (x - x̄),    ξ ≈ ξ̄ + dε/dt + γₖⱼ ξ̄ᵏ εʲ                   linearization about x̄(t)           (6)

γ is the same for every left inverse and in every chart.  In (5) the order of the lower indices matters: the
printed (2.16) has Γᵏᵢⱼ, whose contraction with ξⁱξʲ is the same but which is not symmetric.

Arrays: gamma[i, j, k] = γᵢⱼᵏ, Gamma[i, j, k] = Γᵢⱼₖ.  Source: Konz, chapter 2 and (3.35) [konz2024energy].
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.analytical.arguments import function, number, positive, reals, takes, whole
from poinsot.analytical.derivatives import Derivative, difference
from poinsot.analytical.operators import Array
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks

Map = Callable[[Array], Any]
NONHOLONOMIC = 1e-3  # part of a bracket that leaves A ξ; less where x is a little off its constraints


class Coordinates:
    """Redundant coordinates x with constraints φ(x) = 0 and minimal velocities ξ: dx/dt = A(x) ξ.

    Functions take and return NumPy arrays.  Written with analytic functions only they are differentiated by
    the complex step, exact to rounding.

    Parameters
    ----------
    size : Number ν of coordinates.
    kinematics : A(x), shape (ν, n).
    constraints : φ(x), a vector that is zero at admissible coordinates, with ∂φ/∂x A = 0.  Default: no
        constraints.
    left_inverse : Y(x), shape (n, ν), with Y A = 1.  Default: the pseudoinverse of A.
    step : Step of the differences where the complex step does not work.

    >>> circle = ps.analytical.Coordinates(
    ...     2, lambda x: np.array([[-x[1]], [x[0]]]), lambda x: np.array([x @ x - 1])
    ... )
    >>> circle.check(np.array([1.0, 0.0]))
    1
    """

    @takes(size=whole(0), kinematics=function, constraints=function, left_inverse=function, step=positive)
    def __init__(
        self,
        size: int,
        kinematics: Map,
        constraints: Map | None = None,
        left_inverse: Map | None = None,
        step: float | None = None,
    ) -> None:
        self.size = size
        self.kinematics = kinematics
        self.constraints = constraints if constraints is not None else lambda x: np.zeros(0, dtype=x.dtype)
        self._left_inverse = left_inverse
        self._dA = Derivative(kinematics, step)
        self._dphi = Derivative(self.constraints, step)
        self.step = step

    _holonomic = False  # not known yet

    def __getstate__(self) -> dict[str, Any]:
        """What the coordinates are, whether they were asked or not: archives compare it."""
        return {name: one for name, one in vars(self).items() if name != "_holonomic"}

    @takes(x=("size",))
    def A(self, x: Array) -> Array:
        """Return the matrix A of dx/dt = A ξ, (ν, n).  `x`: coordinates, (ν,)."""
        return np.asarray(self.kinematics(x))

    @takes(x=("size",))
    def Y(self, x: Array) -> Array:
        """Return a left inverse of A: the user's, or the pseudoinverse, (n, ν).  `x`: coordinates, (ν,)."""
        return np.linalg.pinv(self.A(x)) if self._left_inverse is None else np.asarray(self._left_inverse(x))

    @takes(x=("size",))
    def Phi(self, x: Array) -> Array:
        """Return the Jacobian ∂φ/∂x of the constraints: one row for each constraint, (m, ν) at `x`."""
        return self._dphi.gradient(x).reshape(-1, len(x))

    @takes(x=("size",), xi=(None,))
    def rate(self, x: Array, xi: Array) -> Array:
        """Return dx/dt = A ξ, (ν,).  `x`: coordinates, (ν,); `xi`: velocities, (n,)."""
        return self.A(x) @ xi

    @takes(x=("size",), rate=("size",))
    def velocity(self, x: Array, rate: Array) -> Array:
        """Return ξ = Y dx/dt, (n,).  `x`: coordinates, (ν,); `rate`: rates of the coordinates, (ν,)."""
        return self.Y(x) @ rate

    @takes(x=("size",), strength=number)
    def drift(self, x: Array, strength: float) -> Array:
        """Return -Λ Φ⁺ φ at `x`, with the rate Λ = `strength` [1/s]: added to dx/dt it pulls x back, (ν,)."""
        return -strength * np.linalg.pinv(self.Phi(x)) @ np.asarray(self.constraints(x))

    @takes(x=reals(("size",)), tolerance=number, iterations=whole(1))
    def retract(self, x: ArrayLike, tolerance: float = 1e-14, iterations: int = 50) -> Array:
        """Return admissible coordinates near `x`: x ← x - Φ⁺ φ until |φ| ≤ `tolerance` (`iterations`)."""
        z = np.array(x, dtype=float)
        for _ in range(iterations):
            phi = np.asarray(self.constraints(z))
            if np.abs(phi).max(initial=0.0) <= tolerance:
                return z
            z = z - np.linalg.pinv(self.Phi(z)) @ phi
        raise ModelError(f"coordinates: no admissible point near {x!r}, constraints still {phi!r}")

    @takes(x=("size",), tolerance=number)
    def check(self, x: Array, tolerance: float = 1e-10, *, nonholonomic: bool = False) -> int:
        """Return the number n of degrees of freedom, if A and φ fit at `x` to a `tolerance` (1).
        With `nonholonomic`, there may be fewer velocities; their number is returned."""
        A, Phi = self.A(x), self.Phi(x)
        n = len(x) - int(np.linalg.matrix_rank(Phi, tol=1e-8)) if len(Phi) else len(x)
        if checks.flag("check", "nonholonomic", nonholonomic) and A.ndim == 2 and 0 < A.shape[1] < n:
            n = A.shape[1]
        if A.shape != (len(x), n) or np.linalg.matrix_rank(A, tol=1e-8) != n:
            raise ModelError(
                f"coordinates: A must be {len(x)} x {n} and of rank {n}, as {len(x)} coordinates with "
                f"constraints of rank {len(x) - n} leave {n} degrees of freedom, but is "
                f"{A.shape[0]} x {A.shape[1]} and of rank {np.linalg.matrix_rank(A, tol=1e-8)}"
            )
        off = np.abs(np.asarray(self.constraints(x))).max(initial=0.0)
        if off > tolerance:
            raise ModelError(f"coordinates: x violates the constraints by {off:.3g}")
        off = np.abs(Phi @ A).max(initial=0.0)
        if off > tolerance:
            raise ModelError(f"coordinates: velocities A ξ leave the constraints, ∂φ/∂x A = {off:.3g}")
        off = np.abs(self.Y(x) @ A - np.eye(n)).max(initial=0.0)
        if off > tolerance:
            raise ModelError(f"coordinates: the left inverse times A is off the identity by {off:.3g}")
        return n

    @takes(f=function, x=("size",))
    def derivative(self, f: Map, x: Array) -> Array:
        """Return the directional derivatives ∂ᵢ f (2) of `f` at `x`, along the last axis, (..., n)."""
        return Derivative(f, self.step).along(x, self.A(x))

    @takes(f=function, x=("size",))
    def second(self, f: Map, x: Array) -> Array:
        """Return the second directional derivatives ∂ᵢ∂ⱼ f of a scalar function `f` at `x`, (n, n)."""
        df = Derivative(f, self.step)
        A = self.A(x)
        rows = [
            difference(lambda z: df.along(z, self.A(z)), x, A[:, i], self.step) for i in range(A.shape[1])
        ]
        return np.stack(rows)

    @takes(x=("size",))
    def gamma(self, x: Array) -> Array:
        """Return the commutation coefficients γᵢⱼᵏ (3), (n, n, n).  `x`: coordinates, (ν,)."""
        A = self.A(x)
        dA = self._dA.along(x, A)  # [a, j, i] = ∂ᵢ Aⱼᵃ
        bracket = dA - dA.transpose(0, 2, 1)
        found = np.einsum("ka,aji->ijk", self.Y(x), bracket)
        if not self._holonomic:
            off = np.abs(bracket - np.einsum("ak,ijk->aji", A, found)).max(initial=0.0)
            if off > NONHOLONOMIC * np.abs(bracket).max(initial=0.0):
                raise ModelError(
                    f"coordinates: the velocities are non-holonomic (a bracket leaves A ξ by {off:.3g}), and "
                    "these equations do not hold for them: use ps.analytical.gibbs_appell"
                )
            self._holonomic = True
        return found

    @takes(mass=function, x=("size",))
    def connection(self, mass: Map, x: Array) -> Array:
        """Return the connection Γᵢⱼₖ of a function `mass` (4) at `x`: (n, n, n) as [i, j, k]."""
        return connection(np.asarray(mass(x)), self.derivative(mass, x), self.gamma(x))

    @takes(V=function, x=("size",), mass=function)
    def hessian(self, V: Map, x: Array, mass: Map | None = None) -> Array:
        """Return the Hessian of a scalar function `V` at `x` on the manifold (5), (n, n).

        With the connection of a function `mass`; without one it is ∂ᵢ∂ⱼV, the Hessian at critical points.
        """
        H = self.second(V, x)
        if mass is None:
            return H
        raised = np.linalg.solve(np.asarray(mass(x)), self.derivative(V, x))
        return H - np.einsum("sji,s->ij", self.connection(mass, x), raised)

    @takes(x=("size",), xi=(None,))
    def deviation(self, x: Array, xi: Array) -> Array:
        """Return the matrix C of (6): ξ ≈ ξ̄ + dε/dt + C ε, (n, n) at (`x`, `xi`)."""
        return np.einsum("kji,k->ij", self.gamma(x), xi)

    @takes(f=function, x=("size",), xi=(None,), dxi=(None,))
    def linearize(
        self, f: Callable[[Array, Array, Array], Any], x: Array, xi: Array, dxi: Array
    ) -> tuple[Array, Array, Array]:
        """Return (F⁰, F¹, F²) with f(x, ξ, dξ/dt) ≈ f̄ + F⁰ ε + F¹ dε/dt + F² d²ε/dt² (2.25).

        Differentiating (6), δdξ/dt = d²ε/dt² + C dε/dt + (dC/dt) ε, and dC/dt = ∂ₗγₖⱼ ξ̄ˡξ̄ᵏ + γₖⱼ dξ̄ᵏ/dt.
        `f` returns a vector; `x`, `xi`, `dxi`: coordinates (ν,), velocities and accelerations (n,).
        """
        fx = self.derivative(lambda z: f(z, xi, dxi), x)
        f1 = Derivative(lambda z: f(x, z, dxi), self.step).gradient(xi)
        f2 = Derivative(lambda z: f(x, xi, z), self.step).gradient(dxi)
        C = self.deviation(x, xi)
        Ct = self.deviation(x, dxi) + difference(
            lambda z: self.deviation(z, xi), x, self.rate(x, xi), self.step
        )
        return fx + f1 @ C + f2 @ Ct, f1 + f2 @ C, f2


def connection(M: Array, dM: Array, gamma: Array) -> Array:
    """Return (4) from M[i, j], dM[i, j, k] = ∂ₖ Mᵢⱼ and gamma[i, j, k]."""
    g = np.einsum("ijs,sk->ijk", gamma, M)  # γᵢⱼˢ Mₛₖ
    return (
        dM + dM.transpose(0, 2, 1) - dM.transpose(2, 0, 1) + g + g.transpose(0, 2, 1) - g.transpose(2, 0, 1)
    ) / 2

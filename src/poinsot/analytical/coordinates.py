"""Redundant coordinates x with constraints φ(x) = 0 and minimal velocities ξ: dx/dt = A(x) ξ.

A user gives A (ν x n) and, if the coordinates are redundant, φ with ∂φ/∂x A = 0.  With any left inverse
Y A = 1 (the pseudoinverse, if none is given) and Φ = ∂φ/∂x,

    n = ν - rank Φ,    A A⁺ + Φ⁺ Φ = 1,    Y₊ Φᵀ = 0 for Y₊ = A⁺                                (1)
    ∂ᵢ = Aᵢᵃ ∂/∂xᵃ                                             directional derivatives            (2)
    γᵢⱼᵏ = Yᵏₐ (∂ᵢ Aⱼᵃ - ∂ⱼ Aᵢᵃ),    ∂ᵢ∂ⱼ - ∂ⱼ∂ᵢ = γᵢⱼᵏ ∂ₖ           commutation coefficients         (3)
    Γᵢⱼₖ = ½ (∂ₖMᵢⱼ + ∂ⱼMᵢₖ - ∂ᵢMⱼₖ + γᵢⱼˢMₛₖ + γᵢₖˢMₛⱼ - γⱼₖˢMₛᵢ)     connection of a metric M(x)      (4)
    (∇²V)ᵢⱼ = ∂ᵢ∂ⱼV - Γᵏⱼᵢ ∂ₖV                                   Hessian on the manifold          (5)
    ε = Y (x - x̄),    ξ ≈ ξ̄ + dε/dt + γₖⱼ ξ̄ᵏ εʲ                   linearisation about x̄(t)           (6)

γ is the same for every left inverse and in every chart.  In (5) the order of the lower indices matters: the
printed (2.16) has Γᵏᵢⱼ, whose contraction with ξⁱξʲ is the same but which is not symmetric.

Arrays: gamma[i, j, k] = γᵢⱼᵏ, Gamma[i, j, k] = Γᵢⱼₖ.  Source: Konz, chapter 2 and (3.35) [konz2024energy].
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import function, number, positive, reals, takes, whole
from poinsot.analytical.derivatives import Derivative, difference
from poinsot.analytical.operators import Array
from poinsot.errors import ModelError

Map = Callable[[Array], Any]


class Coordinates:
    """Redundant coordinates x with constraints φ(x) = 0 and minimal velocities ξ: dx/dt = A(x) ξ.

    Functions take and return NumPy arrays.  Written with analytic functions only they are differentiated by
    the complex step, exact to rounding.

    Parameters
    ----------
    size : int
        Number ν of coordinates.
    kinematics : callable
        A(x), shape (ν, n).
    constraints : callable, optional
        φ(x), a vector that is zero at admissible coordinates, with ∂φ/∂x A = 0.  Default: no constraints.
    left_inverse : callable, optional
        Y(x), shape (n, ν), with Y A = 1.  Default: the pseudoinverse of A.
    step : float, default 0.02
        Step of the differences where the complex step does not work.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> circle = ps.analytical.Coordinates(
    ...     2, lambda x: np.array([[-x[1]], [x[0]]]), lambda x: np.array([x @ x - 1])
    ... )
    >>> circle.checked(np.array([1.0, 0.0]))
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

    @takes(x=("size",))
    def A(self, x: Array) -> Array:
        """Return the matrix A of dx/dt = A ξ.

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.

        Returns
        -------
        ndarray, shape (ν, n)
            The matrix.
        """
        return np.asarray(self.kinematics(x))

    @takes(x=("size",))
    def Y(self, x: Array) -> Array:
        """Return a left inverse of A: the user's, or the pseudoinverse.

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.

        Returns
        -------
        ndarray, shape (n, ν)
            Y with Y A = 1.
        """
        return np.linalg.pinv(self.A(x)) if self._left_inverse is None else np.asarray(self._left_inverse(x))

    @takes(x=("size",))
    def Phi(self, x: Array) -> Array:
        """Return the Jacobian ∂φ/∂x of the constraints.

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.

        Returns
        -------
        ndarray, shape (m, ν)
            One row for each constraint.
        """
        return self._dphi.gradient(x).reshape(-1, len(x))

    @takes(x=("size",), xi=(None,))
    def rate(self, x: Array, xi: Array) -> Array:
        """Return dx/dt = A ξ.

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.
        xi : ndarray, shape (n,)
            Velocities.

        Returns
        -------
        ndarray, shape (ν,)
            Rates of the coordinates.
        """
        return self.A(x) @ xi

    @takes(x=("size",), rate=("size",))
    def velocity(self, x: Array, rate: Array) -> Array:
        """Return ξ = Y dx/dt.

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.
        rate : ndarray, shape (ν,)
            Rates of the coordinates.

        Returns
        -------
        ndarray, shape (n,)
            Velocities.
        """
        return self.Y(x) @ rate

    @takes(f=function, x=("size",))
    def derivative(self, f: Map, x: Array) -> Array:
        """Return the directional derivatives ∂ᵢ f (2).

        Parameters
        ----------
        f : callable
            Function of the coordinates; it returns a number or an array.
        x : ndarray, shape (ν,)
            Coordinates.

        Returns
        -------
        ndarray, shape (..., n)
            Derivatives along the last axis.
        """
        return Derivative(f, self.step).along(x, self.A(x))

    @takes(f=function, x=("size",))
    def second(self, f: Map, x: Array) -> Array:
        """Return the second directional derivatives ∂ᵢ∂ⱼ f of a scalar function.

        Parameters
        ----------
        f : callable
            Function of the coordinates; it returns a number or an array.
        x : ndarray, shape (ν,)
            Coordinates.

        Returns
        -------
        ndarray, shape (n, n)
            Derivatives as [i, j].
        """
        df = Derivative(f, self.step)
        A = self.A(x)
        rows = [
            difference(lambda z: df.along(z, self.A(z)), x, A[:, i], self.step) for i in range(A.shape[1])
        ]
        return np.stack(rows)

    @takes(x=("size",))
    def gamma(self, x: Array) -> Array:
        """Return the commutation coefficients γᵢⱼᵏ (3).

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.

        Returns
        -------
        ndarray, shape (n, n, n)
            Coefficients as [i, j, k].
        """
        dA = self._dA.along(x, self.A(x))  # [a, j, i] = ∂ᵢ Aⱼᵃ
        return np.einsum("ka,aji->ijk", self.Y(x), dA - dA.transpose(0, 2, 1))

    @takes(mass=function, x=("size",))
    def connection(self, mass: Map, x: Array) -> Array:
        """Return the connection Γᵢⱼₖ of a mass matrix (4).

        Parameters
        ----------
        mass : callable
            Mass matrix (n, n) as a function of the coordinates.
        x : ndarray, shape (ν,)
            Coordinates.

        Returns
        -------
        ndarray, shape (n, n, n)
            Coefficients as [i, j, k].
        """
        return connection(np.asarray(mass(x)), self.derivative(mass, x), self.gamma(x))

    @takes(V=function, x=("size",), mass=function)
    def hessian(self, V: Map, x: Array, mass: Map | None = None) -> Array:
        """Return the Hessian of a scalar function on the manifold (5).

        Parameters
        ----------
        V : callable
            Scalar function of the coordinates.
        x : ndarray, shape (ν,)
            Coordinates.
        mass : callable, optional
            Mass matrix of the connection.  Without one the result is ∂ᵢ∂ⱼV, the Hessian at critical points.

        Returns
        -------
        ndarray, shape (n, n)
            The Hessian.
        """
        H = self.second(V, x)
        if mass is None:
            return H
        raised = np.linalg.solve(np.asarray(mass(x)), self.derivative(V, x))
        return H - np.einsum("sji,s->ij", self.connection(mass, x), raised)

    @takes(x=("size",), xi=(None,))
    def deviation(self, x: Array, xi: Array) -> Array:
        """Return the matrix C of (6): ξ ≈ ξ̄ + dε/dt + C ε.

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.
        xi : ndarray, shape (n,)
            Velocities.

        Returns
        -------
        ndarray, shape (n, n)
            The matrix.
        """
        return np.einsum("kji,k->ij", self.gamma(x), xi)

    @takes(f=function, x=("size",), xi=(None,), dxi=(None,))
    def linearised(
        self, f: Callable[[Array, Array, Array], Any], x: Array, xi: Array, dxi: Array
    ) -> tuple[Array, Array, Array]:
        """Return (F⁰, F¹, F²) with f(x, ξ, dξ/dt) ≈ f̄ + F⁰ ε + F¹ dε/dt + F² d²ε/dt² (2.25, corrected).

        Differentiating (6), δdξ/dt = d²ε/dt² + C dε/dt + (dC/dt) ε, and dC/dt = ∂ₗγₖⱼ ξ̄ˡξ̄ᵏ + γₖⱼ dξ̄ᵏ/dt.

        Parameters
        ----------
        f : callable
            Function f(x, ξ, dξ/dt); it returns a vector.
        x : ndarray, shape (ν,)
            Coordinates.
        xi : ndarray, shape (n,)
            Velocities.
        dxi : ndarray, shape (n,)
            Accelerations dξ/dt.

        Returns
        -------
        F0, F1, F2 : ndarray
            Matrices of the linearised function.
        """
        fx = self.derivative(lambda z: f(z, xi, dxi), x)
        f1 = Derivative(lambda z: f(x, z, dxi), self.step).gradient(xi)
        f2 = Derivative(lambda z: f(x, xi, z), self.step).gradient(dxi)
        C = self.deviation(x, xi)
        Ct = self.deviation(x, dxi) + difference(
            lambda z: self.deviation(z, xi), x, self.rate(x, xi), self.step
        )
        return fx + f1 @ C + f2 @ Ct, f1 + f2 @ C, f2

    @takes(x=("size",), strength=number)
    def drift(self, x: Array, strength: float) -> Array:
        """Return -Λ Φ⁺ φ: added to dx/dt it pulls x back to the constraints.

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.
        strength : float
            Rate Λ in 1/s.

        Returns
        -------
        ndarray, shape (ν,)
            Rates of the coordinates.
        """
        return -strength * np.linalg.pinv(self.Phi(x)) @ np.asarray(self.constraints(x))

    @takes(x=reals(("size",)), tolerance=number, iterations=whole(1))
    def retracted(self, x: ArrayLike, tolerance: float = 1e-14, iterations: int = 50) -> Array:
        """Return admissible coordinates nearby: x ← x - Φ⁺ φ until φ is zero to the tolerance.

        Parameters
        ----------
        x : array_like, shape (ν,)
            Coordinates.
        tolerance : float, default 1e-14
            Largest absolute value of φ.
        iterations : int, default 50
            Largest number of iterations.

        Returns
        -------
        ndarray, shape (ν,)
            Admissible coordinates.

        Raises
        ------
        ModelError
            If the iteration does not converge.
        """
        z = np.array(x, dtype=float)
        for _ in range(iterations):
            phi = np.asarray(self.constraints(z))
            if np.abs(phi).max(initial=0.0) <= tolerance:
                return z
            z = z - np.linalg.pinv(self.Phi(z)) @ phi
        raise ModelError(f"coordinates: no admissible point near {x!r}, constraints still {phi!r}")

    @takes(x=("size",), tolerance=number)
    def checked(self, x: Array, tolerance: float = 1e-10) -> int:
        """Return the number n of degrees of freedom, if A and φ are consistent at x (1).

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.
        tolerance : float, default 1e-10
            Largest deviation allowed.

        Returns
        -------
        int
            Degrees of freedom.

        Raises
        ------
        ModelError
            If A has the wrong shape or rank, or x, A or Y does not fit the constraints.
        """
        A, Phi = self.A(x), self.Phi(x)
        n = len(x) - int(np.linalg.matrix_rank(Phi, tol=1e-8)) if len(Phi) else len(x)
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


def connection(M: Array, dM: Array, gamma: Array) -> Array:
    """Return (4) from M[i, j], dM[i, j, k] = ∂ₖ Mᵢⱼ and gamma[i, j, k]."""
    g = np.einsum("ijs,sk->ijk", gamma, M)  # γᵢⱼˢ Mₛₖ
    return (
        dM + dM.transpose(0, 2, 1) - dM.transpose(2, 0, 1) + g + g.transpose(0, 2, 1) - g.transpose(2, 0, 1)
    ) / 2

"""Derivatives along the velocities: commutation coefficients, connection, Hessian, linearisation (2)-(6)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.analytical.arguments import function, takes
from poinsot.analytical.coordinates.constrained import ConstrainedCoordinates, Map
from poinsot.analytical.derivatives import Derivative, difference
from poinsot.analytical.operators import Array


class Coordinates(ConstrainedCoordinates):
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


def connection(M: Array, dM: Array, gamma: Array) -> Array:
    """Return (4) from M[i, j], dM[i, j, k] = ∂ₖ Mᵢⱼ and gamma[i, j, k]."""
    g = np.einsum("ijs,sk->ijk", gamma, M)  # γᵢⱼˢ Mₛₖ
    return (
        dM + dM.transpose(0, 2, 1) - dM.transpose(2, 0, 1) + g + g.transpose(0, 2, 1) - g.transpose(2, 0, 1)
    ) / 2

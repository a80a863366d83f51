"""Coordinates with their constraints and kinematics (1), and the way back onto the constraints."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import function, number, positive, reals, takes, whole
from poinsot.analytical.derivatives import Derivative
from poinsot.analytical.operators import Array
from poinsot.errors import ModelError

Map = Callable[[Array], Any]


class ConstrainedCoordinates:
    """Coordinates x with constraints φ(x) = 0 and velocities ξ: dx/dt = A(x) ξ."""

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

"""Particles at positions that coordinates give (1), (2)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import function, reals, takes
from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Derivative, difference
from poinsot.analytical.operators import Array


class Particles:
    """A system of particles, given by their positions in the coordinates of a system.

    Parameters
    ----------
    coordinates : Coordinates
        Coordinates of the system.
    masses : array_like, shape (N,)
        Masses in kg.
    places : callable
        Positions (N, d) of the particles as a function r(x), in metres.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> line = ps.analytical.spaces.minimal(1)
    >>> pendulum = ps.analytical.Particles(line, [2.0], lambda x: np.array([[np.sin(x[0]), -np.cos(x[0])]]))
    >>> pendulum.mass(np.array([0.3])).round(9)
    array([[2.]])
    """

    @takes(coordinates=Coordinates, masses=reals((None,)), places=function)
    def __init__(self, coordinates: Coordinates, masses: ArrayLike, places: Map) -> None:
        self.size = coordinates.size
        self.coordinates, self.masses, self.places = coordinates, np.asarray(masses, dtype=float), places
        self._dr = Derivative(places, coordinates.step)

    @takes(x=("size",))
    def jacobian(self, x: Array) -> Array:
        """Return the derivatives ∂ᵢr of the positions.

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.

        Returns
        -------
        ndarray, shape (N, d, n)
            Derivatives along the last axis.
        """
        return self._dr.along(x, self.coordinates.A(x))

    @takes(x=("size",))
    def mass(self, x: Array) -> Array:
        """Return the mass matrix (2).

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.

        Returns
        -------
        ndarray, shape (n, n)
            Mass matrix.
        """
        J = self.jacobian(x)
        return np.einsum("p,pai,paj->ij", self.masses, J, J)

    @takes(x=("size",))
    def second(self, x: Array) -> Array:
        """Return the second derivatives ∂ₖ∂ⱼr of the positions.

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.

        Returns
        -------
        ndarray, shape (N, d, n, n)
            Derivatives as [particle, axis, j, k].
        """
        A = self.coordinates.A(x)
        parts = [difference(self.jacobian, x, A[:, k], self.coordinates.step) for k in range(A.shape[1])]
        return np.stack(parts, axis=-1)

    @takes(x=("size",))
    def connection(self, x: Array) -> Array:
        """Return the connection Γᵢⱼₖ from second derivatives of the positions (2).

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.

        Returns
        -------
        ndarray, shape (n, n, n)
            Coefficients as [i, j, k].
        """
        return np.einsum("p,pai,pajk->ijk", self.masses, self.jacobian(x), self.second(x))

    @takes(x=("size",), xi=(None,))
    def kinetic_energy(self, x: Array, xi: Array) -> float:
        """Return the kinetic energy T (2).

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.
        xi : ndarray, shape (n,)
            Velocities.

        Returns
        -------
        float
            Energy in J.
        """
        return float(xi @ self.mass(x) @ xi / 2)

    @takes(x=("size",), xi=(None,))
    def acceleration_energy(self, x: Array, xi: Array) -> Callable[[Array], Array]:
        """Return the acceleration energy S at (x, ξ) as a function of dξ/dt (2).

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.
        xi : ndarray, shape (n,)
            Velocities.

        Returns
        -------
        callable
            Function of dξ/dt, which may be complex.
        """
        J = self.jacobian(x)
        bias = np.einsum("pajk,j,k->pa", self.second(x), xi, xi)

        def S(dxi: Array) -> Array:
            a = J @ dxi + bias
            return np.asarray((self.masses[:, None] * a * a).sum() / 2)

        return S

    @takes(x=("size",), forces=(None, None))
    def force(self, x: Array, forces: ArrayLike) -> Array:
        """Return the generalised force Σ ∂ᵢr·F of forces on the particles.

        Parameters
        ----------
        x : ndarray, shape (ν,)
            Coordinates.
        forces : array_like, shape (N, d)
            Forces in N.

        Returns
        -------
        ndarray, shape (n,)
            Generalised force.
        """
        return np.einsum("pai,pa->i", self.jacobian(x), np.asarray(forces))

"""Systems of particles: all formulations from the places of the particles alone.

Particles of masses m at places r(x) (N x 3, or N x 2) in coordinates x with velocities ξ:

    dr/dt = ∂ᵢr ξⁱ,    d²r/dt² = ∂ᵢr dξⁱ/dt + ∂ₖ∂ⱼr ξᵏξʲ                                        (1)
    T = ½ Σ m |dr/dt|²,    S = ½ Σ m |d²r/dt²|²,    Mᵢⱼ = Σ m ∂ᵢr·∂ⱼr,    Γᵢⱼₖ = Σ m ∂ᵢr·∂ₖ∂ⱼr       (2)

and, without any coordinates, Gauss' principle: of all accelerations that the constraints c(r) = 0 allow,
those happen that are nearest to the free ones,

    least ½ Σ m |a - F/m|²   with   d²c/dt² = Cᵣ a + Σ ∂²c/∂r∂r ṙ ṙ = 0.                         (3)

Source: Konz, section 3.2 [konz2024energy].
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Derivative, difference, second
from poinsot.analytical.equations import System, gauss
from poinsot.analytical.operators import Array


class Particles:
    """Masses (N,) at places(x), an array (N, d)."""

    def __init__(self, coordinates: Coordinates, masses: ArrayLike, places: Map) -> None:
        self.coordinates, self.masses, self.places = coordinates, np.asarray(masses, dtype=float), places
        self._dr = Derivative(places, coordinates.step)

    def jacobian(self, x: Array) -> Array:
        """∂ᵢr, an array (N, d, n)."""
        return self._dr.along(x, self.coordinates.A(x))

    def mass(self, x: Array) -> Array:
        """(2)"""
        J = self.jacobian(x)
        return np.einsum("p,pai,paj->ij", self.masses, J, J)

    def second(self, x: Array) -> Array:
        """∂ₖ∂ⱼr as [particle, axis, j, k]."""
        A = self.coordinates.A(x)
        parts = [difference(self.jacobian, x, A[:, k], self.coordinates.step) for k in range(A.shape[1])]
        return np.stack(parts, axis=-1)

    def connection(self, x: Array) -> Array:
        """(2), Γ from second derivatives of the places."""
        return np.einsum("p,pai,pajk->ijk", self.masses, self.jacobian(x), self.second(x))

    def kinetic_energy(self, x: Array, xi: Array) -> float:
        return float(xi @ self.mass(x) @ xi / 2)

    def acceleration_energy(self, x: Array, xi: Array) -> Callable[[Array], Array]:
        """S(dξ/dt) at (x, ξ), complex-step safe in its argument."""
        J = self.jacobian(x)
        bias = np.einsum("pajk,j,k->pa", self.second(x), xi, xi)

        def S(dxi: Array) -> Array:
            a = J @ dxi + bias
            return np.asarray((self.masses[:, None] * a * a).sum() / 2)

        return S

    def force(self, x: Array, forces: ArrayLike) -> Array:
        """The generalised force of forces (N, d) on the particles: Σ ∂ᵢr·F."""
        return np.einsum("pai,pa->i", self.jacobian(x), np.asarray(forces))


def constrained_particles(
    masses: ArrayLike, constraints: Map, forces: Callable[[float, Array, Array], ArrayLike], axes: int = 3
) -> System:
    """(3) with y = (r, dr/dt), both flat; constraints(r) takes the flat r and may be dependent."""
    m = np.repeat(np.asarray(masses, dtype=float), axes)
    size = len(m)
    dc = Derivative(constraints)

    def acceleration(t: float, r: Array, v: Array) -> Array:
        C = dc.gradient(r).reshape(-1, size)
        bias = np.atleast_1d(second(constraints, r, v, v))
        free = np.asarray(forces(t, r.reshape(-1, axes), v.reshape(-1, axes))).reshape(size) / m
        return gauss(np.diag(m), free, C, -bias)[0]

    free_space = Coordinates(size, lambda r: np.eye(size), constraints)
    return System(free_space, lambda t, r, v: v, acceleration)

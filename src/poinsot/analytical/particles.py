"""Systems of particles: all formulations from the positions of the particles alone.

Particles of masses m at positions r(x) (N x 3, or N x 2) in coordinates x with velocities ξ:

    dr/dt = ∂ᵢr ξⁱ,    d²r/dt² = ∂ᵢr dξⁱ/dt + ∂ₖ∂ⱼr ξᵏξʲ                                        (1)
    T = ½ Σ m |dr/dt|²,    S = ½ Σ m |d²r/dt²|²,    Mᵢⱼ = Σ m ∂ᵢr·∂ⱼr,    Γᵢⱼₖ = Σ m ∂ᵢr·∂ₖ∂ⱼr       (2)

and, without any coordinates, Gauss' principle: of all accelerations that the constraints c(r) = 0 allow,
the actual ones are nearest to the free ones,

    least ½ Σ m |a - F/m|²   with   d²c/dt² = Cᵣ a + Σ ∂²c/∂r∂r ṙ ṙ = 0.                         (3)

Source: Konz, section 3.2 [konz2024energy].
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import function, number, reals, takes, whole
from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Derivative, Function, difference, second
from poinsot.analytical.equations import System, gauss
from poinsot.analytical.operators import Array
from poinsot.analytical.particle_springs import SpringData, checked_springs, spring_energy
from poinsot.errors import ModelError


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


class HeldPlaces(Coordinates):
    """Places of particles, which forces hold on the constraints: velocities are not reduced."""

    @takes(x=("size",), tolerance=number)
    def checked(self, x: Array, tolerance: float = 1e-10) -> int:
        """Return the number of velocities, if x satisfies the constraints.

        Parameters
        ----------
        x : ndarray, shape (n,)
            Places.
        tolerance : float, default 1e-10
            Largest violation of a constraint, relative to the size of the places.

        Returns
        -------
        int
            Number of velocities: that of the places.

        Raises
        ------
        ModelError
            If x violates the constraints.
        """
        off = float(np.abs(np.asarray(self.constraints(x))).max(initial=0.0))
        if off > tolerance * max(1.0, float(np.abs(x).max(initial=0.0)) ** 2):
            raise ModelError(f"constrained particles: the places violate the constraints by {off:.3g}")
        return len(x)


@takes(masses=reals((None,)), constraints=function, forces=function, axes=whole(1, 3), dissipation=function)
def constrained_particles(
    masses: ArrayLike,
    constraints: Map,
    forces: Callable[[float, Array, Array], ArrayLike],
    axes: int = 3,
    springs: Iterable[SpringData] = (),
    dissipation: Function | None = None,
) -> System:
    """Return the equations of motion of particles with constraints by Gauss' principle (3).

    Parameters
    ----------
    masses : array_like, shape (N,)
        Masses in kg.
    constraints : callable
        Residuals c(r) as a function of the flat positions (N axes,); they may be dependent.
    forces : callable
        Forces (N, axes) in N as a function of (t, positions, velocities), both (N, axes).
    axes : int, default 3
        Dimension of space.
    springs : iterable of tuple, optional
        Springs (p, q, stiffness, length) between the particles p and q, or between p and a fixed point q.
    dissipation : callable, optional
        Rayleigh's function R(t, positions, velocities), both (N, axes); its force is -∂R/∂velocity.

    Returns
    -------
    System
        System with y = (r, dr/dt), both flat.  Its `multipliers` are the λ of the forces Cᵣᵀ λ that hold the
        constraints, its `power` is that of the forces and of the dissipation, and its `energy` the kinetic
        energy and that of the springs.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> weight = lambda t, r, v: np.array([[0.0, -10.0]])
    >>> system = ps.analytical.constrained_particles([1.0], lambda r: np.array([r @ r - 1]), weight, axes=2)
    >>> system.acceleration(0.0, np.array([1.0, 0.0]), np.zeros(2)).round(9) + 0.0
    array([  0., -10.])
    """
    m = np.repeat(np.asarray(masses, dtype=float), axes)
    size = len(m)
    dc, elastic = (
        Derivative(constraints),
        checked_springs("constrained_particles", springs, len(m) // axes, axes),
    )
    stretch = Derivative(lambda r: spring_energy(elastic, r.reshape(-1, axes)))

    def loss(y: Array) -> Any:
        """Return Rayleigh's function of y = (t, r, v)."""
        assert dissipation is not None
        return dissipation(y[0], y[1 : 1 + size].reshape(-1, axes), y[1 + size :].reshape(-1, axes))

    dR = Derivative(loss)

    def working(t: float, r: Array, v: Array) -> Array:
        """Return the forces without a potential."""
        f = np.asarray(forces(t, r.reshape(-1, axes), v.reshape(-1, axes))).reshape(size)
        if dissipation is not None:
            f = f - dR.along(np.concatenate([[t], r, v]), np.eye(1 + 2 * size)[:, 1 + size :])
        return f

    def solved(t: float, r: Array, v: Array) -> tuple[Array, Array]:
        C = dc.gradient(r).reshape(-1, size)
        bias = np.atleast_1d(second(constraints, r, v, v))
        f = working(t, r, v) - (stretch.gradient(r) if elastic else 0.0)
        return gauss(np.diag(m), f / m, C, -bias)

    def energy(t: float, r: Array, v: Array) -> Any:
        return (m * v) @ v / 2 + spring_energy(elastic, r.reshape(-1, axes))

    def response(t: float, r: Array, v: Array, f: Array) -> Array:
        C = dc.gradient(r).reshape(-1, size)
        return gauss(np.diag(m), f / m, C, np.zeros(len(C)))[0]

    return System(
        HeldPlaces(size, lambda r: np.eye(size), constraints),
        lambda t, r, v: v,
        lambda t, r, v: solved(t, r, v)[0],
        energy,
        power=lambda t, r, v: working(t, r, v) @ v,
        response=response,
        multipliers=lambda t, r, v: solved(t, r, v)[1],
    )

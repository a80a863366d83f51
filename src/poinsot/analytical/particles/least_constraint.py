"""Particles that constraints hold, without any coordinates: Gauss' principle (3)."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import function, number, reals, takes, whole
from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Derivative, Function, second
from poinsot.analytical.equations import System, gauss
from poinsot.analytical.operators import Array
from poinsot.analytical.particles.springs import SpringData, checked_springs, spring_energy
from poinsot.errors import ModelError


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

"""Particles whose positions depend on the time: moving supports, driven joints, rotating frames.

    r = r(t, x),    dr/dt = ∂ᵢr ξⁱ + ∂r/∂t,    d²r/dt² = ∂ᵢr dξⁱ/dt + b(t, x, ξ)                   (1)
    Σ m ∂ᵢr·∂ⱼr dξʲ/dt = -Σ m ∂ᵢr·b - ∂ᵢV - ∂R/∂ξⁱ + fᵢ                                           (2)
    W = T + V,    H = W - Σ m ∂r/∂t·dr/dt                                                      (3)
    dH/dt = ξ·(f - ∂R/∂ξ) - ∂L/∂t,    L = T - V                                                (4)

b is the rate of dr/dt along the motion at constant ξ.  The energy W of such a system is not conserved even
without forces, because what moves the supports does work; H is, if t does not occur in L.  Source: Konz,
(3.15), (3.26), (3.41) to (3.47) [konz2024energy].
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import function, reals, takes
from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.derivatives import Derivative, Function, difference
from poinsot.analytical.equations import Rate, System, power_of
from poinsot.analytical.operators import Array
from poinsot.analytical.particles.springs import SpringData, checked_springs, spring_energy

Places = Callable[[float, Array], ArrayLike]


@takes(
    coordinates=Coordinates,
    masses=reals((None,)),
    places=function,
    potential=function,
    force=function,
    dissipation=function,
)
def moving_particles(
    coordinates: Coordinates,
    masses: ArrayLike,
    places: Places,
    potential: Function | None = None,
    force: Rate | None = None,
    springs: Iterable[SpringData] = (),
    dissipation: Function | None = None,
) -> System:
    """Return the equations of motion of particles whose positions depend on coordinates and time (2).

    Parameters
    ----------
    coordinates : Coordinates
        Coordinates of the system.
    masses : array_like, shape (N,)
        Masses in kg.
    places : callable
        Positions (N, d) as a function r(t, x), in metres.
    potential : callable, optional
        Potential energy V(t, x) without that of the springs.  Default: none.
    force : callable, optional
        Generalised force (n,) as a function f(t, x, ξ); its power is f·ξ.  Default: no force.
    springs : iterable of tuple, optional
        Springs (p, q, stiffness, length) between the particles p and q, or between p and a fixed point q.
    dissipation : callable, optional
        Rayleigh's function R(t, x, ξ); its force is -∂R/∂ξ.  Default: none.

    Returns
    -------
    System
        System with y = (x, ξ).  Its `energy` is W and its `hamiltonian` H of (3), its `power` that of the
        force and of the dissipation.

    Examples
    --------
    A bead on a hoop that rotates about the vertical with 3 rad/s:

    >>> import numpy as np
    >>> import poinsot as ps
    >>> def place(t, x):
    ...     s, c = np.sin(x[0]), np.cos(x[0])
    ...     return np.array([[s * np.cos(3 * t), s * np.sin(3 * t), -c]])
    >>> line = ps.analytical.spaces.minimal(1)
    >>> bead = ps.analytical.moving_particles(line, [1.0], place, lambda t, x: -9.81 * np.cos(x[0]))
    >>> run = ps.simulate(bead, ps.State(0.0, [1.0], [0.0]), "gauss3", step=0.02, steps=20)
    >>> bool(np.ptp(run.hamiltonian) < 1e-8), bool(np.ptp(run.energy) > 0.1)
    (True, True)
    """
    m, step = np.asarray(masses, dtype=float), coordinates.step
    elastic = checked_springs("moving_particles", springs, len(m))

    def V(z: Array) -> Any:
        own = potential(z[0], z[1:]) if potential is not None else 0 * z[1]
        return own + (spring_energy(elastic, np.asarray(places(z[0], z[1:]))) if elastic else 0.0)

    dr = Derivative(lambda z: places(z[0], z[1:]), step)  # z = (t, x)
    dV = Derivative(V, step)
    size = coordinates.size
    loss: Any = dissipation if dissipation is not None else lambda t, x, xi: 0.0
    dR = Derivative(lambda y: loss(y[0], y[1 : 1 + size], y[1 + size :]), step)  # y = (t, x, xi)

    def at(t: float, x: Array, rows: Array, head: float = 0.0) -> tuple[Array, Array]:
        """Return z = (t, x), and the columns of `rows` below a row of `head`."""
        return np.concatenate([[t], x]), np.concatenate([np.full((1, rows.shape[1]), head), rows])

    def rate(z: Array, xi: Array) -> Array:
        return dr(z, np.concatenate([[1.0], coordinates.rate(z[1:], xi)]))  # (1)

    def drift(t: float, x: Array) -> Array:
        """Return ∂r/∂t."""
        return dr(np.concatenate([[t], x]), np.eye(1, 1 + size)[0])

    def damped(t: float, x: Array, xi: Array) -> Array:
        """Return the forces without a potential."""
        f = np.zeros(len(xi)) if force is None else np.asarray(force(t, x, xi))
        if dissipation is not None:
            y, places_of_xi = np.concatenate([[t], x, xi]), np.eye(1 + size + len(xi))[:, 1 + size :]
            f = f - dR.along(y, places_of_xi)
        return f

    def jacobian(t: float, x: Array) -> Array:
        return dr.along(*at(t, x, coordinates.A(x)))

    def mass(t: float, x: Array) -> Array:
        J = jacobian(t, x)
        return np.einsum("p,pai,paj->ij", m, J, J)

    def acceleration(t: float, x: Array, xi: Array) -> Array:
        z, ahead = at(t, x, coordinates.rate(x, xi)[:, None], 1.0)
        b = difference(lambda y: rate(y, xi), z, ahead[:, 0], step)
        J, f = jacobian(t, x), damped(t, x, xi) - dV.along(*at(t, x, coordinates.A(x)))
        M = np.einsum("p,pai,paj->ij", m, J, J)
        return np.linalg.solve(M, f - np.einsum("p,pai,pa->i", m, J, b))  # (2)

    def energy(t: float, x: Array, xi: Array) -> Any:
        z = np.concatenate([[t], x])
        return (m[:, None] * rate(z, xi) ** 2).sum() / 2 + V(z)

    def hamiltonian(t: float, x: Array, xi: Array) -> Any:
        moved = m[:, None] * drift(t, x) * rate(np.concatenate([[t], x]), xi)
        return energy(t, x, xi) - moved.sum()  # (3)

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        return np.linalg.solve(mass(t, x), f)

    works = force is not None or dissipation is not None
    power = power_of(lambda t, x, xi: xi, damped) if works else None
    return System(coordinates, lambda t, x, xi: xi, acceleration, energy, hamiltonian, power, response)

"""Equations of motion in velocities, (1)-(3): Levi-Civita, Lagrange, Gibbs-Appell."""

from typing import Any

import numpy as np

from poinsot.analytical.arguments import function, takes
from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Derivative, Function, second
from poinsot.analytical.equations.system import Rate, System, own_velocity, power_of
from poinsot.analytical.operators import Array


@takes(coordinates=Coordinates, mass=function, potential=function, force=function)
def levi_civita(
    coordinates: Coordinates, mass: Map, potential: Map | None = None, force: Rate | None = None
) -> System:
    """Return the equations of motion of a mass matrix and a potential, in Levi-Civita's form (2).

    Parameters
    ----------
    coordinates : Coordinates
        Coordinates of the system.
    mass : callable
        Mass matrix (n, n) as a function M(x).
    potential : callable, optional
        Potential energy V(x).  Default: none.
    force : callable, optional
        Generalised force (n,) as a function f(t, x, ξ); its power is f·ξ.  Default: no force.

    Returns
    -------
    System
        System with y = (x, ξ).

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.levi_civita(line, lambda x: np.array([[2.0]]), lambda x: 4 * x[0] ** 2)
    >>> system.field(0.0, np.array([1.0, 0.0])).round(9)
    array([ 0., -4.])
    """
    V = potential if potential is not None else lambda x: 0 * x[0]

    def acceleration(t: float, x: Array, xi: Array) -> Array:
        bias = np.einsum("ijk,j,k->i", coordinates.connection(mass, x), xi, xi) + coordinates.derivative(V, x)
        f = 0.0 if force is None else force(t, x, xi)
        return np.linalg.solve(np.asarray(mass(x)), f - bias)

    def energy(t: float, x: Array, xi: Array) -> Any:
        return xi @ np.asarray(mass(x)) @ xi / 2 + V(x)

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        return np.linalg.solve(np.asarray(mass(x)), f)

    power = power_of(own_velocity, force)
    return System(coordinates, own_velocity, acceleration, energy, energy, power, response)


@takes(coordinates=Coordinates, L=function, force=function)
def lagrange(coordinates: Coordinates, L: Function, force: Rate | None = None) -> System:
    """Return the equations of motion of a Lagrangian (1).

    d/dt ∂L/∂ξ = ∂²L/∂ξ∂ξ dξ/dt + ∂²L/∂ξ∂x Aξ + ∂²L/∂ξ∂t takes second derivatives, good to some 10⁻¹³.

    Parameters
    ----------
    coordinates : Coordinates
        Coordinates of the system.
    L : callable
        Lagrangian L(t, x, ξ).
    force : callable, optional
        Generalised force (n,) as a function f(t, x, ξ); its power is f·ξ.  Default: no force.

    Returns
    -------
    System
        System with y = (x, ξ).

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.lagrange(line, lambda t, x, v: v[0] ** 2 - 4 * x[0] ** 2)
    >>> system.field(0.0, np.array([1.0, 0.0])).round(9)
    array([ 0., -4.])
    """

    def mass(t: float, x: Array, xi: Array) -> Array:
        units, n, step = np.eye(len(xi)), len(xi), coordinates.step
        parts = [second(lambda z: L(t, x, z), xi, u, v, step) for u in units for v in units]
        M = np.array(parts).reshape(n, n)
        return (M + M.T) / 2

    def acceleration(t: float, x: Array, xi: Array) -> Array:
        n, step, size = len(xi), coordinates.step, coordinates.size
        p = Derivative(lambda z: L(t, x, z), step).gradient(xi)
        y, ahead = np.concatenate([[t], x, xi]), np.concatenate([[1.0], coordinates.rate(x, xi), 0 * xi])

        def whole(z: Array) -> Any:
            return L(z[0], z[1 : 1 + size], z[1 + size :])

        places = np.eye(1 + size + n)[1 + size :]
        moved = np.array([second(whole, y, u, ahead, step) for u in places])
        quasi = np.einsum("ijk,j,k->i", coordinates.gamma(x), xi, p)
        f = 0.0 if force is None else force(t, x, xi)
        return np.linalg.solve(
            mass(t, x, xi), f - moved - quasi + coordinates.derivative(lambda z: L(t, z, xi), x)
        )

    def energy(t: float, x: Array, xi: Array) -> Any:
        return Derivative(lambda z: L(t, x, z), coordinates.step).gradient(xi) @ xi - L(t, x, xi)

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        return np.linalg.solve(mass(t, x, xi), f)

    power = power_of(own_velocity, force)
    return System(coordinates, own_velocity, acceleration, energy, energy, power, response)


@takes(coordinates=Coordinates, S=function, potential=function, force=function)
def gibbs_appell(
    coordinates: Coordinates, S: Function, potential: Map | None = None, force: Rate | None = None
) -> System:
    """Return the equations of motion of an acceleration energy (3).

    S is quadratic in dξ/dt, so that its derivative at n + 1 places gives matrix and bias.

    Parameters
    ----------
    coordinates : Coordinates
        Coordinates of the system.
    S : callable
        Acceleration energy S(t, x, ξ, dξ/dt).
    potential : callable, optional
        Potential energy V(x).  Default: none.
    force : callable, optional
        Generalised force (n,) as a function f(t, x, ξ); its power is f·ξ.  Default: no force.

    Returns
    -------
    System
        System with y = (x, ξ).

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.gibbs_appell(line, lambda t, x, v, a: a[0] ** 2, lambda x: 4 * x[0] ** 2)
    >>> system.field(0.0, np.array([1.0, 0.0])).round(9)
    array([ 0., -4.])
    """

    def matrix_and_bias(t: float, x: Array, xi: Array) -> tuple[Array, Array]:
        dS = Derivative(lambda a: S(t, x, xi, a), coordinates.step)
        bias = dS.gradient(0 * xi)
        return np.stack([dS.gradient(e) - bias for e in np.eye(len(xi))], axis=1), bias

    def acceleration(t: float, x: Array, xi: Array) -> Array:
        M, bias = matrix_and_bias(t, x, xi)
        if potential is not None:
            bias = bias + coordinates.derivative(potential, x)
        f = 0.0 if force is None else force(t, x, xi)
        return np.linalg.solve(M, f - bias)

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        return np.linalg.solve(matrix_and_bias(t, x, xi)[0], f)

    power = power_of(own_velocity, force)
    return System(coordinates, own_velocity, acceleration, power=power, response=response)

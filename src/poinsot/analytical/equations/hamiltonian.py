"""Equations of motion in momenta (4): Hamilton's, and those of a Lagrangian by Legendre's transformation."""

from typing import Any

import numpy as np

from poinsot.analytical.arguments import function, positive, takes
from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.derivatives import Derivative, Function, difference
from poinsot.analytical.equations.system import Rate, System, power_of
from poinsot.analytical.operators import Array
from poinsot.errors import PoinsotError


def _itself(t: float, x: Array, p: Array, f: Array) -> Array:
    """Return f: forces change the momenta of Hamilton's form."""
    return f


@takes(coordinates=Coordinates, H=function, force=function)
def hamilton(coordinates: Coordinates, H: Function, force: Rate | None = None) -> System:
    """Return the equations of motion of a Hamiltonian (4).

    Parameters
    ----------
    coordinates : Coordinates
        Coordinates of the system.
    H : callable
        Hamiltonian H(t, x, p).
    force : callable, optional
        Generalised force (n,) as a function f(t, x, ξ); its power is f·ξ.  Default: no force.

    Returns
    -------
    System
        System with y = (x, p).

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.hamilton(line, lambda t, x, p: p[0] ** 2 / 4 + 4 * x[0] ** 2)
    >>> system.field(0.0, np.array([1.0, 2.0])).round(9)
    array([ 1., -8.])
    """

    def velocity(t: float, x: Array, p: Array) -> Array:
        return Derivative(lambda z: H(t, x, z), coordinates.step).gradient(p)

    def rate(t: float, x: Array, p: Array) -> Array:
        xi = velocity(t, x, p)
        f = 0.0 if force is None else force(t, x, xi)
        quasi = np.einsum("ijk,j,k->i", coordinates.gamma(x), xi, p)
        return f - quasi - coordinates.derivative(lambda z: H(t, z, p), x)

    return System(coordinates, velocity, rate, H, H, power_of(velocity, force), _itself)


@takes(coordinates=Coordinates, L=function, force=function, tolerance=positive)
def legendre(
    coordinates: Coordinates, L: Function, force: Rate | None = None, tolerance: float = 1e-13
) -> System:
    """Return the equations of motion of a Lagrangian in Hamilton's form.

    p = ∂L/∂ξ is inverted by Newton's method; ∂ᵢH = -∂ᵢL and ∂H/∂p = ξ.

    Parameters
    ----------
    coordinates : Coordinates
        Coordinates of the system.
    L : callable
        Lagrangian L(t, x, ξ).
    force : callable, optional
        Generalised force (n,) as a function f(t, x, ξ); its power is f·ξ.  Default: no force.
    tolerance : float, default 1e-13
        Largest residual of p = ∂L/∂ξ, relative to p.

    Returns
    -------
    System
        System with y = (x, p).

    Raises
    ------
    PoinsotError
        By the system, if no velocity is found for a momentum.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.legendre(line, lambda t, x, v: v[0] ** 2 - 4 * x[0] ** 2)
    >>> system.field(0.0, np.array([1.0, 2.0])).round(9)
    array([ 1., -8.])
    """
    step = coordinates.step

    def velocity(t: float, x: Array, p: Array) -> Array:
        dL = Derivative(lambda z: L(t, x, z), step)
        units, xi = np.eye(len(p)), np.zeros(len(p))
        for _ in range(50):
            off = p - dL.gradient(xi)
            if np.abs(off).max() <= tolerance * max(1.0, np.abs(p).max()):
                return xi
            M = np.stack([difference(dL.gradient, xi, u, step) for u in units], axis=1)
            xi = xi + np.linalg.solve(M, off)
        raise PoinsotError(f"legendre: no velocity for the momentum {p!r}")

    def rate(t: float, x: Array, p: Array) -> Array:
        xi = velocity(t, x, p)
        f = 0.0 if force is None else force(t, x, xi)
        quasi = np.einsum("ijk,j,k->i", coordinates.gamma(x), xi, p)
        return f - quasi + coordinates.derivative(lambda z: L(t, z, xi), x)

    def energy(t: float, x: Array, p: Array) -> Any:
        xi = velocity(t, x, p)
        return p @ xi - L(t, x, xi)

    return System(coordinates, velocity, rate, energy, energy, power_of(velocity, force), _itself)

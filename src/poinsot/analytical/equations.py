"""Equations of motion of a user's own system, in four classical forms, over redundant coordinates.

    Lagrange        d/dt ∂L/∂ξⁱ + γᵢⱼᵏ ξʲ ∂L/∂ξᵏ - ∂ᵢL = fᵢ                     L(t, x, ξ)            (1)
    Levi-Civita     Mᵢⱼ dξʲ/dt + Γᵢⱼₖ ξʲξᵏ + ∂ᵢV = fᵢ                           M(x), V(x)           (2)
    Gibbs-Appell    ∂S/∂(dξ/dt)ⁱ + ∂ᵢV = fᵢ                                    S(t, x, ξ, dξ/dt)    (3)
    Hamilton        dx/dt = A ∂H/∂p,  dpᵢ/dt = -γᵢⱼᵏ ∂H/∂pⱼ pₖ - ∂ᵢH + fᵢ       H(t, x, p)           (4)

Forces fᵢ(t, x, ξ) do work on ξ: power fᵢ ξⁱ.  (2), (3) and (4) need first derivatives only and are exact to
rounding; (1) needs second derivatives of L and is good to some 10⁻¹³ (see `derivatives`).  Potentials may
be left out.  Each function gives a `System`, whose `field(t, y)` is a right-hand side for any integrator.

Source: Konz, sections 2.2 and 3.2 [konz2024energy], with the signs of its errata.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from poinsot.analytical.arguments import function, positive, takes
from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Derivative, Function, difference, second
from poinsot.analytical.inputs import InputForce
from poinsot.analytical.loads import Forces, Rate, load, require_holonomic, takes_time, with_time
from poinsot.analytical.operators import Array
from poinsot.analytical.system import System, own_velocity, power_of
from poinsot.errors import PoinsotError

TimedMap = Callable[[float, Array], Any]


@takes(coordinates=Coordinates, mass=function, potential=function, force=function, dissipation=function)
def levi_civita(
    coordinates: Coordinates,
    mass: Map | TimedMap,
    potential: Map | TimedMap | None = None,
    force: Rate | None = None,
    *,
    forces: Forces = (),
    dissipation: Function | None = None,
    inputs: Sequence[InputForce] = (),
) -> System:
    """Return the equations of motion of a mass matrix and a potential, in Levi-Civita's form (2).

    System with y = (x, ξ).  `coordinates`: coordinates of the system; `mass`: mass matrix (n, n) as a
    function M(x) or M(t, x); `potential`: potential energy V(x) or V(t, x); `force`: generalized force (n,)
    as a function f(t, x, ξ); its power is f·ξ (default: no force);
    `forces`: more of them, a function or a list; `dissipation`: Rayleigh's function R(t, x, ξ), with the
    force -∂R/∂ξ; `inputs`: inputs (`InputForce`) that a controller may name.

    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.levi_civita(line, lambda x: np.array([[2.0]]), lambda x: 4 * x[0] ** 2)
    >>> system.field(0.0, np.array([1.0, 0.0])).round(9)
    array([ 0., -4.])
    """
    require_holonomic("levi_civita", coordinates)
    acting = load("levi_civita", force, forces, dissipation, coordinates.size)
    V = with_time(potential) if potential is not None else lambda t, x: 0 * x[0]
    M, moves = with_time(mass), takes_time(mass)

    def acceleration(t: float, x: Array, xi: Array) -> Array:
        Gamma = coordinates.connection(lambda z: M(t, z), x)
        bias = np.einsum("ijk,j,k->i", Gamma, xi, xi) + coordinates.derivative(lambda z: V(t, z), x)
        if moves:
            bias = bias + Derivative(lambda z: M(z[0], x))(np.array([t]), np.ones(1)) @ xi
        f = 0.0 if acting is None else acting(t, x, xi)
        return np.linalg.solve(np.asarray(M(t, x)), f - bias)

    def energy(t: float, x: Array, xi: Array) -> Any:
        return xi @ np.asarray(M(t, x)) @ xi / 2 + V(t, x)

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        return np.linalg.solve(np.asarray(M(t, x)), f)

    def lagrangian(t: float, x: Array, xi: Array) -> Any:
        return xi @ np.asarray(M(t, x)) @ xi / 2 - V(t, x)

    power, facts = power_of(own_velocity, acting), (own_velocity, acceleration, energy, energy)
    return System(coordinates, *facts, power, response, lagrangian=lagrangian, force=acting, inputs=inputs)


@takes(coordinates=Coordinates, L=function, force=function, dissipation=function, energy=function)
def lagrange(
    coordinates: Coordinates,
    L: Function,
    force: Rate | None = None,
    *,
    forces: Forces = (),
    dissipation: Function | None = None,
    inputs: Sequence[InputForce] = (),
    energy: Function | None = None,
) -> System:
    """Return the equations of motion of a Lagrangian (1): system with y = (x, ξ).

    d/dt ∂L/∂ξ = ∂²L/∂ξ∂ξ dξ/dt + ∂²L/∂ξ∂x Aξ + ∂²L/∂ξ∂t takes second derivatives, good to some 10⁻¹³.
    `coordinates`: coordinates of the system; `L`: Lagrangian L(t, x, ξ); `force`: generalized force (n,) as a
    function f(t, x, ξ); its power is f·ξ (default: no force);
    `forces`: more of them, a function or a list; `dissipation`: Rayleigh's function R(t, x, ξ), with the
    force -∂R/∂ξ; `inputs`: inputs (`InputForce`) that a controller may name;
    `energy`: energy W(t, x, ξ), if it is not the Hamiltonian ξ·∂L/∂ξ - L: where supports move.

    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.lagrange(line, lambda t, x, v: v[0] ** 2 - 4 * x[0] ** 2)
    >>> system.field(0.0, np.array([1.0, 0.0])).round(9)
    array([ 0., -4.])
    """

    require_holonomic("lagrange", coordinates)
    acting = load("lagrange", force, forces, dissipation, coordinates.size)

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
        f = 0.0 if acting is None else acting(t, x, xi)
        return np.linalg.solve(
            mass(t, x, xi), f - moved - quasi + coordinates.derivative(lambda z: L(t, z, xi), x)
        )

    def hamiltonian(t: float, x: Array, xi: Array) -> Any:
        return Derivative(lambda z: L(t, x, z), coordinates.step).gradient(xi) @ xi - L(t, x, xi)

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        return np.linalg.solve(mass(t, x, xi), f)

    power, total = power_of(own_velocity, acting), hamiltonian if energy is None else energy
    facts = own_velocity, acceleration, total, hamiltonian, power, response
    return System(coordinates, *facts, lagrangian=L, force=acting, inputs=inputs)


@takes(
    coordinates=Coordinates,
    S=function,
    potential=function,
    force=function,
    dissipation=function,
    energy=function,
)
def gibbs_appell(
    coordinates: Coordinates,
    S: Function,
    potential: Map | TimedMap | None = None,
    force: Rate | None = None,
    *,
    forces: Forces = (),
    dissipation: Function | None = None,
    inputs: Sequence[InputForce] = (),
    energy: Function | None = None,
) -> System:
    """Return the equations of motion of an acceleration energy (3): system with y = (x, ξ).

    S is quadratic in dξ/dt, so that its derivative at n + 1 places gives matrix and bias.  The velocities may
    be non-holonomic.  `coordinates`: coordinates of the system; `S`: acceleration energy S(t, x, ξ, dξ/dt);
    `potential`: potential energy V(x) or V(t, x); `force`: generalized force (n,) as a function f(t, x, ξ);
    its power is f·ξ (default: no force);
    `forces`: more of them, a function or a list; `dissipation`: Rayleigh's function R(t, x, ξ), with the
    force -∂R/∂ξ; `inputs`: inputs (`InputForce`) that a controller may name;
    `energy`: energy W(t, x, ξ), which S does not say.

    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.gibbs_appell(line, lambda t, x, v, a: a[0] ** 2, lambda x: 4 * x[0] ** 2)
    >>> system.field(0.0, np.array([1.0, 0.0])).round(9)
    array([ 0., -4.])
    """

    acting = load("gibbs_appell", force, forces, dissipation, coordinates.size)
    V = with_time(potential) if potential is not None else lambda t, x: 0.0

    def matrix_and_bias(t: float, x: Array, xi: Array) -> tuple[Array, Array]:
        dS = Derivative(lambda a: S(t, x, xi, a), coordinates.step)
        bias = dS.gradient(0 * xi)
        return np.stack([dS.gradient(e) - bias for e in np.eye(len(xi))], axis=1), bias

    def acceleration(t: float, x: Array, xi: Array) -> Array:
        M, bias = matrix_and_bias(t, x, xi)
        if potential is not None:
            bias = bias + coordinates.derivative(lambda z: V(t, z), x)
        f = 0.0 if acting is None else acting(t, x, xi)
        return np.linalg.solve(M, f - bias)

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        return np.linalg.solve(matrix_and_bias(t, x, xi)[0], f)

    power, facts = power_of(own_velocity, acting), (own_velocity, acceleration, energy, energy)
    return System(coordinates, *facts, power, response, force=acting, inputs=inputs)


def _itself(t: float, x: Array, p: Array, f: Array) -> Array:
    """Return f: forces change the momenta of Hamilton's form."""
    return f


@takes(coordinates=Coordinates, H=function, force=function, dissipation=function, energy=function)
def hamilton(
    coordinates: Coordinates,
    H: Function,
    force: Rate | None = None,
    *,
    forces: Forces = (),
    dissipation: Function | None = None,
    inputs: Sequence[InputForce] = (),
    energy: Function | None = None,
) -> System:
    """Return the equations of motion of a Hamiltonian (4): system with y = (x, p).

    `coordinates`: coordinates of the system; `H`: Hamiltonian H(t, x, p); `force`: generalized force (n,) as
    a function f(t, x, ξ); its power is f·ξ (default: no force);
    `forces`: more of them, a function or a list; `dissipation`: Rayleigh's function R(t, x, ξ), with the
    force -∂R/∂ξ; `inputs`: inputs (`InputForce`) that a controller may name;
    `energy`: energy W(t, x, p), if it is not H: where supports move.

    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.hamilton(line, lambda t, x, p: p[0] ** 2 / 4 + 4 * x[0] ** 2)
    >>> system.field(0.0, np.array([1.0, 2.0])).round(9)
    array([ 1., -8.])
    """

    require_holonomic("hamilton", coordinates)
    acting = load("hamilton", force, forces, dissipation, coordinates.size)

    def velocity(t: float, x: Array, p: Array) -> Array:
        return Derivative(lambda z: H(t, x, z), coordinates.step).gradient(p)

    def rate(t: float, x: Array, p: Array) -> Array:
        xi = velocity(t, x, p)
        f = 0.0 if acting is None else acting(t, x, xi)
        quasi = np.einsum("ijk,j,k->i", coordinates.gamma(x), xi, p)
        return f - quasi - coordinates.derivative(lambda z: H(t, z, p), x)

    facts = velocity, rate, H if energy is None else energy, H, power_of(velocity, acting), _itself
    return System(coordinates, *facts, force=acting, inputs=inputs)


@takes(coordinates=Coordinates, L=function, force=function, tolerance=positive)
def legendre(
    coordinates: Coordinates, L: Function, force: Rate | None = None, tolerance: float = 1e-13
) -> System:
    """Return the equations of motion of a Lagrangian in Hamilton's form: system with y = (x, p).

    p = ∂L/∂ξ is inverted by Newton's method; ∂ᵢH = -∂ᵢL and ∂H/∂p = ξ.  `coordinates`: coordinates of the
    system; `L`: Lagrangian L(t, x, ξ); `force`: generalized force (n,) as a function f(t, x, ξ); its power is
    f·ξ (default: no force); `tolerance`: largest residual of p = ∂L/∂ξ, relative to p: the system raises a
    PoinsotError if it finds no velocity.

    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.legendre(line, lambda t, x, v: v[0] ** 2 - 4 * x[0] ** 2)
    >>> system.field(0.0, np.array([1.0, 2.0])).round(9)
    array([ 1., -8.])
    """
    require_holonomic("legendre", coordinates)
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

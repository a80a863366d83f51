"""Equations of motion of a user's own system, in the five classical forms, over redundant coordinates.

    Lagrange        d/dt ∂L/∂ξⁱ + γᵢⱼᵏ ξʲ ∂L/∂ξᵏ - ∂ᵢL = fᵢ                     L(t, x, ξ)            (1)
    Levi-Civita     Mᵢⱼ dξʲ/dt + Γᵢⱼₖ ξʲξᵏ + ∂ᵢV = fᵢ                           M(x), V(x)           (2)
    Gibbs-Appell    ∂S/∂(dξ/dt)ⁱ + ∂ᵢV = fᵢ                                    S(t, x, ξ, dξ/dt)    (3)
    Hamilton        dx/dt = A ∂H/∂p,  dpᵢ/dt = -γᵢⱼᵏ ∂H/∂pⱼ pₖ - ∂ᵢH + fᵢ       H(t, x, p)           (4)
    Gauss           least ½ |M^½ (a - a_free)|²  with  Ω a = b                                      (5)

Forces fᵢ(t, x, ξ) do work on ξ: power fᵢ ξⁱ.  (2), (3) and (4) need first derivatives only and are exact to
rounding; (1) needs second derivatives of L and is good to some 10⁻¹³ (see `derivatives`).  Potentials may
be left out.  Each function gives a `System`, whose `field(t, y)` is a right-hand side for any integrator.

Source: Konz, sections 2.2 and 3.2 [konz2024energy], with the signs of its errata.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Derivative, Function, difference, second
from poinsot.analytical.operators import Array
from poinsot.errors import PoinsotError

Rate = Callable[[float, Array, Array], Array]


@dataclass(frozen=True)
class System:
    """A system in first order: y = (x, ξ), or (x, p) in Hamilton's form."""

    coordinates: Coordinates
    velocity: Rate  # (t, x, second half of y) -> ξ
    acceleration: Rate  # (t, x, second half of y) -> its rate
    energy: Function | None = None  # (t, x, second half of y)

    def split(self, y: Array) -> tuple[Array, Array]:
        """x and the second half of y."""
        return y[: self.coordinates.size], y[self.coordinates.size :]

    def field(self, t: float, y: Array, pull: float = 0.0) -> Array:
        """dy/dt; with `pull`, x is drawn back to its constraints at that rate."""
        x, z = self.split(np.asarray(y))
        rate = self.coordinates.rate(x, self.velocity(t, x, z))
        if pull:
            rate = rate + self.coordinates.drift(x, pull)
        return np.concatenate([rate, self.acceleration(t, x, z)])

    def retracted(self, y: Array) -> Array:
        """y with x put back onto the constraints."""
        x, z = self.split(np.asarray(y))
        return np.concatenate([self.coordinates.retracted(x), z])

    def linearised(self, t: float, x: Array, xi: Array) -> Array:
        """F (2n x 2n) with d/dt (ε, δξ) = F (ε, δξ) for deviations from a motion through (x, ξ) at t."""
        c = self.coordinates
        A, C = c.A(x), c.deviation(x, xi)
        columns = [difference(lambda z: self.acceleration(t, z, xi), x, a, c.step) for a in A.T]
        columns += [difference(lambda z: self.acceleration(t, x, z), xi, e, c.step) for e in np.eye(len(xi))]
        return np.concatenate([np.hstack([-C, np.eye(len(xi))]), np.stack(columns, axis=1)])


def _velocity(t: float, x: Array, xi: Array) -> Array:
    return xi


def levi_civita(
    coordinates: Coordinates, mass: Map, potential: Map | None = None, force: Rate | None = None
) -> System:
    """(2)"""
    V = potential if potential is not None else lambda x: 0 * x[0]

    def acceleration(t: float, x: Array, xi: Array) -> Array:
        bias = np.einsum("ijk,j,k->i", coordinates.connection(mass, x), xi, xi) + coordinates.derivative(V, x)
        f = 0.0 if force is None else force(t, x, xi)
        return np.linalg.solve(np.asarray(mass(x)), f - bias)

    def energy(t: float, x: Array, xi: Array) -> Any:
        return xi @ np.asarray(mass(x)) @ xi / 2 + V(x)

    return System(coordinates, _velocity, acceleration, energy)


def lagrange(coordinates: Coordinates, L: Function, force: Rate | None = None) -> System:
    """(1), with d/dt ∂L/∂ξ = ∂²L/∂ξ∂ξ dξ/dt + ∂²L/∂ξ∂x Aξ + ∂²L/∂ξ∂t."""

    def acceleration(t: float, x: Array, xi: Array) -> Array:
        n, step, size = len(xi), coordinates.step, coordinates.size
        units = np.eye(n)
        p = Derivative(lambda z: L(t, x, z), step).gradient(xi)
        M = np.array([second(lambda z: L(t, x, z), xi, u, v, step) for u in units for v in units]).reshape(
            n, n
        )
        y, ahead = np.concatenate([[t], x, xi]), np.concatenate([[1.0], coordinates.rate(x, xi), 0 * xi])

        def whole(z: Array) -> Any:
            return L(z[0], z[1 : 1 + size], z[1 + size :])

        places = np.eye(1 + size + n)[1 + size :]
        moved = np.array([second(whole, y, u, ahead, step) for u in places])
        quasi = np.einsum("ijk,j,k->i", coordinates.gamma(x), xi, p)
        f = 0.0 if force is None else force(t, x, xi)
        return np.linalg.solve(
            (M + M.T) / 2, f - moved - quasi + coordinates.derivative(lambda z: L(t, z, xi), x)
        )

    def energy(t: float, x: Array, xi: Array) -> Any:
        return Derivative(lambda z: L(t, x, z), coordinates.step).gradient(xi) @ xi - L(t, x, xi)

    return System(coordinates, _velocity, acceleration, energy)


def gibbs_appell(
    coordinates: Coordinates, S: Function, potential: Map | None = None, force: Rate | None = None
) -> System:
    """(3): S is quadratic in dξ/dt, so its derivative at n + 1 places gives matrix and bias."""

    def acceleration(t: float, x: Array, xi: Array) -> Array:
        dS = Derivative(lambda a: S(t, x, xi, a), coordinates.step)
        bias = dS.gradient(0 * xi)
        M = np.stack([dS.gradient(e) - bias for e in np.eye(len(xi))], axis=1)
        if potential is not None:
            bias = bias + coordinates.derivative(potential, x)
        f = 0.0 if force is None else force(t, x, xi)
        return np.linalg.solve(M, f - bias)

    return System(coordinates, _velocity, acceleration)


def hamilton(coordinates: Coordinates, H: Function, force: Rate | None = None) -> System:
    """(4); the second half of y is the momentum p."""

    def velocity(t: float, x: Array, p: Array) -> Array:
        return Derivative(lambda z: H(t, x, z), coordinates.step).gradient(p)

    def rate(t: float, x: Array, p: Array) -> Array:
        xi = velocity(t, x, p)
        f = 0.0 if force is None else force(t, x, xi)
        quasi = np.einsum("ijk,j,k->i", coordinates.gamma(x), xi, p)
        return f - quasi - coordinates.derivative(lambda z: H(t, z, p), x)

    return System(coordinates, velocity, rate, H)


def legendre(
    coordinates: Coordinates, L: Function, force: Rate | None = None, tolerance: float = 1e-13
) -> System:
    """Hamilton's form of a Lagrangian: p = ∂L/∂ξ is inverted by Newton, and ∂ᵢH = -∂ᵢL, ∂H/∂p = ξ."""
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

    return System(coordinates, velocity, rate, energy)


def gauss(M: Array, free: Array, Omega: Array, b: Array) -> tuple[Array, Array]:
    """(5): the acceleration a and the multipliers λ, M (a - a_free) = Ωᵀλ; rows of Ω may be dependent.

    With M = C Cᵀ and W = Ω C⁻ᵀ:  a = a_free + C⁻ᵀ W⁺ (b - Ω a_free),  λ = W⁺ᵀ W⁺ (b - Ω a_free).
    """
    C = np.linalg.cholesky(M)
    W = np.linalg.solve(C, Omega.T).T
    pulled = np.linalg.pinv(W, rcond=1e-12)
    pull = pulled @ (b - Omega @ free)
    return free + np.linalg.solve(C.T, pull), pulled.T @ pull


def closed(system: System, mass: Map, loop: Map, pull: float = 0.0) -> System:
    """The system with further constraints ψ(x) = 0, by (5); with `pull`, errors of ψ die out at that rate.

    Ω = ∂ᵢψ,  b = -(dΩ/dt) ξ - 2 Λ dψ/dt - Λ² ψ: a loop that was cut is closed again.
    """
    c = system.coordinates

    def acceleration(t: float, x: Array, xi: Array) -> Array:
        Omega = c.derivative(loop, x).reshape(-1, len(xi))
        bend = difference(lambda z: c.derivative(loop, z) @ xi, x, c.rate(x, xi), c.step)
        b = -bend - 2 * pull * Omega @ xi - pull**2 * np.asarray(loop(x))
        return gauss(np.asarray(mass(x)), system.acceleration(t, x, xi), Omega, np.atleast_1d(b))[0]

    return System(c, system.velocity, acceleration, system.energy)

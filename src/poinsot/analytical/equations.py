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
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from poinsot.analytical.arguments import check_fields, function, number, positive, reals, takes
from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Derivative, Function, difference, second
from poinsot.analytical.operators import Array
from poinsot.errors import PoinsotError

Rate = Callable[[float, Array, Array], Array]


@dataclass(frozen=True)
class System:
    """Equations of motion in first order, with the state y = (x, ξ), or (x, p) in Hamilton's form.

    `ps.simulate` runs it, and `field(t, y)` is a right-hand side for any integrator.

    Parameters
    ----------
    coordinates : Coordinates
        Coordinates x of the system.
    velocity : callable
        Velocities ξ as a function of (t, x, second part of y).
    acceleration : callable
        Rate of the second part of y as a function of (t, x, second part of y).
    energy : callable, optional
        Energy as a function of (t, x, second part of y).
    hamiltonian : callable, optional
        Hamiltonian H as a function of (t, x, second part of y); of a system that depends on time it is not
        the energy.
    power : callable, optional
        Power of the forces without a potential as a function of (t, x, second part of y); a run integrates
        it to `run.work`.
    response : callable, optional
        Change of `acceleration` by a generalised force f, as a function of (t, x, second part of y, f);
        controllers need it.
    multipliers : callable, optional
        Multipliers of the constraints that forces hold, as a function of (t, x, second part of y).

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.System(line, lambda t, x, v: v, lambda t, x, v: -x)
    >>> system.field(0.0, np.array([1.0, 2.0]))
    array([ 2., -1.])
    """

    coordinates: Coordinates
    velocity: Rate
    acceleration: Rate
    energy: Function | None = None
    hamiltonian: Function | None = None
    power: Function | None = None
    response: Function | None = None
    multipliers: Function | None = None

    def __post_init__(self) -> None:
        check_fields(
            self,
            coordinates=Coordinates,
            velocity=function,
            acceleration=function,
            energy=function,
            hamiltonian=function,
            power=function,
            response=function,
            multipliers=function,
        )

    @takes(y=(None,))
    def split(self, y: Array) -> tuple[Array, Array]:
        """Return x and the second part of y.

        Parameters
        ----------
        y : ndarray
            State (x, ξ), or (x, p) in Hamilton's form.

        Returns
        -------
        x, z : ndarray
            Coordinates, and velocities or momenta.
        """
        return y[: self.coordinates.size], y[self.coordinates.size :]

    @takes(t=number, y=(None,), pull=number)
    def field(self, t: float, y: Array, pull: float = 0.0) -> Array:
        """Return dy/dt.

        Parameters
        ----------
        t : float
            Time in seconds.
        y : ndarray
            State (x, ξ), or (x, p) in Hamilton's form.
        pull : float, default 0.0
            Rate in 1/s at which x is pulled back to its constraints.

        Returns
        -------
        ndarray
            Rate of the state.
        """
        x, z = self.split(np.asarray(y))
        rate = self.coordinates.rate(x, self.velocity(t, x, z))
        if pull:
            rate = rate + self.coordinates.drift(x, pull)
        return np.concatenate([rate, self.acceleration(t, x, z)])

    @takes(y=reals((None,)))
    def retracted(self, y: Array) -> Array:
        """Return y with x projected onto the constraints.

        Parameters
        ----------
        y : ndarray
            State (x, ξ), or (x, p) in Hamilton's form.

        Returns
        -------
        ndarray
            Admissible state.

        Raises
        ------
        ModelError
            If there are no admissible coordinates near x.
        """
        x, z = self.split(np.asarray(y))
        return np.concatenate([self.coordinates.retracted(x), z])

    @takes(t=number, x=(None,), xi=(None,))
    def linearised(self, t: float, x: Array, xi: Array) -> Array:
        """Return F with d/dt (ε, δξ) = F (ε, δξ) for deviations from a motion through (x, ξ) at t.

        Parameters
        ----------
        t : float
            Time in seconds.
        x : ndarray, shape (ν,)
            Coordinates.
        xi : ndarray, shape (n,)
            Velocities.

        Returns
        -------
        ndarray, shape (2 n, 2 n)
            Matrix of the linearised equations.
        """
        c = self.coordinates
        A, C = c.A(x), c.deviation(x, xi)
        columns = [difference(lambda z: self.acceleration(t, z, xi), x, a, c.step) for a in A.T]
        columns += [difference(lambda z: self.acceleration(t, x, z), xi, e, c.step) for e in np.eye(len(xi))]
        return np.concatenate([np.hstack([-C, np.eye(len(xi))]), np.stack(columns, axis=1)])


def _velocity(t: float, x: Array, xi: Array) -> Array:
    """Return ξ: the velocities are the second part of y."""
    return xi


def _itself(t: float, x: Array, p: Array, f: Array) -> Array:
    """Return f: forces change the momenta of Hamilton's form."""
    return f


def power_of(velocity: Rate, force: Rate | None) -> Function | None:
    """Return the power f·ξ of a force as a function of the state."""
    if force is None:
        return None

    def power(t: float, x: Array, z: Array) -> Any:
        xi = velocity(t, x, z)
        return np.asarray(force(t, x, xi)) @ xi

    return power


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

    power = power_of(_velocity, force)
    return System(coordinates, _velocity, acceleration, energy, energy, power, response)


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

    power = power_of(_velocity, force)
    return System(coordinates, _velocity, acceleration, energy, energy, power, response)


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

    power = power_of(_velocity, force)
    return System(coordinates, _velocity, acceleration, power=power, response=response)


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


@takes(M=(None, None), free=(None,), Omega=(None, None), b=(None,))
def gauss(M: Array, free: Array, Omega: Array, b: Array) -> tuple[Array, Array]:
    """Solve Gauss' principle of least constraint (5): the acceleration nearest to the free one with Ω a = b.

    With M = C Cᵀ and W = Ω C⁻ᵀ:  a = a_free + C⁻ᵀ W⁺ (b - Ω a_free),  λ = W⁺ᵀ W⁺ (b - Ω a_free).

    Parameters
    ----------
    M : ndarray, shape (n, n)
        Mass matrix.
    free : ndarray, shape (n,)
        Acceleration without constraints.
    Omega : ndarray, shape (m, n)
        Matrix of the constraints; its rows may be dependent.
    b : ndarray, shape (m,)
        Right-hand side of the constraints.

    Returns
    -------
    a : ndarray, shape (n,)
        Acceleration.
    multipliers : ndarray, shape (m,)
        Multipliers λ with M (a - a_free) = Ωᵀ λ.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> a, force = ps.analytical.gauss(np.eye(2), np.array([1.0, 2.0]), np.array([[0.0, 1.0]]), np.zeros(1))
    >>> a, force
    (array([1., 0.]), array([-2.]))
    """
    C = np.linalg.cholesky(M)
    W = np.linalg.solve(C, Omega.T).T
    pulled = np.linalg.pinv(W, rcond=1e-12)
    pull = pulled @ (b - Omega @ free)
    return free + np.linalg.solve(C.T, pull), pulled.T @ pull


@takes(system=System, mass=function, loop=function, pull=number)
def with_loop_constraints(system: System, mass: Map, loop: Map, pull: float = 0.0) -> System:
    """Return a system with further constraints ψ(x) = 0, such as those of a loop, by Gauss' principle (5).

    Ω = ∂ᵢψ,  b = -(dΩ/dt) ξ - 2 Λ dψ/dt - Λ² ψ.  `closed` is the older name of this function.

    Parameters
    ----------
    system : System
        System with the state (x, ξ).
    mass : callable
        Mass matrix (n, n) as a function M(x).
    loop : callable
        Residuals ψ(x) of the constraints; they may be dependent.
    pull : float, default 0.0
        Rate Λ in 1/s at which errors of ψ decay.

    Returns
    -------
    System
        The constrained system; its `multipliers` are the λ of the forces Ωᵀ λ that hold the constraints.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> plane, mass = ps.analytical.spaces.minimal(2), lambda x: np.eye(2)
    >>> falling = ps.analytical.levi_civita(plane, mass, lambda x: 10 * x[1])
    >>> hanging = ps.analytical.with_loop_constraints(falling, mass, lambda x: np.array([x @ x - 1]))
    >>> hanging.acceleration(0.0, np.array([0.0, -1.0]), np.zeros(2)).round(9) + 0.0
    array([0., 0.])
    """
    c = system.coordinates

    def solved(t: float, x: Array, xi: Array) -> tuple[Array, Array]:
        Omega = c.derivative(loop, x).reshape(-1, len(xi))
        bend = difference(lambda z: c.derivative(loop, z) @ xi, x, c.rate(x, xi), c.step)
        b = -bend - 2 * pull * Omega @ xi - pull**2 * np.asarray(loop(x))
        return gauss(np.asarray(mass(x)), system.acceleration(t, x, xi), Omega, np.atleast_1d(b))

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        M, Omega = np.asarray(mass(x)), c.derivative(loop, x).reshape(-1, len(xi))
        return gauss(M, np.linalg.solve(M, f), Omega, np.zeros(len(Omega)))[0]

    return replace(
        system,
        acceleration=lambda t, x, xi: solved(t, x, xi)[0],
        multipliers=lambda t, x, xi: solved(t, x, xi)[1],
        response=response,
    )


closed = with_loop_constraints

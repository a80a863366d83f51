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

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.analytical.arguments import check_fields, function, number, positive, reals, takes
from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Derivative, Function, difference, second
from poinsot.analytical.loads import Forces, load, require_holonomic, takes_time, with_time
from poinsot.analytical.loads import Rate as Rate
from poinsot.analytical.operators import Array
from poinsot.analytical.picture import Picture, picture_of
from poinsot.errors import ModelError, PoinsotError
from poinsot.model import checks
from poinsot.model.checks import show
from poinsot.model.inputs.hold import Held
from poinsot.model.inputs.input import Input, Limit, checked_limit, checked_name
from poinsot.model.program import Program

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

TimedMap = Callable[[float, Array], Any]
DATA = ("coordinates", "program", "names", "picture", "inputs")  # fields of a system that are no functions


@dataclass(frozen=True)
class System:
    """Equations of motion in first order, with the state y = (x, z): z = ξ, or p in Hamilton's form.

    `ps.simulate` runs it, and `field(t, y)` is a right-hand side for any integrator.

    Parameters
    ----------
    coordinates : Coordinates x of the system; the others are functions of (t, x, z).
    velocity, acceleration : Velocities ξ; rate of z.
    energy, hamiltonian : Energy; Hamiltonian, which is not the energy if the system depends on time.
    power : Power of the forces without a potential; a run integrates it to `run.work`.
    response : Change of `acceleration` by a generalized force f, of (t, x, z, f); controllers need it.
    multipliers : Multipliers of the constraints that forces hold.
    program : The same equations as data, which a run compiles and an archive holds; `ps.symbolic` makes them.
    names : Names of the coordinates, for figures and tables.  Default: x1, x2, ...
    lagrangian : Lagrangian L(t, x, ξ): with it the variational methods run the system.
    slopes : ∂L/∂(dx/dt) and ∂L/∂x as a function of (t, x, dx/dt), in the place of `lagrangian`.
    force : Generalized force without a potential, f(t, x, ξ).
    loop : Residuals ψ(x) of constraints that forces hold.
    inputs : Inputs (`InputForce`) that a controller may name.
    picture : What pages and films show, see `draw`.
    """

    coordinates: Coordinates
    velocity: Rate
    acceleration: Rate
    energy: Function | None = None
    hamiltonian: Function | None = None
    power: Function | None = None
    response: Function | None = None
    multipliers: Function | None = None
    program: Program | None = None
    names: tuple[str, ...] | None = None
    picture: Picture | None = None
    lagrangian: Function | None = None
    slopes: Function | None = None
    force: Rate | None = None
    loop: Map | None = None
    inputs: "Sequence[InputForce]" = ()

    def __post_init__(self) -> None:
        functions = [one.name for one in fields(self) if one.name not in DATA]
        kinds = {"coordinates": Coordinates, "program": Program, "picture": Picture}
        check_fields(self, **kinds, **dict.fromkeys(functions, function))
        found = tuple(checks.items("System", "inputs", self.inputs, "a list of InputForce"))
        if not all(isinstance(one, InputForce) for one in found):
            raise ModelError(f"System: inputs must be a list of InputForce, got {show(self.inputs)}")
        object.__setattr__(self, "inputs", found)
        if self.names is not None:
            given = tuple(
                checks.text("System", "names", one)
                for one in checks.items("System", "names", self.names, "a list of names")
            )
            if len({*given}) != self.coordinates.size:
                raise ModelError(
                    f"System: names must name {self.coordinates.size} coordinates, got {show(given)}"
                )
            object.__setattr__(self, "names", given)

    def draw(
        self,
        *,
        points: Map | None = None,
        poses: Map | None = None,
        rods: Sequence[tuple[int, int]] = (),
        names: Sequence[str] | None = None,
    ) -> "System":
        """Return the same system with what pages and films show of it.

        Parameters
        ----------
        points : Function of x that gives places (k, 3) [m], or places by name.
        poses : Function of x that gives poses (4, 4), or pairs of a pose and a shape or body, in a list or by
            name.
        rods : Pairs of numbers of points or poses to be joined by a rod; -1 is the origin.
        names : Names of the coordinates.  Default: as before.

        >>> an = ps.analytical
        >>> bob = an.levi_civita(an.spaces.minimal(1), lambda x: np.eye(1), lambda x: -9.81 * np.cos(x[0]))
        >>> bob = bob.draw(
        ...     points=lambda x: [(np.sin(x[0]), 0, -np.cos(x[0]))], rods=[(-1, 0)], names=["angle"]
        ... )
        >>> run = ps.simulate(bob, ps.State(0.0, [1.0], [0.0]), "gauss2", step=0.05, until=1.0)
        >>> run.to_html("bob.html").name
        'bob.html'
        """
        picture = self.picture
        if points is not None or poses is not None or names is None:
            picture = picture_of(points, poses, rods)
        return replace(
            self,
            picture=picture,
            names=self.names
            if names is None
            else tuple(checks.items("System", "names", names, "a list of names")),
        )

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        if self.names is None and self.program is not None:
            return tuple(self.program.arguments["x"])
        return self.names or tuple(f"x{i + 1}" for i in range(self.coordinates.size))

    @takes(y=(None,))
    def split(self, y: Array) -> tuple[Array, Array]:
        """Return x and z of a state `y`: coordinates, and velocities or momenta."""
        return y[: self.coordinates.size], y[self.coordinates.size :]

    @takes(t=number, y=(None,), pull=number)
    def field(self, t: float, y: Array, pull: float = 0.0) -> Array:
        """Return dy/dt at (`t`, `y`); x is pulled back to its constraints at the rate `pull` [1/s]."""
        x, z = self.split(np.asarray(y))
        rate = self.coordinates.rate(x, self.velocity(t, x, z))
        if pull:
            rate = rate + self.coordinates.drift(x, pull)
        return np.concatenate([rate, self.acceleration(t, x, z)])

    @takes(y=reals((None,)))
    def retract(self, y: Array) -> Array:
        """Return the state `y` with x projected onto the constraints."""
        x, z = self.split(np.asarray(y))
        return np.concatenate([self.coordinates.retract(x), z])

    @takes(t=number, x=(None,), xi=(None,))
    def linearize(self, t: float, x: Array, xi: Array) -> Array:
        """Return F with d/dt (ε, δξ) = F (ε, δξ) about a motion through (`x`, `xi`) at `t`, (2 n, 2 n)."""
        c = self.coordinates
        A, C = c.A(x), c.deviation(x, xi)
        columns = [difference(lambda z: self.acceleration(t, z, xi), x, a, c.step) for a in A.T]
        columns += [difference(lambda z: self.acceleration(t, x, z), xi, e, c.step) for e in np.eye(len(xi))]
        return np.concatenate([np.hstack([-C, np.eye(len(xi))]), np.stack(columns, axis=1)])


class Formulation(ABC):
    """What has equations of motion, such as `MovingFrame` and `ps.symbolic.System`."""

    @abstractmethod
    def system(self) -> System:
        """Return the system that `ps.simulate` runs."""

    def draw(
        self,
        *,
        points: Map | None = None,
        poses: Map | None = None,
        rods: Sequence[tuple[int, int]] = (),
        names: Sequence[str] | None = None,
    ) -> System:
        """Return the system with what pages and films show of it.
        `points`, `poses`, `rods`, `names`: as of `ps.analytical.System.draw`."""
        return self.system().draw(points=points, poses=poses, rods=rods, names=names)


def own_velocity(t: float, x: Array, xi: Array) -> Array:
    """Return ξ: the velocities are the second part of y."""
    return xi


def power_of(velocity: Rate, force: Rate | None) -> Function | None:
    """Return the power f·ξ of a force as a function of the state."""
    if force is None:
        return None

    def power(t: float, x: Array, z: Array) -> Any:
        xi = velocity(t, x, z)
        return np.asarray(force(t, x, xi)) @ xi

    return power


@takes(coordinates=Coordinates, mass=function, potential=function, force=function, dissipation=function)
def levi_civita(
    coordinates: Coordinates,
    mass: Map | TimedMap,
    potential: Map | TimedMap | None = None,
    force: Rate | None = None,
    *,
    forces: Forces = (),
    dissipation: Function | None = None,
    inputs: "Sequence[InputForce]" = (),
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
    inputs: "Sequence[InputForce]" = (),
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
    inputs: "Sequence[InputForce]" = (),
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
    inputs: "Sequence[InputForce]" = (),
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


@takes(M=(None, None), free=(None,), Omega=(None, None), b=(None,))
def gauss(M: Array, free: Array, Omega: Array, b: Array) -> tuple[Array, Array]:
    """Return the acceleration a nearest to the free one with Ω a = b (5), and the λ of M (a - a_free) = Ωᵀ λ.

    With M = C Cᵀ and W = Ω C⁻ᵀ:  a = a_free + C⁻ᵀ W⁺ (b - Ω a_free),  λ = W⁺ᵀ W⁺ (b - Ω a_free).  `M`: mass
    matrix, (n, n); `free`: acceleration without constraints, (n,); `Omega`: matrix of the constraints; its
    rows may be dependent, (m, n); `b`: right-hand side of the constraints, (m,).

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

    Ω = ∂ᵢψ,  b = -(dΩ/dt) ξ - 2 Λ dψ/dt - Λ² ψ.  The constrained system; its `multipliers` are the λ of the
    forces Ωᵀ λ that hold the constraints.  `system`: system with the state (x, ξ); `mass`: mass matrix (n, n)
    as a function M(x); `loop`: residuals ψ(x) of the constraints; they may be dependent; `pull`: rate Λ [1/s]
    at which errors of ψ decay.

    >>> plane, mass = ps.analytical.spaces.minimal(2), lambda x: np.eye(2)
    >>> falling = ps.analytical.levi_civita(plane, mass, lambda x: 10 * x[1])
    >>> hanging = ps.analytical.with_loop_constraints(falling, mass, lambda x: np.array([x @ x - 1]))
    >>> hanging.acceleration(0.0, np.array([0.0, -1.0]), np.zeros(2)).round(9) + 0.0
    array([0., 0.])
    """
    c = system.coordinates

    def solve(t: float, x: Array, xi: Array) -> tuple[Array, Array]:
        Omega = c.derivative(loop, x).reshape(-1, len(xi))
        bend = difference(lambda z: c.derivative(loop, z) @ xi, x, c.rate(x, xi), c.step)
        b = -bend - 2 * pull * Omega @ xi - pull**2 * np.asarray(loop(x))
        return gauss(np.asarray(mass(x)), system.acceleration(t, x, xi), Omega, np.atleast_1d(b))

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        M, Omega = np.asarray(mass(x)), c.derivative(loop, x).reshape(-1, len(xi))
        return gauss(M, np.linalg.solve(M, f), Omega, np.zeros(len(Omega)))[0]

    return replace(
        system,
        acceleration=lambda t, x, xi: solve(t, x, xi)[0],
        multipliers=lambda t, x, xi: solve(t, x, xi)[1],
        response=response,
        loop=loop,
    )


class InputForce(Input):
    """An input of a system of `ps.analytical`: the generalized force B(t, x) u.

    Parameters
    ----------
    B : Matrix (n, k) as a function of (t, x): generalized forces of the unit inputs, whose power is ξ·B u.
    size : Number k of the inputs.
    limit : Largest absolute value, or the smallest and the largest value, of each input.  Default: no limit.
    name : Name of the input.  Default: "input".

    A pendulum that a motor at its pivot holds up:

    >>> an = ps.analytical
    >>> rod = an.levi_civita(an.spaces.minimal(1), lambda x: np.eye(1), lambda x: 9.81 * np.cos(x[0]))
    >>> motor = an.InputForce(lambda t, x: np.eye(1), limit=5.0)
    >>> def hold(t, state, memory):
    ...     return [-30 * state.q[0] - 10 * state.v[0]], memory
    >>> controller = ps.Controller(hold, period=0.02, inputs=[motor])
    >>> run = ps.simulate(rod, ps.State(0.0, [0.1], [0.0]), step=0.01, until=2.0, controller=controller)
    >>> bool(abs(run.x[-1, 0]) < 0.01), run.inputs.shape
    (True, (201, 1))
    """

    def __init__(
        self,
        B: Callable[[float, Array], Any],
        size: int = 1,
        limit: float | Limit | None = None,
        name: str | None = None,
    ) -> None:
        self.name = checked_name("input", name)
        self.B = checks.function(self.label, "B", B, ("t", "x"))
        self.size = checks.whole(self.label, "size", size, 1, 1e6)
        self.limit = checked_limit(self.label, limit)

    @property
    def label(self) -> str:
        """Name of the input for messages."""
        return f"input '{self.name}'" if self.name else "input"

    @property
    def key(self) -> str:
        """Name of the input in a run."""
        return self.name or "input"

    def count(self, mechanism: "Mechanism") -> int:
        return self.size

    def columns(self, mechanism: "Mechanism", jacobians: Mapping[str, Array]) -> Array:
        raise ModelError(f"{self.label}: an InputForce drives a system of ps.analytical, not a mechanism")

    def hold(self, mechanism: "Mechanism") -> Held:
        raise ModelError(f"{self.label}: an InputForce drives a system of ps.analytical, not a mechanism")

    @takes(t=number, x=(None,), u=("size",))
    def force(self, t: float, x: Array, u: Array) -> Array:
        """Return the generalized force (n,) of the inputs `u` (k,) at coordinates `x` and time `t` [s]."""
        found = np.asarray(self.B(t, x), dtype=float)
        if found.ndim != 2 or found.shape[1] != len(u):
            raise ModelError(f"{self.label}: B must be a matrix (n, {len(u)}), got shape {found.shape}")
        return found @ u

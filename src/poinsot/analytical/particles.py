"""Systems of particles: all formulations from the positions of the particles alone.

Particles of masses m at positions r(x) (N x 3, or N x 2) in coordinates x with velocities ξ:

    dr/dt = ∂ᵢr ξⁱ,    d²r/dt² = ∂ᵢr dξⁱ/dt + ∂ₖ∂ⱼr ξᵏξʲ                                        (1)
    T = ½ Σ m |dr/dt|²,    S = ½ Σ m |d²r/dt²|²,    Mᵢⱼ = Σ m ∂ᵢr·∂ⱼr,    Γᵢⱼₖ = Σ m ∂ᵢr·∂ₖ∂ⱼr       (2)

and, without any coordinates, Gauss' principle: of all accelerations that the constraints c(r) = 0 allow,
the actual ones are nearest to the free ones,

    least ½ Σ m |a - F/m|²   with   d²c/dt² = Cᵣ a + Σ ∂²c/∂r∂r ṙ ṙ = 0.                         (3)

Positions may also depend on the time: moving supports, driven joints, rotating frames,

    r = r(t, x),    dr/dt = ∂ᵢr ξⁱ + ∂r/∂t,    d²r/dt² = ∂ᵢr dξⁱ/dt + b(t, x, ξ)                   (4)
    Σ m ∂ᵢr·∂ⱼr dξʲ/dt = -Σ m ∂ᵢr·b - ∂ᵢV - ∂R/∂ξⁱ + fᵢ                                           (5)
    W = T + V,    H = W - Σ m ∂r/∂t·dr/dt                                                      (6)
    dH/dt = ξ·(f - ∂R/∂ξ) - ∂L/∂t,    L = T - V                                                (7)

where b is the rate of dr/dt along the motion at constant ξ.  The energy W of such a system is not conserved
even without forces, because what moves the supports does work; H is, if t does not occur in L.  Springs have
V = Σ ½ k (|r_p - r_q| - l)², where q is a particle or a fixed point.

Source: Konz, section 3.2, (3.15), (3.26), (3.41) to (3.47) [konz2024energy].
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from poinsot.analytical.arguments import function, number, reals, takes, whole
from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Derivative, Function, difference, second
from poinsot.analytical.least_constraint import gauss
from poinsot.analytical.loads import Rate
from poinsot.analytical.operators import Array
from poinsot.analytical.system import System, own_velocity, power_of
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks

SpringData = tuple[int, int | ArrayLike, float, float]  # p, q, stiffness, length


class ParticleSpring(NamedTuple):
    """A spring; of `other` and `point`, one is None."""

    particle: int
    other: int | None
    point: Array | None
    stiffness: float
    length: float


def checked_springs(
    who: str, springs: Iterable[SpringData], count: int, axes: int | None = None
) -> list[ParticleSpring]:
    """Return springs between `count` particles in a space of `axes` dimensions (default: any)."""
    found = []
    for i, one in enumerate(checks.items(who, "springs", springs, "a list of (p, q, stiffness, length)")):
        name = f"{who}: spring {i}"
        if not isinstance(one, tuple | list) or len(one) != 4:
            raise ModelError(f"{name} must be (p, q, stiffness, length), got {checks.show(one)}")
        p, q = checks.whole(name, "p", one[0], 0, count - 1), one[1]
        single = isinstance(q, int | np.integer)
        other = checks.whole(name, "q", q, 0, count - 1) if single else None
        if other == p:
            raise ModelError(f"{name} must have two ends, got particle {p} twice")
        point = None if single else checks.array(name, "q", q, "a particle or a point", (axes,))
        stiffness = checks.number(name, "stiffness", one[2], zero=True)
        length = checks.number(name, "length", one[3], zero=True)
        found.append(ParticleSpring(p, other, point, stiffness, length))
    return found


def spring_energy(springs: list[ParticleSpring], r: Array) -> Any:
    """Return the energy of springs for positions r (N, axes), which may be complex."""
    total: Any = 0.0
    for one in springs:
        d = r[one.particle] - (one.point if one.other is None else r[one.other])
        total = total + one.stiffness * (np.sqrt((d * d).sum()) - one.length) ** 2 / 2
    return total


class Particles:
    """A system of particles, given by their positions in the coordinates of a system.

    Parameters
    ----------
    coordinates : Coordinates of the system.
    masses : Masses [kg], (N,).
    places : Positions (N, d) of the particles as a function r(x) [m].

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
        """Return the derivatives ∂ᵢr of the positions: derivatives along the last axis, (N, d, n) at `x`."""
        return self._dr.along(x, self.coordinates.A(x))

    @takes(x=("size",))
    def mass(self, x: Array) -> Array:
        """Return the mass matrix (2), (n, n).  `x`: coordinates, (ν,)."""
        J = self.jacobian(x)
        return np.einsum("p,pai,paj->ij", self.masses, J, J)

    @takes(x=("size",))
    def second(self, x: Array) -> Array:
        """Return the second derivatives ∂ₖ∂ⱼr of the positions, (N, d, n, n).  `x`: coordinates, (ν,)."""
        A = self.coordinates.A(x)
        parts = [difference(self.jacobian, x, A[:, k], self.coordinates.step) for k in range(A.shape[1])]
        return np.stack(parts, axis=-1)

    @takes(x=("size",))
    def connection(self, x: Array) -> Array:
        """Return the connection Γᵢⱼₖ at `x` from second derivatives (2): (n, n, n) as [i, j, k]."""
        return np.einsum("p,pai,pajk->ijk", self.masses, self.jacobian(x), self.second(x))

    @takes(x=("size",), xi=(None,))
    def kinetic_energy(self, x: Array, xi: Array) -> float:
        """Return the kinetic energy T (2) [J].  `x`: coordinates, (ν,); `xi`: velocities, (n,)."""
        return float(xi @ self.mass(x) @ xi / 2)

    @takes(x=("size",), xi=(None,))
    def acceleration_energy(self, x: Array, xi: Array) -> Callable[[Array], Array]:
        """Return the acceleration energy S at (`x`, `xi`) as a function of dξ/dt, complex or not (2)."""
        J = self.jacobian(x)
        bias = np.einsum("pajk,j,k->pa", self.second(x), xi, xi)

        def S(dxi: Array) -> Array:
            a = J @ dxi + bias
            return np.asarray((self.masses[:, None] * a * a).sum() / 2)

        return S

    @takes(x=("size",), forces=(None, None))
    def force(self, x: Array, forces: ArrayLike) -> Array:
        """Return the generalized force Σ ∂ᵢr·F at `x` of `forces` on the particles [N], (N, d): (n,)."""
        return np.einsum("pai,pa->i", self.jacobian(x), np.asarray(forces))


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
    """Return the equations of motion of particles whose positions depend on coordinates and time (5).

    System with y = (x, ξ).  Its `energy` is W and its `hamiltonian` H of (6), its `power` that of the force
    and of the dissipation.

    Parameters
    ----------
    coordinates : Coordinates of the system.
    masses : Masses [kg], (N,).
    places : Positions (N, d) as a function r(t, x) [m].
    potential : Potential energy V(t, x) without that of the springs.
    force : Generalized force (n,) as a function f(t, x, ξ); its power is f·ξ.  Default: no force.
    springs : Springs (p, q, stiffness, length) between the particles p and q, or between p and a fixed point
        q.
    dissipation : Rayleigh's function R(t, x, ξ); its force is -∂R/∂ξ.

    A bead on a hoop that rotates about the vertical with 3 rad/s:

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
        return dr(z, np.concatenate([[1.0], coordinates.rate(z[1:], xi)]))  # (4)

    def drift(t: float, x: Array) -> Array:
        """Return ∂r/∂t."""
        return dr(np.concatenate([[t], x]), np.eye(1, 1 + size)[0])

    def applied_force(t: float, x: Array, xi: Array) -> Array:
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
        J, f = jacobian(t, x), applied_force(t, x, xi) - dV.along(*at(t, x, coordinates.A(x)))
        M = np.einsum("p,pai,paj->ij", m, J, J)
        return np.linalg.solve(M, f - np.einsum("p,pai,pa->i", m, J, b))  # (5)

    def energy(t: float, x: Array, xi: Array) -> Any:
        z = np.concatenate([[t], x])
        return (m[:, None] * rate(z, xi) ** 2).sum() / 2 + V(z)

    def hamiltonian(t: float, x: Array, xi: Array) -> Any:
        moved = m[:, None] * drift(t, x) * rate(np.concatenate([[t], x]), xi)
        return energy(t, x, xi) - moved.sum()  # (6)

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        return np.linalg.solve(mass(t, x), f)

    works = force is not None or dissipation is not None
    power = power_of(lambda t, x, xi: xi, applied_force) if works else None

    def lagrangian(t: float, x: Array, xi: Array) -> Any:
        z = np.concatenate([[t], x])
        return (m[:, None] * rate(z, xi) ** 2).sum() / 2 - V(z)

    facts = own_velocity, acceleration, energy, hamiltonian, power, response
    return System(coordinates, *facts, lagrangian=lagrangian, force=applied_force if works else None)


class HeldPlaces(Coordinates):
    """Places of particles, which forces hold on the constraints: velocities are not reduced."""

    @takes(x=("size",), tolerance=number)
    def check(self, x: Array, tolerance: float = 1e-10, *, nonholonomic: bool = False) -> int:
        """Return the number of velocities, that of the places `x`; a ModelError if it violates constraints.
        `tolerance`: largest violation, relative to the size of the places; `nonholonomic`: not used here."""
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

    System with y = (r, dr/dt), both flat.  Its `multipliers` are the λ of the forces Cᵣᵀ λ that hold the
    constraints, its `power` is that of the forces and of the dissipation, and its `energy` the kinetic energy
    and that of the springs.

    Parameters
    ----------
    masses : Masses [kg], (N,).
    constraints : Residuals c(r) as a function of the flat positions (N axes,); they may be dependent.
    forces : Forces (N, axes) in N as a function of (t, positions, velocities), both (N, axes).
    axes : Dimension of space.
    springs : Springs (p, q, stiffness, length) between the particles p and q, or between p and a fixed point
        q.
    dissipation : Rayleigh's function R(t, positions, velocities), both (N, axes); its force is -∂R/∂velocity.

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

    def applied_force(t: float, r: Array, v: Array) -> Array:
        """Return the forces without a potential."""
        f = np.asarray(forces(t, r.reshape(-1, axes), v.reshape(-1, axes))).reshape(size)
        if dissipation is not None:
            f = f - dR.along(np.concatenate([[t], r, v]), np.eye(1 + 2 * size)[:, 1 + size :])
        return f

    def solve(t: float, r: Array, v: Array) -> tuple[Array, Array]:
        C = dc.gradient(r).reshape(-1, size)
        bias = np.atleast_1d(second(constraints, r, v, v))
        f = applied_force(t, r, v) - (stretch.gradient(r) if elastic else 0.0)
        return gauss(np.diag(m), f / m, C, -bias)

    def energy(t: float, r: Array, v: Array) -> Any:
        return (m * v) @ v / 2 + spring_energy(elastic, r.reshape(-1, axes))

    def response(t: float, r: Array, v: Array, f: Array) -> Array:
        C = dc.gradient(r).reshape(-1, size)
        return gauss(np.diag(m), f / m, C, np.zeros(len(C)))[0]

    return System(
        HeldPlaces(size, lambda r: np.eye(size), constraints),
        lambda t, r, v: v,
        lambda t, r, v: solve(t, r, v)[0],
        energy,
        power=lambda t, r, v: applied_force(t, r, v) @ v,
        response=response,
        multipliers=lambda t, r, v: solve(t, r, v)[1],
    )

"""A system: equations of motion in first order over redundant coordinates, and what else is known of it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from poinsot.analytical.arguments import check_fields, function, number, reals, takes
from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.derivatives import Function, difference
from poinsot.analytical.inputs import InputForce
from poinsot.analytical.loads import Rate
from poinsot.analytical.operators import Array
from poinsot.analytical.picture import Picture, picture_of
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import show
from poinsot.model.programs.program import Program

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
    inputs: Sequence[InputForce] = ()

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

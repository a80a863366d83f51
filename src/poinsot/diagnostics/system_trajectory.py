"""The samples of a system of equations, and what the system answers about them.

    energy, hamiltonian, multipliers        if it knows them                                       `OPTIONAL`
    rates, residual, places                 dx/dt, of the constraints, of what is drawn            `ANSWERS`

A system that is at hand is asked; an archive holds the answers behind the inputs of each sample, so that a
loaded run can be drawn, reported and plotted without its functions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from poinsot.analytical.picture import USUAL
from poinsot.analytical.system import System, own_velocity
from poinsot.diagnostics.quantities import Column
from poinsot.diagnostics.trajectory import NO_FORCES, Samples, Trajectory, freeze
from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

NAMED = {"energy": "an energy", "hamiltonian": "a Hamiltonian", "multipliers": "multipliers"}
COLUMN = "answer: "  # how the names of their columns in a file begin


def _rates(system: System, t: float, x: Array, z: Array) -> Any:
    return system.coordinates.rate(x, system.velocity(t, x, z))


def _residual(system: System, t: float, x: Array, z: Array) -> Any:
    return np.abs(np.asarray(system.coordinates.constraints(x))).max(initial=0.0)


def _places(system: System, t: float, x: Array, z: Array) -> Any:
    return (system.picture or USUAL).places(x)


ANSWERS: dict[str, Callable[..., Any]] = {"rates": _rates, "residual": _residual, "places": _places}
OPTIONAL = ("energy", "hamiltonian", "multipliers")  # functions of a system that it may not have


def answer_at(system: System, name: str, t: float, x: Array, z: Array) -> Array | None:
    """Return what a system answers about one sample, (k,); None: it does not know."""
    function = getattr(system, name) if name in OPTIONAL else partial(ANSWERS[name], system)
    return None if function is None else np.atleast_1d(np.asarray(function(t, x, z), dtype=float)).ravel()


@dataclass(frozen=True)
class SystemFacts:
    """What a file says of a system: names, and how many numbers each answer has."""

    coordinates: tuple[str, ...]
    velocities: tuple[str, ...]
    inputs: int  # columns before the answers
    widths: Mapping[str, int]
    program: Any = None  # of a system that is data

    def data(self) -> dict[str, Any]:
        """Return the facts as JSON data."""
        return {
            "coordinates": list(self.coordinates),
            "velocities": list(self.velocities),
            "inputs": self.inputs,
            "answers": dict(self.widths),
            "program": self.program,
        }

    @staticmethod
    def read(data: Mapping[str, Any]) -> "SystemFacts":
        """Return the facts of the header of an archive; a ValueError if they make no sense."""
        names = [tuple(map(str, data[key])) for key in ("coordinates", "velocities")]
        widths = {str(name): int(n) for name, n in data["answers"].items()}
        if (
            not set(widths) <= {*ANSWERS, *OPTIONAL}
            or min(widths.values(), default=0) < 0
            or int(data["inputs"]) < 0
        ):
            raise ValueError("the header has no valid 'system'")
        return SystemFacts(names[0], names[1], int(data["inputs"]), widths, data.get("program"))


def velocity_names(system: System, x: Array, z: Array) -> tuple[str, ...]:
    """Return names of the numbers in z: rates of coordinates, other velocities, or momenta."""
    own = getattr(system.velocity, "f", system.velocity) is own_velocity
    n, A = len(z), system.coordinates.A(x)
    if own and A.shape == (n, n) and np.array_equal(A, np.eye(n)):
        return tuple(f"d{name}/dt" for name in system.coordinate_names)
    return tuple(f"{'v' if own else 'p'}{i + 1}" for i in range(n))


def facts_of(system: System, time: float, x: Array, z: Array, inputs: int) -> SystemFacts:
    """Return the facts of a system, asked at its start."""
    asked = {name: answer_at(system, name, time, x, z) for name in (*OPTIONAL, *ANSWERS)}
    widths = {name: len(one) for name, one in asked.items() if one is not None}
    names = system.coordinate_names, velocity_names(system, x, z)
    program = None if system.program is None else system.program.data()
    return SystemFacts(*names, inputs, widths, program)


@dataclass(frozen=True, eq=False)
class SystemTrajectory(Trajectory):
    """Samples of a system: `mechanism` is its picture, q and v are its coordinates and velocities."""

    facts: SystemFacts | None = None
    system: System | None = None  # None: a file has the answers

    @property
    def columns(self) -> list[Column]:
        """Coordinates and velocities by name."""
        assert self.facts is not None
        places = ("q", self.facts.coordinates), ("v", self.facts.velocities)
        return [Column("", name, "", array, i) for array, names in places for i, name in enumerate(names)]

    @cached_property
    def _known(self) -> dict[str, Array]:
        """The answers that were asked for."""
        return {}

    def answer(self, name: str) -> Array:
        """Return what the system answers at the samples, (n, k); a ModelError if it has no such answer."""
        assert self.facts is not None
        widths, known = self.facts.widths, self._known
        if name not in widths:
            raise ModelError(f"this system was written without {NAMED[name]}")
        if name not in known and self.system is not None:
            samples = zip(self.time.tolist(), self.q, self.v, strict=True)
            rows = [answer_at(self.system, name, *one) for one in samples]
            known[name] = freeze(np.array(rows, dtype=float).reshape(len(rows), widths[name]))
        elif name not in known:
            begin = self.facts.inputs + sum(widths[one] for one in list(widths)[: list(widths).index(name)])
            known[name] = self.inputs[:, begin : begin + widths[name]]
        return known[name]

    @property
    def total(self) -> Array:
        """The Hamiltonian less the work, which is constant; NaN of a system that has none."""
        assert self.facts is not None
        name = next((one for one in ("hamiltonian", "energy") if one in self.facts.widths), None)
        return np.full(len(self.time), np.nan) if name is None else self.answer(name)[:, 0] - self.work

    @cached_property
    def picture(self) -> Trajectory:
        """The bodies that are drawn, and how they move."""
        places, n = self.answer("places"), len(self.time)
        none = np.zeros(n)
        v = np.zeros((n, 6 * len(self.mechanism.links)))
        return Trajectory(self.mechanism, self.time, places, v, none, none.copy())

    @property
    def file_samples(self) -> Samples:
        """The samples as a file has them: the answers stand behind the inputs."""
        if self.system is None:
            return self.samples
        assert self.facts is not None
        inputs = self.inputs if self.inputs.size else np.zeros((len(self.time), 0))
        return self.samples._replace(
            inputs=np.concatenate([inputs, *map(self.answer, self.facts.widths)], axis=1)
        )

    @property
    def file_columns(self) -> tuple[str, ...]:
        """Names of the columns of inputs in a file."""
        assert self.facts is not None
        if self.system is None:
            return self.driven
        more = (f"{COLUMN}{name}" for name, width in self.facts.widths.items() for _ in range(width))
        return (*self.driven, *more)


def bodies_of(system: System, x: Array) -> Mechanism:
    """Return the bodies that are drawn of a system, made at its start."""
    return (system.picture or USUAL).mechanism(x)


def system_trajectory(
    system: System, start: State, samples: Samples, driven: tuple[str, ...]
) -> SystemTrajectory:
    """Return the samples of a system that began with a state; `driven` names the inputs."""
    facts = facts_of(system, start.time, start.q, start.v, len(driven))
    time, q, v, work, potential, inputs = samples
    made = bodies_of(system, start.q)
    return SystemTrajectory(made, time, q, v, work, potential, NO_FORCES, inputs, driven, facts, system)

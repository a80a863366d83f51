"""The numbers of a run: time, coordinates, velocities and work, with the mechanism they belong to."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.diagnostics.motions import Motions, sums
from poinsot.diagnostics.motions import freeze as freeze
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State, view


class Forces(NamedTuple):
    """Which forces acted during a run; a mechanism from a file does not know its forces.

    Parameters
    ----------
    applied : True if a force or an impulse acted on the mechanism from outside.
    impulses : True if an impulse acted.
    """

    applied: bool
    impulses: bool


class Samples(NamedTuple):
    """Some samples of a run, as arrays with a first axis of samples."""

    time: Array
    q: Array
    v: Array
    work: Array
    applied_potential: Array
    inputs: Array

    def part(self, begin: int, end: int) -> "Samples":
        """Return the samples from number `begin` to `end`, without a copy."""
        return Samples(*(x[begin:end] for x in self))

    def pick(self, rows: NDArray[np.int64]) -> "Samples":
        """Return the samples with these numbers; there may be no inputs."""
        return Samples(*(x[rows] if len(x) else x for x in self))


CHUNK = 1 << 14  # samples of all bodies together whose kinematics are held at once
NO_FORCES = Forces(applied=False, impulses=False)


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The samples of a run as arrays, which are read-only.

    Parameters
    ----------
    mechanism : The mechanism that moved.
    time : Times [s], (n,).
    q : Coordinates of the joints, in the order of the bodies [rad, m], (n, nq).
    v : Velocities of the joints [rad/s, m/s], (n, nv).
    work : Work of the forces without a potential since the start [J], (n,).
    applied_potential : Potential energy of the user's forces (without gravity) [J], (n,).
    forces : Which forces acted.
    inputs : Inputs that a controller held from each sample on [N, N m], (n, nu).
    driven : The joint of each column of `inputs`.
    """

    mechanism: Mechanism
    time: Array
    q: Array
    v: Array
    work: Array
    applied_potential: Array
    forces: Forces = NO_FORCES
    inputs: Array = field(default_factory=lambda: np.zeros((0, 0)))
    driven: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.time, self.q, self.v, self.work, self.applied_potential, self.inputs):
            array.setflags(write=False)

    def thin(self, most: int) -> "Trajectory":
        """Return a trajectory of at most `most` samples, evenly spaced.
        Every k-th sample, with the smallest k that suffices.  `most`: largest number of samples."""
        step = max(1, -(-len(self.time) // most))
        if step == 1:
            return self
        return self.with_samples(Samples(*(x[::step].copy() for x in self.samples)))

    @cached_property
    def chunk(self) -> int:
        """Number of samples in a part."""
        return max(256, CHUNK // max(1, len(self.mechanism.links)))

    def part(self, begin: int, end: int) -> "Trajectory":
        """Return the samples from number `begin` to `end`, without a copy.
        `begin`, `end`: numbers of the first sample, and of the one after the last."""
        return self.with_samples(self.samples.part(begin, end))

    def with_samples(self, samples: Samples) -> "Trajectory":
        """Return other samples of the same mechanism.  `samples`: the samples."""
        return replace(self, **samples._asdict())

    def parts(self, most: int | None = None) -> Iterator["Trajectory"]:
        """Return the samples as parts that are small enough to compute with.

        Parts, in order; the trajectory itself if it is short.  `most`: largest number of samples in a part
        (default: fewer, the more bodies there are).
        """
        n, size = len(self.time), self.chunk if most is None else most
        if n <= size:
            yield self
            return
        for begin in range(0, n, size):
            yield self.part(begin, min(begin + size, n))

    @property
    def samples(self) -> Samples:
        """Arrays of the samples, without the mechanism."""
        return Samples(self.time, self.q, self.v, self.work, self.applied_potential, self.inputs)

    @property
    def file_samples(self) -> Samples:
        """The samples as a file has them."""
        return self.samples

    @property
    def file_columns(self) -> tuple[str, ...]:
        """Names of the columns of inputs in a file."""
        return self.driven

    @property
    def picture(self) -> "Trajectory":
        """The bodies that are drawn."""
        return self

    @property
    def total(self) -> Array:
        """What is conserved: kinetic and potential energy less the work of forces, shape (n,) [J]."""
        return np.asarray(self.kinetic + self.potential - self.work)

    @property
    def count(self) -> int:
        """Number of samples that can be read."""
        return len(self.time)

    @property
    def span(self) -> tuple[int, float, float]:
        """Number of samples, and the times of the first and of the last, without reading the others."""
        return len(self.time), float(self.time[0]), float(self.time[-1])

    def states(self) -> list[State]:
        """Return the samples as states: one state per sample, without the memory of a method."""
        q, v = self.q.view(), self.v.view()
        q.flags.writeable = v.flags.writeable = False
        m = self.mechanism
        return [view(*sample, None, m) for sample in zip(self.time.tolist(), q, v, strict=True)]

    @cached_property
    def motions(self) -> Motions:
        """Attitude, position and velocities of each body at the samples, by name."""
        return Motions(self.mechanism, self.q, self.v)

    @cached_property
    def sums(self) -> Array:
        """Energies, momenta and sizes at the samples: rows of `core.tree.dynamics.totals.Totals`."""
        return freeze(sums(self.mechanism, self.q, self.v))

    @cached_property
    def _totals(self) -> tuple[Array, Array, Array, Array]:
        """Kinetic and potential energy, linear and angular momentum."""
        x = self.sums
        columns = x[:, 0].copy(), x[:, 1] + self.applied_potential, x[:, 2:5].copy(), x[:, 5:8].copy()
        kinetic, potential, linear, angular = map(freeze, columns)
        return kinetic, potential, linear, angular

    @property
    def kinetic(self) -> Array:
        """Kinetic energy in J, shape (n,)."""
        return self._totals[0]

    @property
    def potential(self) -> Array:
        """Potential energy in J, shape (n,): of gravity and of the user's forces."""
        return self._totals[1]

    @property
    def linear_momentum(self) -> Array:
        """Linear momentum in space in kg m/s, shape (n, 3)."""
        return self._totals[2]

    @property
    def angular_momentum(self) -> Array:
        """Angular momentum about the origin in kg m^2/s, shape (n, 3)."""
        return self._totals[3]

    @cached_property
    def orthogonality(self) -> Array:
        """Largest ||q|^2 - 1| of the stored quaternions, shape (n,): how far they are from unit length."""
        worst, nq = np.zeros(len(self.time)), 0
        for link in self.mechanism.links:
            if link.joint.quaternion is not None:
                q = self.q[:, nq + link.joint.quaternion :][:, :4]
                worst = np.maximum(worst, np.abs(np.einsum("ij,ij->i", q, q) - 1))
            nq += link.joint.nq
        return freeze(worst)


FIRST = 1 << 12  # samples for which there is room at first
GROWTH = 2


class GrowingSamples:
    """Samples to which parts are appended; there will be at most about `most` of them."""

    def __init__(self, first: Samples, most: int) -> None:
        self.most, self.count, self.capacity = most, 0, len(first.time)
        self.arrays = [np.empty(x.shape) for x in first]
        self.add(first)

    def add(self, part: Samples) -> None:
        """Append samples."""
        end = self.count + len(part.time)
        if end > self.capacity:
            self._resize(max(end, min(self.most, max(FIRST, GROWTH * self.capacity))))
        for target, source in zip(self.arrays, part, strict=True):
            target[self.count : end] = source
        self.count = end

    def _resize(self, capacity: int) -> None:
        for array in self.arrays:
            array.resize((capacity, *array.shape[1:]), refcheck=False)  # nobody else has seen it
        self.capacity = capacity

    @property
    def nbytes(self) -> int:
        """Size of the samples in memory."""
        return sum(array.nbytes for array in self.arrays)

    def last(self) -> float:
        """Return the time of the last sample."""
        return float(self.arrays[0][self.count - 1])

    def finish(self) -> Samples:
        """Return all samples, which can be extended no more: others see the arrays from now on."""
        self._resize(self.count)
        return Samples(*self.arrays)


def trajectory_of(
    samples: Samples, mechanism: Mechanism, forces: Forces, driven: tuple[str, ...]
) -> Trajectory:
    """Return samples with the mechanism that they belong to."""
    time, q, v, work, potential, inputs = samples
    return Trajectory(mechanism, time, q, v, work, potential, forces, inputs, driven)

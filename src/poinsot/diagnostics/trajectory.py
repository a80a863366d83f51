"""The numbers of a run: time, coordinates, velocities and work, with the mechanism they belong to."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.diagnostics.motions import Motions
from poinsot.diagnostics.motions import frozen as frozen
from poinsot.diagnostics.sums import sums
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State, view


class Forces(NamedTuple):
    """Which forces acted during a run; a mechanism from a file does not know its forces.

    Parameters
    ----------
    applied : bool
        True if a force or an impulse acted on the mechanism from outside.
    impulses : bool
        True if an impulse acted.

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("dzhanibekov")
    >>> ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, steps=1).trajectory.forces
    Forces(applied=False, impulses=False)
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

    def picked(self, rows: NDArray[np.int64]) -> "Samples":
        """Return the samples with these numbers; there may be no inputs."""
        return Samples(*(x[rows] if len(x) else x for x in self))


CHUNK = 1 << 14  # samples of all bodies together whose kinematics are held at once
NO_FORCES = Forces(applied=False, impulses=False)


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The samples of a run as arrays, which are read-only.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism that moved.
    time : ndarray, shape (n,)
        Times in s.
    q : ndarray, shape (n, nq)
        Coordinates of the joints, in the order of the bodies, in rad and m.
    v : ndarray, shape (n, nv)
        Velocities of the joints, in rad/s and m/s.
    work : ndarray, shape (n,)
        Work of the forces without a potential since the start, in J.
    applied_potential : ndarray, shape (n,)
        Potential energy of the user's forces (without gravity), in J.
    forces : Forces, default no forces
        Which forces acted.
    inputs : ndarray, shape (n, nu), default empty
        Inputs that a controller held from each sample on, in N or N m.
    driven : tuple of str, default ()
        The joint of each column of `inputs`.

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("dzhanibekov")
    >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
    >>> run.trajectory.q.shape, run.trajectory.v.shape
    ((51, 7), (51, 6))
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

    def thinned(self, most: int) -> "Trajectory":
        """Return a trajectory of at most `most` samples, evenly spaced.

        Parameters
        ----------
        most : int
            Largest number of samples.

        Returns
        -------
        Trajectory
            Every k-th sample, with the smallest k that suffices.
        """
        step = max(1, -(-len(self.time) // most))
        if step == 1:
            return self
        q, v, work, potential = (x[::step] for x in (self.q, self.v, self.work, self.applied_potential))
        return Trajectory(
            self.mechanism,
            self.time[::step],
            q,
            v,
            work,
            potential,
            self.forces,
            self.inputs[::step],
            self.driven,
        )

    @cached_property
    def chunk(self) -> int:
        """Number of samples in a part."""
        return max(256, CHUNK // max(1, len(self.mechanism.links)))

    def part(self, begin: int, end: int) -> "Trajectory":
        """Return the samples from number `begin` to `end`, without a copy.

        Parameters
        ----------
        begin, end : int
            Numbers of the first sample, and of the one after the last.

        Returns
        -------
        Trajectory
            These samples.
        """
        return self.with_samples(self.samples.part(begin, end))

    def with_samples(self, samples: Samples) -> "Trajectory":
        """Return other samples of the same mechanism.

        Parameters
        ----------
        samples : Samples
            The samples.

        Returns
        -------
        Trajectory
            These samples.
        """
        return replace(self, **samples._asdict())

    def parts(self, most: int | None = None) -> Iterator["Trajectory"]:
        """Return the samples as parts that are small enough to compute with.

        Parameters
        ----------
        most : int, optional
            Largest number of samples in a part.  Default: fewer, the more bodies there are.

        Returns
        -------
        iterator of Trajectory
            Parts, in order; the trajectory itself if it is short.
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
    def count(self) -> int:
        """Number of samples that can be read."""
        return len(self.time)

    @property
    def span(self) -> tuple[int, float, float]:
        """Number of samples, and the times of the first and of the last, without reading the others."""
        return len(self.time), float(self.time[0]), float(self.time[-1])

    def states(self) -> list[State]:
        """Return the samples as states.

        Returns
        -------
        list of State
            One state per sample, without the memory of a method.
        """
        q, v = self.q.view(), self.v.view()
        q.flags.writeable = v.flags.writeable = False
        return [view(*sample) for sample in zip(self.time.tolist(), q, v, strict=True)]

    @cached_property
    def motions(self) -> Motions:
        """Attitude, position and velocities of each body at the samples, by name."""
        return Motions(self.mechanism, self.q, self.v)

    @cached_property
    def sums(self) -> Array:
        """Energies, momenta and sizes at the samples: rows of `core.tree.dynamics.totals.Totals`."""
        return frozen(sums(self.mechanism, self.q, self.v))

    @cached_property
    def _totals(self) -> tuple[Array, Array, Array, Array]:
        """Kinetic and potential energy, linear and angular momentum."""
        x = self.sums
        columns = x[:, 0].copy(), x[:, 1] + self.applied_potential, x[:, 2:5].copy(), x[:, 5:8].copy()
        kinetic, potential, linear, angular = map(frozen, columns)
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
        return frozen(worst)

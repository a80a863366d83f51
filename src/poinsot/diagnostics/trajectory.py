"""The numbers of a run: time, coordinates, velocities and work, with the mechanism they belong to."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.model.checks import Array
from poinsot.model.kinematics import Motion, motions
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import dot, times
from poinsot.model.state import State


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


def frozen(x: Array) -> Array:
    """Make an array read-only and return it."""
    x.setflags(write=False)
    return x


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

    def parts(self) -> Iterator["Trajectory"]:
        """Return the samples as parts that are small enough to compute with.

        Returns
        -------
        iterator of Trajectory
            Parts, in order; the trajectory itself if it is short.
        """
        n = len(self.time)
        if n <= self.chunk:
            yield self
            return
        for begin in range(0, n, self.chunk):
            yield self.part(begin, min(begin + self.chunk, n))

    @property
    def samples(self) -> Samples:
        """Arrays of the samples, without the mechanism."""
        return Samples(self.time, self.q, self.v, self.work, self.applied_potential, self.inputs)

    @property
    def span(self) -> tuple[int, float, float]:
        """Number of samples, and the times of the first and of the last."""
        return len(self.time), float(self.time[0]), float(self.time[-1])

    def states(self) -> list[State]:
        """Return the samples as states.

        Returns
        -------
        list of State
            One state per sample, without the memory of a method.
        """
        samples = zip(self.time, self.q, self.v, strict=True)
        return [State(float(t), q, v) for t, q, v in samples]

    @cached_property
    def motions(self) -> dict[str, Motion]:
        """Attitude, position and velocities of each body at the samples, by name."""
        found = motions(self.mechanism, self.q, self.v)
        del found[WORLD]
        for x in found.values():
            for array in x:
                frozen(array)
        return found

    @cached_property
    def _totals(self) -> tuple[Array, Array, Array, Array]:
        """Kinetic and potential energy, linear and angular momentum, computed chunk by chunk of samples.

        T = sum of w.J w/2 + m v^2/2,   V = -sum of m g.p,   p = sum of m v,   L = sum of R J w + p x m v,
        with J about the centre of mass.
        """
        n, g = len(self.time), self.mechanism.gravity
        kinetic, potential = np.zeros(n), np.array(self.applied_potential)
        linear, angular = np.zeros((n, 3)), np.zeros((n, 3))
        for begin in range(0, n, self.chunk):
            part = slice(begin, begin + self.chunk)
            found = self.motions if n <= self.chunk else motions(self.mechanism, self.q[part], self.v[part])
            for link in self.mechanism.links:
                x, m, J = found[link.name], link.body.mass, link.body.inertia
                kinetic[part] += dot(x.angular_velocity, times(J, x.angular_velocity)) / 2
                kinetic[part] += m * dot(x.velocity, x.velocity) / 2
                potential[part] -= m * dot(x.position, g)
                linear[part] += m * x.velocity
                angular[part] += times(x.rotation, times(J, x.angular_velocity))
                angular[part] += m * np.cross(x.position, x.velocity)
        return frozen(kinetic), frozen(potential), frozen(linear), frozen(angular)

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
        worst = np.zeros(len(self.time))
        for link in self.mechanism.links:
            first = link.joint.quaternion
            if first is not None:
                q = self.q[:, self.mechanism.slices(link.name)[0]][:, first : first + 4]
                worst = np.maximum(worst, np.abs(np.sum(q**2, axis=1) - 1))
        return frozen(worst)

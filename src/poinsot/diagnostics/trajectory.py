"""The numbers of a run: time, coordinates, velocities, work; and the mechanism they belong to."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.kinematics import Motion, motions
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import dot, times


class Forces(NamedTuple):
    """What acted during a run: the mechanism in a file does not know its forces."""

    applied: bool  # any force or impulse
    impulses: bool


class Samples(NamedTuple):
    """Some samples of a run, as arrays with a first axis of samples."""

    time: Array
    q: Array
    v: Array
    work: Array
    applied_potential: Array
    inputs: Array


NO_FORCES = Forces(applied=False, impulses=False)


def frozen(x: Array) -> Array:
    """The same array, read-only."""
    x.setflags(write=False)
    return x


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Samples of a run."""

    mechanism: Mechanism
    time: Array  # (n,)
    q: Array  # (n, nq)
    v: Array  # (n, nv)
    work: Array  # (n,) of forces without a potential, since the start
    applied_potential: Array  # (n,) of the user's forces only
    forces: Forces = NO_FORCES
    inputs: Array = field(
        default_factory=lambda: np.zeros((0, 0))
    )  # (n, nu): what a controller held, from each sample on
    driven: tuple[str, ...] = ()  # the joint of each of its columns

    def __post_init__(self) -> None:
        for array in (self.time, self.q, self.v, self.work, self.applied_potential, self.inputs):
            array.setflags(write=False)

    def thinned(self, most: int) -> "Trajectory":
        """At most so many samples, evenly spaced."""
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

    @property
    def samples(self) -> Samples:
        """The arrays."""
        return Samples(self.time, self.q, self.v, self.work, self.applied_potential, self.inputs)

    @cached_property
    def motions(self) -> dict[str, Motion]:
        found = motions(self.mechanism, self.q, self.v)
        del found[WORLD]
        for x in found.values():
            for array in x:
                frozen(array)
        return found

    @cached_property
    def kinetic(self) -> Array:
        """Sum of w.J w/2 + m v^2/2, J about the centre of mass."""
        total = np.zeros(len(self.time))
        for link in self.mechanism.links:
            x = self.motions[link.name]
            total += dot(x.angular_velocity, times(link.body.inertia, x.angular_velocity)) / 2
            total += link.body.mass * dot(x.velocity, x.velocity) / 2
        return frozen(total)

    @cached_property
    def potential(self) -> Array:
        """-m g.p of every body, and the potentials of the user's forces."""
        total = np.array(self.applied_potential)
        for link in self.mechanism.links:
            total -= link.body.mass * dot(self.motions[link.name].position, self.mechanism.gravity)
        return frozen(total)

    @cached_property
    def linear_momentum(self) -> Array:
        """(n, 3): sum of m v."""
        parts = [link.body.mass * self.motions[link.name].velocity for link in self.mechanism.links]
        return frozen(np.sum(parts, axis=0))

    @cached_property
    def angular_momentum(self) -> Array:
        """(n, 3): sum of R J w + p x m v, about the origin, in space."""
        total = np.zeros((len(self.time), 3))
        for link in self.mechanism.links:
            x = self.motions[link.name]
            total += times(x.rotation, times(link.body.inertia, x.angular_velocity))
            total += link.body.mass * np.cross(x.position, x.velocity)
        return frozen(total)

    @cached_property
    def orthogonality(self) -> Array:
        """How far the stored rotations are from rotations: the largest ||q|^2 - 1| over the bodies."""
        worst = np.zeros(len(self.time))
        for link in self.mechanism.links:
            first = link.joint.quaternion
            if first is not None:
                q = self.q[:, self.mechanism.slices(link.name)[0]][:, first : first + 4]
                worst = np.maximum(worst, np.abs(np.sum(q**2, axis=1) - 1))
        return frozen(worst)

"""Motions of the bodies at the samples of a run, and sums over all bodies, computed when they are asked for.

The core computes them where it is loaded, else NumPy: a process that only shows a file does not load the
compiler for it.  Columns of the sums are those of `core.tree.dynamics.totals.Totals`:

    T, V of gravity, p (3), L (3), mass, first moment (3), sum |m v|, sum |J w| + |p| |m v|, largest w^2

    T = sum of w.J w/2 + m v^2/2,   V = -sum of m g.p,   p = sum of m v,   L = sum of R J w + p x m v   (1)

with J about the center of mass.
"""

import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.frame import Frame
from poinsot.model.kinematics import SampledMotion, motions, quaternions
from poinsot.model.mechanism import Mechanism
from poinsot.model.part import frame_motion
from poinsot.model.rotations import compose, dot, point_of, times

COLUMNS = 15


def core_is_loaded() -> bool:
    """Return whether this process has loaded the compiled core."""
    return "poinsot.core.jit" in sys.modules


def sums(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return the sums (n, COLUMNS) at n samples."""
    if not core_is_loaded():
        return plain_sums(mechanism, motions(mechanism, q, v), len(q), v)
    from poinsot.compile.cache import cache_of

    return cache_of(mechanism).bodies().states.sums(q, v)


def plain_sums(
    mechanism: Mechanism, found: Mapping[str, SampledMotion], count: int, v: Array | None = None
) -> Array:
    """Return the sums of these motions at `count` samples by (1) in NumPy; rotors need the velocities v."""
    out = np.zeros((count, COLUMNS))
    for link in mechanism.links:
        x, m = found[link.name], link.body.mass
        spin, (position, velocity) = (
            times(link.body.inertia, x.angular_velocity),
            x.point(link.body.center_of_mass),
        )
        push = m * velocity
        out[:, 0] += (dot(x.angular_velocity, spin) + dot(velocity, push)) / 2
        armature = getattr(link.joint, "armature", 0.0)
        if armature and v is not None:
            out[:, 0] += armature * (v[:, mechanism.slices(link.name)[1]] ** 2).sum(axis=1) / 2
        out[:, 1] -= m * dot(position, mechanism.gravity)
        out[:, 2:5] += push
        out[:, 5:8] += times(x.rotation, spin) + np.cross(position, push)
        out[:, 8] += m
        out[:, 9:12] += m * position
        size = np.linalg.norm(push, axis=1)
        out[:, 12] += size
        out[:, 13] += np.linalg.norm(spin, axis=1) + np.linalg.norm(position, axis=1) * size
        out[:, 14] = np.maximum(out[:, 14], dot(x.angular_velocity, x.angular_velocity))
    return out


def freeze(x: Array) -> Array:
    """Make an array read-only and return it."""
    x.setflags(write=False)
    return x


class Motions(Mapping[str, "BodySamples"]):
    """The motion of each body, by name; `find` knows frames too."""

    def __init__(self, mechanism: Mechanism, q: Array, v: Array) -> None:
        whole = AllBodies(mechanism, q, v)
        self._bodies = {link.name: BodySamples(whole, i) for i, link in enumerate(mechanism.links)}
        frames = enumerate(mechanism.frame_names, len(mechanism.links))
        self._frames = {name: BodySamples(whole, i) for i, name in frames}

    def __getitem__(self, name: str) -> "BodySamples":
        return self._bodies[name]

    def find(self, name: str) -> "BodySamples | None":
        """Return the motion of a body or frame, if there is one of this name."""
        return self._bodies.get(name) or self._frames.get(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._bodies)

    def __len__(self) -> int:
        return len(self._bodies)


class AllBodies:
    """What the motions of all bodies share.
    It does not refer to them: the arrays of a part would wait for the collector of cycles."""

    def __init__(self, mechanism: Mechanism, q: Array, v: Array) -> None:
        self.mechanism, self.q, self.v = mechanism, q, v

    @cached_property
    def numbers(self) -> Array:
        """Motions of all bodies, (n, bodies, 24), in the order of `SeatMotion` of the core."""
        if not core_is_loaded():
            found = motions(self.mechanism, self.q, self.v)
            n = len(self.q)
            each = [[x.reshape(n, -1) for x in found[link.name][1:]] for link in self.mechanism.links]
            each += [[x.reshape(n, -1) for x in _frame(found, one)[1:]] for one in self.mechanism.frames]
            return np.stack([np.concatenate(one, axis=1) for one in each], axis=1)
        from poinsot.compile.cache import cache_of

        known = cache_of(self.mechanism)
        tree = known.bodies()
        places = [tree.places.bodies[link.name] for link in self.mechanism.links]
        centers = [link.body.center_of_mass for link in self.mechanism.rigid_links.values()]
        seats = [[*at.R.ravel(), *at.r, *c] for at, c in zip(places, centers, strict=True)]
        frames = [known.part(frame.name).seat() for frame in self.mechanism.frames]
        links = np.array([*(at.link for at in places), *(link for link, _ in frames)], dtype=np.int64)
        numbers = np.array([*seats, *(seat for _, seat in frames)]).reshape(-1)
        return tree.states.motions(links, numbers, self.q, self.v)

    @cached_property
    def quaternions(self) -> dict[str, Array]:
        """Attitudes of all bodies and frames by name."""
        found = quaternions(self.mechanism, self.q)
        frames = {
            one.name: compose(found[one.body], np.broadcast_to(one.rotation, (len(self.q), 4)))
            for one in self.mechanism.frames
        }
        return {**found, **frames}


def _frame(found: Mapping[str, SampledMotion], one: Frame) -> SampledMotion:
    return frame_motion(found[one.body], one.at, one.rotation)


class PartSamples(NamedTuple):
    """A body without what is welded to it, as `Run.part` returns it.

    Parameters
    ----------
    body : the body itself, with its own mass, moments and center of mass
    position : positions of its own center of mass in space, (n, 3) [m]
    velocity : velocities of this center in space, (n, 3) [m/s]
    """

    body: Body
    position: Array
    velocity: Array


class BodySamples:
    """Motion of one body at n samples; `position` and `velocity` are those of the center of mass in space.
    That of a body with welded parts is the common one; `part` has its own.  Of a frame they are those of its
    origin."""

    def __init__(self, of: AllBodies, body: int) -> None:
        self.of, self.body = of, body

    def _columns(self, begin: int, end: int) -> Array:
        return freeze(np.ascontiguousarray(self.of.numbers[:, self.body, begin:end]))

    @cached_property
    def part(self) -> PartSamples:
        """The body without what is welded to it."""
        body = self.of.mechanism.links[self.body].body
        if self.of.mechanism.rigid_links[self.of.mechanism.names[self.body]].body is body:
            return PartSamples(body, self.position, self.velocity)
        motion = self.rotation, self.angular_velocity, self.origin, self.origin_velocity
        return PartSamples(body, *map(freeze, point_of(*motion, body.center_of_mass)))

    @cached_property
    def quaternion(self) -> Array:
        """Attitude, body to space, (n, 4)."""
        m = self.of.mechanism
        names = [*m.names, *m.frame_names]
        return freeze(self.of.quaternions[names[self.body]])

    @cached_property
    def rotation(self) -> Array:
        """Attitude as matrices, body to space, (n, 3, 3)."""
        return freeze(self._columns(0, 9).reshape(-1, 3, 3))

    @cached_property
    def angular_velocity(self) -> Array:
        """Angular velocity in the body frame, (n, 3)."""
        return self._columns(9, 12)

    @cached_property
    def position(self) -> Array:
        """Position of the center of mass in space, (n, 3)."""
        return self._columns(12, 15)

    @cached_property
    def velocity(self) -> Array:
        """Velocity of the center of mass in space, (n, 3)."""
        return self._columns(15, 18)

    @cached_property
    def origin(self) -> Array:
        """Position of the origin of the body frame in space, (n, 3)."""
        return self._columns(18, 21)

    @cached_property
    def origin_velocity(self) -> Array:
        """Velocity of the origin of the body frame in space, (n, 3)."""
        return self._columns(21, 24)

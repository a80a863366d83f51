"""Motions of the bodies at the samples of a run, computed when they are first asked for.

The core computes them where it is loaded, else NumPy: to show a file needs no compiler.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from poinsot.diagnostics.sums import core_is_loaded
from poinsot.model.checks import Array
from poinsot.model.kinematics import motions, quaternions
from poinsot.model.mechanism import Mechanism


def frozen(x: Array) -> Array:
    """Make an array read-only and return it."""
    x.setflags(write=False)
    return x


class Motions(Mapping[str, "BodyMotion"]):
    """The motion of each body, by name."""

    def __init__(self, mechanism: Mechanism, q: Array, v: Array) -> None:
        whole = AllBodies(mechanism, q, v)
        self._bodies = {link.name: BodyMotion(whole, i) for i, link in enumerate(mechanism.links)}

    def __getitem__(self, name: str) -> "BodyMotion":
        return self._bodies[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._bodies)

    def __len__(self) -> int:
        return len(self._bodies)


class AllBodies:
    """What the motions of all bodies share.

    It does not refer to them: the arrays of a part would wait for the collector of cycles.
    """

    def __init__(self, mechanism: Mechanism, q: Array, v: Array) -> None:
        self.mechanism, self.q, self.v = mechanism, q, v

    @cached_property
    def numbers(self) -> Array:
        """Motions of all bodies, (n, bodies, 24), in the order of `core.tree.dynamics.bodies.BodyMotion`."""
        if not core_is_loaded():
            found = motions(self.mechanism, self.q, self.v)
            n = len(self.q)
            each = [[x.reshape(n, -1) for x in found[link.name][1:]] for link in self.mechanism.links]
            return np.stack([np.concatenate(one, axis=1) for one in each], axis=1)
        from poinsot.compile.kept import kept

        tree = kept(self.mechanism).bodies()
        places = [tree.places.bodies[link.name] for link in self.mechanism.links]
        centers = [link.body.center_of_mass for link in self.mechanism.links]
        seats = [[*at.R.ravel(), *at.r, *c] for at, c in zip(places, centers, strict=True)]
        links = np.array([at.link for at in places], dtype=np.int64)
        return tree.states.motions(links, np.array(seats).reshape(-1), self.q, self.v)

    @cached_property
    def quaternions(self) -> dict[str, Array]:
        """Attitudes of all bodies by name."""
        return quaternions(self.mechanism, self.q)


class BodyMotion:
    """Motion of one body at n samples; `position` and `velocity` are those of the centre of mass in space."""

    def __init__(self, of: AllBodies, body: int) -> None:
        self.of, self.body = of, body

    def _columns(self, begin: int, end: int) -> Array:
        return frozen(np.ascontiguousarray(self.of.numbers[:, self.body, begin:end]))

    @cached_property
    def quaternion(self) -> Array:
        """Attitude, body to space, (n, 4)."""
        return frozen(self.of.quaternions[self.of.mechanism.links[self.body].name])

    @cached_property
    def rotation(self) -> Array:
        """Attitude as matrices, body to space, (n, 3, 3)."""
        return frozen(self._columns(0, 9).reshape(-1, 3, 3))

    @cached_property
    def angular_velocity(self) -> Array:
        """Angular velocity in the body frame, (n, 3)."""
        return self._columns(9, 12)

    @cached_property
    def position(self) -> Array:
        """Position of the centre of mass in space, (n, 3)."""
        return self._columns(12, 15)

    @cached_property
    def velocity(self) -> Array:
        """Velocity of the centre of mass in space, (n, 3)."""
        return self._columns(15, 18)

    @cached_property
    def origin(self) -> Array:
        """Position of the origin of the body frame in space, (n, 3)."""
        return self._columns(18, 21)

    @cached_property
    def origin_velocity(self) -> Array:
        """Velocity of the origin of the body frame in space, (n, 3)."""
        return self._columns(21, 24)

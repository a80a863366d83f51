"""The interface of a joint: how a body may move relative to its parent, and the names of its coordinates.

    pose(q)        quaternion and position of the child frame in the joint frame
    twist(q, v)    its angular velocity and the velocity of its origin relative to it, child frame

for arrays with a leading axis of samples; `core_joints`, how the core sees it; `constraints`, how it closes a
loop.  Names of coordinates, of tangent coordinates and of its data in files follow from the class.
"""

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import dot, norm
from poinsot.elementary.trigonometry import sincos
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.constraints import Connection

UNITS = {  # of coordinates and velocities by name
    "angle": "rad",
    "angles": "rad",
    "displacement": "m",
    "position": "m",
    "rate": "rad/s",
    "rates": "rad/s",
    "angular_velocity": "rad/s",
    "speed": "m/s",
    "velocity": "m/s",
}
Poses = tuple[Array, Array]  # quaternions (n, 4) and positions (n, 3)
Twists = tuple[Array, Array]  # (n, 3) each


class CoreJoint(NamedTuple):
    """A joint of the core: its kind, the matrix whose columns z and x are its axes, and its parameters."""

    kind: str
    axes: Array
    parameters: tuple[float, ...] = ()


def frame_on(normal: ArrayLike) -> Array:
    """Return a frame whose third axis is the normal: columns e1, e2 = normal x e1, normal.

    e1 is the part, perpendicular to the normal, of that axis of the joint frame which leans least on the
    normal (x, if the normal is z).
    """
    n = np.asarray(normal)
    e1 = np.eye(3)[int(np.argmin(np.abs(n)))]
    e1 = e1 - dot(e1, n) * n
    e1 = e1 / norm(e1)
    return np.column_stack([e1, np.cross(n, e1), n])


def about(axis: ArrayLike, angle: Array) -> Array:
    """Return the quaternions of rotations about an axis by these angles."""
    s, c = sincos(np.asarray(angle)[..., None] / 2)
    return np.concatenate([c, s * np.asarray(axis)], axis=-1)


def no_rotation(q: Array) -> Array:
    """Return an identity quaternion for each sample of q."""
    return np.broadcast_to(np.array([1.0, 0.0, 0.0, 0.0]), (*q.shape[:-1], 4))


def zeros(q: Array) -> Array:
    """Return a zero vector for each sample of q."""
    return np.zeros((*q.shape[:-1], 3))


ARMATURE = "armature: inertia of a rotor times the square of its gear ratio, which resists the rate only"


def rotor(advance: float, armature: float) -> tuple[float, ...]:
    """Return the parameters of a joint of the core with one coordinate."""
    return (advance, 0.0, armature) if armature else (advance,)


class Joint(Connection):
    """A joint between a body and its parent; its arguments are axes in the joint frame, and parameters."""

    nq: ClassVar[int]  # numbers in q
    nv: ClassVar[int]  # numbers in v
    coordinates: ClassVar[tuple[str, ...]]  # names of the coordinates q, as `Mechanism.state` takes them
    velocities: ClassVar[tuple[str, ...]]  # names of the velocities v
    sizes: ClassVar[Mapping[str, int]] = {}  # degrees of freedom of a name, where it is not 1
    quaternion: ClassVar[int | None] = None  # where a quaternion begins in q
    alternatives: ClassVar[tuple[str, ...]] = ()  # other names that `Mechanism.state` takes

    def values(self, who: str, given: Mapping[str, Any], body: Body) -> tuple[Array, Array]:
        """Return q (nq,) and v (nv,) from `given` values by the names of coordinates and velocities.

        What is missing is zero.  `who` owns the values in messages, `body` is what the joint carries.
        """

        def numbers(names: tuple[str, ...]) -> Array:
            sizes = {name: self.sizes.get(name, 1) for name in names}
            parts = [
                checks.vector(who, name, np.atleast_1d(given[name]), n) if name in given else np.zeros(n)
                for name, n in sizes.items()
            ]
            return np.concatenate([np.zeros(0), *parts])

        return numbers(self.coordinates), numbers(self.velocities)

    def tangents(self, names: tuple[str, ...]) -> list[str]:
        """Return a name for each degree of freedom of the coordinates or velocities `names`: "angles[0]"."""
        sizes = {name: self.sizes.get(name, 1) for name in names}
        return [f"{name}[{i}]" if n > 1 else name for name, n in sizes.items() for i in range(n)]

    @abstractmethod
    def pose(self, q: Array) -> Poses:
        """Return attitude and origin of the child frame in the joint frame, from coordinates `q` (..., nq).
        The attitude is unit quaternions (..., 4), child frame to joint frame; the origin is (..., 3) [m]."""

    @abstractmethod
    def twist(self, q: Array, v: Array) -> Twists:
        """Return angular velocity and velocity of the child frame relative to the joint frame, in child axes.
        From coordinates `q` (..., nq) and velocities `v` (..., nv) of the joint; both are (..., 3)."""

    @property
    @abstractmethod
    def core_joints(self) -> list[CoreJoint]:
        """Joints of the core that make up this joint, one after the other; none for a weld."""

    @cached_property
    def simple_core_joints(self) -> list[CoreJoint]:
        """Joints of one axis that make up this joint, where there are such; q and v keep their numbers."""
        return self.core_joints

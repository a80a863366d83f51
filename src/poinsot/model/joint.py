"""Joints: how a body may move against its parent, and the names of its coordinates.

| joint     | q                                             | v                                   |
|-----------|-----------------------------------------------|-------------------------------------|
| Spherical | quaternion, child to joint frame              | angular velocity, child frame       |
| Free      | position of the body frame's origin, quaternion | (w, velocity of that origin), body frame |
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Joint:
    """Numbers in q and v, and the words of `Mechanism.state`."""

    nq: ClassVar[int]
    nv: ClassVar[int]
    words: ClassVar[tuple[str, ...]]


@dataclass(frozen=True)
class Spherical(Joint):
    """A ball joint: any rotation about one point."""

    nq, nv = 4, 3
    words = ("rotation", "angular_velocity")


@dataclass(frozen=True)
class Free(Joint):
    """No constraint: any pose."""

    nq, nv = 7, 6
    words = ("rotation", "position", "angular_velocity", "velocity")

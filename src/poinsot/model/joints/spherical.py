"""Spherical joint: a ball."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.constraints import ConnectionFrame, Constraint, points
from poinsot.model.fields import number
from poinsot.model.joints.joint import ARMATURE, CoreJoint, Joint, Poses, Twists, rotor, zeros

EULER = ("euler", "euler_degrees")  # names of a rotation in place of `rotation`


def attitude(who: str, given: Mapping[str, Any]) -> tuple[Array, Array]:
    """Return quaternion and angular velocity from values by name."""
    ways = [name for name in ("rotation", *EULER) if name in given]
    if len(ways) > 1:
        raise ModelError(f"{who}: give {' or '.join(ways)}, not both")
    if ways and ways[0] in EULER:
        q = checks.euler(who, ways[0], given[ways[0]])
    else:
        q = checks.rotation(who, "rotation", given.get("rotation"))
    return q, checks.vector(who, "angular_velocity", given.get("angular_velocity", (0.0, 0.0, 0.0)))


class Spherical(Joint):
    """A ball joint: any rotation about one point.

    Its coordinate in `Mechanism.state` is `rotation` (a 3x3 matrix or a quaternion (w, x, y, z), child frame
    to joint frame), its velocity `angular_velocity` (child frame) [rad/s].  `state.q` has the quaternion.
    The rotation may be given by Euler angles instead, as `euler=("ZYX", (yaw, pitch, roll))` in radians or
    `euler_degrees=` in degrees: capitals are axes of the child frame, small letters those of the joint frame.

    >>> m = ps.Mechanism().add("top", ps.Box(1.0).body(mass=1.0), ps.Spherical())
    >>> m.state({"top": dict(angular_velocity=(0, 0, 50))})
    State(time=0.0, q=array([1., 0., 0., 0.]), v=array([ 0.,  0., 50.]))
    """

    armature: float = number(ARMATURE, "kg m²", zero=True, default=0.0)
    nq, nv = 4, 3
    coordinates, velocities = ("rotation",), ("angular_velocity",)
    sizes = {"rotation": 3, "angular_velocity": 3}  # noqa: RUF012 - a class variable of Joint
    quaternion = 0
    alternatives = EULER

    def values(self, who: str, given: Mapping[str, Any], body: Body) -> tuple[Array, Array]:
        return attitude(who, given)

    def pose(self, q: Array) -> Poses:
        return q, zeros(q)

    def twist(self, q: Array, v: Array) -> Twists:
        return v, zeros(v)

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("spherical", np.eye(3), rotor(0.0, self.armature))]

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        return points(A, B, np.eye(3))

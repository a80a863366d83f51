"""No constraint, and no motion: the joints `Free` and `Fixed`."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.elementary.linear import product
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.constraints import ConnectionFrame, Constraint, angles, parallel_axes, points
from poinsot.model.fields import number
from poinsot.model.joints.joint import ARMATURE, CoreJoint, Joint, Poses, Twists, no_rotation, rotor, zeros
from poinsot.model.joints.spherical import EULER, attitude
from poinsot.model.rotations import matrix


class Free(Joint):
    """A free joint: the body may have any pose.

    Its coordinates in `Mechanism.state` are `rotation` (a 3x3 matrix or a quaternion (w, x, y, z)) and
    `position` of the center of mass (joint frame) [m], its velocities `angular_velocity` (body frame) [rad/s]
    and `velocity` of the center of mass (joint frame) [m/s].  The rotation may be given by Euler angles, as
    for `Spherical`.  The center of mass is that of the body and of all that is welded to it.

    `state.q` has the position of the origin of the body frame and the quaternion, `state.v` the angular
    velocity and the velocity of that origin, both in the body frame.

    >>> m = ps.Mechanism().add("box", ps.Box(1.0).body(mass=1.0), ps.Free())
    >>> m.state({"box": dict(position=(1, 2, 3))}).q
    array([1., 2., 3., 1., 0., 0., 0.])
    """

    armature: float = number(
        f"{ARMATURE}, and the same in kg for the velocity; the parent must not move",
        "kg m²",
        zero=True,
        default=0.0,
    )
    nq, nv = 7, 6
    coordinates, velocities = ("rotation", "position"), ("angular_velocity", "velocity")
    sizes = {"rotation": 3, "position": 3, "angular_velocity": 3, "velocity": 3}  # noqa: RUF012
    quaternion = 3
    alternatives = EULER
    loop_refusal = "has no constraint"

    def values(self, who: str, given: Mapping[str, Any], body: Body) -> tuple[Array, Array]:
        """Return q (7,) and v (6,) of the origin of the body frame from `given` values by name.

        Position and velocity are those of the center of mass of the `body`; `who` owns them in messages.
        """
        (q, w), c = attitude(who, given), body.center_of_mass
        p, u = (
            checks.vector(who, name, given.get(name, (0.0, 0.0, 0.0))) for name in ("position", "velocity")
        )
        R = matrix(q)
        return np.concatenate([p - product(R, c), q]), np.concatenate([w, product(R.T, u) - np.cross(w, c)])

    def pose(self, q: Array) -> Poses:
        return q[..., 3:7], q[..., :3]

    def twist(self, q: Array, v: Array) -> Twists:
        return v[..., :3], v[..., 3:6]

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("free", np.eye(3), rotor(0.0, self.armature))]

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        return []


class Fixed(Joint):
    """A weld: the body does not move relative to its parent; it has no coordinates and no velocities."""

    nq, nv = 0, 0
    coordinates, velocities = (), ()

    def pose(self, q: Array) -> Poses:
        return no_rotation(q), zeros(q)

    def twist(self, q: Array, v: Array) -> Twists:
        return zeros(v), zeros(v)

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return []

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        return points(A, B, np.eye(3)) + angles(A, B, parallel_axes(np.eye(3)))

    @property
    def facing(self) -> Array:
        return np.eye(3)

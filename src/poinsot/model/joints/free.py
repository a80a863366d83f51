"""Free joint: no constraint."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.elementary.linear import product
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.constraints import Constraint, Place
from poinsot.model.joints.joint import CoreJoint, Joint, Poses, Twists
from poinsot.model.joints.spherical import EULER, attitude
from poinsot.model.rotations import matrix


@dataclass(frozen=True)
class Free(Joint):
    """A free joint: the body may have any pose.

    Its coordinates in `Mechanism.state` are `rotation` (a 3x3 matrix or a quaternion (w, x, y, z)) and
    `position` of the centre of mass (m, joint frame), its velocities `angular_velocity` (rad/s, body frame)
    and `velocity` of the centre of mass (m/s, joint frame).  The rotation may be given by Euler angles, as
    for `Spherical`.

    `state.q` has the position of the origin of the body frame and the quaternion, `state.v` the angular
    velocity and the velocity of that origin, both in the body frame.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("box", ps.Box(1.0).body(mass=1.0), ps.Free())
    >>> m.state({"box": dict(position=(1, 2, 3))}).q
    array([1., 2., 3., 1., 0., 0., 0.])
    """

    nq, nv = 7, 6
    coordinates, velocities = ("rotation", "position"), ("angular_velocity", "velocity")
    sizes = {"rotation": 3, "position": 3, "angular_velocity": 3, "velocity": 3}  # noqa: RUF012
    quaternion = 3
    alternatives = EULER
    loop_refusal = "has no constraint"

    def values(self, who: str, given: Mapping[str, Any], body: Body) -> tuple[Array, Array]:
        """Return q and v from values by name; position and velocity are those of the centre of mass.

        Parameters
        ----------
        who : str
            Owner of the values, for messages.
        given : mapping of str
            Values by the names in `coordinates` and `velocities`.
        body : Body
            Body that the joint carries.

        Returns
        -------
        q, v : ndarray
            Coordinates (7,) and velocities (6,) of the origin of the body frame.
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
        return [CoreJoint("free", np.eye(3))]

    def constraints(self, A: Place, B: Place) -> list[Constraint]:
        return []

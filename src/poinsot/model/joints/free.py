"""Free joint: no constraint."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.constraints import Constraint, Place
from poinsot.model.joints.joint import CoreJoint, Joint, Poses, Twists
from poinsot.model.joints.spherical import attitude
from poinsot.model.rotations import matrix


@dataclass(frozen=True)
class Free(Joint):
    """No constraint: any pose."""

    nq, nv = 7, 6
    coordinates, velocities = ("rotation", "position"), ("angular_velocity", "velocity")
    sizes = {"rotation": 3, "position": 3, "angular_velocity": 3, "velocity": 3}  # noqa: RUF012
    quaternion = 3
    loop_refusal = "closes nothing"

    def values(self, who: str, given: Mapping[str, Any], body: Body) -> tuple[Array, Array]:
        """Users give the motion of the centre of mass."""
        (q, w), c = attitude(who, given), body.center_of_mass
        p, u = (
            checks.vector(who, name, given.get(name, (0.0, 0.0, 0.0))) for name in ("position", "velocity")
        )
        R = matrix(q)
        return np.concatenate([p - R @ c, q]), np.concatenate([w, R.T @ u - np.cross(w, c)])

    def pose(self, q: Array) -> Poses:
        return q[..., 3:7], q[..., :3]

    def twist(self, q: Array, v: Array) -> Twists:
        return v[..., :3], v[..., 3:6]

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("free", np.eye(3))]

    def constraints(self, A: Place, B: Place) -> list[Constraint]:
        return []

"""Poses and velocities of all bodies from q and v over a whole run: NumPy, no compiling.

With (Q, X) the pose of the parent's body frame, W its angular velocity and U the velocity of its origin in
space, (a, A) the joint frame in it, (x, q) the child frame in the joint frame and (w, u) its velocity there,

    child:  attitude Q A q,   origin X + Q (a + A x)                                            (1)
            angular velocity (A q)^T W + w,   velocity U + Q (W x (a + A x)) + (Q A q) u        (2)

and the body frame is fixed in the child frame.
"""

from typing import NamedTuple

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.joints.joint import Joint
from poinsot.model.link import rigid_links
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import apply, compose, cross, inverse, matrix, point_of, times, transpose


class SampledMotion(NamedTuple):
    """Motion of one body at n times; `position` and `velocity` are those of the center of mass in space.
    That of a body with welded parts is the common one (`Mechanism.rigid_links`)."""

    quaternion: Array  # (n, 4) body to space
    rotation: Array  # (n, 3, 3)
    angular_velocity: Array  # (n, 3) body frame
    position: Array  # (n, 3)
    velocity: Array  # (n, 3)
    origin: Array  # (n, 3) of the body frame, in space
    origin_velocity: Array  # (n, 3) in space

    @property
    def first(self) -> tuple[Array, Array, Array, Array]:
        """R, w, p, v at the first time, as functions of users are given them."""
        return self.rotation[0], self.angular_velocity[0], self.position[0], self.velocity[0]

    def point(self, c: Array) -> tuple[Array, Array]:
        """Return the position and the velocity in space, (n, 3), of a point c of the body frame."""
        return point_of(self.rotation, self.angular_velocity, self.origin, self.origin_velocity, c)


def motions(mechanism: Mechanism, q: Array, v: Array) -> dict[str, SampledMotion]:
    """Return the motion of every body, and of the world, at the states q (n, nq), v (n, nv)."""
    n = len(q)
    still, zero = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (n, 4)), np.zeros((n, 3))
    eye = np.broadcast_to(np.eye(3), (n, 3, 3))
    found = {WORLD: SampledMotion(still, eye, zero, zero, zero, zero, zero)}
    nq = nv = 0
    whole = rigid_links(tuple(mechanism.links))
    across = []  # pose and twist of every joint
    for link in mechanism.links:
        at, along = slice(nq, nq + link.joint.nq), slice(nv, nv + link.joint.nv)
        nq, nv = at.stop, along.stop
        across.append((link.joint.pose(q[:, at]), link.joint.twist(q[:, at], v[:, along])))
    for link, ((rotation, shift), (w, u)) in zip(mechanism.links, across, strict=True):
        parent = found[link.parent]
        A = compose(np.broadcast_to(link.rotation, (n, 4)), rotation)
        arm = link.at + apply(link.rotation, shift)
        child = compose(parent.quaternion, A)  # (1)
        w = times(matrix(inverse(A)), parent.angular_velocity) + w  # (2)
        R = matrix(child)
        carried = times(parent.rotation, cross(parent.angular_velocity, arm))
        velocity = parent.origin_velocity + carried + times(R, u)
        origin = parent.origin + times(parent.rotation, arm)
        origin, velocity = origin + times(R, link.body_at), velocity + times(R, cross(w, link.body_at))
        attitude = compose(child, np.broadcast_to(link.body_rotation, (n, 4)))
        w, R = apply(inverse(link.body_rotation), w), matrix(attitude)
        center = point_of(R, w, origin, velocity, whole[link.name].body.center_of_mass)
        found[link.name] = SampledMotion(attitude, R, w, *center, origin, velocity)
    return found


def jacobians(mechanism: Mechanism, q: Array) -> dict[str, Array]:
    """Return the Jacobian (6, nv) of every body: J v is its twist, about its origin and in its axes."""
    nv = mechanism.lengths[1]
    found = motions(mechanism, np.broadcast_to(q, (nv, len(q))), np.eye(nv))  # one velocity a row
    return {
        name: np.hstack([x.angular_velocity, times(transpose(x.rotation), x.origin_velocity)]).T
        for name, x in found.items()
    }


def quaternions(mechanism: Mechanism, q: Array) -> dict[str, Array]:
    """Return the attitude (n, 4) of every body at the coordinates q (n, nq), as `motions` does."""
    found = {WORLD: np.broadcast_to([1.0, 0.0, 0.0, 0.0], (len(q), 4))}
    nq = 0
    for link in mechanism.links:
        rotation, _ = link.joint.pose(q[:, nq : nq + link.joint.nq])
        nq += link.joint.nq
        A = compose(np.broadcast_to(link.rotation, (len(q), 4)), rotation)
        child = compose(found[link.parent], A)  # (1)
        found[link.name] = compose(child, np.broadcast_to(link.body_rotation, (len(q), 4)))
    return found


def motion(mechanism: Mechanism, name: str, q: Array, v: Array) -> SampledMotion:
    """Return the motion of one body."""
    mechanism.link(name)
    return motions(mechanism, q, v)[name]


class Sampled:
    """States at n times as forces need them: the motion of every body, the coordinates of every joint."""

    def __init__(self, mechanism: Mechanism, q: Array, v: Array) -> None:
        self.mechanism, self.q = mechanism, q
        self.motions = motions(mechanism, q, v)

    def joint(self, name: str) -> tuple[Joint, Array]:
        """Return a joint and its coordinates (n, nq)."""
        return self.mechanism.link(name).joint, self.q[:, self.mechanism.slices(name)[0]]

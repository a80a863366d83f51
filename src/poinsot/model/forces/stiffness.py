"""Rigid-body stiffness and damping between two bodies: what sets of springs or dampers amount to.

`Stiffness` and `Damping` take the 4x4 matrix of `model.constitutive` or the 6x6 matrix on twists (w, v) in
the frame of body b; `Stiffness.of_springs` finds the one of any springs without rest length.  `Drag` is the
damping of a fluid that moves like a rigid body: uniform flow and rotation.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces import constitutive
from poinsot.model.forces.elements import Element, Places
from poinsot.model.forces.force import WORLD, OnBody, Snapshot
from poinsot.model.forces.pair import Pair
from poinsot.model.rotations import matrix

UPPER = np.triu_indices(3)


def adjoint(G: Array) -> Array:
    """(6, 6): Ad_G on twists (w, v)."""
    R, r = G[:3, :3], constitutive.cross(G[:3, 3])
    return np.block([[R, np.zeros((3, 3))], [r @ R, R]])


class Stiffness(Pair):
    """V = tr((G - rest) K (G - rest)^T)/2, G the pose of b in a (4x4) and K 4x4, or its 6x6 form."""

    K: Array  # 4x4
    rest_pose: Array  # 4x4
    conservative, reads_velocity = True, False

    def __init__(self, a: str, b: str, K: ArrayLike, rest_pose: ArrayLike | None = None) -> None:
        self._set(a, b)
        given = checks.array(self.label, "K", K, "a 4x4 or 6x6 matrix", (4, 4), (6, 6))
        K4 = constitutive.check(
            self.label, given if len(given) == 4 else constitutive.wed_prime(given, self.label)
        )
        pose = np.eye(4) if rest_pose is None else rest_pose
        rest = checks.array(self.label, "rest_pose", pose, "a 4x4 pose", (4, 4))
        turn = checks.quaternion(self.label, "rest_pose", rest[:3, :3])
        clean = np.eye(4)
        clean[:3, :3], clean[:3, 3] = matrix(turn), rest[:3, 3]
        if not np.array_equal(rest[3], (0.0, 0.0, 0.0, 1.0)):
            raise ModelError(f"{self.label}: rest_pose must end with the row (0, 0, 0, 1)")
        vars(self).update(K=K4, rest_pose=clean)

    @classmethod
    def of_springs(
        cls, a: str, b: str, stiffnesses: ArrayLike, at_a: ArrayLike, at_b: ArrayLike
    ) -> "Stiffness":
        """The same force as springs without rest length between points of a and b."""
        K, rest, _ = constitutive.reduce_springs(stiffnesses, at_b, at_a)
        return cls(a, b, K, rest)

    def energy(self, x: Snapshot) -> Array:
        A, B = x.motions[self.a], x.motions[self.b]
        off = np.empty((len(A.origin), 3, 4))  # the upper rows of G - rest
        off[:, :, :3] = np.swapaxes(A.rotation, 1, 2) @ B.rotation - self.rest_pose[:3, :3]
        off[:, :, 3] = np.einsum("nji,nj->ni", A.rotation, B.origin - A.origin) - self.rest_pose[:3, 3]
        return np.asarray(np.einsum("nij,jk,nik->n", off, self.K, off) / 2)

    def elements(self, places: Places) -> list[Element]:
        A, B = places.pose(self.a), places.pose(self.b)
        K, rest = B @ self.K @ B.T, A @ self.rest_pose @ np.linalg.inv(B)
        numbers = [*K[:3, :3][UPPER], *K[:3, 3], K[3, 3], *rest[:3, :3].ravel(), *rest[:3, 3]]
        return [Element("stiffness", places.bodies[self.a].link, places.bodies[self.b].link, numbers)]


class Damping(Pair):
    """A wrench -D (twist of b against a), D 6x6 on twists (w, v) of the frame of b, or its 4x4 form."""

    D: Array  # 6x6

    def __init__(self, a: str, b: str, D: ArrayLike) -> None:
        self._set(a, b)
        vars(self).update(D=_damping(self.label, D))

    def elements(self, places: Places) -> list[Element]:
        return [_medium(places, self.a, self.b, self.D, np.zeros(6))]


@dataclass(frozen=True, init=False, eq=False)
class Drag(OnBody):
    """The damping of a body in a fluid that streams with `velocity` (at the origin) and rotates, in space."""

    D: Array  # 6x6
    velocity: Array
    rotation: Array

    def __init__(
        self,
        body: str,
        D: ArrayLike,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        vars(self).update(body=body)
        vars(self).update(
            D=_damping(self.label, D),
            velocity=checks.vector(self.label, "velocity", velocity),
            rotation=checks.vector(self.label, "rotation", rotation),
        )

    @property
    def label(self) -> str:
        return f"drag on '{self.body}'"

    def elements(self, places: Places) -> list[Element]:
        return [_medium(places, WORLD, self.body, self.D, np.concatenate([self.rotation, self.velocity]))]


def _damping(name: str, D: ArrayLike) -> Array:
    """A 6x6 damping matrix that takes energy out."""
    given = checks.array(name, "D", D, "a 4x4 or 6x6 matrix", (4, 4), (6, 6))
    full = constitutive.vee_prime(given, name) if len(given) == 4 else given
    size = float(np.abs(full).max())
    if np.abs(full - full.T).max() > 1e-9 * size:
        raise ModelError(f"{name}: D must be symmetric")
    least = float(np.linalg.eigvalsh(full)[0])
    if least < -1e-9 * size:
        raise ModelError(f"{name}: D must not be negative, its smallest eigenvalue is {least:.3g}")
    return np.asarray(full)


def _medium(places: Places, a: str, b: str, D: Array, flow: Array) -> Element:
    """The element in the frames of the links; `flow` is a twist in the frame of a."""
    to_body = adjoint(
        np.asarray(np.linalg.inv(places.pose(b)), dtype=np.float64)
    )  # twist of the link frame -> of the body frame
    M = to_body.T @ D @ to_body
    stream = adjoint(places.pose(a)) @ flow
    numbers = [*M[:3, :3][UPPER], *M[:3, 3:].ravel(), *M[3:, 3:][UPPER], *stream]
    return Element("damping", places.bodies[a].link, places.bodies[b].link, numbers)

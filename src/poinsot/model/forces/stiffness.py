"""Rigid-body stiffness and damping between two bodies: the sum of any set of springs or dampers.

`Stiffness` and `Damping` take the 4x4 matrix of `model.forces.constitutive` or the 6x6 matrix on twists
(w, v) in the frame of body b; `Stiffness.of_springs` finds the one of any springs without rest length.
`Drag` is the damping of a fluid that moves like a rigid body: uniform flow and rotation.
"""

from typing import Any

import numpy as np

from poinsot.elementary import linear
from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.fields import ZERO, Cleaned, Vector, field, vector
from poinsot.model.forces import constitutive
from poinsot.model.forces.force import WORLD, BodyForce, Element, Seats, Snapshot, TwoBodyForce
from poinsot.model.rotations import hat, matrix

UPPER = np.triu_indices(3)
MATRICES = ((4, 4), (6, 6))
DAMPINGS = ((), *MATRICES)


def adjoint(G: Array) -> Array:
    """Return Ad_G (6, 6) on twists (w, v)."""
    R, r = G[:3, :3], hat(G[:3, 3])
    return np.block([[R, np.zeros((3, 3))], [product(r, R), R]])


def _stiffness(who: str, what: str, K: Any) -> Array:
    """Return a 4x4 stiffness matrix."""
    given = checks.array(who, what, K, "a 4x4 or 6x6 matrix", *MATRICES)
    return constitutive.check(who, given if len(given) == 4 else constitutive.wed_prime(given, who))


def _pose(who: str, what: str, pose: Any) -> Array:
    """Return a 4x4 pose; None is the identity."""
    given = checks.array(who, what, np.eye(4) if pose is None else pose, "a 4x4 pose", (4, 4))
    clean = np.eye(4)
    clean[:3, :3], clean[:3, 3] = matrix(checks.quaternion(who, what, given[:3, :3])), given[:3, 3]
    if not np.array_equal(given[3], (0.0, 0.0, 0.0, 1.0)):
        raise ModelError(f"{who}: {what} must end with the row (0, 0, 0, 1)")
    return clean


def _damping(who: str, what: str, D: Any) -> Array:
    """Return a 6x6 damping matrix without negative eigenvalues; a number damps the velocity of the origin."""
    given = checks.array(who, what, D, "a number or a 4x4 or 6x6 matrix", *DAMPINGS)
    if given.ndim == 0:
        given = np.diag([0.0, 0.0, 0.0, *[float(given)] * 3])
    full = constitutive.vee_prime(given, who) if len(given) == 4 else given
    size = float(np.abs(full).max())
    if np.abs(full - full.T).max() > 1e-9 * size:
        raise ModelError(f"{who}: {what} must be symmetric")
    least = float(np.linalg.eigvalsh(full)[0])
    if least < -1e-9 * size:
        raise ModelError(f"{who}: {what} must not be negative, its smallest eigenvalue is {least:.3g}")
    return np.asarray(full)


class Stiffness(TwoBodyForce):
    """A stiffness between two bodies, with the energy tr((G - rest) K (G - rest)ᵀ)/2, G the pose of b in a.

    `Stiffness.of_springs` is that of a set of springs.
    """

    K: Vector = field(
        "stiffness matrix 4x4 (see `ps.analytical.prime`), or its 6x6 form on twists (w, v), angular part "
        "first, in the frame of b [N m/rad and N/m]",
        _stiffness,
        "numbers",
        shapes=MATRICES,
    )
    rest_pose: Cleaned[Array, ArrayLike | None] = field(
        "pose of b in a at rest, 4x4; by default the identity",
        _pose,
        "numbers",
        shapes=((4, 4),),
        none=False,
        default=None,
    )
    conservative, reads_velocity = True, False

    @classmethod
    def of_springs(
        cls, a: str, b: str, stiffnesses: ArrayLike, at_a: ArrayLike, at_b: ArrayLike
    ) -> "Stiffness":
        """Return the stiffness that acts like springs without rest length between points of a and b.

        `a`, `b`: names of two different bodies; "world" is a body; `stiffnesses`: that of each spring [N/m],
        (n,), with a positive sum; `at_a`, `at_b`: their ends in the body frames of a and b [m], (n, 3).

        >>> ends = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> ps.Stiffness.of_springs("world", "plate", [1, 1, 1], ends, ends).K[3, 3]
        np.float64(3.0)
        """
        K, rest, _ = constitutive.reduce_springs(stiffnesses, at_b, at_a)
        return cls(a, b, K, rest)

    def energy(self, x: Snapshot) -> Array:
        A, B = x.motions[self.a], x.motions[self.b]
        off = np.empty((len(A.origin), 3, 4))  # the upper rows of G - rest
        off[:, :, :3] = np.swapaxes(A.rotation, 1, 2) @ B.rotation - self.rest_pose[:3, :3]
        off[:, :, 3] = np.einsum("nji,nj->ni", A.rotation, B.origin - A.origin) - self.rest_pose[:3, 3]
        return np.asarray(np.einsum("nij,jk,nik->n", off, self.K, off) / 2)

    def elements(self, places: Seats) -> list[Element]:
        A, B = places.pose(self.a), places.pose(self.b)
        K, rest = product(B, self.K, B.T), product(A, self.rest_pose, linear.inverse(B))
        numbers = [*K[:3, :3][UPPER], *K[:3, 3], K[3, 3], *rest[:3, :3].ravel(), *rest[:3, 3]]
        return [Element("stiffness", places.bodies[self.a].link, places.bodies[self.b].link, numbers)]


class Damping(TwoBodyForce):
    """A damping between two bodies: the wrench -D x on b, with x the twist of b relative to a."""

    D: Vector = field(
        "symmetric 6x6 matrix on twists (w, v) in the frame of b, without negative eigenvalues [N m s/rad "
        "and N s/m], or its 4x4 form (see `ps.analytical.prime`), or a number d [N s/m]: the force -d v at "
        "the origin of the frame",
        _damping,
        "numbers",
        shapes=DAMPINGS,
    )

    def elements(self, places: Seats) -> list[Element]:
        return [_medium(places, self.a, self.b, self.D, np.zeros(6))]


class Drag(BodyForce):
    """A linear drag on a body in a fluid that moves like a rigid body.

    >>> ps.Drag("ball", 4.0).D[3, 3]
    np.float64(4.0)
    """

    D: Vector = field(
        "damping matrix or number as of `Damping`, in the frame of the body",
        _damping,
        "numbers",
        shapes=DAMPINGS,
    )
    velocity: Vector = vector("velocity of the fluid at the origin of space", "m/s", default=ZERO)
    rotation: Vector = vector("angular velocity of the fluid in space", "rad/s", default=ZERO)

    def elements(self, places: Seats) -> list[Element]:
        return [_medium(places, WORLD, self.body, self.D, np.concatenate([self.rotation, self.velocity]))]


def _medium(places: Seats, a: str, b: str, D: Array, flow: Array) -> Element:
    """Return the element in the frames of the links; `flow` is a twist in the frame of a."""
    inverse = linear.inverse(places.pose(b))
    to_body = adjoint(inverse)  # twist of the link frame -> of the body frame
    M = product(to_body.T, D, to_body)
    stream = product(adjoint(places.pose(a)), flow)
    numbers = [*M[:3, :3][UPPER], *M[:3, 3:].ravel(), *M[3:, 3:][UPPER], *stream]
    return Element("damping", places.bodies[a].link, places.bodies[b].link, numbers)

"""Rigid-body stiffness and damping between two bodies: the sum of any set of springs or dampers.

`Stiffness` and `Damping` take the 4x4 matrix of `model.forces.constitutive` or the 6x6 matrix on twists
(w, v) in the frame of body b; `Stiffness.of_springs` finds the one of any springs without rest length.
`Drag` is the damping of a fluid that moves like a rigid body: uniform flow and rotation.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from poinsot.elementary import linear
from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces import constitutive
from poinsot.model.forces.elements import Element, Places
from poinsot.model.forces.force import WORLD, OnBody, Snapshot
from poinsot.model.forces.pair import Pair
from poinsot.model.forces.polar import hat
from poinsot.model.rotations import matrix

UPPER = np.triu_indices(3)


def adjoint(G: Array) -> Array:
    """Return Ad_G (6, 6) on twists (w, v)."""
    R, r = G[:3, :3], hat(G[:3, 3])
    return np.block([[R, np.zeros((3, 3))], [product(r, R), R]])


class Stiffness(Pair):
    """A stiffness between two bodies, with the energy tr((G - rest) K (G - rest)ᵀ)/2.

    G is the pose of b in a (4x4).

    Parameters
    ----------
    a, b : str
        Names of two different bodies; "world" is a body.
    K : array_like, shape (4, 4) or (6, 6)
        Stiffness matrix (see `ps.analytical.prime`), or its form on twists (w, v), angular part first, in
        the frame of b: N m/rad and N/m.
    rest_pose : array_like, shape (4, 4), optional
        Pose of b in a at rest.  Default: the identity.

    Raises
    ------
    ModelError
        If a matrix has the wrong shape, `K` has a negative total or moment, or `rest_pose` is not a pose.

    See Also
    --------
    Stiffness.of_springs : the stiffness of a set of springs.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.Stiffness("world", "plate", np.diag([1.0, 1.0, 1.0, 100.0])).label
    "stiffness from 'world' to 'plate'"
    """

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
        rotation = checks.quaternion(self.label, "rest_pose", rest[:3, :3])
        clean = np.eye(4)
        clean[:3, :3], clean[:3, 3] = matrix(rotation), rest[:3, 3]
        if not np.array_equal(rest[3], (0.0, 0.0, 0.0, 1.0)):
            raise ModelError(f"{self.label}: rest_pose must end with the row (0, 0, 0, 1)")
        vars(self).update(K=K4, rest_pose=clean)

    @classmethod
    def of_springs(
        cls, a: str, b: str, stiffnesses: ArrayLike, at_a: ArrayLike, at_b: ArrayLike
    ) -> "Stiffness":
        """Return the stiffness that acts like springs without rest length between points of a and b.

        Parameters
        ----------
        a, b : str
            Names of two different bodies; "world" is a body.
        stiffnesses : array_like, shape (n,)
            Stiffness of each spring in N/m.
        at_a, at_b : array_like, shape (n, 3)
            Ends of each spring in the body frames of a and b, in metres.

        Returns
        -------
        Stiffness
            The same force.

        Raises
        ------
        ModelError
            If the numbers of springs and points differ, or the stiffnesses have no positive sum.

        Examples
        --------
        >>> import poinsot as ps
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

    def elements(self, places: Places) -> list[Element]:
        A, B = places.pose(self.a), places.pose(self.b)
        K, rest = product(B, self.K, B.T), product(A, self.rest_pose, linear.inverse(B))
        numbers = [*K[:3, :3][UPPER], *K[:3, 3], K[3, 3], *rest[:3, :3].ravel(), *rest[:3, 3]]
        return [Element("stiffness", places.bodies[self.a].link, places.bodies[self.b].link, numbers)]


class Damping(Pair):
    """A damping between two bodies: the wrench -D x on b, with x the twist of b relative to a.

    Parameters
    ----------
    a, b : str
        Names of two different bodies; "world" is a body.
    D : array_like, shape (6, 6) or (4, 4)
        Symmetric matrix on twists (w, v) in the frame of b, without negative eigenvalues: N m s/rad and
        N s/m; or its 4x4 form (see `ps.analytical.prime`).

    Raises
    ------
    ModelError
        If `D` has the wrong shape, is not symmetric or has a negative eigenvalue.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.Damping("world", "plate", np.eye(6)).D.shape
    (6, 6)
    """

    D: Array  # 6x6

    def __init__(self, a: str, b: str, D: ArrayLike) -> None:
        self._set(a, b)
        vars(self).update(D=_damping(self.label, D))

    def elements(self, places: Places) -> list[Element]:
        return [_medium(places, self.a, self.b, self.D, np.zeros(6))]


@dataclass(frozen=True, init=False, eq=False)
class Drag(OnBody):
    """A linear drag on a body in a fluid that moves like a rigid body.

    Parameters
    ----------
    body : str
        Name of the body.
    D : array_like, shape (6, 6) or (4, 4)
        Damping matrix as of `Damping`, in the frame of the body.
    velocity : array_like, shape (3,), default (0, 0, 0)
        Velocity of the fluid at the origin of space, in m/s.
    rotation : array_like, shape (3,), default (0, 0, 0)
        Angular velocity of the fluid in space, in rad/s.

    Raises
    ------
    ModelError
        If `D` has the wrong shape, is not symmetric or has a negative eigenvalue, or a vector is wrong.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.Drag("leaf", 0.1 * np.eye(6), velocity=(2.0, 0, 0)).label
    "drag on 'leaf'"
    """

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
    """Return a 6x6 damping matrix without negative eigenvalues."""
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
    """Return the element in the frames of the links; `flow` is a twist in the frame of a."""
    inverse = linear.inverse(places.pose(b))
    to_body = adjoint(inverse)  # twist of the link frame -> of the body frame
    M = product(to_body.T, D, to_body)
    stream = product(adjoint(places.pose(a)), flow)
    numbers = [*M[:3, :3][UPPER], *M[:3, 3:].ravel(), *M[3:, 3:][UPPER], *stream]
    return Element("damping", places.bodies[a].link, places.bodies[b].link, numbers)

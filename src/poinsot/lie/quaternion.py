"""Unit quaternions on NumPy arrays: (..., 4), scalar first; tangent vectors (..., 3).

`hat vee exp log cay dexp dexpinv Ad ad compose inverse apply`, and `matrix`, `from_matrix`, `from_euler`,
`to_euler`.
`exp` takes the rotation vector (not half of it); `log` gives it, |u| <= pi; `hat(u) = (0, u/2)` is
the element whose quaternion exponential is `exp(u)`.  q and -q are the same rotation.

Leading axes are batch axes; those of two arguments broadcast as in NumPy.
"""

import numpy as np

from poinsot.core.lie import quaternion as core
from poinsot.core.lie import so3 as core_so3
from poinsot.elementary import euler
from poinsot.elementary.arrays import ArrayLike
from poinsot.lie import so3  # noqa: F401 - its loops of ad, dexp and dexpinv
from poinsot.lie.batch import MATRIX, QUATERNION, VECTOR, Array, by_kernel, described, real_array

__all__ = ["Ad", "ad", "apply", "cay", "compose", "dexp", "dexpinv", "exp"]
__all__ += ["from_euler", "from_matrix", "hat", "inverse", "log", "matrix", "to_euler", "vee"]


def __dir__() -> list[str]:
    return __all__


@described(VECTOR, QUATERNION)
def hat(u: ArrayLike) -> Array:
    """Return the quaternion (0, u/2), whose exponential is the rotation exp(u).

    >>> ps.quaternion.hat([1, 2, 3])
    array([0. , 0.5, 1. , 1.5])
    """
    u = real_array("quaternion.hat", u, (3,))
    return np.concatenate([np.zeros_like(u[..., :1]), u / 2], axis=-1)


@described(QUATERNION, VECTOR, q="Quaternions; the scalar part is ignored")
def vee(q: ArrayLike) -> Array:
    """Return twice the vector part of a quaternion [rad], the inverse of `hat`."""
    return 2 * real_array("quaternion.vee", q, (4,))[..., 1:]


@by_kernel(core.exp, VECTOR, QUATERNION, u="Rotation vectors: axis times angle [rad]")
def exp(u: ArrayLike) -> Array:
    """Return the unit quaternion of a rotation vector.

    >>> ps.quaternion.exp([0, 0, np.pi / 2])
    array([0.707107, 0.      , 0.      , 0.707107])
    """


@by_kernel(core.log, QUATERNION, VECTOR)
def log(q: ArrayLike) -> Array:
    """Return the rotation vector of a unit quaternion [rad], at most half a turn long.

    >>> ps.quaternion.log([0, 0, 0, 1])
    array([0.      , 0.      , 3.141593])
    """


@by_kernel(core.cay, VECTOR, QUATERNION)
def cay(u: ArrayLike) -> Array:
    """Return the Cayley transform of a vector: a rotation by 2 arctan(|u| / 2) about u."""


@by_kernel(core_so3.dexp, VECTOR, VECTOR, VECTOR, loop="so3.dexp", u="Rotation vectors [rad]")
def dexp(u: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the derivative of the exponential, that of `ps.so3`: d exp(u) = hat(dexp(u) du) exp(u)."""


@by_kernel(core_so3.dexpinv, VECTOR, VECTOR, VECTOR, loop="so3.dexpinv", u="Rotation vectors [rad]")
def dexpinv(u: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the inverse of `dexp`, that of `ps.so3`."""


@by_kernel(core_so3.ad, VECTOR, VECTOR, VECTOR, loop="so3.ad")
def ad(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the matrix of the Lie bracket, that of `ps.so3`, or the bracket x × y."""


@by_kernel(core.compose, QUATERNION, QUATERNION, QUATERNION)
def compose(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the quaternion product a b: first b, then a.

    >>> ps.quaternion.compose([0, 1, 0, 0], [0, 0, 1, 0])
    array([0., 0., 0., 1.])
    """


@by_kernel(core.inverse, QUATERNION, QUATERNION)
def inverse(q: ArrayLike) -> Array:
    """Return the inverse of a unit quaternion, which is its conjugate."""


@by_kernel(core.apply, QUATERNION, VECTOR, VECTOR)
def apply(q: ArrayLike, x: ArrayLike) -> Array:
    """Return the rotated vector R(q) x.

    >>> ps.quaternion.apply([0.5, 0.5, 0.5, 0.5], [1, 2, 3])
    array([3., 1., 2.])
    """


@by_kernel(core.matrix, QUATERNION, MATRIX)
def matrix(q: ArrayLike) -> Array:
    """Return the rotation matrix of a unit quaternion.

    >>> ps.quaternion.matrix([0.5, 0.5, 0.5, 0.5])
    array([[0., 0., 1.],
           [1., 0., 0.],
           [0., 1., 0.]])
    """


@by_kernel(core.from_matrix, MATRIX, QUATERNION)
def from_matrix(R: ArrayLike) -> Array:
    """Return the unit quaternion of a rotation matrix.

    >>> ps.quaternion.from_matrix([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    array([0.5, 0.5, 0.5, 0.5])
    """


@described(QUATERNION, VECTOR, VECTOR)
def Ad(q: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the matrix of the adjoint action, which is R(q), or R(q) x."""
    return matrix(real_array("quaternion.Ad", q, (4,))) if x is None else apply(q, x)


def from_euler(sequence: str, angles: ArrayLike, *, degrees: bool = False) -> Array:
    """Return the unit quaternion of Euler angles, (..., 4).

    Parameters
    ----------
    sequence : One to three axes: capitals "XYZ" are axes of the body (intrinsic), small letters "xyz" axes of
        space (extrinsic), as in SciPy.  "ZYX" is yaw, pitch and roll.
    angles : Angles about these axes [rad], (..., n).
    degrees : Angles are in degrees.

    >>> ps.quaternion.from_euler("ZYX", [90, 0, 0], degrees=True)
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    return euler.from_angles("quaternion.from_euler", sequence, angles, degrees)


def to_euler(sequence: str, q: ArrayLike, *, degrees: bool = False) -> Array:
    """Return the Euler angles of a unit quaternion in the order of the sequence [rad], (..., 3).

    Their ranges, and gimbal lock, are those of `ps.so3.to_euler`.  `sequence`: three axes, as "XYZ" of the
    body or "xyz" of space; `q`: unit quaternions (w, x, y, z), (..., 4); `degrees`: return angles in degrees.

    >>> ps.quaternion.to_euler("xyz", [0.5, 0.5, 0.5, 0.5], degrees=True)
    array([90.,  0., 90.])
    """
    q = real_array("quaternion.to_euler", q, (4,))
    return euler.to_angles("quaternion.to_euler", sequence, q, degrees)

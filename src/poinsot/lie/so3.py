"""Rotations on NumPy arrays: matrices (..., 3, 3) and rotation vectors (..., 3).

`hat vee exp log cay dexp dexpinv Ad ad coAd coad compose inverse apply`, and `from_euler`, `to_euler`,
`random`.
`dexp(x)`, `dexpinv(x)`, `Ad(R)` and `ad(x)` give matrices; with a second argument, the matrix times that
vector.  `dexp` is the space form, d exp(x) = hat(dexp(x) dx) exp(x); the body form is `dexp(-x)`.  `coAd` and
`coad` are the transposes of `Ad` and `ad`.

Leading axes are batch axes; those of two arguments broadcast as in NumPy.
"""

import operator
import reprlib

import numpy as np

from poinsot.core.lie import so3 as core
from poinsot.elementary import euler
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.lie.batch import MATRIX, VECTOR, Array, by_kernel, described, real_array

__all__ = ["Ad", "ad", "apply", "cay", "coAd", "coad", "compose", "dexp"]
__all__ += ["dexpinv", "exp", "from_euler", "hat", "inverse", "log", "random", "to_euler", "vee"]


def __dir__() -> list[str]:
    return __all__


@by_kernel(core.hat, VECTOR, MATRIX)
def hat(x: ArrayLike) -> Array:
    """Return the skew-symmetric matrix of a vector: hat(x) y = x × y.

    >>> ps.so3.hat([1, 2, 3])
    array([[ 0., -3.,  2.],
           [ 3.,  0., -1.],
           [-2.,  1.,  0.]])
    """


@by_kernel(core.vee, MATRIX, VECTOR, X="Matrices")
def vee(X: ArrayLike) -> Array:
    """Return the vector of a skew-symmetric matrix, or of the skew-symmetric part of any other."""


@by_kernel(core.exp, VECTOR, MATRIX, u="Rotation vectors: axis times angle [rad]")
def exp(u: ArrayLike) -> Array:
    """Return the rotation matrix of a rotation vector.

    >>> ps.so3.exp([0, 0, np.pi / 2]).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """


@by_kernel(core.log, MATRIX, VECTOR)
def log(R: ArrayLike) -> Array:
    """Return the rotation vector of a rotation matrix [rad], at most half a turn long.

    >>> ps.so3.log([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    array([0.      , 0.      , 1.570796])
    """


@by_kernel(core.cay, VECTOR, MATRIX)
def cay(u: ArrayLike) -> Array:
    """Return the Cayley transform of a vector: a rotation by 2 arctan(|u| / 2) about u.

    It agrees with `exp` to second order in `u`.

    >>> ps.so3.cay([0, 0, 2.0]).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """


@by_kernel(core.dexp, VECTOR, VECTOR, VECTOR, u="Rotation vectors [rad]")
def dexp(u: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the derivative of the exponential, space form: d exp(u) = hat(dexp(u) du) exp(u).

    >>> ps.so3.dexp([0, 0, 0])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    >>> ps.so3.dexp([0, 0, np.pi], [1, 0, 2])
    array([0.     , 0.63662, 2.     ])
    """


@by_kernel(core.dexpinv, VECTOR, VECTOR, VECTOR, u="Rotation vectors, shorter than a full turn [rad]")
def dexpinv(u: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the inverse of `dexp`."""


@by_kernel(core.ad, VECTOR, VECTOR, VECTOR)
def ad(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the matrix of the Lie bracket, ad(x) = hat(x), or the bracket x × y."""


@by_kernel(core.compose, MATRIX, MATRIX, MATRIX)
def compose(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the product a b of rotations: first b, then a."""


@by_kernel(core.inverse, MATRIX, MATRIX)
def inverse(R: ArrayLike) -> Array:
    """Return the inverse of a rotation, which is its transpose."""


@by_kernel(core.apply, MATRIX, VECTOR, VECTOR)
def apply(R: ArrayLike, x: ArrayLike) -> Array:
    """Return the rotated vector R x."""


@described(VECTOR, VECTOR, VECTOR, y="Torques, or momenta")
def coad(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return ad(x)ᵀ = -hat(x), or y × x: the rate of the angular momentum y of a free body.

    >>> ps.so3.coad([1, 0, 0], [0, 1, 0])
    array([ 0.,  0., -1.])
    """
    x = real_array("so3.coad", x, (3,))
    return hat(-x) if y is None else ad(real_array("so3.coad", y, (3,)), x)


@described(MATRIX, VECTOR, VECTOR)
def Ad(R: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the matrix of the adjoint action, which is a copy of R, or R x."""
    return real_array("so3.Ad", R, (3, 3)).copy() if x is None else apply(R, x)


@described(MATRIX, VECTOR, VECTOR, x="Torques")
def coAd(R: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return Ad(R)ᵀ = Rᵀ, or Rᵀ x: a torque in space axes becomes the same torque in axes of the body R.

    >>> ps.so3.coAd([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 2, 3])
    array([ 2., -1.,  3.])
    """
    turned = inverse(real_array("so3.coAd", R, (3, 3)))
    return turned if x is None else apply(turned, x)


def from_euler(sequence: str, angles: ArrayLike, *, degrees: bool = False) -> Array:
    """Return the rotation matrix of Euler angles, (..., 3, 3).

    Parameters
    ----------
    sequence : One to three axes: capitals "XYZ" are axes of the body (intrinsic), small letters "xyz" axes of
        space (extrinsic), as in SciPy.  "ZYX" is yaw, pitch and roll.
    angles : Angles about these axes [rad], (..., n).
    degrees : Angles are in degrees.

    >>> ps.so3.from_euler("ZYX", [90, 0, 0], degrees=True).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    from poinsot.lie.quaternion import matrix  # it builds on this module

    return matrix(euler.from_angles("so3.from_euler", sequence, angles, degrees))


def random(rng: np.random.Generator, count: int | None = None) -> Array:
    """Return a random rotation matrix; all rotations are equally likely (Haar's measure).

    Parameters
    ----------
    rng : Generator of random numbers, `np.random.default_rng(seed)`.
    count : Number of matrices, (count, 3, 3).  Default: one matrix, (3, 3).

    Examples
    --------
    >>> R = ps.so3.random(np.random.default_rng(1), 5)
    >>> R.shape, np.allclose(np.linalg.det(R), 1)
    ((5, 3, 3), True)
    """
    from poinsot.lie.quaternion import matrix

    if not isinstance(rng, np.random.Generator):
        raise ModelError(f"so3.random: rng must be a NumPy Generator, got {reprlib.repr(rng)}")
    try:
        q = rng.standard_normal(4 if count is None else (operator.index(count), 4))
    except (TypeError, ValueError, OverflowError, MemoryError):
        raise ModelError(
            f"so3.random: count must be a number of matrices, got {reprlib.repr(count)}"
        ) from None
    return matrix(q / np.linalg.norm(q, axis=-1, keepdims=True))


def to_euler(sequence: str, R: ArrayLike, *, degrees: bool = False) -> Array:
    """Return the Euler angles of a rotation matrix in the order of the sequence [rad], (..., 3).

    The middle angle is in [0, pi] if the first and the third axis are the same, else in [-pi/2, pi/2]; the
    others are in [-pi, pi].  At the ends of the middle one (within 1e-7) only the sum or the difference of
    the others is known: the third is then zero, and a warning says so (gimbal lock).

    Parameters
    ----------
    sequence : Three axes: capitals "XYZ" are axes of the body (intrinsic), small letters "xyz" axes of space
        (extrinsic), as in SciPy.
    R : Rotation matrices, (..., 3, 3).
    degrees : Return angles in degrees.

    >>> R = ps.so3.from_euler("ZYX", [10, 20, 30], degrees=True)
    >>> ps.so3.to_euler("ZYX", R, degrees=True)
    array([10., 20., 30.])
    """
    from poinsot.lie.quaternion import from_matrix

    q = from_matrix(real_array("so3.to_euler", R, (3, 3)))
    return euler.to_angles("so3.to_euler", sequence, q, degrees)

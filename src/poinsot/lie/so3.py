"""Rotations on NumPy arrays: matrices (..., 3, 3) and rotation vectors (..., 3).

`hat vee exp log cay dexp dexpinv Ad ad coAd coad compose inverse apply`, and `from_euler`, `to_euler`.
`dexp(x)`, `dexpinv(x)`, `Ad(R)` and `ad(x)` give matrices; with a second argument, the matrix times that
vector.  `dexp` is the space form, d exp(x) = hat(dexp(x) dx) exp(x); the body form is `dexp(-x)`.  `coAd` and
`coad` are the transposes of `Ad` and `ad`.

Leading axes are batch axes; those of two arguments broadcast as in NumPy.
"""

from numpy.typing import ArrayLike

from poinsot.core.lie import quaternion as core_quaternion
from poinsot.core.lie import so3 as core
from poinsot.elementary import euler
from poinsot.lie.batch import MATRIX, QUATERNION, VECTOR, Array, batched, checked, operator_of

__all__ = [
    "Ad",
    "ad",
    "apply",
    "cay",
    "coAd",
    "coad",
    "compose",
    "dexp",
    "dexpinv",
    "exp",
    "from_euler",
    "hat",
    "inverse",
    "log",
    "to_euler",
    "vee",
]

_hat = batched("so3.hat", core.hat, [VECTOR], MATRIX)
_vee = batched("so3.vee", core.vee, [MATRIX], VECTOR)
_exp = batched("so3.exp", core.exp, [VECTOR], MATRIX)
_log = batched("so3.log", core.log, [MATRIX], VECTOR)
_cay = batched("so3.cay", core.cay, [VECTOR], MATRIX)
_compose = batched("so3.compose", core.compose, [MATRIX, MATRIX], MATRIX)
_inverse = batched("so3.inverse", core.inverse, [MATRIX], MATRIX)
_apply = batched("so3.apply", core.apply, [MATRIX, VECTOR], VECTOR)
matrix_of_quaternion = batched("quaternion.matrix", core_quaternion.matrix, [QUATERNION], MATRIX)
quaternion_of_matrix = batched("quaternion.from_matrix", core_quaternion.from_matrix, [MATRIX], QUATERNION)
_dexp = operator_of("so3.dexp", core.dexp, VECTOR, VECTOR)
_dexpinv = operator_of("so3.dexpinv", core.dexpinv, VECTOR, VECTOR)
_ad = operator_of("so3.ad", core.ad, VECTOR, VECTOR)


def hat(x: ArrayLike) -> Array:
    """Return the skew-symmetric matrix of a vector: hat(x) y = x × y.

    Parameters
    ----------
    x : array_like, shape (..., 3)
        Vectors.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Skew-symmetric matrices.

    Raises
    ------
    ValueError
        If the last axis of `x` does not have three entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.hat([1, 2, 3])
    array([[ 0., -3.,  2.],
           [ 3.,  0., -1.],
           [-2.,  1.,  0.]])
    """
    return _hat(x)


def vee(X: ArrayLike) -> Array:
    """Return the vector of a skew-symmetric matrix, the inverse of `hat`.

    Of any other matrix it is the vector of the skew-symmetric part.

    Parameters
    ----------
    X : array_like, shape (..., 3, 3)
        Matrices.

    Returns
    -------
    ndarray, shape (..., 3)
        Vectors.

    Raises
    ------
    ValueError
        If the last two axes of `X` are not 3 by 3.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.vee(ps.so3.hat([1, 2, 3]))
    array([1., 2., 3.])
    """
    return _vee(X)


def exp(u: ArrayLike) -> Array:
    """Return the rotation matrix of a rotation vector.

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Rotation vectors: axis times angle, in radians.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If the last axis of `u` does not have three entries.

    See Also
    --------
    log : the inverse.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.so3.exp([0, 0, np.pi / 2]).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return _exp(u)


def log(R: ArrayLike) -> Array:
    """Return the rotation vector of a rotation matrix, at most half a turn long.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.

    Returns
    -------
    ndarray, shape (..., 3)
        Rotation vectors in radians, of length at most pi.

    Raises
    ------
    ValueError
        If the last two axes of `R` are not 3 by 3.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.log([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    array([0.      , 0.      , 1.570796])
    """
    return _log(R)


def cay(u: ArrayLike) -> Array:
    """Return the Cayley transform of a vector: a rotation by 2 arctan(|u| / 2) about u.

    It agrees with `exp` to second order in `u`.

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Vectors.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If the last axis of `u` does not have three entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.cay([0, 0, 2.0]).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return _cay(u)


def compose(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the product a b of rotations: first b, then a.

    Parameters
    ----------
    a, b : array_like, shape (..., 3, 3)
        Rotation matrices; their leading axes broadcast.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> R = ps.so3.exp([0.1, 0.2, 0.3])
    >>> np.allclose(ps.so3.compose(R, ps.so3.inverse(R)), np.eye(3))
    True
    """
    return _compose(a, b)


def inverse(R: ArrayLike) -> Array:
    """Return the inverse of a rotation, which is its transpose.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If the last two axes of `R` are not 3 by 3.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.inverse([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    array([[ 0.,  1.,  0.],
           [-1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return _inverse(R)


def apply(R: ArrayLike, x: ArrayLike) -> Array:
    """Rotate a vector: R x.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.
    x : array_like, shape (..., 3)
        Vectors; the leading axes of both broadcast.

    Returns
    -------
    ndarray, shape (..., 3)
        The rotated vectors, in the unit of `x`.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.apply([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 2, 3])
    array([-2.,  1.,  3.])
    """
    return _apply(R, x)


def dexp(u: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the derivative of the exponential, space form: d exp(u) = hat(dexp(u) du) exp(u).

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Rotation vectors in radians.
    x : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix dexp(u), or dexp(u) x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.so3.dexp([0, 0, 0])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    >>> ps.so3.dexp([0, 0, np.pi], [1, 0, 2])
    array([0.     , 0.63662, 2.     ])
    """
    return _dexp(u, x)


def dexpinv(u: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the inverse of `dexp`.

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Rotation vectors in radians, shorter than a full turn.
    x : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix dexp(u)⁻¹, or dexp(u)⁻¹ x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> u = [0.1, -0.2, 0.3]
    >>> ps.so3.dexpinv(u, ps.so3.dexp(u, [1, 2, 3]))
    array([1., 2., 3.])
    """
    return _dexpinv(u, x)


def ad(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the matrix of the Lie bracket, ad(x) = hat(x), or the bracket x × y.

    Parameters
    ----------
    x : array_like, shape (..., 3)
        Vectors.
    y : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix ad(x), or x × y if `y` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.ad([1, 0, 0], [0, 1, 0])
    array([0., 0., 1.])
    """
    return _ad(x, y)


def Ad(R: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the matrix of the adjoint action, which is R itself, or R x.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.
    x : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        A copy of `R`, or R x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.Ad([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 2, 3])
    array([-2.,  1.,  3.])
    """
    return checked("so3.Ad", R, (3, 3)).copy() if x is None else apply(R, x)


def coad(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the transpose of the matrix of the Lie bracket, ad(x)ᵀ = -hat(x), or y × x.

    The angular momentum y of a free rigid body with the angular velocity x, in body axes, has the rate
    coad(x, y).

    Parameters
    ----------
    x : array_like, shape (..., 3)
        Vectors.
    y : array_like, shape (..., 3), optional
        Torques, or momenta, to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix ad(x)ᵀ, or y × x if `y` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.coad([1, 0, 0], [0, 1, 0])
    array([ 0.,  0., -1.])
    """
    x = checked("so3.coad", x, (3,))
    return hat(-x) if y is None else _ad(checked("so3.coad", y, (3,)), x)


def coAd(R: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the matrix of the coadjoint action, Ad(R)ᵀ = Rᵀ, or Rᵀ x.

    If `R` is the attitude of a body, it takes a torque in space axes to the same torque in body axes.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.
    x : array_like, shape (..., 3), optional
        Torques to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix Rᵀ, or Rᵀ x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.coAd([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 2, 3])
    array([ 2., -1.,  3.])
    """
    turned = _inverse(checked("so3.coAd", R, (3, 3)))
    return turned if x is None else apply(turned, x)


def from_euler(sequence: str, angles: ArrayLike, degrees: bool = False) -> Array:
    """Return the rotation matrix of Euler angles.

    Parameters
    ----------
    sequence : str
        One to three axes: capitals "XYZ" are axes of the body (intrinsic), small letters "xyz" axes of space
        (extrinsic), as in SciPy.  "ZYX" is yaw, pitch and roll.
    angles : array_like, shape (..., n)
        Angles about these axes, in radians.
    degrees : bool, default False
        Angles are in degrees.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ModelError
        If the sequence is unknown or a shape is wrong.

    See Also
    --------
    to_euler : the inverse.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.from_euler("ZYX", [90, 0, 0], degrees=True).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return matrix_of_quaternion(euler.from_angles("so3.from_euler", sequence, angles, degrees))


def to_euler(sequence: str, R: ArrayLike, degrees: bool = False) -> Array:
    """Return the Euler angles of a rotation matrix.

    The middle angle is in [0, pi] if the first and the third axis are the same, else in [-pi/2, pi/2]; the
    others are in [-pi, pi].  At the ends of the middle one (within 1e-7) only the sum or the difference of
    the others is known: the third is then zero, and a warning says so.

    Parameters
    ----------
    sequence : str
        Three axes: capitals "XYZ" are axes of the body (intrinsic), small letters "xyz" axes of space
        (extrinsic), as in SciPy.
    R : array_like, shape (..., 3, 3)
        Rotation matrices.
    degrees : bool, default False
        Return angles in degrees.

    Returns
    -------
    ndarray, shape (..., 3)
        Angles in the order of the sequence, in radians.

    Raises
    ------
    ModelError
        If the sequence is unknown or a shape is wrong.

    Warns
    -----
    UserWarning
        If the angles are not unique (gimbal lock).

    Examples
    --------
    >>> import poinsot as ps
    >>> R = ps.so3.from_euler("ZYX", [10, 20, 30], degrees=True)
    >>> ps.so3.to_euler("ZYX", R, degrees=True)
    array([10., 20., 30.])
    """
    q = quaternion_of_matrix(checked("so3.to_euler", R, (3, 3)))
    return euler.to_angles("so3.to_euler", sequence, q, degrees)

"""The algebra of rotations and poses on NumPy arrays, for all but the core: no compiling.

Quaternions (w, x, y, z), matrices (..., 3, 3) and vectors (..., 3) have leading axes.  The public
`ps.quaternion` has the same functions from the compiled core; these serve a mechanism of a few numbers and
the arrays of a run.  Products are written out component by component: BLAS and the sums of NumPy round
differently for another number of rows, and a run must not depend on how it was sampled.

Twists are (w, v), poses 4x4 matrices; these functions take one at a time, which may be complex:

    wed(x) = ((hat w, v), (0, 0))                 Ad_G = ((R, 0), (hat(r) R, R))
    ad_x = ((hat w, 0), (hat v, hat w))           vee2((A, b), (., .)) = (vee(A - Aᵀ), b)
    Vee((A, b), (cᵀ, p)) = ((tr(A) 1 - A, hat c), (hat(b)ᵀ, p 1))
"""

import numpy as np

from poinsot.elementary.euler import filled
from poinsot.elementary.euler import quaternion_product as compose
from poinsot.model.checks import Array

__all__ = ["Ad", "Vee", "Vee3", "Wed3", "ad", "apply", "compose", "cross", "dot", "hat", "inverse", "matrix"]
__all__ += ["pose", "pose_inverse", "times", "transpose", "vee2", "wed"]


def inverse(q: Array) -> Array:
    """Return the conjugate of q."""
    return np.asarray(q * np.array([1.0, -1.0, -1.0, -1.0]))


def matrix(q: Array) -> Array:
    """Return the rotation matrix of q / |q|."""
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    length = np.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w / length, x / length, y / length, z / length
    parts = [
        1 - 2 * (y * y + z * z),
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        1 - 2 * (x * x + y * y),
    ]
    return filled(w.shape, parts).reshape(*w.shape, 3, 3)


def times(M: Array, x: Array) -> Array:
    """Return M x for matrices (..., 3, 3) and vectors (..., 3)."""
    a, b, c = x[..., 0], x[..., 1], x[..., 2]
    parts = [M[..., i, 0] * a + M[..., i, 1] * b + M[..., i, 2] * c for i in range(3)]
    return filled(parts[0].shape, parts)


def cross(a: Array, b: Array) -> Array:
    """Return a x b of vectors (..., 3)."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    parts = [y * w - z * v, z * u - x * w, x * v - y * u]
    return filled(parts[0].shape, parts)


def transpose(M: Array) -> Array:
    """Return the transposes of matrices (..., 3, 3)."""
    return np.swapaxes(M, -1, -2)


def dot(a: Array, b: Array) -> Array:
    """Return a.b of vectors (..., 3)."""
    return np.asarray(a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2])


def apply(q: Array, x: Array) -> Array:
    """Return R(q) x."""
    return times(matrix(q), x)


def hat(x: Array) -> Array:
    """Return the skew-symmetric matrix of x: hat(x) y = x × y; x may be complex."""
    a, b, c = x
    zero = a - a  # of the type of x
    return np.array([[zero, -c, b], [c, zero, -a], [-b, a, zero]])


def wed(x: Array) -> Array:
    """Return the matrix of a vector (3) or of a twist (6)."""
    if x.shape == (3,):
        return hat(x)
    X = np.zeros((4, 4), dtype=x.dtype)
    X[:3, :3], X[:3, 3] = hat(x[:3]), x[3:]
    return X


def vee2(A: Array) -> Array:
    """Return the vector or wrench of a 3x3 or 4x4 matrix: tr(A wed(x)ᵀ) = x · vee2(A)."""
    w = [A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]]
    return np.array(w if A.shape == (3, 3) else [*w, A[0, 3], A[1, 3], A[2, 3]])


def Vee3(A: Array) -> Array:
    """Return tr(A) 1 - A of a 3x3 matrix."""
    return np.asarray(np.trace(A) * np.eye(3) - A)


def Wed3(A: Array) -> Array:
    """Return tr(A)/2 1 - A of a 3x3 matrix, the inverse of `Vee3`."""
    return np.asarray(np.trace(A) / 2 * np.eye(3) - A)


def Vee(P: Array) -> Array:
    """Return the 6x6 matrix on twists that belongs to a 4x4 matrix of moments."""
    out = np.empty((6, 6), dtype=np.result_type(P, float))
    out[:3, :3], out[:3, 3:] = Vee3(P[:3, :3]), hat(P[3, :3])
    out[3:, :3], out[3:, 3:] = hat(P[:3, 3]).T, P[3, 3] * np.eye(3)
    return out


def pose(R: Array, r: Array) -> Array:
    """Return the 4x4 matrix ((R, r), (0, 1)) of a pose."""
    G = np.zeros((4, 4), dtype=np.result_type(R, r, float))
    G[:3, :3], G[:3, 3], G[3, 3] = R, r, 1
    return G


def pose_inverse(G: Array) -> Array:
    """Return the inverse of a pose (4, 4)."""
    return pose(G[:3, :3].T, -G[:3, :3].T @ G[:3, 3])


def Ad(G: Array) -> Array:
    """Return the adjoint of a pose (4, 4): the twist of G wed(x) G⁻¹ is Ad(G) x."""
    R = G[:3, :3]
    out = np.zeros((6, 6), dtype=np.result_type(G, float))
    out[:3, :3] = out[3:, 3:] = R
    out[3:, :3] = hat(G[:3, 3]) @ R
    return out


def ad(x: Array) -> Array:
    """Return the matrix of the bracket of twists: ad(x) y = [x, y]."""
    out = np.zeros((6, 6), dtype=np.result_type(x, float))
    out[:3, :3] = out[3:, 3:] = hat(x[:3])
    out[3:, :3] = hat(x[3:])
    return out


def point_of(R: Array, w: Array, origin: Array, velocity: Array, c: Array) -> tuple[Array, Array]:
    """Return the position and the velocity in space, (n, 3), of a point c of a body frame at n times."""
    return origin + times(R, c), velocity + times(R, cross(w, c))

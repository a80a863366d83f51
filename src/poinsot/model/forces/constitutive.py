"""Inertia, damping and stiffness of a rigid body: ten numbers each, found by summing over points.

Masses, dampers or springs w at points h of a body add up to one symmetric 4x4 matrix,

    P = Σ w (h, 1)(h, 1)ᵀ = (Wed Θ   w c),   w = Σ w,   w c = Σ w h,   Wed Θ = Σ w h hᵀ        (1)
                            (w cᵀ    w  )

with Θ the moment about the origin (an inertia, if w are masses).  Vee and Wed are inverse to each other,

    Vee A = tr(A) 1 - A,    Wed A = ½ tr(A) 1 - A,                                            (2)

and the 6x6 matrix that belongs to P acts on twists (w, v), angular part first:

    Vee P = (Vee A    hat b)      for   P = (A   b),   so that  xᵀ (Vee P) x = tr(hat(x) P hat(x)ᵀ).   (3)
            (hat(b)ᵀ  p 1  )                (bᵀ  p)

Any 3x3 matrix is a rotation times a Wed (special polar decomposition): with the singular values s and the
singular vectors of Mᵀ = X diag(s) Yᵀ, of which the last columns and s₃ take the signs of det X and det Y,

    M = R Wed K,    R = Y Xᵀ,    K = X diag(λ) Xᵀ,    λ = (s₂ + s₃, s₃ + s₁, s₁ + s₂) ≥ 0.        (4)

R maximizes tr(MᵀR) over all rotations; it is the only one with that value if and only if λ₁ > 0.

Springs of rest length zero and stiffness k from points h of a body to points p of space have the energy
½ Σ k |r + R h - p|².  With k = Σ k, kh = Σ k h, kp = Σ k p it is, whatever the constellation,

    V(G) = ½ tr((G - Gᵣ) K (G - Gᵣ)ᵀ) + V₀,                                                   (5)
    Σ k p hᵀ - k p hᵀ = Rᵣ Wed Πₛ,    rᵣ = p - Rᵣ h,    V₀ = V(Gᵣ),                             (6)
    K = (Wed Πₛ + k h hᵀ   k h),                                                              (7)
        (k hᵀ              k  )

so springs are known by k ≥ 0, the center h, Πₛ ≥ 0 and the pose of rest.  K itself may be indefinite, and
is not (1) of the stiffnesses unless no spring is stressed at rest; Vee K is the Hessian at rest, and ≥ 0.

Source: Konz, sections 2.4 and 3.3 [konz2024energy].  There twists are (v, w);
here, as everywhere in Poinsot, they are (w, v).
"""

import math

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import det, dot, product, svd
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.rotations import Vee3, Wed3, hat

LARGEST = 1e100  # coordinate or stiffness: their products are still numbers
SLACK = 1e-12  # negative eigenvalues and asymmetries below this part of the size are rounding
LARGE = 1e150  # elements of a matrix whose squares overflow


def special_polar(M: ArrayLike) -> tuple[Array, Array]:
    """Decompose any 3x3 matrix into a rotation and a stiffness: M = R Wed(K) with K ≥ 0.

    Wed(K) = ½ tr(K) 1 - K.  R maximizes tr(MᵀR) over all rotations (special polar decomposition).  Returns
    the rotation R, and the symmetric matrix K without negative eigenvalues.  `M`: any 3x3 matrix.

    >>> R, K = ps.analytical.special_polar(2 * np.eye(3))
    >>> np.allclose(R, np.eye(3)), np.allclose(K, 4 * np.eye(3))
    (True, True)
    """
    M = checks.array("special_polar", "M", M, "a 3x3 matrix", (3, 3))
    size = float(np.abs(M).max())
    scale = 2.0 ** (math.frexp(size)[1] - 1) if size > LARGE else 1.0  # a power of two: no rounding
    with np.errstate(over="ignore"):  # a rotation by a vanishing angle
        X, s, Yt = svd(M.T / scale)
    s *= scale
    x, y = np.sign(det(X)), np.sign(det(Yt))
    X[:, 2] *= x
    Yt[2] *= y
    s1, s2, s3 = s[0], s[1], s[2] * x * y
    lam = np.array([s2 + s3, s3 + s1, s1 + s2])  # (4)
    return product(Yt.T, X.T), product(X * lam, X.T)


def prime(weights: ArrayLike, points: ArrayLike) -> Array:
    """Return the symmetric 4x4 matrix Σ w (h, 1)(h, 1)ᵀ of weights w at points h of a body.

    If the weights are masses it is the pseudo-inertia matrix; dampings and stiffnesses have one as well.
    `weights`: masses [kg], dampings [N s/m] or stiffnesses [N/m], (n,); `points`: points in the body frame
    [m], (n, 3).

    >>> ps.analytical.prime([2.0], [[1, 0, 0]])
    array([[2., 0., 0., 2.],
           [0., 0., 0., 0.],
           [0., 0., 0., 0.],
           [2., 0., 0., 2.]])
    """
    w, h = _weights_and_points("prime", "weights", weights, points=points)
    one = np.column_stack([h[0], np.ones(len(w))])
    return product(one.T * w, one)


def from_moments(total: float, center: ArrayLike, moment_about_origin: ArrayLike) -> Array:
    """Return the 4x4 matrix of a total, its center and its 3x3 moment about the origin of the body frame.

    `total`: sum of the weights: the mass [kg], for an inertia; `center`: center of the weights in the body
    frame [m], (3,); `moment_about_origin`: moment about the origin, (3, 3): the inertia tensor [kg m²], for
    masses.

    >>> ps.analytical.from_moments(2.0, (1, 0, 0), np.diag([0.0, 2.0, 2.0]))[0]
    array([2., 0., 0., 2.])
    """
    w = checks.number("from_moments", "total", total)
    c = checks.vector("from_moments", "center", center)
    moment = checks.array("from_moments", "moment_about_origin", moment_about_origin, "a 3x3 matrix", (3, 3))
    return _blocks(Wed3(_symmetric("from_moments", "moment_about_origin", moment)), w * c, w)


def about_origin(total: float, center: ArrayLike, moment_about_center: ArrayLike) -> Array:
    """Return the moment about the origin from the one about the center (parallel axes)."""
    c = hat(checks.vector("about_origin", "center", center))
    moment = checks.array("about_origin", "moment_about_center", moment_about_center, "a 3x3 matrix", (3, 3))
    return np.asarray(moment + product(total * c.T, c))


def vee_prime(P: ArrayLike, name: str = "vee_prime") -> Array:
    """Return the 6x6 matrix on twists (w, v) of a 4x4 matrix (3): the spatial inertia, for masses.

    `P`: symmetric 4x4 matrix, as of `prime`; `name`: owner of the matrix, for messages.

    >>> ps.analytical.vee_prime(np.diag([0, 0, 1.0, 2.0])).diagonal()
    array([1., 1., 0., 2., 2., 2.])
    """
    P = _symmetric(name, "P", checks.array(name, "P", P, "a 4x4 matrix", (4, 4)))
    b = hat(P[:3, 3])
    return np.block([[Vee3(P[:3, :3]), b], [b.T, P[3, 3] * np.eye(3)]])


def wed_prime(M: ArrayLike, name: str = "wed_prime") -> Array:
    """Return the 4x4 matrix of a 6x6 one on twists (w, v), the inverse of (3); not every matrix has one."""
    M = _symmetric(name, "M", checks.array(name, "M", M, "a 6x6 matrix", (6, 6)))
    b, p = M[:3, 3:], np.trace(M[3:, 3:]) / 3
    P = _blocks(Wed3(M[:3, :3]), np.array([b[2, 1], b[0, 2], b[1, 0]]), p)
    off = float(np.abs(vee_prime(P) - M).max())
    if off > SLACK * np.abs(M).max():
        raise ModelError(
            f"{name}: M must have the blocks ((A, hat(b)), (hat(b)ᵀ, p 1)) on twists (w, v), angular part "
            f"first, but is off by {off:.3g}"
        )
    return P


def parameters(K: ArrayLike, name: str = "parameters") -> tuple[float, Array, Array]:
    """Return (k, h, Πₛ) of a 4x4 stiffness, damping or inertia: total, center, moment about it (7)."""
    K = _symmetric(name, "K", checks.array(name, "K", K, "a 4x4 matrix", (4, 4)))
    k, kh = float(K[3, 3]), K[:3, 3]
    if np.abs(kh).max() <= SLACK * np.abs(K).max():
        return k, np.zeros(3), Vee3(K[:3, :3])
    if k == 0:
        raise ModelError(f"{name}: a total of 0 with the first moment {checks.show(kh)} has no center")
    return k, kh / k, Vee3(K[:3, :3] - np.outer(kh, kh) / k)


def check(name: str, K: ArrayLike) -> Array:
    """Return K if k ≥ 0 and Πₛ ≥ 0 (K itself may be indefinite); raise a ModelError otherwise."""
    k, _, Pi = parameters(K, name)
    if k < 0:
        raise ModelError(f"{name}: the total must not be negative, got {checks.show(k)}")
    least = float(np.linalg.eigvalsh(Pi)[0])
    if least < -SLACK * max(np.abs(Pi).max(), np.abs(np.asarray(K)).max()):
        raise ModelError(f"{name}: the moment about the center has the negative eigenvalue {least:.3g}")
    return np.asarray(K, dtype=np.float64)


def reduce_springs(
    stiffnesses: ArrayLike, body_points: ArrayLike, space_points: ArrayLike
) -> tuple[Array, Array, float]:
    """Reduce springs without rest length to one stiffness, its pose of rest and the energy there (5)-(7).

    Returns the stiffness matrix K (4, 4), the pose of the body at rest (4, 4), and the energy at rest [J].
    `stiffnesses`: stiffness of each spring [N/m], (n,); their sum must be positive; `body_points`,
    `space_points`: ends of the springs in the body frame and in space [m], (n, 3).

    >>> ends = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> K, rest, energy = ps.analytical.reduce_springs([1, 1, 1], ends, ends)
    >>> np.allclose(rest, np.eye(4)), round(energy, 9)
    (True, 0.0)
    """
    k, (h, p) = _weights_and_points(
        "springs", "stiffnesses", stiffnesses, body_points=body_points, space_points=space_points
    )
    total = float(k.sum())
    if total <= 0:
        raise ModelError(f"springs: the stiffnesses must have a positive sum, got {checks.show(total)}")
    if max(np.abs(h).max(), np.abs(p).max()) > LARGEST or np.abs(k).max() > LARGEST:
        raise ModelError(f"springs: numbers must be at most {LARGEST:g}")
    h0, p0 = product(k, h) / total, product(k, p) / total
    R, Pi = special_polar(product((p - p0).T * k, h - h0))  # (6), without cancellation
    r = p0 - product(R, h0)
    rest = np.eye(4)
    rest[:3, :3], rest[:3, 3] = R, r
    K = _blocks(Wed3(Pi) + total * np.outer(h0, h0), total * h0, total)  # (7)
    return K, rest, dot(k, ((product(h, R.T) + r - p) ** 2).sum(axis=1)) / 2


def _blocks(A: Array, b: Array, p: float) -> Array:
    P = np.empty((4, 4))
    P[:3, :3], P[:3, 3], P[3, :3], P[3, 3] = A, b, b, p
    return P


def _symmetric(name: str, what: str, A: Array) -> Array:
    off = float(np.abs(A - A.T).max())
    if off > SLACK * np.abs(A).max():
        raise ModelError(f"{name}: {what} must be symmetric, but is off by {off:.3g}")
    return A


def _weights_and_points(
    name: str, what: str, weights: ArrayLike, **points: ArrayLike
) -> tuple[Array, list[Array]]:
    """Return numbers (n,) and the points (n, 3) that belong to them."""
    w = checks.array(name, what, weights, "a list of numbers", (None,))
    found = []
    for key, value in points.items():
        found.append(checks.array(name, key.replace("_", " "), value, "points (n, 3)", (None, 3)))
        if len(found[-1]) != len(w):
            raise ModelError(f"{name}: {len(w)} {what}, but {len(found[-1])} {key.replace('_', ' ')}")
    return w, found

"""The input that comes nearest to a wanted behaviour: Gauss' principle of least constraint.

    plant M a + f = B u,     wanted M_ a + f_ = 0,     minimise  |a + M_^-1 f_|^2 / 2 in the metric M_  (1)
    L L^T = M_,    W = L^T M^-1 B,    y = L^T M^-1 f - L^-1 f_:      u = argmin |W u - y|               (2)
    B_perp^T B = 0:      lambda = B_perp^T (M M_^-1 f_ - f),     residual G0 = |W u - y|^2 / 2          (3)

More inputs than needed: the shortest u.  Limits Z u <= b make (2) a quadratic program (`quadratic`); where H
= W^T W is singular it is made definite by the smallest amount that rounding allows, which picks the shortest
u.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.control.laws.quadratic import minimise
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array

RANK = 1e-11  # relative: smaller singular values of W and B are zero
SINGULAR = 1e-7  # relative: the smallest pivot of M_, at about the root of the rounding
DEFINITE = 1e-9  # relative: the term that makes H definite where the inputs are redundant


class LeastConstraint(NamedTuple):
    """The input of the least constraint.

    Attributes
    ----------
    u : ndarray, shape (nu,)
        Input in N or N m.
    residual : float
        G0: half the square of the distance to the wanted acceleration, in the metric of the template.
    matching : ndarray, shape (n - rank,)
        Matching force: what the plant without inputs lacks of the template, in an orthonormal basis of the
        directions that no input reaches (`directions`).
    acceleration : ndarray, shape (nv,)
        Acceleration of the plant with this input.
    directions : ndarray, shape (nv, n - rank)
        The directions that no input reaches: B_perp.
    active : tuple of int
        Rows of Z that hold with equality.

    Examples
    --------
    >>> import poinsot as ps
    >>> found = ps.control.least_constraint([[2.0]], [1.0], [[1.0]], [[1.0]], [-3.0])
    >>> found.u, found.acceleration
    (array([7.]), array([3.]))
    """

    u: Array
    residual: float
    matching: Array
    acceleration: Array
    directions: Array
    active: tuple[int, ...] = ()


def least_constraint(
    M: ArrayLike,
    f: ArrayLike,
    B: ArrayLike,
    M_bar: ArrayLike,
    f_bar: ArrayLike,
    Z: ArrayLike | None = None,
    b: ArrayLike | None = None,
) -> LeastConstraint:
    """Return the input that brings a plant nearest to a template.

    The plant is M a + f = B u, the template wants M_bar a + f_bar = 0.  The distance is that of Gauss: the
    difference of the accelerations in the metric M_bar.

    Parameters
    ----------
    M : array_like, shape (n, n)
        Mass matrix of the plant.
    f : array_like, shape (n,)
        Forces of the plant on the left side.
    B : array_like, shape (n, nu)
        Input matrix.
    M_bar : array_like, shape (n, n)
        Mass matrix of the template, positive definite.
    f_bar : array_like, shape (n,)
        Forces of the template on the left side.
    Z : array_like, shape (rows, nu), optional
        Limits of the inputs, Z u <= b.  Default: none.
    b : array_like, shape (rows,), optional
        Right side of the limits.

    Returns
    -------
    LeastConstraint
        Input, residual, matching force and acceleration.

    Raises
    ------
    ModelError
        If a matrix has the wrong shape or is not positive definite, or the limits exclude each other.

    Examples
    --------
    A cart with a limited motor:

    >>> import poinsot as ps
    >>> ps.control.least_constraint([[2.0]], [0.0], [[1.0]], [[1.0]], [-3.0], Z=[[1.0]], b=[4.0]).acceleration
    array([2.])
    """
    who = "least_constraint"
    M = checks.array(who, "M", M, "a square matrix", (None, None))
    n = len(M)
    square = f"a {n}x{n} matrix"
    M, M_bar = (checks.array(who, w, x, square, (n, n)) for w, x in (("M", M), ("M_bar", M_bar)))
    f, f_bar = (checks.vector(who, w, x, n) for w, x in (("f", f), ("f_bar", f_bar)))
    B = checks.array(who, "B", B, f"a matrix with {n} rows", (n, None))
    if n == 0 or B.shape[1] == 0:
        raise ModelError(f"{who}: there must be at least one velocity and one input")
    if (Z is None) != (b is None):
        raise ModelError(f"{who}: give Z and b together, or neither")
    if Z is None or b is None:
        return solved(M, f, B, M_bar, f_bar)
    Z = checks.array(who, "Z", Z, f"a matrix with {B.shape[1]} columns", (None, B.shape[1]))
    return solved(M, f, B, M_bar, f_bar, Z, checks.vector(who, "b", b, len(Z)))


def solved(
    M: Array,
    f: Array,
    B: Array,
    M_bar: Array,
    f_bar: Array,
    Z: Array | None = None,
    b: Array | None = None,
    metric: Array | None = None,
) -> LeastConstraint:
    """Return the input of the least constraint; `metric` replaces M_bar in (1) where the limits act."""
    try:
        L = np.linalg.cholesky(M_bar)
        pivots = np.diag(L)
        if not pivots.min() > SINGULAR * pivots.max():
            raise np.linalg.LinAlgError
    except np.linalg.LinAlgError:
        least = float(np.linalg.eigvalsh((M_bar + M_bar.T) / 2)[0])
        raise ModelError(
            "the mass matrix of the template is not positive definite, its smallest eigenvalue is "
            f"{least:.3g}: it leaves a velocity free, or stands at a singular position"
        ) from None
    try:
        MB, Mf = np.split(np.linalg.solve(M, np.column_stack([B, f])), [B.shape[1]], axis=1)
    except np.linalg.LinAlgError:
        raise ModelError("least_constraint: the mass matrix M of the plant is singular") from None
    if not (np.isfinite(MB).all() and np.isfinite(Mf).all()):
        raise ModelError("least_constraint: the numbers are too large")
    Mf, wanted = Mf[:, 0], -np.linalg.solve(M_bar, f_bar)
    W, y = L.T @ MB, L.T @ (Mf + wanted)  # (2)
    u, _, rank, _ = np.linalg.lstsq(W, y, rcond=RANK)
    active: tuple[int, ...] = ()
    if Z is not None and b is not None and len(b) and (Z @ u > b).any():
        if metric is not None:
            root = np.linalg.cholesky(metric).T
            W, y = root @ MB, root @ (Mf + wanted)
            u = np.linalg.lstsq(W, y, rcond=RANK)[0]
        H = W.T @ W
        if rank < len(u):
            H = H + DEFINITE * np.trace(H) / len(u) * np.eye(len(u))
        best = minimise(H, u, Z, b)
        u, active = best.u, best.active
    a = MB @ u - Mf
    miss = L.T @ (a - wanted)
    away = _perpendicular(B)
    return LeastConstraint(u, 0.5 * float(miss @ miss), away.T @ (-M @ wanted - f), a, away, active)


def _perpendicular(B: Array) -> Array:
    """Return an orthonormal basis of the directions that no input reaches."""
    U, s, _ = np.linalg.svd(B)
    rank = int((s > RANK * s[0]).sum()) if len(s) and s[0] > 0 else 0
    return U[:, rank:]

"""The input that comes nearest to a wanted behavior, with what is left (`core.control.least_constraint`).

plant M a + f = B u,     wanted M_ a + f_ = 0,     minimise  |a + M_^-1 f_|^2 / 2 in the metric M_  (1)
B_perp^T B = 0:      lambda = B_perp^T (M M_^-1 f_ - f),     residual G0 = |a + M_^-1 f_|^2 / 2     (2)
"""

from typing import NamedTuple

import numpy as np

from poinsot.core.control.least_constraint import RANK, solver
from poinsot.core.control.records import (
    DECIDED,
    ENDLESS,
    EXCLUDED,
    NOT_DEFINITE,
    NOT_FINITE,
    SINGULAR_PLANT,
)
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array

MESSAGES = {
    SINGULAR_PLANT: "least_constraint: the mass matrix M of the plant is singular",
    NOT_FINITE: "least_constraint: the numbers are too large",
    EXCLUDED: "the limits of the inputs exclude each other: no input satisfies all of them",
    ENDLESS: "the limits of the inputs could not be satisfied: the active-set method did not end",
}


class LeastConstraint(NamedTuple):
    """The input of the least constraint.

    Attributes
    ----------
    u : input (nu) [N or N m]
    residual : G0, half the square of the distance to the wanted acceleration in the metric of the template
    matching : the directions that no input reaches (`directions`)
    acceleration : acceleration (nv) of the plant with this input
    directions : the directions (nv, n - rank) that no input reaches: B_perp
    active : rows of Z that hold with equality
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
    *,
    Z: ArrayLike | None = None,
    b: ArrayLike | None = None,
) -> LeastConstraint:
    """Return the input that brings a plant nearest to a template.

    The plant is M a + f = B u, the template wants M_bar a + f_bar = 0.  The distance is that of Gauss: the
    difference of the accelerations in the metric M_bar.  `M`, `f`: mass matrix (n, n) of the plant, and its
    forces (n) on the left side; `B`: input matrix (n, nu); `M_bar`, `f_bar`: mass matrix of the template,
    positive definite, and its forces; `Z`, `b`: limits Z u <= b of the inputs, (rows, nu) and (rows).

    Raises
    ------
    ModelError
        If M_bar is not positive definite, or the limits exclude each other.

    A cart with a limited motor:

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
    nu = B.shape[1]
    if n == 0 or nu == 0:
        raise ModelError(f"{who}: there must be at least one velocity and one input")
    if (Z is None) != (b is None):
        raise ModelError(f"{who}: give Z and b together, or neither")
    Z, b = (np.zeros((0, nu)), np.zeros(0)) if Z is None or b is None else (Z, b)
    rows = checks.array(who, "Z", Z, f"a matrix with {nu} columns", (None, nu))
    ends = checks.vector(who, "b", b, len(rows))
    u, active = np.zeros(nu), np.zeros(len(rows))
    arrays = [np.array(x, dtype=float).reshape(-1) for x in (M, f, B, M_bar, f_bar, rows, ends)]
    status = int(solver()(*arrays, u, active))
    if status != DECIDED:
        raise fault(status, M_bar)
    return diagnose(M, f, B, M_bar, f_bar, u, active)


def fault(status: int, M_bar: Array) -> ModelError:
    """Return the error of a status of the compiled law, whose template has this mass matrix."""
    if status != NOT_DEFINITE:
        return ModelError(MESSAGES[status])
    least = float(np.linalg.eigvalsh((M_bar + M_bar.T) / 2)[0])
    return ModelError(
        "the mass matrix of the template is not positive definite, its smallest eigenvalue is "
        f"{least:.3g}: it leaves a velocity free, or stands at a singular position"
    )


def diagnose(
    M: Array, f: Array, B: Array, M_bar: Array, f_bar: Array, u: Array, active: Array
) -> LeastConstraint:
    """Return an input with what it leaves, equations (2); `active` is 1 for the limits that act."""
    wanted, a = -np.linalg.solve(M_bar, f_bar), np.asarray(np.linalg.solve(M, B @ u - f), dtype=np.float64)
    miss = np.linalg.cholesky(M_bar).T @ (a - wanted)
    away, rows = perpendicular(B), tuple(np.flatnonzero(active).tolist())
    return LeastConstraint(u, 0.5 * float(miss @ miss), away.T @ (-M @ wanted - f), a, away, rows)


def perpendicular(B: Array) -> Array:
    """Return an orthonormal basis of the directions that no input reaches."""
    U, s, _ = np.linalg.svd(B)
    return U[:, int((s > RANK * s[0]).sum()) if len(s) and s[0] > 0 else 0 :]

"""The linear-quadratic regulator, in discrete time (elsewhere called `dlqr`) and in continuous time.

    x1 = A x + B u,   u = -K x  minimises  sum of  x^T Q x + u^T R u                             (1)
    P = A^T P A - A^T P B (R + B^T P B)^-1 B^T P A + Q                                           (2)
    K = (R + B^T P B)^-1 B^T P A,      x^T P x is the cost from x onwards                         (3)

    x' = A x + B u:    A^T P + P A - P B R^-1 B^T P + Q = 0,    K = R^-1 B^T P                    (5)

It exists if (A, B) is stabilisable: for every eigenvalue with |lambda| >= 1 (Re lambda >= 0) the matrix
(lambda - A, B) has full rank (4).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array

RANK = 1e-9  # a singular value of (4) below this, relative to the largest, is zero
CIRCLE = 1e-9  # distance inside the unit circle up to which a mode counts as not decaying


class LQR(NamedTuple):
    """A linear-quadratic regulator.

    Attributes
    ----------
    gain : ndarray, shape (m, n)
        Gain K of the feedback u = -K x.
    cost : ndarray, shape (n, n)
        Matrix P: xᵀ P x is the cost from x onwards.
    poles : ndarray of complex, shape (n,)
        Eigenvalues of A - B K: inside the unit circle, or in continuous time left of the imaginary axis.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.control.lqr([[1.0]], [[1.0]], [1.0], [1.0]).gain
    array([[0.618034]])
    """

    gain: Array
    cost: Array
    poles: NDArray[np.complex128]


def lqr(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike, continuous: bool = False) -> LQR:
    """Solve the linear-quadratic regulator problem in discrete or continuous time.

    The feedback u = -K x minimises the sum of xᵀ Q x + uᵀ R u along x₁ = A x + B u, or its integral along
    dx/dt = A x + B u.

    Parameters
    ----------
    A : array_like, shape (n, n)
        Matrix of the states: over one period, such as of `ps.control.sampled`, or in continuous time, such
        as of `ps.dynamics.linearize`.
    B : array_like, shape (n, m)
        Matrix of the inputs.
    Q : array_like, shape (n, n) or (n,)
        Weight of the states: a symmetric matrix without negative eigenvalues, or its diagonal.
    R : array_like, shape (m, m) or (m,)
        Weight of the inputs: a symmetric positive definite matrix, or its diagonal.
    continuous : bool, default False
        Take A and B as those of dx/dt = A x + B u.

    Returns
    -------
    LQR
        Gain, cost matrix and poles of the closed loop.

    Raises
    ------
    ModelError
        If a matrix has the wrong shape or sign, or the model is not stabilisable.

    Examples
    --------
    >>> import poinsot as ps
    >>> A, B = ps.control.discretize([[0, 1], [0, 0]], [[0], [1]], period=1.0)
    >>> bool(abs(ps.control.lqr(A, B, [1, 1], [1]).poles).max() < 1)
    True
    >>> ps.control.lqr([[0, 1], [0, 0]], [[0], [1]], [1, 2], [1], continuous=True).gain
    array([[1., 2.]])
    """
    from scipy.linalg import solve_continuous_are, solve_discrete_are

    A = checks.array("lqr", "A", A, "a square matrix", (None, None))
    n = len(A)
    if A.shape != (n, n) or n == 0:
        raise ModelError(f"lqr: A must be a square matrix, got {A.shape[0]}x{A.shape[1]}")
    B = checks.array("lqr", "B", B, f"a matrix with {n} rows", (n, None))
    m = B.shape[1]
    if m == 0:
        raise ModelError("lqr: B has no column: name inputs when linearizing")
    Q, R = _weight("Q", Q, n, positive=False), _weight("R", R, m, positive=True)
    running = checks.flag("lqr", "continuous", continuous)
    _check_stabilisable(A, B, running)
    try:
        if running:
            P = solve_continuous_are(A, B, Q, R)
            K = np.linalg.solve(R, B.T @ P)  # (5)
        else:
            P = solve_discrete_are(A, B, Q, R)  # (2)
            K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)  # (3)
    except np.linalg.LinAlgError as error:
        raise ModelError(f"lqr: no stabilising solution: {error}{_hint(A, Q, running)}") from None
    poles = np.linalg.eigvals(A - B @ K).astype(complex)
    if running and poles.real.max() >= 0:
        raise ModelError(
            f"lqr: the closed loop has a pole with the real part {poles.real.max():.6g}, not below 0"
            f"{_hint(A, Q, running)}"
        )
    if not running and np.abs(poles).max() >= 1:
        raise ModelError(
            f"lqr: the closed loop has a pole of size {np.abs(poles).max():.6g}, not below 1"
            f"{_hint(A, Q, running)}"
        )
    return LQR(K, P, poles)


def _weight(name: str, value: ArrayLike, n: int, positive: bool) -> Array:
    """Return a weight as a symmetric matrix."""
    W = checks.array("lqr", name, value, f"{n} numbers or a {n}x{n} matrix", (n,), (n, n))
    W = np.diag(W) if W.ndim == 1 else W
    size = float(np.abs(W).max())
    if np.abs(W - W.T).max() > 1e-9 * size:
        raise ModelError(f"lqr: {name} must be symmetric")
    least = float(np.linalg.eigvalsh(W)[0])
    if (positive and least <= 1e-15 * size) or least < -1e-9 * size:
        wanted = "positive definite" if positive else "without negative eigenvalues"
        raise ModelError(f"lqr: {name} must be {wanted}, its smallest eigenvalue is {least:.3g}")
    return W


def _lasting(A: Array, continuous: bool) -> Array:
    """Return the eigenvalues of the modes that do not decay."""
    values = np.linalg.eigvals(A)
    size = max(1.0, float(np.abs(values).max()))
    lasting = values.real >= -CIRCLE * size if continuous else np.abs(values) >= 1 - CIRCLE
    return np.asarray(values[lasting])


def _check_stabilisable(A: Array, B: Array, continuous: bool) -> None:
    """Raise a ModelError if (4) does not hold."""
    for value in _lasting(A, continuous):
        singular = np.linalg.svd(np.hstack([value * np.eye(len(A)) - A, B]), compute_uv=False)
        if singular[-1] <= RANK * singular[0]:
            raise ModelError(
                f"lqr: the mode with the eigenvalue {value:.6g} does not decay and no input controls it; "
                "leave its coordinates out (lin.without(...)) or add an input"
            )


def _hint(A: Array, Q: Array, continuous: bool) -> str:
    """Return a hint if a mode that does not decay has no weight in Q."""
    for value in _lasting(A, continuous):
        singular = np.linalg.svd(np.vstack([value * np.eye(len(A)) - A, Q]), compute_uv=False)
        if singular[-1] <= RANK * singular[0]:
            return f" (the mode with the eigenvalue {value:.6g} has no weight in Q)"
    return ""

"""The stationary Kalman filter, in discrete and in continuous time: the dual of the regulator.

    x1 = A x + B u + w,   y = C x + v,       w and v white, with the covariances Q and R            (1)
    P = A P A^T - A P C^T (R + C P C^T)^-1 C P A^T + Q       covariance of x before y is known      (2)
    L = P C^T (R + C P C^T)^-1                                                                      (3)

    x' = A x + B u + w:   A P + P A^T - P C^T R^-1 C P + Q = 0,   L = P C^T R^-1                     (4)

The matrices of the regulator of A^T and C^T are those of the filter: P is its cost, and A L, or L of (4), its
gain transposed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.control.regulator import Words, regulate
from poinsot.elementary.arrays import ArrayLike
from poinsot.model import checks
from poinsot.model.checks import Array

OF_KALMAN = Words(
    "kalman",
    "C",
    "a matrix with {} columns",
    "C has no row: give at least one measurement",
    "no measurement sees it; leave its coordinates out (lin.without(...)) or add a measurement",
    transposed=True,
)


class Kalman(NamedTuple):
    """A stationary Kalman filter.

    Attributes
    ----------
    gain : gain L (n, m) of the measurement: x = x⁻ + L (y - C x⁻), and then x⁻ = A x + B u one period later;
        in continuous time dx/dt = A x + B u + L (y - C x)
    covariance : covariance P of x⁻, or of x in continuous time (n, n)
    poles : eigenvalues of A (1 - L C), or A - L C: inside the unit circle, or left of the imaginary axis (n,)

    >>> ps.control.kalman([[1.0]], [[1.0]], [1.0], [1.0]).gain
    array([[0.618034]])
    """

    gain: Array
    covariance: Array
    poles: NDArray[np.complex128]


def kalman(A: ArrayLike, C: ArrayLike, Q: ArrayLike, R: ArrayLike, *, continuous: bool = False) -> Kalman:
    """Return the stationary Kalman filter of a linear model, in discrete or continuous time.

    Parameters
    ----------
    A : matrix of the states: over one period, such as of `ps.control.sample_model`, or in continuous time,
        such as of `ps.dynamics.linearize` (n, n)
    C : matrix of the measurements y = C x + v (m, n)
    Q : covariance of the noise of the states in one period, or its density in continuous time: a symmetric
        matrix without negative eigenvalues, or its diagonal (n, n) or (n,)
    R : covariance of the noise v of a measurement, or its density: a symmetric positive definite matrix, or
        its diagonal (m, m) or (m,)
    continuous : take A, Q and R as those of continuous time

    Raises
    ------
    ModelError
        If a matrix has the wrong shape or sign, or a mode that does not decay is not seen.

    >>> A, B = ps.control.discretize([[0, 1], [0, 0]], [[0], [1]], period=1.0)
    >>> bool(abs(ps.control.kalman(A, [[1, 0]], [0, 0.1], [0.01]).poles).max() < 1)
    True
    """
    running = checks.flag("kalman", "continuous", continuous)
    gain, P, poles = regulate(OF_KALMAN, A, C, Q, R, running)
    if running:
        return Kalman(gain.T, P, poles)
    C = np.asarray(C, dtype=np.float64)
    R = np.asarray(R, dtype=np.float64)
    S = C @ P @ C.T + (np.diag(R) if R.ndim == 1 else R)
    sizes = np.sqrt(np.diag(S))  # measurements have units of their own
    L = np.linalg.solve(S / np.outer(sizes, sizes), (C / sizes[:, None]) @ P).T / sizes  # (3)
    return Kalman(L, P, poles)

"""The template of two masses with a spring, of which the first is driven, from four wanted poles (Konz).

With w = k12/m2 of the plant, the polynomial l^4 + p3 l^3 + p2 l^2 + p1 l + p0 and c = m12/(w p3 - p1), all
other symbols being those of the template,

    m01 = c p1,   m02 = c (p1 p2 - p0 p3 - w p1)/w,   d01 = c p1 p3,   k01 = c p0 p3                      (1)
    d12 = (m12/m01) d01,      d02 = -m12 d01/(m01 + m12),      k02 = -m12 k01/(m01 + m12)                 (2)
    k12 = (m12/m01) k01 + (m01 m02 + m01 m12 + m02 m12) w/m01                                             (3)
"""

from typing import Any

import numpy as np

from poinsot.control.templates.pair import Pair
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import show

REAL = 1e-9  # largest imaginary part of the polynomial, relative
ORIGIN = (0.0, 0.0, 0.0)


def two_mass_pairs(first: str, second: str, square: float, poles: Any, mass: float) -> list[Pair]:
    """Return the pairs of two masses with a spring between them that have four wanted poles.

    Only the first mass is driven.  Single values may be negative; only their sums count.

    Parameters
    ----------
    first, second : str
        Names of the driven mass and of the other one, which move along one line.
    square : float
        Stiffness of the spring over the second mass, in 1/s².
    poles : array_like of complex, shape (4,)
        The poles in 1/s, in conjugate pairs.
    mass : float
        Mass of the template between the two in kg, with the sign of w p3 - p1.

    Returns
    -------
    list of Pair
        Those of the first mass, of the second, and of both.

    Raises
    ------
    ModelError
        If the poles are not conjugate, or no definite template has them.

    Examples
    --------
    >>> import poinsot as ps
    >>> pairs = ps.control.two_mass_pairs("a", "b", 16.0, [-2 + 1.5j, -2 - 1.5j, -5 + 3j, -5 - 3j], 0.3)
    >>> round(float(pairs[0].stiffness[3, 3]), 6)
    35.0
    """
    who = "two_mass_pairs"
    w = checks.number(who, "square", square, positive=True)
    m12 = checks.number(who, "mass", mass)
    try:
        roots = np.array(poles, dtype=complex)
    except (TypeError, ValueError, OverflowError):
        roots = np.zeros(0)
    with np.errstate(all="ignore"):
        quartic = np.poly(roots) if roots.shape == (4,) and np.isfinite(roots).all() else np.zeros(5)
    real = np.abs(np.imag(quartic)).max() <= REAL * np.abs(quartic).max()
    if roots.shape != (4,) or not real or not (roots.real < 0).all():
        raise ModelError(f"{who}: poles must be four stable poles in conjugate pairs, got {show(poles)}")
    _, p3, p2, p1, p0 = np.real(quartic)
    with np.errstate(all="ignore"):
        c = m12 / (w * p3 - p1)
        m01, m02 = c * p1, c * (p1 * p2 - p0 * p3 - w * p1) / w  # (1)
        d01, k01 = c * p1 * p3, c * p0 * p3
        d12, d02, k02 = m12 / m01 * d01, -m12 * d01 / (m01 + m12), -m12 * k01 / (m01 + m12)  # (2)
        k12 = m12 / m01 * k01 + (m01 * m02 + m01 * m12 + m02 * m12) * w / m01  # (3)
        values = (m01, d01, k01), (m02, d02, k02), (m12, d12, k12)
        sums = [np.array([[a + z, -z], [-z, b + z]]) for a, b, z in zip(*values, strict=True)]
        definite = np.isfinite(values).all() and all(
            np.linalg.eigvalsh(one)[0] >= -1e-9 * np.abs(one).max() for one in sums
        )
    if not definite or np.linalg.eigvalsh(sums[0])[0] <= 0:
        raise ModelError(f"{who}: no definite template has these poles with the mass {show(mass)}")
    names = (first, "world"), (second, "world"), (second, first)
    return [
        Pair(a, b, *((float(total), ORIGIN, ORIGIN) for total in each))
        for (a, b), each in zip(names, values, strict=True)
    ]

"""Aerobatic manoeuvres of copters from hover to hover, in the xz plane.

loop:  x = R sin a, z = R (1 - cos a),     a from 0 to 2 pi by a polynomial of degree 9                 (1)
flip:  s = 2 t / T - 1,  z = h (1 - s^2)^p,  x = -c s (1 - s^2)^q                                       (2)
"""

import numpy as np
from numpy.polynomial import polynomial as poly

from poinsot.control.references.curves import (
    DERIVATIVES,
    Curve,
    derivatives,
    moment,
    rest_to_rest,
    tower,
)
from poinsot.model import checks
from poinsot.model.checks import Array


def composed(outer: Array, inner: Array) -> Array:
    """Return the derivatives (5,) of f(a(t)) from those of f at a and of a at t (Faa di Bruno)."""
    f1, f2, f3, f4 = outer[1:]
    a1, a2, a3, a4 = inner[1:]
    return np.array(
        [
            outer[0],
            f1 * a1,
            f2 * a1**2 + f1 * a2,
            f3 * a1**3 + 3 * f2 * a1 * a2 + f1 * a3,
            f4 * a1**4 + 6 * f3 * a1**2 * a2 + f2 * (3 * a2**2 + 4 * a1 * a3) + f1 * a4,
        ]
    )


def loop(radius: float, duration: float, begin: float = 0.0) -> Curve:
    """Return a loop in the xz plane, from rest to rest.

    Parameters
    ----------
    radius : float
        Radius in metres.
    duration : float
        Duration in seconds.
    begin : float, default 0.0
        Time at which it begins.

    Returns
    -------
    callable
        `curve(t)` returns the position and four derivatives, (5, 3).

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.control.loop(1.0, 3.6)(1.8)[0].round(12) + 0.0
    array([0., 0., 2.])
    """
    R = checks.number("loop", "radius", radius, zero=True)
    angle = rest_to_rest([0.0], [(begin, duration, [2 * np.pi])])

    def curve(t: float) -> Array:
        a = angle(t)[:, 0]
        s, c = np.sin(a[0]), np.cos(a[0])
        out = np.zeros((DERIVATIVES + 1, 3))
        out[:, 0] = composed(R * np.array([s, c, -s, -c, s]), a)
        out[:, 2] = composed(R * np.array([1 - c, s, c, -s, -c]), a)
        return out

    return curve


def flip(
    duration: float = 2.2,
    height: float = 0.94,
    p: int = 10,
    side: float = 1.4,
    q: int = 12,
    begin: float = 0.0,
) -> Curve:
    """Return a flip in the xz plane, equation (2): a hop so steep that a copter turns over in it.

    Parameters
    ----------
    duration : float, default 2.2
        Duration T in seconds.
    height : float, default 0.94
        Height h in metres.
    p, q : int, default 10 and 12
        Exponents.
    side : float, default 1.4
        Coefficient c of the motion aside in metres.
    begin : float, default 0.0
        Time at which it begins.

    Returns
    -------
    callable
        `curve(t)` returns the position and four derivatives, (5, 3).

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.control.flip()(1.1)[0].round(12) + 0.0
    array([0.  , 0.  , 0.94])
    """
    who = "flip"
    T = checks.number(who, "duration", duration, positive=True)
    h, c = checks.number(who, "height", height), checks.number(who, "side", side)
    t0 = checks.number(who, "begin", begin)
    n, m = checks.whole(who, "p", p, 3, 40), checks.whole(who, "q", q, 3, 40)
    bump = np.array([1.0, 0.0, -1.0])
    z = h * poly.polypow(bump, n)
    x = -c * poly.polymul([0.0, 1.0], poly.polypow(bump, m))
    towers = [tower(np.asarray(one, dtype=np.float64)[:, None]) for one in (x, z)]

    def curve(t: float) -> Array:
        s = 2 * (moment(t) - t0) / T - 1
        out = np.zeros((DERIVATIVES + 1, 3))
        if abs(s) < 1:
            scale = (2 / T) ** np.arange(DERIVATIVES + 1)
            out[:, 0], out[:, 2] = (derivatives(one, s)[:, 0] * scale for one in towers)
        return out

    return curve

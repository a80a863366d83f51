"""Templates of vehicles from wanted poles (Konz).

A vehicle whose thrust tilts with it is matched by a template with its centres on the axis of the thrust:
stiffness and damping at h, inertia at s, no rotational damping, and

    J_ = m_ (h - s)(s - e),      kappa_ = m_ g (h - s),      h > s > e                              (1)

e is the offset of the flat output (0 for a quadcopter).  For the poles of l^4 + p3 l^3 + p2 l^2 + p1 l + p0,

    D = p1 p2 - p0 p3,   h = e + g p3/p1,   s = e + g p1/D,   d_ = m_ p1^2/D,   k_ = m_ p0 p1/D        (2)
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.control.templates.pair import Pair
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import show

GRAVITY = 9.81


class Matched(NamedTuple):
    """Parameters of a matched template.

    Attributes
    ----------
    mass, damping, stiffness : float
        Totals in kg, kg/s and N/m.
    height : float
        Height h of the centre of damping and stiffness above the reference point, in metres.
    inertia_height : float
        Height s of the centre of inertia, in metres.
    moment : float
        Moment of inertia J about a horizontal axis through the centre of inertia, in kg m².
    rotational_stiffness : float
        Stiffness kappa about a horizontal axis through the centre of stiffness, in N m.

    Examples
    --------
    >>> import poinsot as ps
    >>> round(ps.control.matched(1.0, (4, 0.8), (20, 0.8)).height, 6)
    0.122625
    """

    mass: float
    damping: float
    stiffness: float
    height: float
    inertia_height: float
    moment: float
    rotational_stiffness: float


def matched(
    mass: float, slow: ArrayLike, fast: ArrayLike, offset: float = 0.0, gravity: float = GRAVITY
) -> Matched:
    """Return the template of a vehicle with tilting thrust that has two wanted pairs of poles.

    Parameters
    ----------
    mass : float
        Mass of the template in kg.
    slow, fast : array_like, shape (2,)
        Angular frequency in rad/s and damping ratio of each pair of poles.
    offset : float, default 0.0
        Offset of the flat output along the thrust in metres.
    gravity : float, default 9.81
        Gravity in m/s².

    Returns
    -------
    Matched
        Parameters of the template.

    Raises
    ------
    ModelError
        If no template has these poles.

    Examples
    --------
    >>> import poinsot as ps
    >>> round(ps.control.matched(1.001, (4, 0.8), (20, 0.8)).stiffness, 6)
    11.846154
    """
    who = "matched"
    m, g = (
        checks.number(who, "mass", mass, positive=True),
        checks.number(who, "gravity", gravity, positive=True),
    )
    e = checks.number(who, "offset", offset)
    pairs = [checks.vector(who, name, x, 2) for name, x in (("slow", slow), ("fast", fast))]
    if any((pair <= 0).any() for pair in pairs):
        raise ModelError(
            f"{who}: frequencies and damping ratios must be positive, got {show(slow)} and {show(fast)}"
        )
    with np.errstate(all="ignore"):
        quartic = np.polymul(*([1.0, 2 * z * w, w * w] for w, z in pairs))
        _, p3, p2, p1, p0 = quartic
        D = p1 * p2 - p0 * p3
        h, s = e + g * p3 / p1, e + g * p1 / D  # (2)
        found = m, m * p1**2 / D, m * p0 * p1 / D, h, s, m * (h - s) * (s - e), m * g * (h - s)  # (1)
    if not (np.isfinite(found).all() and D > 0 and h > s > e):
        raise ModelError(
            f"{who}: no template has these poles, {show(slow)} and {show(fast)}: take a larger damping"
        )
    return Matched(*map(float, found))


def matched_pair(
    body: str,
    mass: float,
    slow: ArrayLike,
    fast: ArrayLike,
    yaw: ArrayLike,
    yaw_inertia: float,
    offsets: ArrayLike = (0.0, 0.0),
    gravity: float = GRAVITY,
) -> Pair:
    """Return the pair of a quad- or bicopter that has wanted poles in hover.

    Parameters
    ----------
    body : str
        Name of the vehicle, with its centre of mass at the origin and its thrust along z.
    mass : float
        Mass of the template in kg.
    slow, fast : array_like, shape (2,)
        Angular frequency in rad/s and damping ratio of the two pairs of poles of tilt and position.
    yaw : array_like, shape (2,)
        The same of the heading.
    yaw_inertia : float
        Moment of inertia about z of the template in kg m².
    offsets : array_like, shape (2,), default (0, 0)
        Offsets of the flat output for tilts about x and about y in metres; zero for a quadcopter.  Poles are
        those of the tilt about x.
    gravity : float, default 9.81
        Gravity in m/s².

    Returns
    -------
    Pair
        Inertia, damping and stiffness against the world.

    Raises
    ------
    ModelError
        If no template has these poles.

    Examples
    --------
    >>> import poinsot as ps
    >>> pair = ps.control.matched_pair("drone", 1.0, (4, 0.8), (20, 0.8), (6, 1), 0.03)
    >>> round(float(pair.stiffness[3, 3]), 5)
    11.83432
    """
    who = "matched_pair"
    ex, ey = checks.vector(who, "offsets", offsets, 2)
    x = matched(mass, slow, fast, ex, gravity)
    w, z = checks.vector(who, "yaw", yaw, 2)
    J = checks.number(who, "yaw_inertia", yaw_inertia, positive=True)
    tilt = x.mass * (x.height - x.inertia_height)
    moments = tilt * (x.inertia_height - ex), tilt * (x.inertia_height - ey), J
    top, middle, k = (0.0, 0.0, x.height), (0.0, 0.0, x.inertia_height), x.rotational_stiffness
    return Pair(
        checks.text(who, "body", body),
        inertia=(x.mass, middle, moments),
        damping=(x.damping, top, (0.0, 0.0, 2 * z * w * J)),
        stiffness=(x.stiffness, top, (k, k, w * w * J)),
    )

"""Poles of a tracking loop, linearised about its reference.

    x = (deviation, its rate),    x' = A x,    A = [[-bracket(v_R), 1], [da/de, da/de']]              (1)

The lower rows are differences of order four of the acceleration that the law gives the plant.

Templates of vehicles from wanted poles (Konz).

A vehicle whose thrust tilts with it is matched by a template with its centres on the axis of the thrust:
stiffness and damping at h, inertia at s, no rotational damping, and

    J_ = m_ (h - s)(s - e),      kappa_ = m_ g (h - s),      h > s > e                              (1)

e is the offset of the flat output (0 for a quadcopter).  For the poles of l^4 + p3 l^3 + p2 l^2 + p1 l + p0,

    D = p1 p2 - p0 p3,   h = e + g p3/p1,   s = e + g p1/D,   d_ = m_ p1^2/D,   k_ = m_ p0 p1/D        (2)

The template of two masses with a spring, of which the first is driven, from four wanted poles (Konz).

With w = k12/m2 of the plant, the polynomial l^4 + p3 l^3 + p2 l^2 + p1 l + p0 and c = m12/(w p3 - p1), all
other symbols being those of the template,

    m01 = c p1,   m02 = c (p1 p2 - p0 p3 - w p1)/w,   d01 = c p1 p3,   k01 = c p0 p3                      (1)
    d12 = (m12/m01) d01,      d02 = -m12 d01/(m01 + m12),      k02 = -m12 k01/(m01 + m12)                 (2)
    k12 = (m12/m01) k01 + (m01 m02 + m01 m12 + m02 m12) w/m01                                             (3)

Whether the inputs can make a mechanism behave as its template, to first order about a reference at rest.

    plant      M0 e'' + D0 e' + K0 e = B du,      K0 = d(f - B u_R)/dx,  D0 = df/dv                    (1)
    template   M_ e'' + D_ e' + K_ e = 0,         each a sum of J^T Vee(.) J                            (2)
    Lambda_D = B_perp^T (M0 M_^-1 D_ - D0),       Lambda_K = B_perp^T (M0 M_^-1 K_ - K0)                (3)

Both zero: the loop has the roots of det(M_ s^2 + D_ s + K_).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.control.constraint import perpendicular
from poinsot.control.controllers import law_of
from poinsot.control.templates import Pair
from poinsot.control.tracking import TrackingLaw
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.mechanics.freedoms import freedoms
from poinsot.mechanics.tangent import bracket, move
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.state import State

STEP = 1e-3  # of the differences, relative to the sizes of the plant and the fastest rate of the template


def poles(controller: Controller | Feedback, *, time: float = 0.0) -> NDArray[np.complex128]:
    """Return the poles of the loop of a tracking controller, linearised about a reference at rest.

    `controller`: controller of `ps.control.track`; it is taken to act continuously; `time`: time at which the
    reference is taken.

    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> point = lambda x: (x, (0, 0, 0), (0, 0, 0))
    >>> pair = ps.control.Pair("cart", inertia=point(1.0), damping=point(5.0), stiffness=point(4.0))
    >>> wanted = ps.control.Template("body", [pair])
    >>> law = ps.control.track(m, wanted, ps.control.references.constant(m.state()), ["cart"])
    >>> ps.control.poles(law).real.round(6)
    array([-4., -1.])
    """
    law = law_of("poles", controller)
    t = checks.number("poles", "time", time)
    centre, _ = law.reference_at(t)
    m, n = law.plant.mechanism, law.plant.nv

    def rate(x: Array) -> Array:
        return law.decide(t, move(m, centre, x)).law.acceleration

    free = freedoms(law.plant.tree, centre)
    rows, E = (np.arange(2 * n), np.eye(2 * n)) if free is None else free
    A = np.vstack([E[n:] - bracket(m, centre.v) @ E[:n], np.zeros((n, E.shape[1]))])
    for j, step in enumerate((STEP * _scales(law, centre)[rows]).tolist()):
        e = step * E[:, j]
        near, far = rate(e) - rate(-e), rate(2 * e) - rate(-2 * e)
        A[n:, j] = (8 * near - far) / (12 * step)  # of order four
    found = np.linalg.eigvals(A[rows]).astype(complex)
    unit = max(float(np.abs(found).max()), np.finfo(float).tiny)
    return found[np.lexsort([(found.imag / unit).round(7), (found.real / unit).round(7)])]


def _scales(law: TrackingLaw, state: State) -> Array:
    """Return sizes of the tangent coordinates of a loop."""
    sizes = law.plant.sizes(state)
    return np.concatenate([sizes, (law.rates[1] or 1.0) * sizes])


GRAVITY = 9.81


class Matched(NamedTuple):
    """Parameters of a matched template.

    Attributes
    ----------
    mass, damping, stiffness : totals [kg], kg/s and N/m
    height : height h of the centre of damping and stiffness above the reference point [m]
    inertia_height : height s of the centre of inertia [m]
    moment : moment of inertia J about a horizontal axis through the centre of inertia [kg m²]
    rotational_stiffness : stiffness kappa about a horizontal axis through the centre of stiffness [N m]

    >>> round(ps.control.match_poles(1.0, (4, 0.8), (20, 0.8)).height, 6)
    0.122625
    """

    mass: float
    damping: float
    stiffness: float
    height: float
    inertia_height: float
    moment: float
    rotational_stiffness: float


def match_poles(
    mass: float, slow: ArrayLike, fast: ArrayLike, offset: float = 0.0, *, gravity: float = GRAVITY
) -> Matched:
    """Return the template of a vehicle with tilting thrust that has two wanted pairs of poles.

    `mass`: mass of the template [kg]; `slow`, `fast`: angular frequency [rad/s] and damping ratio of each
    pair of poles (2,); `offset`: offset of the flat output along the thrust [m]; `gravity`: gravity [m/s²].

    Raises
    ------
    ModelError
        If no template has these poles.

    >>> round(ps.control.match_poles(1.001, (4, 0.8), (20, 0.8)).stiffness, 6)
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
    *,
    offsets: ArrayLike = (0.0, 0.0),
    gravity: float = GRAVITY,
) -> Pair:
    """Return the pair of a quad- or bicopter that has wanted poles in hover.

    Parameters
    ----------
    body : name of the vehicle, with its centre of mass at the origin and its thrust along z
    mass : mass of the template [kg]
    slow, fast : angular frequency [rad/s] and damping ratio of the two pairs of poles of tilt and position
        (2,)
    yaw : the same of the heading (2,)
    yaw_inertia : moment of inertia about z of the template [kg m²]
    offsets : offsets of the flat output for tilts about x and about y [m]; zero for a quadcopter (2,).  Poles
        are those of the tilt about x.
    gravity : gravity [m/s²]

    >>> pair = ps.control.matched_pair("drone", 1.0, (4, 0.8), (20, 0.8), (6, 1), 0.03)
    >>> round(float(pair.stiffness[3, 3]), 5)
    11.83432
    """
    who = "matched_pair"
    ex, ey = checks.vector(who, "offsets", offsets, 2)
    x = match_poles(mass, slow, fast, ex, gravity=gravity)
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


REAL = 1e-9  # largest imaginary part of the polynomial, relative
ORIGIN = (0.0, 0.0, 0.0)


def two_mass_pairs(first: str, second: str, square: float, poles: Any, mass: float) -> list[Pair]:
    """Return the pairs of two masses with a spring between them that have four wanted poles.

    Only the first mass is driven.  Single values may be negative; only their sums count.  `first`, `second`:
    names of the driven mass and of the other one, which move along one line; `square`: stiffness of the
    spring over the second mass [1/s²]; `poles`: the poles [1/s], in conjugate pairs (4,); `mass`: mass of the
    template between the two [kg], with the sign of w p3 - p1.

    >>> pairs = ps.control.two_mass_pairs("a", "b", 16.0, [-2 + 1.5j, -2 - 1.5j, -5 + 3j, -5 - 3j], 0.3)
    >>> round(float(pairs[0].stiffness[3, 3]), 6)
    35.0
    """
    who = "two_mass_pairs"
    w = checks.number(who, "square", square, positive=True)
    m12 = checks.number(who, "mass", mass)
    try:
        roots = np.array(poles, dtype=complex)
    except Exception:  # whatever the user's object raises when it is asked for its numbers
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


FINE_STEP = 1e-4  # of the differences, as STEP


class Matching(NamedTuple):
    """How far a template is from one that the inputs can reach, to first order.

    Attributes
    ----------
    damping, stiffness : matrices Lambda_D and Lambda_K; zero where the template is matched (nv - rank, nv)
    directions : the directions that no input reaches (nv, nv - rank)

    >>> ps.control.Matching(np.zeros((1, 2)), np.zeros((1, 2)), np.eye(2)[:, 1:]).damping.shape
    (1, 2)
    """

    damping: Array
    stiffness: Array
    directions: Array


def matching(controller: Controller | Feedback, *, time: float = 0.0) -> Matching:
    """Return how far the template of a tracking controller is from one that its inputs can reach.

    `controller`: controller of `ps.control.track`; `time`: time at which the reference is taken; it is to be
    at rest there.

    >>> m = ps.Mechanism().add("drone", ps.Body(1.0, (0.02, 0.02, 0.03)), ps.Free())
    >>> rotors = [ps.Thrust("drone", at, (0, 0, 1), 0.02 * s) for at, s in
    ...           (((0.2, 0, 0), 1), ((0, 0.2, 0), -1), ((-0.2, 0, 0), 1), ((0, -0.2, 0), -1))]
    >>> pair = ps.control.matched_pair("drone", 1.0, (4, 0.8), (20, 0.8), (6, 1), 0.03)
    >>> hover = ps.control.references.constant(m.state())
    >>> law = ps.control.track(m, ps.control.Template("body", [pair]), hover, rotors)
    >>> bool(np.abs(ps.control.matching(law).stiffness).max() < 1e-6)
    True
    """
    law = law_of("matching", controller)
    centre, acceleration = law.reference_at(checks.number("matching", "time", time))
    plant, n = law.plant, law.plant.nv
    if plant.constrained:
        raise ModelError(
            "matching: it compares all velocities; with loops or driven joints some are not free"
        )
    B, M = law.matrix(centre), plant.mass(centre)
    u = np.linalg.lstsq(B, M @ acceleration + plant.bias(centre), rcond=None)[0]

    def rest(x: Array) -> Array:
        there = move(plant.mechanism, centre, x)
        return plant.bias(there) - law.matrix(there) @ u

    steps = FINE_STEP * _scales(law, centre)
    slopes = np.array([(rest(e) - rest(-e)) / (2 * e.sum()) for e in np.diag(steps)]).T
    K0, D0 = slopes[:, :n], slopes[:, n:]  # (1)
    M_, D_, K_ = law.template._matrices(plant, centre)  # (2)
    away = perpendicular(B)
    return Matching(
        away.T @ (M @ np.linalg.solve(M_, D_) - D0),  # (3)
        away.T @ (M @ np.linalg.solve(M_, K_) - K0),
        away,
    )

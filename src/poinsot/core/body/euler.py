"""Euler's closed form of free motion at any time, without accumulated error in the momentum.

`flight` leads from state to state, and near the separatrix the rounding of a state shifts the time of the
next flip, if nothing keeps the invariants (`invariants`).  Here (3) of `flight` is evaluated
from the momentum P0 at the start, with Jacobi's functions of the total time n h.  The modulus needs

    A - B = d13 (d12 P1^2 - d23 P3^2)                                                          (1)

which is computed without subtracting B from A.  The momentum of an axisymmetric body, in the same way, is

    P(t) = exp(-n t e3) P0                                                                      (2)

The attitude is composed leg by leg by (5) and (6) of `flight`.
"""

from poinsot.core.body.flight import Orbit, attitude_after, legs, momentum, orbit_of, split, spun, turned
from poinsot.core.body.jacobi import scd
from poinsot.core.body.records import BodyRecord
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion, vec3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3
from poinsot.core.numbers.functions import some, where
from poinsot.core.numbers.trigonometry import sincos


@jit
def momentum_at(a: Vec3, orbit: Orbit, t: float) -> Vec3:
    """Momentum P(t) from the state at time 0."""
    d12, d23, d13 = a[0] - a[1], a[1] - a[2], a[0] - a[2]
    P = orbit.P
    difference = d13 * (d12 * (P[0] * P[0]) - d23 * (P[2] * P[2]))  # (1)
    S, C, D = scd(orbit.A, orbit.B, difference, t)
    return momentum(orbit, S, C, D)


@jit
def motion(body: BodyRecord, P0: Vec3, q: Quaternion, P: Vec3, n: float, h: float) -> tuple[Quaternion, Vec3]:
    """Attitude and momentum at (n + 1) h from those at n h; P0 is the momentum at 0."""
    a = body.a
    q1, P1 = q, P
    axisymmetric = a[0] == a[1]
    if some(axisymmetric):
        rate = 0.5 * ((a[2] - a[0]) * P0[2])
        q2, P2 = turned(a, q, P, h, *sincos(h * rate)), spun(*sincos((n + 1.0) * h * rate), P0)  # (2)
        q1, P1 = quaternion.where(axisymmetric, q2, q1), vec3.where(axisymmetric, P2, P1)
    asymmetric = a[0] != a[1]
    if some(asymmetric):
        start = orbit_of(a, P0)
        t, count = split(h, where(asymmetric, legs(a, P, h), 1.0))
        i, q2, P2 = 0.0, q, P
        while some(i < count):
            P3 = momentum_at(a, start, (n + (i + 1.0) / count) * h)
            q3 = attitude_after(orbit_of(a, P2), q2, P3, t)
            busy = i < count
            q2, P2 = quaternion.where(busy, q3, q2), vec3.where(busy, P3, P2)
            i += 1.0
        q1, P1 = quaternion.where(asymmetric, q2, q1), vec3.where(asymmetric, P2, P1)
    return quaternion.polished(q1), P1

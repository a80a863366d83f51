"""EXACT: the closed form of free motion for any inertia (see `body.euler`), exact to rounding.

    P((n + 1) h) = Euler's solution from P(0),   q((n + 1) h) = q(n h) (5) of `body.flight`         (1)
    p(t) = p(0) + m g t,   r((n + 1) h) = r(n h) + h/m (p(n h) + p((n + 1) h))/2                    (2)

It applies to motion without torque: about a fixed point, or in flight, where uniform gravity exerts none.
The memory holds the momentum at the start, in the body and in space, and the number of steps since, so that
rounding does not accumulate; the attitude is rotated so that the momentum in space stays, (4) of
`body.invariants`.
"""

from typing import NamedTuple

from poinsot.core.body.euler import motion
from poinsot.core.body.invariants import aligned
from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load
from poinsot.core.body.records import BodyState, BodySystem
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion, vec3
from poinsot.core.lie.vec3 import Vec3, axpy, scale
from poinsot.core.methods.method import Kernels


class Start(NamedTuple):
    """Momenta at the start, and the number of steps since."""

    P: Vec3
    L: Vec3  # P in space
    p: Vec3
    F: Vec3  # weight
    n: float


MEMORY = Start(vec3.ZERO, vec3.ZERO, vec3.ZERO, vec3.ZERO, 0.0)


@jit
def remember(system: BodySystem, t: float, h: float, x: BodyState) -> Start:
    return Start(x.P, quaternion.apply(x.q, x.P), x.p, load(system, t, x).F, 0.0)


@jit
def step(system: BodySystem, t: float, h: float, x: BodyState, start: Start) -> Stepped[Start]:
    q1, P1 = motion(system.body, start.P, x.q, x.P, start.n, h)  # (1)
    q1 = aligned(q1, P1, quaternion.apply(quaternion.inverse(q1), start.L))
    n1 = start.n + 1.0
    p1 = axpy(n1 * h, start.F, start.p)  # (2)
    r1 = vec3.add(x.r, scale(0.5 * h * system.body.mobility, vec3.add(x.p, p1)))
    return BodyState(q1, P1, r1, p1), Start(start.P, start.L, start.p, start.F, n1), 0.0, 0, 0, False


KERNELS = {"exact": Kernels(body=BodyKernel("exact", step, remember, MEMORY))}

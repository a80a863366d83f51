"""What the errors of DOP853 are compared with: the size of the motion, and what rounding leaves of it.

Coordinates and velocities are in groups of one unit: angles (and quaternions), lengths, angular velocities,
velocities.  With the largest rate R of the coordinates and the largest velocity V of a group since the start,
the error in an interval h of one number y of the group may be

    coordinates   rtol h R + eps |y|,        velocities   rtol V + eps |y|                          (1)

so that the same motion has the same error wherever it takes place, how large it is, and in any unit.

Far from the origin, after many turns, or long after t = 0, the rates have noise,

    r = 2/8 max |f(t~, y~) - f(t, y)| over the group,    t~, y~: t and y, up to 8 last bits off           (2)

An estimate sum_i e_i k_i of an error is then not known better than to

    velocities   sum_i |e_i| r,         coordinates   sum_i |e_i| r + h sum_j |sum_i e_i a_ij| r'        (3)

where r' is the noise in the rates of the velocities, which the coordinates feel through the stages.  Only
what exceeds it is an error.  Otherwise steps would be made smaller in vain.

Where large numbers cancel, rates are noise and nothing else: the torque of a force along the line of two
bodies that do not turn.  Velocities of a group are noise, and have no errors, as long as they never exceed

    V <= MARGIN sum h r    over all intervals since the start,    kinetic energy <= SLIGHT of the whole    (4)

After a rejection r is asked for again at both ends, more and more often, because this noise may be rare.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from poinsot.core.jit import called, jit
from poinsot.core.methods.implicit.stopping import energy
from poinsot.core.numbers.arrays import Numbers, segment
from poinsot.core.tree.field import ALL
from poinsot.core.tree.joints.units import LENGTHS_Q, LENGTHS_V
from poinsot.core.tree.problem import TreeProblem, evaluate
from poinsot.core.tree.records import unpack

Vec2: TypeAlias = tuple[float, float]
Near: TypeAlias = tuple[Numbers, Numbers]  # workspace: a state beside another one, and its slope
EPS = 2.0**-52
MARGIN, SLIGHT = 64.0, 1e-12  # of (4)
LIVE = -1.0  # in the place of the sum (4): it was exceeded
NOISE, SHIFT = 2.0, 8.0  # of (2): y~ is y with a change of so many last bits
ANGLE, LENGTH, ANGULAR, LINEAR = range(4)
GROUPS = 4  # the velocities of a group are two places after its coordinates
GOLDEN, SILVER = 0.6180339887498949, 0.4142135623730950


class Notes(NamedTuple):
    """What an interval knows about the motion; by groups, but `group`."""

    group: Numbers  # group of each number
    noise: Numbers  # in the rates, where the interval begins
    rough: Numbers  # largest noise that was found in this interval
    size: Numbers  # of the motion, with the end of the interval
    drift: Numbers  # see `find_drift`


@called
def groups(p: TreeProblem, group: Numbers) -> None:
    """Group of each coordinate and velocity."""
    tree = unpack(p.model)
    for i in range(p.nq):
        group[i] = ANGLE
    for i in range(p.nv):
        group[p.nq + i] = ANGULAR
    for b in range(1, tree.n + 1):
        kind, q, v = tree.kind[b], tree.q[b], tree.v[b]
        coordinates = (p.nq if b == tree.n else tree.q[b + 1]) - q
        for j in range(coordinates):
            group[q + j] = ANGLE + LENGTHS_Q[kind, j]
        for j in range(tree.count[b]):
            group[p.nq + v + j] = ANGULAR + LENGTHS_V[kind, j]


@jit
def enlarge(p: TreeProblem, group: Numbers, y: Numbers, f: Numbers, size: Numbers) -> None:
    """Let sizes R and V of (1) include the state y with the rates f."""
    for i in range(p.nq + p.nv):
        g = int(group[i])
        size[g] = max(size[g], abs(f[i] if i < p.nq else y[i]))


@called
def find_noise(
    p: TreeProblem, group: Numbers, t: float, y: Numbers, f: Numbers, near: Near, noise: Numbers, sample: int
) -> None:
    """Let the noise r of (2) of each group include a sample of it at t, where f is the rate of y."""
    Y, F = near
    for i in range(p.nq + p.nv + 1):
        place = i * GOLDEN + sample * SILVER
        Y[i] = y[i] + SHIFT * EPS * (2.0 * (place - np.floor(place)) - 1.0) * y[i]
    evaluate(p, ALL, t + SHIFT * EPS * t, Y, F)
    for i in range(p.nq + p.nv):
        g = int(group[i])
        noise[g] = max(noise[g], NOISE / SHIFT * abs(F[i] - f[i]))


@called
def find_drift(p: TreeProblem, h: float, Y: Numbers, x: Notes, before: Numbers, v: Numbers) -> None:
    """Bound of (4) after an interval h to Y, or `LIVE`, for each group of velocities; v is workspace."""
    small, n = False, p.nq
    for g in range(ANGULAR, GROUPS):
        x.drift[g] = before[g] + MARGIN * h * x.rough[g]
        if before[g] == LIVE or not x.size[g] <= x.drift[g]:
            x.drift[g] = LIVE
        small = small or (x.drift[g] != LIVE and x.size[g] > 0.0)
    if small:
        for i in range(p.nv):
            v[i] = 0.0 if x.drift[int(x.group[n + i])] == LIVE else Y[n + i]
        slow, whole = energy(p, Y, v, v), energy(p, Y, segment(Y, n, p.nv), v)
        if not slow <= SLIGHT * whole:
            for g in range(ANGULAR, GROUPS):
                x.drift[g] = LIVE if x.size[g] > 0.0 else x.drift[g]


@jit
def allowed(p: TreeProblem, i: int, g: int, h: float, y: float, size: Numbers, rtol: float) -> float:
    """Error (1) that is allowed in number i of group g."""
    return rtol * (h * size[g] if i < p.nq else size[g]) + EPS * y


@jit
def excess(e: float, p: TreeProblem, i: int, g: int, h: float, noise: Numbers, weights: Vec2) -> float:
    """What exceeds the noise (3) in the estimate e for number i of group g, or NaN; `weights`: the sums."""
    r = weights[0] * noise[g]
    if i < p.nq:
        r += h * weights[1] * noise[g + 2]
    left = abs(e) - r
    return 0.0 if left <= 0.0 else left

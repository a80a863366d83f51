"""What the errors of DOP853 are compared with: the size of the motion, and what rounding leaves of it.

Coordinates and velocities are in groups of one unit: angles (and quaternions), lengths, angular velocities,
velocities.  With the largest rate R of the coordinates and the largest velocity V of a group since the start,
the error in an interval h of one number y of the group may be

    coordinates   rtol h R + eps |y|,        velocities   rtol V + eps |y|                          (1)

so that the same motion has the same error wherever it takes place, how large it is, and in any unit.

Far from the origin, after many turns, or long after t = 0, the rates have noise,

    r = 16 max |f(t~, y~) - f(t, y)| over the group,    t~, y~: t and y, a last bit off                   (2)

as they have where large numbers cancel: the torque of a force along the line of two bodies that do not turn.
It is asked for where an interval begins, and more and more often at both ends of attempts that are rejected,
because noise may be rare.  Half of it is remembered, or less if the interval grows: a jump is no noise.

An estimate sum_i e_i k_i of an error is then not known better than to

    velocities   sum_i |e_i| r,         coordinates   sum_i |e_i| r + h sum_j |sum_i e_i a_ij| r'        (3)

where r' is the noise in the rates of the velocities, which the coordinates feel through the stages.  Only
what exceeds it is an error.  Otherwise steps would be made smaller in vain.
"""

from typing import TypeAlias

import numpy as np

from poinsot.core.jit import called, jit
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.tree.field import ALL
from poinsot.core.tree.joints.units import LENGTHS_Q, LENGTHS_V
from poinsot.core.tree.problem import TreeProblem, evaluate
from poinsot.core.tree.records import unpack

Vec2: TypeAlias = tuple[float, float]
Near: TypeAlias = tuple[Numbers, Numbers]  # workspace: a state beside another one, and its slope
EPS = 2.0**-52
NOISE = 16.0  # of (2)
ANGLE, LENGTH, ANGULAR, LINEAR = range(4)
GROUPS = 4  # the velocities of a group are two places after its coordinates
GOLDEN, SILVER = 0.6180339887498949, 0.4142135623730950


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
        Y[i] = y[i] + (EPS if place - np.floor(place) > 0.5 else -EPS) * y[i]
    evaluate(p, ALL, t + EPS * t, Y, F)
    for i in range(p.nq + p.nv):
        g, r = int(group[i]), NOISE * abs(F[i] - f[i])
        if noise[g] < r < np.inf:
            noise[g] = r


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

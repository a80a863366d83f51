"""The error of a motion relative to a reference, pair by pair.

With G, J, v the pose, Jacobian and twist of body b relative to body a, and G_R, J_R, v_R those of the
reference,

    G = G_a^-1 G_b,    J = J_b - P J_a,    Jdot = Jdot_b - P Jdot_a + ad(J xi) P J_a,    P = Ad(G^-1)   (1)
    E^-1 = G^-1 G_R                                                                                 (2)
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from poinsot.control.matrices import Ad, ad, inverse, vee2
from poinsot.control.plant import Moving, Plant
from poinsot.control.templates.pair import Pair
from poinsot.model.checks import Array
from poinsot.model.state import State


class PairError(NamedTuple):
    """Motion of a pair and of its reference."""

    pair: Pair
    G: Array
    J: Array
    Jd: Array
    v: Array  # twist J xi
    bias: Array  # Jdot xi
    G_R: Array
    J_R: Array
    Jd_R: Array
    V_R: Array  # twist of the reference
    A_R: Array  # rate of the twist of the reference

    @property
    def back(self) -> Array:
        """E^-1 = G^-1 G_R, equation (2)."""
        return inverse(self.G) @ self.G_R


def relative(a: Moving, b: Moving, xi: Array) -> Moving:
    """Return the motion (1) of b relative to a."""
    G = inverse(a.G) @ b.G
    P = Ad(inverse(G))
    J = b.J - P @ a.J
    return Moving(G, J, b.Jd - P @ a.Jd + ad(J @ xi) @ P @ a.J)


def errors(
    plant: Plant, pairs: Sequence[Pair], state: State, reference: State, acceleration: Array
) -> list[PairError]:
    """Return the error of each pair."""
    bodies = list(dict.fromkeys(name for pair in pairs for name in (pair.relative_to, pair.body)))
    here, there = plant.moving(state, bodies), plant.moving(reference, bodies)
    found = []
    for pair in pairs:
        x = relative(here[pair.relative_to], here[pair.body], state.v)
        y = relative(there[pair.relative_to], there[pair.body], reference.v)
        rate = y.J @ acceleration + y.Jd @ reference.v
        motion = x.G, x.J, x.Jd, x.J @ state.v, x.Jd @ state.v
        found.append(PairError(pair, *motion, y.G, y.J, y.Jd, y.J @ reference.v, rate))
    return found


def potential(x: PairError) -> tuple[float, Array]:
    """Return the potential of the stiffness, and its joint forces.

    V = tr((G - G_R) K' (G - G_R)^T) / 2,      f = J^T vee2((1 - E^-1) K')                              (3)
    """
    d = x.G - x.G_R
    f = x.J.T @ vee2((np.eye(4) - x.back) @ x.pair.stiffness)
    return 0.5 * float(np.sum((d @ x.pair.stiffness) * d)), f

"""Hermite interpolation of the coordinates of a mechanism between two states, H apart in time.

    q(t0 + s H) = (1 + 2s)(1 - s)^2 q0 + s (1 - s)^2 H q0' + s^2 (3 - 2s) q1 - s^2 (1 - s) H q1'       (1)
    v = B(q)^+ q',   with q' = B(q) v                                                            (2)

The errors of q and v are O(H^4) and O(H^3); quaternions are made unit.
"""

import numpy as np

from poinsot.compile.kept import kept
from poinsot.elementary.linear import inverse, norm, product
from poinsot.mechanics.algorithms import rates
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

ORDER = 3


class Hermite:
    """Interpolates between two states of a mechanism."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.tree = kept(mechanism).bodies()  # without forces: the kinematics
        self.quaternions: list[slice] = []  # where they are in q
        nq = 0
        for link in mechanism.links:
            if link.joint.quaternion is not None:
                begin = nq + link.joint.quaternion
                self.quaternions.append(slice(begin, begin + 4))
            nq += link.joint.nq

    def between(self, one: State, two: State, t: float) -> tuple[Array, Array]:
        """Return q and v at a time t after the first state by (1) and (2)."""
        H = two.time - one.time
        s = (t - one.time) / H
        r = 1 - s
        q0, q1 = one.q.copy(), two.q.copy()
        d0, d1 = rates(self.tree, q0, one.v), rates(self.tree, q1, two.v)
        for place in self.quaternions:
            if product(q0[place], q1[place]) < 0:
                q1[place], d1[place] = -q1[place], -d1[place]
        q = (
            (1 + 2 * s) * r * r * q0 + s * r * r * H * d0 + s * s * (3 - 2 * s) * q1 - s * s * r * H * d1
        )  # (1)
        dq = 6 * s * r * (q1 - q0) / H + r * (1 - 3 * s) * d0 + s * (3 * s - 2) * d1
        for place in self.quaternions:
            q[place] /= norm(q[place])
        B = np.array([rates(self.tree, q, e) for e in np.eye(len(one.v))]).T
        v = product(inverse(product(B.T, B)), product(B.T, dq)) if B.size else np.zeros(0)  # (2)
        return q, v

"""Distance of the poses of a run from SE(3), before anything is normalised.

A pose is in SE(3) if its last row is (0, 0, 0, 1), R'R = 1 and det R = 1; poses here have such a last row.
With the quaternions q_j that a run stores for the joints between a body and the world, and R(q) the matrix of
second degree in q,

    R = prod R(q_j),    R'R = n^4 1,    n = prod |q_j|                                             (1)
    distance = |R'R - 1| = sqrt(3) |n^4 - 1|                        (Frobenius norm)               (2)
"""

import numpy as np

from poinsot.diagnostics.trajectory import Trajectory
from poinsot.model.checks import Array


def distance_to_se3(run: Trajectory, name: str) -> Array:
    """Return the distance (2) of a body at all samples."""
    links = {link.name: link for link in run.mechanism.links}
    begin = dict(zip(links, np.cumsum([0, *(link.joint.nq for link in links.values())]), strict=False))
    square = np.ones(len(run.time))
    while name in links:
        joint = links[name].joint
        if joint.quaternion is not None:
            first = begin[name] + joint.quaternion
            q = run.q[:, first : first + 4]
            square = square * np.einsum("ij,ij->i", q, q)  # n^2 of (1)
        name = links[name].parent
    return np.asarray(np.sqrt(3.0) * np.abs(square * square - 1.0))

"""Sums over all bodies at the samples of a run: by the core where it is loaded, else in NumPy.

A process that only shows a file does not load the compiler for it.  Columns are those of
`core.tree.dynamics.totals.Totals`:

    T, V of gravity, p (3), L (3), mass, first moment (3), sum |m v|, sum |J w| + |p| |m v|, largest w^2

    T = sum of w.J w/2 + m v^2/2,   V = -sum of m g.p,   p = sum of m v,   L = sum of R J w + p x m v   (1)

with J about the centre of mass.
"""

import sys
from collections.abc import Mapping

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.kinematics import Motion, motions
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import dot, times

COLUMNS = 15


def core_is_loaded() -> bool:
    """Return whether this process has loaded the compiled core."""
    return "poinsot.core.jit" in sys.modules


def sums(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return the sums (n, COLUMNS) at n samples."""
    if not core_is_loaded():
        return plain_sums(mechanism, motions(mechanism, q, v), len(q))
    from poinsot.compile.kept import kept

    return kept(mechanism).bodies().states.sums(q, v)


def plain_sums(mechanism: Mechanism, found: Mapping[str, Motion], count: int) -> Array:
    """Return the sums of these motions at `count` samples by (1) in NumPy."""
    out = np.zeros((count, COLUMNS))
    for link in mechanism.links:
        x, m = found[link.name], link.body.mass
        spin, push = times(link.body.inertia, x.angular_velocity), m * x.velocity
        out[:, 0] += (dot(x.angular_velocity, spin) + dot(x.velocity, push)) / 2
        out[:, 1] -= m * dot(x.position, mechanism.gravity)
        out[:, 2:5] += push
        out[:, 5:8] += times(x.rotation, spin) + np.cross(x.position, push)
        out[:, 8] += m
        out[:, 9:12] += m * x.position
        size = np.linalg.norm(push, axis=1)
        out[:, 12] += size
        out[:, 13] += np.linalg.norm(spin, axis=1) + np.linalg.norm(x.position, axis=1) * size
        out[:, 14] = np.maximum(out[:, 14], dot(x.angular_velocity, x.angular_velocity))
    return out

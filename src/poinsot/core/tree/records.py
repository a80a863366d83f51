"""A tree of bodies in two flat arrays, and the records that kernels see in them.

    ints    n, length of q, length of v; then for each body 1..n: kind of joint, parent (0 is the
            world), offset in q, offset in v, number of velocities
    floats  gravity (3), then n placements (12) and n masses (10)

Flat arrays cross the border between Python and compiled code; inside, `tree.mass[i].m` reads well
and costs nothing.  Joint axes are canonical: `model` turns the frames so that they are z (and x).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, sym3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3
from poinsot.core.numbers.arrays import records, stretch
from poinsot.core.tree.inertia import Mass
from poinsot.core.tree.joints import table


class Placement(NamedTuple):
    """The joint frame in the parent frame."""

    R: Mat3
    r: Vec3


class Tree(NamedTuple):
    n: int
    nq: int
    nv: int
    kind: Any  # of the joint below body i, i = 1..n; entry 0 is not used
    parent: Any
    q: Any  # offsets
    v: Any
    count: Any  # of its velocities
    gravity: Vec3
    placement: Any
    mass: Any


@jit
def unpack(ints: Any, floats: Any) -> Tree:
    n = ints[0]
    return Tree(
        n,
        ints[1],
        ints[2],
        stretch(ints, 2, n + 1),
        stretch(ints, 2 + n, n + 1),
        stretch(ints, 2 + 2 * n, n + 1),
        stretch(ints, 2 + 3 * n, n + 1),
        stretch(ints, 2 + 4 * n, n + 1),
        (floats[0], floats[1], floats[2]),
        records(floats, 3 - 12, n + 1, Placement(mat3.ZERO, vec3.ZERO)),
        records(floats, 3 + 12 * n - 10, n + 1, Mass(0.0, vec3.ZERO, sym3.ZERO)),
    )


@jit
def weightless(tree: Tree) -> Tree:
    """The same without gravity."""
    return Tree(
        tree.n, tree.nq, tree.nv, tree.kind, tree.parent, tree.q, tree.v, tree.count, vec3.ZERO,
        tree.placement, tree.mass,
    )  # fmt: skip


def pack(
    kinds: list[int],
    parents: list[int],
    placements: NDArray[np.float64],
    masses: NDArray[np.float64],
    gravity: NDArray[np.float64],
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Parents count from 0 = world; placements (n, 12), masses (n, 10)."""
    nq = np.cumsum([0] + [table.NQ[kind] for kind in kinds])
    nv = np.cumsum([0] + [table.NV[kind] for kind in kinds])
    head = [len(kinds), nq[-1], nv[-1]]
    counts = [table.NV[kind] for kind in kinds]
    ints = np.concatenate([head, kinds, parents, nq[:-1], nv[:-1], counts]).astype(np.int32)
    floats = np.concatenate([gravity, np.ravel(placements), np.ravel(masses)]).astype(np.float64)
    return ints, floats

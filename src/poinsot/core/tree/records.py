"""A mechanism in flat arrays, and views of them as records.

    ints     HEAD: n, length of q, length of v, start of the forces in ints and in floats, start of the
             loops in ints and in floats; then for each body 1..n: kind of joint, parent (0 is the
             world), offset in q, offset in v, number of velocities, 1 if its joint is driven; then the
             forces; then the loops
    floats   gravity (3), n placements (12), n masses (10), parameters of n joints (3); forces; loops

Python passes flat arrays to compiled code; there, views such as `tree.mass[i].m` cost nothing.
`forces.table` and `loops.table` document their parts.  Joint axes are canonical: `compile` rotates the
frames so that they are z (and x).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int32, types

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, sym3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3
from poinsot.core.numbers.arrays import Floats, Ints, Numbers, Records, records, segment
from poinsot.core.tree.inertia import Mass
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import ARMATURE, OWN, PARAMETERS, At

HEAD = 7
FORCE_INTS, FORCE_FLOATS, LOOP_INTS, LOOP_FLOATS = range(3, HEAD)


class Model(NamedTuple):
    """A compiled mechanism and the workspace of its algorithms: an argument of every entry."""

    ints: Ints
    floats: Floats
    workspace: Floats


MODEL = types.NamedTuple((int32[::1], float64[::1], float64[::1]), Model)


class Placement(NamedTuple):
    """Pose of a joint frame in the parent frame."""

    R: Mat3
    r: Vec3


class TreeRecord(NamedTuple):
    """View of a model; arrays have an entry for each body 1..n, and entry 0 is not used."""

    n: int
    nq: int
    nv: int
    kind: Ints  # kind of the joint between body i and its parent
    parent: Ints
    q: Ints  # offsets of its coordinates and velocities
    v: Ints
    count: Any  # number of its velocities; `tuple.count` has another type
    driven: Ints  # 1 if its joint moves as a function of time (`drives`)
    gravity: Vec3
    placement: Records
    mass: Records
    parameters: Records


class ModelPart(NamedTuple):
    """The part of a model that holds its forces or its loops."""

    ints: Ints
    floats: Floats


@jit
def unpack(model: Model) -> TreeRecord:
    """View of the bodies and joints of a model."""
    ints, floats = model.ints, model.floats
    n, first = ints[0], HEAD - 1
    return TreeRecord(
        n,
        ints[1],
        ints[2],
        segment(ints, first, n + 1),
        segment(ints, first + n, n + 1),
        segment(ints, first + 2 * n, n + 1),
        segment(ints, first + 3 * n, n + 1),
        segment(ints, first + 4 * n, n + 1),
        segment(ints, first + 5 * n, n + 1),
        (floats[0], floats[1], floats[2]),
        records(floats, 3 - 12, n + 1, Placement(mat3.ZERO, vec3.ZERO)),
        records(floats, 3 + 12 * n - 10, n + 1, Mass(0.0, vec3.ZERO, sym3.ZERO)),
        records(floats, 3 + 22 * n - PARAMETERS, n + 1, vec3.ZERO),
    )


@jit
def forces_in(model: Model) -> ModelPart:
    """The forces of a model: see `forces.table`."""
    ints, floats = model.ints, model.floats
    return ModelPart(
        segment(ints, ints[FORCE_INTS], ints[LOOP_INTS] - ints[FORCE_INTS]),
        segment(floats, ints[FORCE_FLOATS], ints[LOOP_FLOATS] - ints[FORCE_FLOATS]),
    )


@jit
def loops_in(model: Model) -> ModelPart:
    """The loop constraints of a model: see `loops.table`."""
    ints, floats = model.ints, model.floats
    return ModelPart(
        segment(ints, ints[LOOP_INTS], ints.size - ints[LOOP_INTS]),
        segment(floats, ints[LOOP_FLOATS], floats.size - ints[LOOP_FLOATS]),
    )


@jit
def joint_at(tree: TreeRecord, i: int) -> At:
    """Joint between body i and its parent."""
    return At(tree.kind[i], tree.q[i], tree.v[i], tree.count[i], tree.parameters[i])


@jit
def armature_force(tree: TreeRecord, i: int, j: int, v: Numbers, a: Numbers) -> float:
    """Force of the armature on velocity j of joint i at the accelerations a; of a Free joint with w x u."""
    k, b = tree.v[i], tree.parameters[i][ARMATURE]
    force = b * a[k + j]
    if tree.kind[i] == table.FREE and j > 2:
        l, m = (j - 2) % 3, (j - 1) % 3  # the axes after that of j
        force = force + b * (v[k + l] * v[k + 3 + m] - v[k + m] * v[k + 3 + l])
    return force


@jit
def any_driven(tree: TreeRecord) -> bool:
    """True if a joint is driven."""
    found = False
    for i in range(1, tree.n + 1):
        found = found or tree.driven[i] == 1
    return found


@jit
def own_of(joints: Numbers, i: int) -> Numbers:
    """Workspace of the joint of body i, kept from pass to pass."""
    return segment(joints, OWN * i, OWN)


@jit
def weightless(tree: TreeRecord) -> TreeRecord:
    """The tree without gravity."""
    return TreeRecord(
        tree.n,
        tree.nq,
        tree.nv,
        tree.kind,
        tree.parent,
        tree.q,
        tree.v,
        tree.count,
        tree.driven,
        vec3.ZERO,
        tree.placement,
        tree.mass,
        tree.parameters,
    )


class Packed(NamedTuple):
    """Arrays of a model without its workspace."""

    ints: Ints
    floats: Floats


def pack(
    kinds: Sequence[int],
    parents: Sequence[int],
    driven: Sequence[int],
    placements: Floats,
    masses: Floats,
    parameters: Floats,
    gravity: Floats,
    forces: Packed,
    loops: Packed,
) -> Packed:
    """Pack a mechanism into flat arrays.
    Parents count from 0 = world; shapes are placements (n, 12), masses (n, 10), parameters (n, 3)."""
    nq = np.cumsum([0] + [table.NQ[kind] for kind in kinds])
    nv = np.cumsum([0] + [table.NV[kind] for kind in kinds])
    counts = [table.NV[kind] for kind in kinds]
    bodies = np.concatenate([kinds, parents, nq[:-1], nv[:-1], counts, driven])
    floats = np.concatenate([gravity, *(np.ravel(x) for x in (placements, masses, parameters))])
    force_ints, force_floats = HEAD + len(bodies), len(floats)
    head = [
        len(kinds),
        nq[-1],
        nv[-1],
        force_ints,
        force_floats,
        force_ints + len(forces.ints),
        force_floats + len(forces.floats),
    ]
    return Packed(
        np.concatenate([head, bodies, forces.ints, loops.ints]).astype(np.int32),
        np.concatenate([floats, forces.floats, loops.floats]).astype(np.float64),
    )

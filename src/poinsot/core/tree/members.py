"""The field of four members of an ensemble that differ in gravity, placements and masses: each has a lane.

The floats of their model are those of one of them, and then those of all four, in lanes.  Joints have the
parameters of the former, and nothing but gravity acts.
"""

from functools import cache

from poinsot.core.jit import Compiled, entry, jit, ready
from poinsot.core.lie import mat3, sym3, vec3
from poinsot.core.numbers.arrays import records, segment, typed, zero_in
from poinsot.core.numbers.v4d import LANES, v4d
from poinsot.core.tree.dynamics.aba import aba
from poinsot.core.tree.field import LOADED, RATE, field_type
from poinsot.core.tree.inertia import Mass
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import Model, Placement, TreeRecord, joint_at, unpack
from poinsot.core.tree.workspace import wrenches_in


@jit
def unpack_members(model: Model, o: float) -> TreeRecord:
    """View of a model with gravity, placements and masses in lanes; o is a zero of them."""
    tree, floats = unpack(model), model.floats
    n, first = tree.n, floats.size // (1 + LANES)
    gravity = records(floats, first, 3, o)
    placement = typed(Placement(mat3.ZERO, vec3.ZERO), o)
    mass = typed(Mass(0.0, vec3.ZERO, sym3.ZERO), o)
    return TreeRecord(
        n,
        tree.nq,
        tree.nv,
        tree.kind,
        tree.parent,
        tree.q,
        tree.v,
        tree.count,
        tree.driven,
        (gravity[0], gravity[1], gravity[2]),
        records(floats, first + LANES * (3 - 12), n + 1, placement),
        records(floats, first + LANES * (3 + 12 * n - 10), n + 1, mass),
        tree.parameters,
    )


def _field(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
    o = zero_in(y)
    tree = unpack_members(model, o)
    q, v = segment(y, 0, tree.nq), segment(y, tree.nq, tree.nv)
    for i in range(1, tree.n + 1):
        table.rate(joint_at(tree, i), q, v, f)
    if part != RATE:
        tau = segment(f, tree.nq, tree.nv)
        if part != LOADED:
            for j in range(tree.nv):
                tau[j] = o
        aba(tree, q, v, tau, False, wrenches_in(model.workspace, tree.n, o), tau, model.workspace)
        f[tree.nq + tree.nv] = o


@cache
def members_field() -> Compiled:
    """Compiled field of four members."""
    return ready(entry("tree_members.4", field_type(v4d).signature)(_field))

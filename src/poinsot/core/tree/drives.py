"""Driven joints: the vector field of a tree some of whose joints move as given functions of time.

    drive(t, q, v, a, model)        writes q = f(t), v = f'(t), a = f''(t) of the driven joints            (1)

A driven joint leaves the unknowns: at every time at which a method asks for the field, its coordinates and
velocities are (1) and not those in the state, so that what a method makes of them in between is of no
consequence.  At the end of each step the state is put onto the drives.  The function has the type of the
user's forces (`forces.table.user_type`); what it returns has no meaning.
"""

from functools import cache
from typing import NamedTuple

from numba import float64, types

from poinsot.core.jit import Compiled, entry, jit, ready
from poinsot.core.numbers.arrays import Numbers, records, segment, segments, zero_in
from poinsot.core.numbers.dual4 import dual
from poinsot.core.numbers.v4d import from_lanes, lane
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics.hybrid import hybrid
from poinsot.core.tree.field import DRIVEN, MOVES, RATE, field_type, load
from poinsot.core.tree.joints import table
from poinsot.core.tree.problem import TreeProblem, copy
from poinsot.core.tree.records import Model, joint_at, unpack
from poinsot.core.tree.workspace import workspace_in, wrenches_in


class DriveWorkspace(NamedTuple):
    """Workspace of the field of driven trees, besides that of the algorithms."""

    state: Numbers  # q and v of a state that is put onto the drives
    a: Numbers  # of (1)


def drive_counts(nq: int, nv: int) -> DriveWorkspace:
    """Lengths of its arrays."""
    return DriveWorkspace(nq + nv, nv)


counts_in_kernel = jit(drive_counts)


@jit
def drive_workspace(model: Model, o: float) -> DriveWorkspace:
    rest = workspace_in(model.workspace, model.ints[0], o).rest
    return segments(rest, 0, counts_in_kernel(model.ints[1], model.ints[2]))


def _field(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
    tree = unpack(model)
    nq, nv, o = tree.nq, tree.nv, zero_in(y)
    q, v, a = segment(y, 0, nq), segment(y, nq, nv), drive_workspace(model, o).a
    for i in range(1, tree.n + 1):
        table.rate(joint_at(tree, i), q, v, f)
    if part != RATE:
        tau = segment(f, nq, nv)
        power, loaded = load(part, t, y, tau, force, user, model)
        wrench = wrenches_in(model.workspace, tree.n, o)
        f[nq + nv] = power + hybrid(tree, q, v, a, tau, loaded, wrench, model.workspace)


@jit
def stand_still(t: float, q: Numbers, v: Numbers, a: Numbers, model: Model) -> float:
    """Drive of joints that are held where they are: those that the model calls driven (`compile.modes`)."""
    tree, o = unpack(model), zero_in(q)
    for i in range(1, tree.n + 1):
        if tree.driven[i] == 1:
            for j in range(tree.v[i], tree.v[i] + tree.count[i]):
                v[j], a[j] = o, o
    return o


@cache
def driven_field(number: types.Type = float64) -> Compiled:
    """Compiled field of a tree that is on its drives, with a of (1) in its workspace."""
    return ready(entry(f"tree.driven.{DOUBLES[number]}", field_type(number).signature)(_field))


def field_with(drive: Compiled, number: types.Type, closed: Compiled | None = None) -> Compiled:
    """Function of the type of fields that puts each state onto its drives first; it is to be compiled.
    `closed` is the field of a tree with loops, which also puts states onto these."""
    on_drives, loops = closed or driven_field(number), closed is not None

    def field(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
        nq, nv = model.ints[1], model.ints[2]
        own, q, v = drive_workspace(model, zero_in(y)), segment(y, 0, nq), segment(y, nq, nv)
        copy(y, own.state, nq + nv)
        drive(t, q, v, own.a, model)  # (1)
        if part != DRIVEN or loops:
            on_drives(part, t, y, f, force, user, model)
        if part not in MOVES:
            copy(own.state, y, nq + nv)

    return field


@cache
def held_field(number: types.Type = float64) -> Compiled:
    """Compiled field of a tree some of whose joints are held where they are."""
    name, signature = f"tree.held.{DOUBLES[number]}", field_type(number).signature
    return ready(entry(name, signature)(field_with(stand_still, number)))


@jit
def onto_drives(p: TreeProblem, t: float, y: Numbers, workspace: Numbers) -> None:
    """Put the state y onto the drives, by a field for numbers of the type of y."""
    p.field(DRIVEN, zero_in(y) + t, y, workspace, p.force, p.user, p.model)


@jit
def onto_drives_by_lanes(p: TreeProblem, t: float, y: Numbers, workspace: Numbers) -> None:
    """The same by a field for v4d, in which all lanes are alike; with constraints, the step has done it."""
    if p.constraints > 0:
        return
    n, o = p.nq + p.nv + 1, from_lanes(0.0, 0.0, 0.0, 0.0)
    Y = records(workspace, 0, n, o)
    for i in range(n):
        Y[i] = o + y[i]
    p.field(DRIVEN, o + t, Y, Y, p.force, p.user, p.model)
    for i in range(n):
        y[i] = lane(Y[i], 0)


@jit
def onto_drives_by_duals(p: TreeProblem, t: float, y: Numbers, workspace: Numbers) -> None:
    """The same by a field for dual4, in which there are no tangents."""
    n, o = p.nq + p.nv + 1, dual(0.0, from_lanes(0.0, 0.0, 0.0, 0.0))
    Y = records(workspace, 0, n, o)
    for i in range(n):
        Y[i] = o + y[i]
    p.field(DRIVEN, o + t, Y, Y, p.force, p.user, p.model)
    for i in range(n):
        y[i] = Y[i].value


@jit
def onto_drives_by_passes(p: TreeProblem, t: float, y: Numbers, workspace: Numbers) -> None:
    """The same by the passes of a method that replaces the field."""
    p.passes.drive(zero_in(y) + t, segment(y, 0, p.nq), segment(y, p.nq, p.nv), workspace, p.model)


@jit
def never_driven(p: TreeProblem, t: float, y: Numbers, workspace: Numbers) -> None:
    """Stand-in for methods that cannot run driven joints."""

"""The data of a compiled law about its mechanism, pairs and inputs (`compile.functions.law_plant`)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from poinsot.compile.functions.laws.compiled_law import CompiledLaw
from poinsot.compile.functions.laws.law_plant import HEAD, room_size
from poinsot.compile.tree import Tree
from poinsot.control.plant import Plant
from poinsot.control.templates.pair import Pair
from poinsot.control.templates.transport import weight
from poinsot.core.tree.joints.table import NV
from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.inputs.input import Input
from poinsot.model.inputs.on_body import OnBody
from poinsot.model.mechanism import WORLD


def pair_numbers(pair: Pair) -> list[Array]:
    """Return the numbers of a pair (`compile.functions.pair_law`)."""
    return [pair.inertia, pair.damping, pair.stiffness, pair.M, pair.D, pair.centre]


def with_plant(
    entry: Callable[[], Any],
    plant: Plant,
    inputs: Sequence[Input],
    pairs: Sequence[Pair],
    limits: tuple[Array, Array],
    *,
    kind: int,
    own: int,
    seen: int,
    width: int,
    more: Sequence[Array] = (),
) -> CompiledLaw:
    """Return a law that needs the mechanics of its mechanism.

    `own` of the pairs belong to the template, and `seen` of them, the first ones, have stiffness.  `more` are
    the numbers after the limits.
    """
    m, tree, nv = plant.mechanism, plant.tree, plant.nv
    if tree.drives or nv == 0 or not inputs:
        raise ModelError("a law without inputs or velocities, or with driven joints, is not compiled")
    names = [name for pair in pairs for name in (pair.relative_to, pair.body) if name != WORLD]
    names += [one.body for one in inputs if isinstance(one, OnBody)]
    order = {name: number for number, name in enumerate(dict.fromkeys(names))}
    seats = [tree.places.bodies[name] for name in order]
    ends = [number for pair in pairs for number in (order.get(pair.relative_to, -1), order[pair.body])]
    on, columns = [], []
    for one in inputs:
        count = one.count(m)
        body = isinstance(one, OnBody)
        wrenches = one.wrenches if isinstance(one, OnBody) else np.zeros((count, 6))
        units = np.zeros((nv, count)) if body else one.columns(m, {})
        on += [order[one.body] if isinstance(one, OnBody) else -1] * count
        columns.append(np.hstack([units.T, wrenches]))
    Z, b = limits
    head = np.zeros(HEAD, dtype=np.int64)
    head[:-1] = kind, len(on), len(b), len(order), len(pairs), own, seen
    links = {WORLD: 0, **{name: tree.places.bodies[name].link for name in order}}
    lists = []
    for pair in pairs:
        active = sorted(_moved_by(tree, links[pair.body]) ^ _moved_by(tree, links[pair.relative_to]))
        lists += [len(active), *active, *[0] * (nv - len(active))]
    ints = np.array([*head, *(seat.link for seat in seats), *ends, *on, *lists], dtype=np.int64)
    parts = [part for seat in seats for part in (seat.R, seat.r)]
    for pair in pairs:
        root = np.zeros((6, 6))
        found = weight(pair)
        root[: len(found)] = found
        parts += [*pair_numbers(pair), np.eye(6), root]
    parts += [*columns, Z, b, *more]
    size = room_size(tree.nq, nv, len(order), len(pairs))
    return CompiledLaw(entry, tree, ints, flat(parts), len(on), width, size, len(order))


def _moved_by(tree: Tree, link: int) -> set[int]:
    """Return the velocities of the joints between a link and the world."""
    at = tree.layout
    ends, found = np.cumsum([0, *(NV[kind] for kind in at.kinds)]).tolist(), set()
    while link > 0:
        found |= set(range(ends[link - 1], ends[link]))
        link = int(at.parents[link - 1])
    return found


def flat(parts: Sequence[Any]) -> Array:
    """Return numbers one after the other."""
    return np.concatenate([np.asarray(part, dtype=float).ravel() for part in parts])

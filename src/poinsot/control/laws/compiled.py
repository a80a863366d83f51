"""The data of a compiled tracking law, and its reference at some times.

The law of one free body has constant matrices and is four lanes wide (`compile.functions.law`); that of any
other tree is `compile.functions.tree_law`.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from poinsot.compile.functions.laws.compiled_law import CompiledLaw
from poinsot.compile.functions.laws.law import one_body
from poinsot.compile.functions.laws.pair_law import KINDS, REFERENCE
from poinsot.compile.functions.laws.tree_law import tracking
from poinsot.control.laws.compiled_plant import flat, pair_numbers, with_plant
from poinsot.control.matrices import moments, wed3
from poinsot.control.templates.motion_error import relative
from poinsot.control.templates.pair import Pair
from poinsot.core.jit import COMPILED
from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.joints import Free
from poinsot.model.rotations import matrix
from poinsot.model.state import State

if TYPE_CHECKING:
    from poinsot.control.laws.tracking import TrackingLaw


def compiled_tracking(law: "TrackingLaw") -> CompiledLaw:
    """Return a tracking law with its data; raise a ModelError if it cannot be compiled."""
    if not COMPILED:
        raise ModelError("track: nothing is compiled where Numba is switched off")
    if _is_one_body(law):
        with suppress(np.linalg.LinAlgError):  # a template without inertia: Python says so
            return _one_body(law)
        raise ModelError("track: the inertia of the template is singular")
    m, pairs = law.plant.mechanism, ordered(law)
    seen = sum(bool(pair.stiffness.any()) for pair in pairs) or len(pairs)
    more = []
    if law.completion:
        for link in m.links:
            P = law.completion * moments(link.body.mass, link.body.center_of_mass, link.body.inertia)
            more.append(Pair(link.name, inertia=P, damping=law.rate * P))
    return with_plant(
        tracking,
        law.plant,
        law.inputs,
        [*pairs, *more],
        (law.Z, law.b),
        kind=KINDS.index(law.template.kind),
        own=len(pairs),
        seen=seen,
        width=1 + REFERENCE * len(pairs),
    )


def ordered(law: "TrackingLaw") -> list[Pair]:
    """Return the pairs of a template, those with stiffness first."""
    return sorted(law.template.pairs, key=lambda pair: not pair.stiffness.any())


def _is_one_body(law: "TrackingLaw") -> bool:
    """Return whether a law has constant matrices: one free body at the origin, one pair to the world."""
    m, pair = law.plant.mechanism, law.template.pairs[0]
    link = m.links[0]
    plain = (
        not link.at.any()
        and not link.body_at.any()
        and link.rotation[0] ** 2 == link.body_rotation[0] ** 2 == 1
    )
    alone = len(m.links) == 1 and isinstance(link.joint, Free) and plain and not m.forces
    one = len(law.template.pairs) == 1 and (pair.body, pair.relative_to) == (link.name, "world")
    return alone and one and bool(law.inputs) and not law.completion and not law.units.any()


def _one_body(law: "TrackingLaw") -> CompiledLaw:
    pair, plant = law.template.pairs[0], law.plant
    still = State(0.0, np.eye(7)[3], np.zeros(6))
    M, B = plant.mass(still), law.matrix(still)
    L = np.linalg.cholesky(pair.M)
    pseudo = np.linalg.pinv(L.T @ np.linalg.solve(M, B), rcond=1e-11)
    P, S = pseudo @ L.T @ np.linalg.inv(M), pseudo @ np.linalg.inv(L)
    head = [KINDS.index(law.template.kind), B.shape[1], len(law.b)]
    parts = [head, M, plant.mechanism.gravity, *pair_numbers(pair), B.T, P, S, law.Z, law.b]
    nothing = np.zeros(0, dtype=np.int64)
    return CompiledLaw(one_body, plant.tree, nothing, flat(parts), B.shape[1], 1 + REFERENCE, 0)


def node(law: "TrackingLaw", t: float) -> Array:
    """Return the time, and the pose of each pair of the reference with its first and second derivatives."""
    state, rate = law.reference_at(t)
    if _is_one_body(law):
        return np.array([t, *_derivatives(matrix(state.q[3:]), state.q[:3], state.v, rate)])
    pairs = ordered(law)
    moving = law.plant.moving(state, [name for pair in pairs for name in (pair.relative_to, pair.body)])
    found = [t]
    for pair in pairs:
        x = relative(moving[pair.relative_to], moving[pair.body], state.v)
        G, twist = x.G, x.J @ state.v
        found += _derivatives(G[:3, :3], G[:3, 3], twist, x.J @ rate + x.Jd @ state.v)
    return np.array(found)


def _derivatives(R: Array, r: Array, twist: Array, rate: Array) -> list[float]:
    """Return a pose (3, 4) and its derivatives, from its twist and the rate of it, (36,)."""
    w, v = wed3(twist[:3]), twist[3:]
    turned = R @ (wed3(rate[:3]) + w @ w)
    rows = (
        np.column_stack([R, r]),
        np.column_stack([R @ w, R @ v]),
        np.column_stack([turned, R @ (rate[3:] + w @ v)]),
    )
    return [float(x) for row in rows for x in row.ravel()]

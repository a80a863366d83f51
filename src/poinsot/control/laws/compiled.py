"""The numbers of a compiled law (`compile.functions.law`): matrices, and the reference at some times."""

import numpy as np

from poinsot.compile.functions.law import KINDS
from poinsot.compile.functions.tracked import with_table
from poinsot.control.laws.tracking import TrackingLaw
from poinsot.control.matrices import wed3
from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.joints import Free
from poinsot.model.rotations import matrix
from poinsot.model.state import State

SPACING = 8e-3  # seconds between two nodes of the table of a continuous law


def law_numbers(law: TrackingLaw) -> Array:
    """Return the matrices of a law; raise a ModelError if it cannot be compiled."""
    m, template = law.plant.mechanism, law.template
    link = m.links[0]
    plain = (
        not link.at.any()
        and not link.body_at.any()
        and link.rotation[0] ** 2 == link.body_rotation[0] ** 2 == 1
    )
    pair = template.pairs[0]
    one = len(template.pairs) == 1 and (pair.body, pair.relative_to) == (link.name, "world")
    if len(m.links) != 1 or not isinstance(link.joint, Free) or not plain or m.forces:
        raise ModelError(
            "track: only the law of one free body at the origin without other forces is compiled"
        )
    if not one or law.completion or law.units.any():
        raise ModelError("track: only a template of the body against the world is compiled")
    still = State(0.0, np.eye(7)[3], np.zeros(6))
    M, B, M_bar = law.plant.mass(still), law.matrix(still), pair.M
    L = np.linalg.cholesky(M_bar)
    pseudo = np.linalg.pinv(L.T @ np.linalg.solve(M, B), rcond=1e-11)
    P, S = pseudo @ L.T @ np.linalg.inv(M), pseudo @ np.linalg.inv(L)
    head = [KINDS.index(template.kind), B.shape[1], len(law.b)]
    plant = M, m.gravity, pair.inertia, pair.damping, pair.stiffness
    parts = [head, *plant, pair.M, pair.D, pair.centre, B.T, P, S, law.Z, law.b]
    return np.concatenate([np.asarray(part, dtype=float).ravel() for part in parts])


def continuous_numbers(law: TrackingLaw, horizon: float) -> Array:
    """Return the numbers of a law that acts continuously until a time."""
    numbers, count = law_numbers(law), int(np.ceil(horizon / SPACING)) + 2
    return with_table(numbers, 0.0, SPACING, np.array([node(law, k * SPACING) for k in range(count)]))


def node(law: TrackingLaw, t: float) -> Array:
    """Return the pose of the reference at a time with its first and second derivatives, (36,)."""
    state, rate = law.reference_at(t)
    R, w, v = matrix(state.q[3:]), wed3(state.v[:3]), state.v[3:]
    turned = R @ (wed3(rate[:3]) + w @ w)
    rows = (
        np.column_stack([R, state.q[:3]]),
        np.column_stack([R @ w, R @ v]),
        np.column_stack([turned, R @ (rate[3:] + w @ v)]),
    )
    return np.concatenate([row.ravel() for row in rows])

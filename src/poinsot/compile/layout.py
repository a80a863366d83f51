"""Seats of the bodies and joints of a mechanism in the tree of the core.

Welded bodies become one link.  A joint with axes becomes the canonical one of the core (z, or z and x) by
rotating the frames on both sides of it: the coordinates q and v are those of the user, number by number.

    joint frame in the link of the parent:   R_p R(rotation) Q,   r_p + R_p at                  (1)
    body frame in its own link:              Q^T R(body_rotation),   Q^T body_at                (2)

R_p, r_p place the parent's body frame in its link, Q has the axes of the joint as columns.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import PARAMETERS
from poinsot.elementary.linear import dot, product
from poinsot.errors import ModelError
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.forces.drive import Drive
from poinsot.model.forces.force import BodySeat, JointSeat, Seats
from poinsot.model.joints.joint import CoreJoint, Joint
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import matrix

UPPER = np.triu_indices(3)
WELD = CoreJoint("fixed", np.eye(3))


class Layout(NamedTuple):
    """Links of the core, and the places of bodies and joints in them."""

    places: Seats
    kinds: list[int]
    parents: list[int]
    driven: list[int]  # 1: the joint of the link is driven
    placements: Array  # (n, 12)
    masses: Array  # (n, 10)
    parameters: Array  # (n, 3)


def can_run(joints: Sequence[str] | None, joint: Joint) -> bool:
    """Return whether a method that can run these joints of the core (None: all) can run this joint."""
    return _chain(joint, joints) is not None


def _chain(joint: Joint, joints: Sequence[str] | None) -> list[CoreJoint] | None:
    """Return the joints of the core that make up a joint; None if one of them is not among `joints`."""
    for chain in (joint.core_joints, joint.simple_core_joints):
        if joints is None or all(one.kind in joints for one in chain):
            return chain
    return None


def layout(mechanism: Mechanism, welded: bool = True, joints: Sequence[str] | None = None) -> Layout:
    """Return the links of a mechanism; with `welded`, fixed bodies are part of their parents.
    `joints` are the kinds of the core that may be used; joints of several axes become chains where needed."""
    seats = {WORLD: BodySeat(0, np.eye(3), np.zeros(3))}
    coordinates: dict[str, JointSeat] = {}
    kinds: list[int] = []
    parents: list[int] = []
    driven: list[int] = []
    drives = {force.joint for force in mechanism.forces if isinstance(force, Drive)}
    placements: list[Array] = []
    masses: list[Array] = []
    parameters: list[Array] = []
    nq = nv = 0
    turns = matrix(np.array([(link.rotation, link.body_rotation) for link in mechanism.links]))
    for link, (rotation, body_rotation) in zip(mechanism.links, turns, strict=True):
        parent = seats[link.parent]
        R, r = product(parent.R, rotation), parent.r + product(parent.R, link.at)  # (1)
        below, axes = parent.link, R
        chain = _chain(link.joint, joints)
        if chain is None:
            raise ModelError(
                f"joint '{link.name}': no chain of {', '.join(joints or ())} makes up {link.joint}"
            )
        for kind, Q, values in chain or ([] if welded else [WELD]):
            kinds.append(table.KINDS[kind])
            parents.append(below)
            driven.append(int(link.name in drives))
            placements.append(np.concatenate([product(axes, Q).ravel(), r]))
            masses.append(np.zeros(10))
            parameters.append(np.array([*values, *[0.0] * (PARAMETERS - len(values))]))
            below, axes, r = len(kinds), Q.T, np.zeros(3)
        R, at = product(axes, body_rotation), r + product(axes, link.body_at)  # (2)
        seats[link.name] = BodySeat(below, R, at)
        coordinates[link.name] = JointSeat(link.joint, nq, nv)
        nq, nv = nq + link.joint.nq, nv + link.joint.nv
        if below > 0:
            masses[below - 1] = masses[below - 1] + _mass(link.body, seats[link.name])
    if not kinds:
        raise ModelError("every body of the mechanism is fixed to the world: nothing can move")
    counts = sum(table.NQ[kind] for kind in kinds), sum(table.NV[kind] for kind in kinds)
    assert counts == (nq, nv), "coordinates of the core are those of the user"
    arrays = (np.array(x) for x in (placements, masses, parameters))
    return Layout(Seats(seats, coordinates), kinds, parents, driven, *arrays)


def _mass(body: Body, seat: BodySeat) -> Array:
    """Return m, m c, and the inertia about the origin of the link in its axes, (10,)."""
    c = seat.r + product(seat.R, body.center_of_mass)
    J = product(seat.R, body.inertia, seat.R.T) + body.mass * (dot(c, c) * np.eye(3) - np.outer(c, c))
    return np.concatenate([[body.mass], body.mass * c, J[UPPER]])

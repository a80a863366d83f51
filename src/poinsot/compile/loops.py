"""The loop constraints of a mechanism as data of the core, with their weights.

The weight of a constraint makes constraints of all units and on all bodies comparable.  A unit force at the
arm r accelerates a body of mass m and inertia I there by 1/m + r^2/I, a unit torque by 1/I.  The weight is
(sum of that over the two bodies)^(-1/2), rounded to a power of two, so that weighting loses no bit.

Whether constraints are independent is a question of geometry.  It is asked with `geometric_masses`: every
link has the mass 1 and the inertia l^2, where l is its size.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from poinsot.compile.layout import Layout
from poinsot.core.tree.loops.kinds import CONTACTS, KINDS
from poinsot.core.tree.records import Packed
from poinsot.elementary.linear import dot, norm
from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.constraints import Constraint
from poinsot.model.joints import Prismatic
from poinsot.model.loops import Loop
from poinsot.model.mechanism import Mechanism

Inertia = tuple[float, float]  # mass, and moment of inertia about the origin of the link
WORLD = math.inf, math.inf


class LoopConstraint(NamedTuple):
    """A scalar constraint of a loop between two links."""

    loop: str
    kind: str
    links: tuple[int, int]
    numbers: list[float]
    weight: float

    @property
    def of_velocities(self) -> bool:
        """Whether it restricts velocities only, and no positions."""
        return self.kind in CONTACTS and self.numbers[-1] > 0


def link_inertias(layout: Layout) -> list[Inertia]:
    """Return the inertias of the world and of all links; a link without mass has that of its subtree."""
    n = len(layout.kinds)
    found = [WORLD] * (n + 1)
    carried = np.zeros((n + 1, 2))
    for i in range(n, 0, -1):
        own, r = layout.masses[i - 1], layout.placements[i - 1, 9:]
        here = np.array([own[0], (own[4] + own[7] + own[9]) / 3])
        here = np.where(here > 0.0, here, carried[i])
        found[i] = float(here[0]), float(here[1])
        m, moment = carried[i] + here
        carried[layout.parents[i - 1]] += m, moment + m * dot(r, r)
    return found


def weight(constraint: Constraint | LoopConstraint, bodies: Sequence[Inertia]) -> float:
    """Return the weight of a constraint between two bodies; 0 if their mobility is not finite."""
    points = [constraint.numbers[:3], constraint.numbers[3:6]]
    mobility = 0.0
    if constraint.kind == "gear":  # of its first two joints
        (k, _, *slides), points = constraint.numbers[:4], []
        for (m, moment), factor, slide in zip(bodies, (1.0, k), slides, strict=True):
            inertia = m if slide else moment
            mobility += factor * factor / inertia if inertia > 0.0 else 0.0
    for (m, moment), r in zip(bodies[: len(points)], points, strict=True):
        angular = 1.0 / moment if moment > 0.0 else 0.0
        linear = 1.0 / m if m > 0.0 else 0.0
        with np.errstate(over="ignore"):
            mobility += angular if constraint.kind == "angle" else linear + dot(r, r) * angular
    if not math.isfinite(mobility):
        return 0.0
    return math.ldexp(1.0, -(math.frexp(mobility)[1] // 2)) if mobility > 0.0 else 1.0


def loop_constraints(mechanism: Mechanism, layout: Layout) -> list[LoopConstraint]:
    """Return all loop constraints in the order of `m.close`."""
    if not mechanism.loops:
        return []
    inertias, found = link_inertias(layout), []
    for loop in mechanism.loops:
        a, b = (layout.places.bodies[body].link for body in (loop.a, loop.b))
        if loop.joint.contact and a == b:
            raise ModelError(
                f"{loop.label}: '{loop.b}' is fixed to '{loop.a}', it cannot roll or glide on it"
            )
        for one in loop.constraints(layout.places):
            if one.kind == "gear":
                one.numbers.extend(gear_numbers(mechanism, layout, loop))
            size = weight(one, [inertias[a], inertias[b]])
            if size == 0.0:
                raise ModelError(f"{loop.label}: its points are too far away to compute with")
            found.append(LoopConstraint(loop.name, one.kind, (a, b), one.numbers, size))
    return found


def gear_numbers(mechanism: Mechanism, layout: Layout, loop: Loop) -> list[float]:
    """Return what `core.tree.loops.gear` knows of the joints; a ModelError if one has not one coordinate."""
    slides, others = [], loop.joint.coupled
    for body in (loop.a, loop.b, *others):
        joint = mechanism.link(body).joint if body != "world" else None
        if (joint is None and body != loop.b) or (joint is not None and joint.nv != 1):
            raise ModelError(f"{loop.label}: '{body}' must hang on a joint with one coordinate")
        slides.append(float(isinstance(joint, Prismatic)))
    pairs = ((float(layout.places.bodies[body].link), k) for body, k in others.items())
    return [*slides[:2], float(len(others)), *(x for pair in pairs for x in pair)]


def link_sizes(layout: Layout, constraints: Sequence[LoopConstraint]) -> Array:
    """Return the size of the world and of each link: the farthest joint or loop on it; 1 if all are zero."""
    n = len(layout.kinds)
    own = np.sqrt((layout.placements[:, 9:] ** 2).sum(axis=1))
    sizes = np.zeros(n + 1)
    np.maximum.at(sizes, layout.parents, own)
    for one in constraints:
        if one.kind not in ("angle", "gear"):
            for link, r in zip(one.links, (one.numbers[:3], one.numbers[3:6]), strict=True):
                sizes[link] = max(sizes[link], norm(r))
    sizes[1:] = np.where(sizes[1:] > 0.0, sizes[1:], own)
    return np.where(sizes > 0.0, sizes, sizes.max() or 1.0)


def geometric_masses(sizes: Array) -> Array:
    """Return masses (n, 10) of links without regard to what they weigh."""
    found = np.zeros((len(sizes) - 1, 10))
    found[:, 0] = 1.0
    found[:, [4, 7, 9]] = sizes[1:, None] ** 2
    return found


def geometric_weights(sizes: Array, constraints: Sequence[LoopConstraint]) -> Array:
    """Return the weights of the constraints with these masses."""
    inertias: list[Inertia] = [WORLD, *((1.0, size * size) for size in sizes[1:].tolist())]
    return np.array([weight(one, [inertias[link] for link in one.links]) for one in constraints])


def pack_loops(constraints: Sequence[LoopConstraint]) -> Packed:
    """Return the constraints as `loops` of `core.tree.records`."""
    ints, numbers = [len(constraints)], [one.weight for one in constraints]
    for one in constraints:
        ints += [KINDS[one.kind], *one.links, len(numbers)]
        numbers += one.numbers
    return Packed(np.array(ints, dtype=np.int32), np.array([*numbers, 0.0]))

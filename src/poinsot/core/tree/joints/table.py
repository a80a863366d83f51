"""From the kind of a joint to its file: one if/elif per verb.

The common kinds come first.  A fixed joint has no coordinates; trees for forward dynamics have none
of them (welded bodies are merged), those for forces at joints keep them.
"""

from typing import Any

from poinsot.core.jit import called, fused
from poinsot.core.lie.mat3 import IDENTITY
from poinsot.core.lie.vec3 import ZERO
from poinsot.core.tree.inertia import Articulated
from poinsot.core.tree.joints import (
    cylindrical,
    flat,
    free,
    planar,
    prismatic,
    revolute,
    spherical,
    universal,
)
from poinsot.core.tree.joints.joint import Acceleration, Column, Link, Motion

REVOLUTE, PRISMATIC, SPHERICAL, FREE, UNIVERSAL, CYLINDRICAL, PLANAR, FIXED = range(8)
FILES = (revolute, prismatic, spherical, free, universal, cylindrical, planar)
NQ = (*(file.NQ for file in FILES), 0)
NV = (*(file.NV for file in FILES), 0)


@fused
def motion(kind: int, q: Any, a: int, v: Any, b: int, note: Any, k: int) -> Motion:
    if kind == SPHERICAL:
        return spherical.motion(q, a, v, b, note, k)
    elif kind == REVOLUTE:
        return revolute.motion(q, a, v, b, note, k)
    elif kind == PRISMATIC:
        return prismatic.motion(q, a, v, b, note, k)
    elif kind == UNIVERSAL:
        return universal.motion(q, a, v, b, note, k)
    elif kind == CYLINDRICAL:
        return cylindrical.motion(q, a, v, b, note, k)
    elif kind == PLANAR:
        return planar.motion(q, a, v, b, note, k)
    elif kind == FREE:
        return free.motion(q, a, v, b, note, k)
    else:
        return IDENTITY, ZERO, ZERO, ZERO, ZERO, ZERO


@called
def column(kind: int, q: Any, a: int, j: int) -> Column:
    if kind == SPHERICAL:
        return spherical.column(q, a, j)
    elif kind == REVOLUTE:
        return revolute.column(q, a, j)
    elif kind == PRISMATIC:
        return prismatic.column(q, a, j)
    elif kind == UNIVERSAL:
        return universal.column(q, a, j)
    elif kind == CYLINDRICAL:
        return cylindrical.column(q, a, j)
    elif kind == PLANAR:
        return planar.column(q, a, j)
    else:
        return free.column(q, a, j)


@fused
def transmit(kind: int, A: Articulated, link: Link, tau: Any, b: int, note: Any, k: int) -> Articulated:
    if kind == SPHERICAL:
        return spherical.transmit(A, link, tau, b, note, k)
    elif kind == REVOLUTE:
        return revolute.transmit(A, link, tau, b, note, k)
    elif kind == PRISMATIC:
        return prismatic.transmit(A, link, tau, b, note, k)
    elif kind == UNIVERSAL:
        return universal.transmit(A, link, tau, b, note, k)
    elif kind == CYLINDRICAL:
        return cylindrical.transmit(A, link, tau, b, note, k)
    elif kind == PLANAR:
        return planar.transmit(A, link, tau, b, note, k)
    else:
        return free.transmit(A, link, tau, b, note, k)


@fused
def accelerate(kind: int, x: Acceleration, note: Any, k: int, out: Any, b: int) -> Acceleration:
    if kind == SPHERICAL:
        return spherical.accelerate(x, note, k, out, b)
    elif kind == REVOLUTE:
        return revolute.accelerate(x, note, k, out, b)
    elif kind == PRISMATIC:
        return prismatic.accelerate(x, note, k, out, b)
    elif kind == UNIVERSAL:
        return universal.accelerate(x, note, k, out, b)
    elif kind == CYLINDRICAL:
        return cylindrical.accelerate(x, note, k, out, b)
    elif kind == PLANAR:
        return planar.accelerate(x, note, k, out, b)
    else:
        return free.accelerate(x, note, k, out, b)


@fused
def rate(kind: int, n: int, q: Any, a: int, v: Any, b: int, f: Any) -> None:
    """`n` is the number of coordinates of a joint with plain ones."""
    if kind == SPHERICAL:
        spherical.rate(q, a, v, b, f)
    elif kind == FREE:
        free.rate(q, a, v, b, f)
    else:
        flat.rate(n, a, v, b, f)


@fused
def move(kind: int, n: int, q: Any, a: int, u: Any, b: int) -> None:
    if kind == SPHERICAL:
        spherical.move(q, a, u, b)
    elif kind == FREE:
        free.move(q, a, u, b)
    else:
        flat.move(n, q, a, u, b)


@fused
def uncurl(kind: int, u: Any, b: int, x: Any) -> None:
    if kind == SPHERICAL:
        spherical.uncurl(u, b, x)
    elif kind == FREE:
        free.uncurl(u, b, x)


@fused
def unit(kind: int, q: Any, a: int) -> None:
    if kind == SPHERICAL:
        spherical.unit(q, a)
    elif kind == FREE:
        free.unit(q, a)

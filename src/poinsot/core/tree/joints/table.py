"""Dispatch from the kind of a joint to its file.

A fixed joint has no coordinates; trees for forward dynamics have no fixed joints (welded bodies are merged),
trees for forces at joints have them.  An unknown kind gives NaN.

The branches are written by `core.tree.generate`.
"""

import math

from poinsot.core.jit import called, fused
from poinsot.core.lie.mat3 import IDENTITY
from poinsot.core.lie.vec3 import ZERO
from poinsot.core.numbers.arrays import Numbers, alike
from poinsot.core.tree.inertia import Articulated
from poinsot.core.tree.joints import (
    cylindrical,
    flat,
    free,
    helical,
    planar,
    prismatic,
    revolute,
    spherical,
    universal,
)
from poinsot.core.tree.joints.joint import Acceleration, At, Column, JointMotion, LinkMotion

JOINTS = ["spherical", "revolute", "prismatic", "universal", "cylindrical", "planar", "helical", "free"]
SPHERICAL, REVOLUTE, PRISMATIC, UNIVERSAL, CYLINDRICAL, PLANAR, HELICAL, FREE = range(len(JOINTS))  # JOINTS
FIXED = len(JOINTS)
KINDS = {name: kind for kind, name in enumerate([*JOINTS, "fixed"])}
FILES = tuple(globals()[name] for name in JOINTS)
NQ = (*(file.NQ for file in FILES), 0)
NV = (*(file.NV for file in FILES), 0)
UNKNOWN = (math.nan, math.nan, math.nan)


@fused
def motion(at: At, q: Numbers, v: Numbers, own: Numbers) -> JointMotion:
    # JOINTS
    if at.kind == SPHERICAL:
        return spherical.motion(at, q, v, own)
    elif at.kind == REVOLUTE:
        return revolute.motion(at, q, v, own)
    elif at.kind == PRISMATIC:
        return prismatic.motion(at, q, v, own)
    elif at.kind == UNIVERSAL:
        return universal.motion(at, q, v, own)
    elif at.kind == CYLINDRICAL:
        return cylindrical.motion(at, q, v, own)
    elif at.kind == PLANAR:
        return planar.motion(at, q, v, own)
    elif at.kind == HELICAL:
        return helical.motion(at, q, v, own)
    elif at.kind == FREE:
        return free.motion(at, q, v, own)
    else:
        x = ZERO if at.kind == FIXED else UNKNOWN
        return IDENTITY, x, x, x, x, x


@called
def column(at: At, q: Numbers, j: int) -> Column:
    # JOINTS
    if at.kind == SPHERICAL:
        return spherical.column(at, q, j)
    elif at.kind == REVOLUTE:
        return revolute.column(at, q, j)
    elif at.kind == PRISMATIC:
        return prismatic.column(at, q, j)
    elif at.kind == UNIVERSAL:
        return universal.column(at, q, j)
    elif at.kind == CYLINDRICAL:
        return cylindrical.column(at, q, j)
    elif at.kind == PLANAR:
        return planar.column(at, q, j)
    elif at.kind == HELICAL:
        return helical.column(at, q, j)
    elif at.kind == FREE:
        return free.column(at, q, j)
    else:
        return UNKNOWN, UNKNOWN


@fused
def transmit(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    # JOINTS
    if at.kind == SPHERICAL:
        return spherical.transmit(at, A, link, tau, own)
    elif at.kind == REVOLUTE:
        return revolute.transmit(at, A, link, tau, own)
    elif at.kind == PRISMATIC:
        return prismatic.transmit(at, A, link, tau, own)
    elif at.kind == UNIVERSAL:
        return universal.transmit(at, A, link, tau, own)
    elif at.kind == CYLINDRICAL:
        return cylindrical.transmit(at, A, link, tau, own)
    elif at.kind == PLANAR:
        return planar.transmit(at, A, link, tau, own)
    elif at.kind == HELICAL:
        return helical.transmit(at, A, link, tau, own)
    elif at.kind == FREE:
        return free.transmit(at, A, link, tau, own)
    else:
        return alike(A, Articulated(A.J, A.H, A.M, UNKNOWN, UNKNOWN))


@fused
def accelerate(at: At, x: Acceleration, own: Numbers, out: Numbers) -> Acceleration:
    # JOINTS
    if at.kind == SPHERICAL:
        return spherical.accelerate(at, x, own, out)
    elif at.kind == REVOLUTE:
        return revolute.accelerate(at, x, own, out)
    elif at.kind == PRISMATIC:
        return prismatic.accelerate(at, x, own, out)
    elif at.kind == UNIVERSAL:
        return universal.accelerate(at, x, own, out)
    elif at.kind == CYLINDRICAL:
        return cylindrical.accelerate(at, x, own, out)
    elif at.kind == PLANAR:
        return planar.accelerate(at, x, own, out)
    elif at.kind == HELICAL:
        return helical.accelerate(at, x, own, out)
    elif at.kind == FREE:
        return free.accelerate(at, x, own, out)
    else:
        for j in range(at.nv):
            out[at.v + j] = out[at.v + j] + math.nan
        return alike(x, Acceleration(UNKNOWN, UNKNOWN))


@fused
def rate(at: At, q: Numbers, v: Numbers, f: Numbers) -> None:
    # CURVED
    if at.kind == SPHERICAL:
        spherical.rate(at, q, v, f)
    elif at.kind == FREE:
        free.rate(at, q, v, f)
    else:
        flat.rate(at, v, f)


@fused
def move(at: At, q: Numbers, u: Numbers) -> None:
    # CURVED
    if at.kind == SPHERICAL:
        spherical.move(at, q, u)
    elif at.kind == FREE:
        free.move(at, q, u)
    else:
        flat.move(at, q, u)


@fused
def dexpinv(at: At, u: Numbers, x: Numbers) -> None:
    # CURVED
    if at.kind == SPHERICAL:
        spherical.dexpinv(at, u, x)
    elif at.kind == FREE:
        free.dexpinv(at, u, x)


@fused
def dexp(at: At, u: Numbers, x: Numbers) -> None:
    # CURVED
    if at.kind == SPHERICAL:
        spherical.dexp(at, u, x)
    elif at.kind == FREE:
        free.dexp(at, u, x)


@fused
def unit(at: At, q: Numbers) -> None:
    # CURVED
    if at.kind == SPHERICAL:
        spherical.unit(at, q)
    elif at.kind == FREE:
        free.unit(at, q)

"""Dispatch from the kind of a loop constraint to its functions; an unknown kind gives NaN.

The branches are written by `core.tree.generate`.
"""

import math

from poinsot.core.jit import jit
from poinsot.core.lie.vec3 import ZERO
from poinsot.core.numbers.arrays import Floats
from poinsot.core.tree.dynamics.kinematics import Frame
from poinsot.core.tree.joints.joint import Acceleration
from poinsot.core.tree.loops import constraint, contact
from poinsot.core.tree.loops.constraint import Wrenches

LOOPS = ["point", "angle", "distance"]
CONTACTS = ["rolling", "skate"]
KINDS = {name: kind for kind, name in enumerate([*LOOPS, *CONTACTS, "gear"])}
POINT, ANGLE, DISTANCE = range(len(LOOPS))  # LOOPS
ROLLING, SKATE = range(len(LOOPS), len(LOOPS) + len(CONTACTS))  # CONTACTS
GEAR = len(LOOPS) + len(CONTACTS)  # between joints, not links: see `gear`
UNKNOWN = (math.nan, math.nan, math.nan)


@jit
def has_residual(kind: int, floats: Floats, k: int) -> bool:
    """Whether a constraint is one of positions, not of velocities only."""
    if kind == ROLLING:
        return floats[k + contact.ROW] == 0.0
    return kind != SKATE or floats[k + contact.SKATE_ROW] == 0.0


@jit
def residual(kind: int, A: Frame, B: Frame, floats: Floats, k: int) -> float:
    # LOOPS
    if kind == POINT:
        return constraint.point_residual(A, B, floats, k)
    elif kind == ANGLE:
        return constraint.angle_residual(A, B, floats, k)
    elif kind == DISTANCE:
        return constraint.distance_residual(A, B, floats, k)
    # CONTACTS
    if kind == ROLLING:
        return contact.rolling_residual(A, B, floats, k)
    elif kind == SKATE:
        return contact.skate_residual(A, B, floats, k)
    return A.r[0] + math.nan


@jit
def wrenches(kind: int, A: Frame, B: Frame, floats: Floats, k: int) -> Wrenches:
    # LOOPS
    if kind == POINT:
        return constraint.point_wrenches(A, B, floats, k)
    elif kind == ANGLE:
        return constraint.angle_wrenches(A, B, floats, k)
    elif kind == DISTANCE:
        return constraint.distance_wrenches(A, B, floats, k)
    # CONTACTS
    if kind == ROLLING:
        return contact.rolling_wrenches(A, B, floats, k)
    elif kind == SKATE:
        return contact.skate_wrenches(A, B, floats, k)
    x = ZERO if kind == GEAR else UNKNOWN
    return x, x, x, x


@jit
def second(kind: int, A: Frame, B: Frame, X: Acceleration, Y: Acceleration, floats: Floats, k: int) -> float:
    # LOOPS
    if kind == POINT:
        return constraint.point_second(A, B, X, Y, floats, k)
    elif kind == ANGLE:
        return constraint.angle_second(A, B, X, Y, floats, k)
    elif kind == DISTANCE:
        return constraint.distance_second(A, B, X, Y, floats, k)
    # CONTACTS
    if kind == ROLLING:
        return contact.rolling_second(A, B, X, Y, floats, k)
    elif kind == SKATE:
        return contact.skate_second(A, B, X, Y, floats, k)
    return A.r[0] + math.nan

"""Dispatch from the kind of a force to its file; an unknown kind gives NaN.

The branches are written by `core.tree.generate`.
"""

import math

from poinsot.core.jit import fused
from poinsot.core.lie.vec3 import Vec3
from poinsot.core.numbers.arrays import Floats, Numbers
from poinsot.core.tree.dynamics.kinematics import Frame
from poinsot.core.tree.forces import damper, damping, single, spring, stiffness

PAIRS = ["spring", "damper", "stiffness", "damping"]
SINGLE = [
    "joint_spring",
    "joint_damper",
    "joint_stop",
    "joint_friction",
    "ball_log",
    "ball_trace",
    "ball_euler",
    "hold",
]
KINDS = {name: kind for kind, name in enumerate([*PAIRS, *SINGLE])}
SPRING, DAMPER, STIFFNESS, DAMPING = range(len(PAIRS))  # PAIRS
JOINT_SPRING, JOINT_DAMPER, JOINT_STOP, JOINT_FRICTION, BALL_LOG, BALL_TRACE, BALL_EULER, HOLD = range(
    len(PAIRS), len(KINDS)
)  # SINGLE
UNKNOWN = (math.nan, math.nan, math.nan)


@fused
def between(kind: int, A: Frame, B: Frame, floats: Floats, k: int, o: float) -> tuple[Vec3, Vec3, float]:
    """Wrench on B and power of a force between bodies (`pair.py`)."""
    # PAIRS
    if kind == SPRING:
        return spring.act(A, B, floats, k)
    elif kind == DAMPER:
        return damper.act(A, B, floats, k)
    elif kind == STIFFNESS:
        return stiffness.act(A, B, floats, k)
    elif kind == DAMPING:
        return damping.act(A, B, floats, k)
    else:
        return UNKNOWN, UNKNOWN, o + math.nan


@fused
def at_joint(
    kind: int, q: Numbers, a: int, v: Numbers, tau: Numbers, b: int, floats: Floats, k: int, o: float
) -> float:
    """Add a force at a joint to tau; its power if it has no potential."""
    # SINGLE
    if kind == JOINT_SPRING:
        return single.joint_spring(q, a, v, tau, b, floats, k, o)
    elif kind == JOINT_DAMPER:
        return single.joint_damper(q, a, v, tau, b, floats, k, o)
    elif kind == JOINT_STOP:
        return single.joint_stop(q, a, v, tau, b, floats, k, o)
    elif kind == JOINT_FRICTION:
        return single.joint_friction(q, a, v, tau, b, floats, k, o)
    elif kind == BALL_LOG:
        return single.ball_log(q, a, v, tau, b, floats, k, o)
    elif kind == BALL_TRACE:
        return single.ball_trace(q, a, v, tau, b, floats, k, o)
    elif kind == BALL_EULER:
        return single.ball_euler(q, a, v, tau, b, floats, k, o)
    elif kind == HOLD:
        return single.hold(q, a, v, tau, b, floats, k, o)
    else:
        for j in range(tau.size):
            tau[j] = tau[j] + math.nan
        return o + math.nan

"""How far apart two states of a mechanism are, relative to its motion."""

import math
from typing import NamedTuple

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.joints import Free
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import compose, inverse
from poinsot.model.state import State


def angle(a: Array, b: Array) -> float:
    """Return the angle between two attitudes given by quaternions."""
    q = compose(inverse(a), b)
    return float(2 * np.arctan2(np.linalg.norm(q[1:]), abs(q[0])))


class Scales(NamedTuple):
    """What the differences of two states are compared with."""

    length: float  # m
    speed: float  # m/s
    rate: float  # rad/s


def scales_of(mechanism: Mechanism, start: State, span: float) -> Scales:
    """Return the scales of a motion that begins at a state and lasts `span` seconds.

    Velocities are compared with the largest at the start.  Lengths are compared with the size of the
    mechanism or, if a body flies, with 1/2 pi of the way that it would fly: the radius of a circular orbit
    that lasts so long.
    """
    here = motions(mechanism, start.q[None], start.v[None])
    del here[WORLD]
    speed = max(float(np.linalg.norm(x.velocity)) for x in here.values())
    rate = max(float(np.linalg.norm(x.angular_velocity)) for x in here.values())
    arms = [x for link in mechanism.links for x in (link.at, link.body_at, link.body.center_of_mass)]
    size = max(float(np.linalg.norm(x)) for x in arms)
    flies = any(isinstance(link.joint, Free) for link in mechanism.links)
    length = max(size, speed * span / (2 * math.pi)) if flies else size
    return Scales(length or 1.0, speed or math.inf, rate or math.inf)


def apart(mechanism: Mechanism, scales: Scales, a: State, b: State) -> float:
    """Return the distance between two states: the largest of four numbers over all bodies.

    They are the angle between the two attitudes in radians, and the differences of positions, velocities and
    angular velocities of the centres of mass relative to the scales of the motion.
    """
    here, there = (motions(mechanism, x.q[None], x.v[None]) for x in (a, b))
    found = 0.0
    for name, x in here.items():
        y = there[name]
        found = max(
            found,
            angle(x.quaternion[0], y.quaternion[0]),
            float(np.linalg.norm(x.position - y.position)) / scales.length,
            float(np.linalg.norm(x.velocity - y.velocity)) / scales.speed,
            float(np.linalg.norm(x.angular_velocity - y.angular_velocity)) / scales.rate,
        )
    return found

"""Distance of two states of a mechanism relative to its motion, and of the poses of a run from SE(3).

A pose is in SE(3) if its last row is (0, 0, 0, 1), R'R = 1 and det R = 1; poses here have such a last row.
With the quaternions q_j that a run stores for the joints between a body and the world, before anything is
normalized, and R(q) the matrix of second degree in q,

    R = prod R(q_j),    R'R = n^4 1,    n = prod |q_j|                                             (1)
    distance = |R'R - 1| = sqrt(3) |n^4 - 1|                        (Frobenius norm)               (2)
"""

import math
from typing import NamedTuple

import numpy as np

from poinsot.diagnostics.trajectory import Trajectory
from poinsot.model.checks import Array
from poinsot.model.joints import Free, Spherical
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import compose, inverse
from poinsot.model.state import State


def angle(a: Array, b: Array) -> float:
    """Return the angle between two attitudes given by quaternions."""
    q = compose(inverse(a), b)
    return float(2 * np.arctan2(np.linalg.norm(q[1:]), abs(q[0])))


EPSILON = 8 * 2.0**-52  # differences below this part of the numbers are rounding


class Scales(NamedTuple):
    """What the differences of two states are compared with; sizes and steps say what is rounding."""

    length: float  # m
    speed: float  # m/s
    rate: float  # rad/s
    size: float  # of positions, in m
    step: float  # s


def scales_of(mechanism: Mechanism, q: Array, v: Array, step: float) -> Scales:
    """Return the scales of a motion that was sampled at q (n, nq), v (n, nv) and made with a step.

    Lengths are compared with half the diagonal of the largest box in which a center of mass moves, velocities
    with the largest of the motion.
    """
    found = motions(mechanism, q, v)
    del found[WORLD]
    bodies = list(found.values())
    arms = [x for link in mechanism.links for x in (link.at, link.body_at, link.body.center_of_mass)]
    return Scales(
        max(float(np.linalg.norm(np.ptp(x.position, axis=0))) for x in bodies) / 2,
        max(_largest(x.velocity) for x in bodies),
        max(_largest(x.angular_velocity) for x in bodies),
        max(_largest(np.array(arms)), *(_largest(x.position) for x in bodies)),
        step,
    )


def scales_at(mechanism: Mechanism, start: State, span: float) -> Scales:
    """Return scales for comparisons of methods, which count attitudes first: those of a start.

    Velocities are compared with the largest at the start, and do not count if that is zero.  Lengths are
    compared with the arms of the mechanism or, if a body flies, with 1/2 pi of the way that it would fly in
    `span` seconds: the radius of a circular orbit that lasts so long.
    """
    x = scales_of(mechanism, start.q[None], start.v[None], math.inf)
    arms = [x for link in mechanism.links for x in (link.at, link.body_at, link.body.center_of_mass)]
    flies = any(isinstance(link.joint, Free) for link in mechanism.links)
    length = max(_largest(np.array(arms)), x.speed * span / (2 * math.pi) if flies else 0.0)
    return Scales(length or 1.0, x.speed or math.inf, x.rate or math.inf, 0.0, math.inf)


def error_unit(mechanism: Mechanism, scales: Scales) -> str:
    """Return in what a distance is counted by these scales: "rad", "m", "0.5 m", or "rad or 0.5 m"."""
    joints = [link.joint for link in mechanism.links]
    names = {name for joint in joints for name in joint.coordinates}
    length = "m" if scales.length == 1 else f"{scales.length:.3g} m"
    if not names - {"displacement", "position"}:
        return length
    held = len(joints) == 1 and isinstance(joints[0], Spherical)
    return "rad" if held else f"rad or {length}"


def _largest(vectors: Array) -> float:
    return float(np.linalg.norm(vectors, axis=1).max())


def _relative(difference: Array, scale: float, rounding: float) -> float:
    """Return the size of a difference relative to a scale; what is rounding counts as none."""
    more = float(np.linalg.norm(difference)) - rounding
    return 0.0 if more <= 0 else more / scale if scale > 0 else math.inf


def apart(mechanism: Mechanism, scales: Scales, a: State, b: State) -> float:
    """Return the distance between two states: the largest of four numbers over all bodies.

    They are the angle between the two attitudes in radians, and the differences of positions, velocities and
    angular velocities of the centers of mass relative to the scales of the motion.
    """
    here, there = (motions(mechanism, x.q[None], x.v[None]) for x in (a, b))
    place, turn = EPSILON * scales.size, EPSILON  # rounding; that of velocities is this in a step
    found = 0.0
    for name, x in here.items():
        y = there[name]
        found = max(
            found,
            angle(x.quaternion[0], y.quaternion[0]),
            _relative(x.position - y.position, scales.length, place),
            _relative(x.velocity - y.velocity, scales.speed, place / scales.step),
            _relative(x.angular_velocity - y.angular_velocity, scales.rate, turn / scales.step),
        )
    return found


def distance_to_se3(run: Trajectory, name: str) -> Array:
    """Return the distance (2) of a body at all samples."""
    square = _square(run, name)
    return np.asarray(np.sqrt(3.0) * np.abs(square * square - 1.0))


def determinant(run: Trajectory, name: str) -> Array:
    """Return det R = n^6 of (1) of a body at all samples."""
    return _square(run, name) ** 3


def _square(run: Trajectory, name: str) -> Array:
    """Return n^2 of (1)."""
    links = {link.name: link for link in run.mechanism.links}
    begin = dict(zip(links, np.cumsum([0, *(link.joint.nq for link in links.values())]), strict=False))
    square = np.ones(len(run.time))
    while name in links:
        joint = links[name].joint
        if joint.quaternion is not None:
            first = begin[name] + joint.quaternion
            q = run.q[:, first : first + 4]
            square = square * np.einsum("ij,ij->i", q, q)
        name = links[name].parent
    return square

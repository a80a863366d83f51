"""Where the bodies are and how they move, from q and v over a whole run."""

from typing import NamedTuple

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.joint import Free
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import apply, compose, inverse, matrix, times


class Motion(NamedTuple):
    """Of one body at n times; `position` and `velocity` of the centre of mass in space."""

    quaternion: Array  # (n, 4) body to space
    rotation: Array  # (n, 3, 3)
    angular_velocity: Array  # (n, 3) body frame
    position: Array  # (n, 3)
    velocity: Array  # (n, 3)


def motion(mechanism: Mechanism, name: str, q: Array, v: Array) -> Motion:
    """The motion of the body on the world (trees come with `core.dynamics`)."""
    link = mechanism.link(name)
    c = link.body.center_of_mass
    if isinstance(link.joint, Free):
        turn = compose(link.rotation, q[:, 3:7])
        w, R = v[:, :3], matrix(turn)
        position = link.at + apply(link.rotation, q[:, :3]) + times(R, c)
        velocity = times(R, v[:, 3:6] + np.cross(w, c))
        return Motion(turn, R, w, position, velocity)
    turn = compose(compose(link.rotation, q), link.body_rotation)
    w, R = apply(inverse(link.body_rotation), v), matrix(turn)
    arm = c + apply(inverse(link.body_rotation), link.body_at)
    return Motion(turn, R, w, link.at + times(R, arm), times(R, np.cross(w, arm)))

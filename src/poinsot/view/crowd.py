"""Other members of an ensemble as data of a page: glass bodies that move at the same times as a run.

name       of the member
bodies     [{quaternion, position}]: tables at the frames of the run; a member that ended stays where it was
shapes     [[shape, rotation]] and
rods       as of the run, if its mechanism looks different; else null
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.diagnostics.trajectory import Trajectory
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.view.codec import Packer
from poinsot.view.extract import finite_samples
from poinsot.view.scene import bodies, rods


def crowd(runs: Mapping[str, Any], mechanism: Mechanism, time: Array, pack: Packer) -> list[dict[str, Any]]:
    """Return the members `runs` at the frames of a run of `mechanism`."""
    looks, sticks = _shapes(mechanism, Packer()), rods(mechanism)
    found = []
    for name, run in runs.items():
        path: Trajectory = run.trajectory.picture
        count = finite_samples(path)
        if not count:
            continue
        moving, own = path.motions, path.mechanism
        tables = [
            {
                "quaternion": pack.fixed(
                    _turns(time, path.time[:count], moving[body].quaternion[:count]), 1.0
                ),
                "position": pack.fixed(_between(time, path.time[:count], moving[body].part.position[:count])),
            }
            for body in own.names
        ]
        other = _shapes(own, Packer()) != looks or rods(own) != sticks
        found.append(
            {
                "name": name,
                "bodies": tables,
                "shapes": _shapes(own, pack) if other else None,
                "rods": rods(own) if other else None,
            }
        )
    return found


def _shapes(mechanism: Mechanism, pack: Packer) -> list[list[Any]]:
    return [[one["shape"], one["rotation"]] for one in bodies(mechanism, pack)]


def _between(time: Array, own: Array, values: Array) -> Array:
    """Return the rows of a table at other times, on lines between its own."""
    return np.stack([np.interp(time, own, column) for column in values.T], axis=1)


def _turns(time: Array, own: Array, q: Array) -> Array:
    """Return unit quaternions at other times; neighbors of opposite sign are the same rotation."""
    same = np.where(np.sum(q[1:] * q[:-1], axis=1) < 0, -1.0, 1.0)
    found = _between(time, own, q * np.cumprod(np.append(1.0, same))[:, None])
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))

"""What a controller did, as data of a page: arrows of its forces on bodies, and the reference as a ghost.

The force f of an input with the torque tau about the origin of the body frame acts on a line,

    (1 - n n^T) p = n x tau / |f|,     n = f / |f|                                                  (1)

and is drawn at its point nearest to the origin; the two lines of a tilting rotor meet in the rotor.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.diagnostics.quantities import REFERENCE
from poinsot.model.checks import Array
from poinsot.model.inputs.hold import HoldWrench
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import Mechanism
from poinsot.view.codec import Packer


class InputForce(NamedTuple):
    """The force of an input: its body, point from the center of mass, values in body axes (n, 3)."""

    body: int
    at: Array
    values: Array


def thrusts(mechanism: Mechanism, inputs: Array, pack: Packer) -> list[dict[str, Any]]:
    """Return the forces of inputs as data."""
    return [
        {"body": one.body, "at": one.at.tolist(), "values": pack.fixed(one.values)}
        for one in input_forces(mechanism, inputs)
    ]


def input_forces(mechanism: Mechanism, inputs: Array) -> list[InputForce]:
    """Return the forces of inputs (n, nu) on bodies."""
    numbers = {name: i for i, name in enumerate(mechanism.names)}
    found, column = [], 0
    for body, wrenches in _inputs(mechanism):
        if wrenches is None:
            column += 1
            continue
        u, column = inputs[:, column : column + len(wrenches)], column + len(wrenches)
        pushing = np.linalg.norm(wrenches[:, 3:], axis=1) > 0
        if not pushing.any() or u.shape[1] != len(wrenches):
            continue
        point = _point(wrenches[pushing])
        center = mechanism.link(body).body.center_of_mass
        found.append(InputForce(numbers[body], point - center, np.asarray(u @ wrenches[:, 3:])))
    return found


def _point(wrenches: Array) -> Array:
    """Return the point nearest to the origin in which the lines of forces meet, equation (1)."""
    torques, forces = np.split(wrenches, 2, axis=1)
    sizes = np.linalg.norm(forces, axis=1, keepdims=True)
    n = forces / sizes
    across = np.eye(3) - n[:, :, None] * n[:, None, :]
    point = np.linalg.lstsq(across.reshape(-1, 3), (np.cross(n, torques) / sizes).ravel(), rcond=1e-9)[0]
    return np.asarray(point, dtype=np.float64)


def _inputs(mechanism: Mechanism) -> list[tuple[str, Array | None]]:
    """Return body and wrenches of the inputs of controllers in their order; of a motor one row each."""
    rows: list[tuple[str, Array | None]] = []
    for force in mechanism.control.holds(mechanism):
        if isinstance(force, HoldWrench):
            rows.append((force.body, force.wrenches))
        else:
            rows += [("", None)] * len(force.names)
    return rows


def ghosts(run: Any, rows: NDArray[np.int64], count: int, pack: Packer) -> list[dict[str, Any]]:
    """Return poses of all bodies along the recorded reference; nothing if it was not recorded."""
    q = np.asarray(run.recorded.get(REFERENCE, ()))
    mechanism = run.trajectory.mechanism
    if (
        not count
        or q.dtype.kind != "f"
        or q.ndim != 2
        or q.shape[1] != mechanism.lengths[0]
        or len(q) < count
    ):
        return []
    q = q[rows]
    if not np.isfinite(q).all():
        return []
    there = motions(mechanism, q, np.zeros((len(q), mechanism.lengths[1])))
    return [
        {
            "quaternion": pack.fixed(there[link.name].quaternion, 1.0),
            "position": pack.fixed(there[link.name].point(link.body.center_of_mass)[0]),
        }
        for link in mechanism.links
    ]

"""Contacts of rolling bodies and skates as data of a page, which finds the point of contact itself.

name, kind      of the contact: "rolling" or "skate"
body, on        numbers of the body that rolls or glides and of the one below; -1 is the world
point, axes     place and axes of the surface in `on`: z is the normal, or the center of a sphere
at, seat        place and axes of the shape in `body`: z is its axis, x that of a blade
semi_axes, rod, radius, sphere    as `RollingContact` has them
open            [from, to] [s]: when events had released it
"""

from typing import Any

from poinsot.model.contacts import RollingContact
from poinsot.model.loop_history import LoopHistory
from poinsot.model.mechanism import Mechanism
from poinsot.view.scene import from_center


def contacts(mechanism: Mechanism, history: LoopHistory) -> list[dict[str, Any]]:
    """Return the contacts of a mechanism."""
    numbers = {name: i for i, name in enumerate(mechanism.names)}
    return [
        {
            "name": loop.name,
            "kind": loop.joint.kind,
            "body": numbers.get(loop.b, -1),
            "on": numbers.get(loop.a, -1),
            "point": from_center(mechanism, loop.a, loop.at_a).tolist(),
            "axes": loop.rotation_a.tolist(),
            "at": from_center(mechanism, loop.b, loop.at_b).tolist(),
            "seat": loop.rotation_b.tolist(),
            **_sizes(loop.joint),
            "open": _open_times(history, loop.name),
        }
        for loop in mechanism.loops
        if loop.joint.contact
    ]


def _sizes(joint: Any) -> dict[str, Any]:
    if not isinstance(joint, RollingContact):
        return {"semi_axes": [0.0, 0.0, 0.0], "rod": 0.0, "radius": 0.0, "sphere": 0.0}
    sizes = {"rod": joint.rod, "radius": joint.radius, "sphere": joint.sphere}
    return {"semi_axes": joint.semi_axes.tolist(), **sizes}


def _open_times(history: LoopHistory, name: str) -> list[list[float | None]]:
    """Return when a loop is open: begin and end, None for the begin and end of the run."""
    found: list[list[float | None]] = [[None, None]] if name in history.first else []
    for time, open in history.changes:
        if found and found[-1][1] is None:
            if name not in open:
                found[-1][1] = time
        elif name in open:
            found.append([time, None])
    return found

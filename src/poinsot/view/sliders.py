"""A mechanism as a page with a slider for each joint of one axis: the page itself moves the bodies.

    pose of a body = pose of its parent (at, rotation) J(q) (body_at, body_rotation)                   (1)

`sliders` of a run in the header has these frames in the order of the bodies, parents first; J(q) turns about
or slides along `axis` by q, and other joints stay where they are: `pose`.
"""

from typing import Any

import numpy as np

from poinsot.model.joints import Joint, Prismatic, Revolute
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.view.page import page
from poinsot.view.payload import payload


def sliders(mechanism: Mechanism, state: State) -> list[dict[str, Any]]:
    """Return the frames (1) of all bodies as data."""
    numbers = {name: i for i, name in enumerate(mechanism.names)}
    joints = {body: joint for joint, body in reversed(mechanism.joint_names.items())}
    found, at = [], 0
    for link in mechanism.links:
        q = np.asarray(state.q[at : at + link.joint.nq])
        at += link.joint.nq
        turn, place = link.joint.pose(q[None])
        kind = _kind(link.joint)
        low, high = mechanism.limits.get(link.name, (-np.inf, np.inf))
        span = np.pi if kind == "turn" else 1.0
        found.append(
            {
                "name": joints.get(link.name, link.name),
                "parent": numbers.get(link.parent, -1),
                "at": link.at.tolist(),
                "rotation": link.rotation.tolist(),
                "body_at": link.body_at.tolist(),
                "body_rotation": link.body_rotation.tolist(),
                "center": link.body.center_of_mass.tolist(),
                "pose": [*turn[0].tolist(), *place[0].tolist()],
                "kind": kind,
                "axis": list(link.joint.axes[0]) if kind else [0.0, 0.0, 1.0],
                "value": float(q[0]) if kind else 0.0,
                "low": max(low, -span) if low == -np.inf else low,
                "high": min(high, span) if high == np.inf else high,
            }
        )
    return found


def _kind(joint: Joint) -> str:
    return "turn" if isinstance(joint, Revolute) else "slide" if isinstance(joint, Prismatic) else ""


def posture_page(run: Any, mechanism: Mechanism, title: str, notes: str = "") -> str:
    """Return the page of a mechanism with sliders; `run` has one sample of bodies of the same names."""
    made = payload({title: run}, title, notes)
    shown = made.header["runs"][0]
    shown.update(sliders=sliders(mechanism, run.final), plots=[], note="", title=title)
    for drawn, link in zip(shown["bodies"], mechanism.links, strict=True):
        if link.body.shape is None and not link.body.mass:
            drawn["shape"] = {"kind": "none"}
    return page(made)

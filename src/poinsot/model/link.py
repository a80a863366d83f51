"""A body and the joint that carries it.

A joint frame sits in the parent's body frame at (`at`, `rotation`); the body frame sits in the joint's child
frame at (`body_at`, `body_rotation`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import dot, product
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body, Weld, merge
from poinsot.model.checks import Array, show
from poinsot.model.forces.force import WORLD
from poinsot.model.joints import Free, Joint
from poinsot.model.rotations import apply, inverse, matrix

DEEP = 60  # indentation of `print` up to which a chain goes to the right
MASSLESS = Body(0.0, (0.0, 0.0, 0.0))  # a frame without mass
KEPT = 64  # mechanisms whose rigid groups are kept


@dataclass(frozen=True, eq=False)
class JointedBody:
    """A body and the joint that carries it; rotations are unit quaternions."""

    name: str
    body: Body
    joint: Joint
    parent: str
    at: Array
    rotation: Array
    body_at: Array
    body_rotation: Array

    @cached_property
    def about_reference(self) -> tuple[Array, Array]:
        """Inertia about the reference point, and the center of mass from there, in body axes.
        The reference point is the center of mass of a free body, else the origin of the joint."""
        body = self.body
        offset, J = np.array(body.center_of_mass), np.array(body.inertia)
        if not isinstance(self.joint, Free):
            offset = offset + apply(inverse(self.body_rotation), self.body_at)
            with np.errstate(over="ignore", invalid="ignore"):
                J = J + body.mass * (dot(offset, offset) * np.eye(3) - np.outer(offset, offset))
        if not np.isfinite(J).all():
            far = show(float(np.abs(offset).max()))
            raise ModelError(
                f"body '{self.name}': its inertia about the joint is not finite, "
                f"with a mass of {show(body.mass)} at {far}"
            )
        return J, offset

    def coordinates(self, given: Mapping[str, Any]) -> tuple[Array, Array]:
        """Return q and v of the joint from values by name."""
        who = f"state of '{self.name}'"
        if not isinstance(given, Mapping):
            raise ModelError(f"{who}: expected dict(...), got {show(given)}")
        names = (*self.joint.coordinates, *self.joint.velocities, *self.joint.alternatives)
        for name in given:
            if name not in names:
                raise ModelError(
                    f"{who}: unknown coordinate {show(name)}{checks.suggestion(name, names)} "
                    f"({type(self.joint).__name__} has {', '.join(names) or 'none'})"
                )
        return self.joint.values(who, given, self.body)


def body_frame(who: str, body_at: Any) -> tuple[Array, Array]:
    """Return (x, y, z) or ((x, y, z), rotation) as a point and a quaternion."""
    if isinstance(body_at, list | tuple) and len(body_at) == 2:
        point, rotation = body_at
        return checks.vector(who, "body_at", point), checks.rotation(who, "body_at", rotation)
    return checks.vector(who, "body_at", body_at), checks.rotation(who, "body_at", None)


def jointed_body(
    name: str,
    body: Body | None,
    joint: Joint,
    parent: str,
    at: ArrayLike,
    rotation: ArrayLike | None,
    body_at: Any,
) -> JointedBody:
    """Return a body and its joint from what a user gave; a ModelError says what is wrong."""
    who = f"body '{name}'"
    if body is None:
        body = MASSLESS
    if not isinstance(body, Body):
        raise ModelError(f"{who}: expected a Body, got {show(body)} (a shape has .body(mass=...))")
    if not isinstance(joint, Joint):
        hint = ", write it with brackets" if isinstance(joint, type) else ""
        raise ModelError(f"{who}: expected a joint such as Spherical(), got {show(joint)}{hint}")
    point, orientation = body_frame(who, body_at)
    if isinstance(joint, Free) and (point.any() or orientation[1:].any()):
        raise ModelError(f"{who}: body_at has no meaning on a Free joint, give the pose in the state")
    place = checks.vector(who, "at", at), checks.rotation(who, "rotation", rotation)
    link = JointedBody(name, body, joint, parent, *place, point, orientation)
    link.about_reference  # noqa: B018 - which is refused if it is not finite
    return link


@lru_cache(maxsize=KEPT)
def rigid_links(links: tuple[JointedBody, ...]) -> dict[str, JointedBody]:
    """Return all links by name; the body of a link that is no weld is one with all that is welded to it.

    A welded body has axes R and origin r in the frame of its carrier:

        R = R_p R(rotation) R(body_rotation),   r = r_p + R_p (at + R(rotation) body_at)            (1)
    """
    carriers: dict[str, JointedBody] = {}
    parts: dict[str, list[Weld]] = {}  # of each carrier, by name
    seats: dict[str, tuple[Array, Array]] = {}
    for link in links:
        if link.joint.nv or link.parent == WORLD:
            carriers[link.name], seats[link.name] = link, (np.eye(3), np.zeros(3))
        else:
            carriers[link.name], (R, r) = carriers[link.parent], seats[link.parent]
            A = product(R, matrix(link.rotation))
            place = r + product(R, link.at) + product(A, link.body_at)
            seats[link.name] = product(A, matrix(link.body_rotation)), place  # (1)
        parts.setdefault(carriers[link.name].name, []).append(Weld(link.body, *seats[link.name]))
    whole = {name: replace(carriers[name], body=merge(own)) for name, own in parts.items() if len(own) > 1}
    return {link.name: whole.get(link.name, link) for link in links}


def tree_lines(links: list[JointedBody]) -> list[str]:
    """Return a line for each body, indented under its parent up to the depth `DEEP`."""
    children: dict[str, list[JointedBody]] = {}
    for link in links:
        children.setdefault(link.parent, []).append(link)
    lines = []
    waiting = [(link, "") for link in reversed(children.get(WORLD, []))]
    while waiting:
        link, indent = waiting.pop()
        last = link is children[link.parent][-1]
        place = f" at {show(link.at)}" if link.at.any() else ""
        lines.append(f"{indent}{'└' if last else '├'}─ {link.name}: {link.joint}{place}, {link.body!r}")
        deeper = indent + ("   " if last else "│  ") if len(indent) < DEEP else indent
        waiting += [(one, deeper) for one in reversed(children.get(link.name, []))]
    return lines

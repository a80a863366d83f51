"""A mechanism: bodies in a tree of joints, gravity, forces.

    m = Mechanism()
    m.add("top", body, Spherical(), body_at=(0, 0, 0))
    m.apply(Torque("top", f))
    start = m.state({"top": dict(angular_velocity=(0, 0, 50))})

A joint frame sits in the parent's body frame at (`at`, `rotation`); the body frame sits in the
joint's child frame at `body_at`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot import markup
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array, show
from poinsot.model.forces import Applied, Force, Impulse
from poinsot.model.joint import Free, Joint
from poinsot.model.rotations import apply, inverse
from poinsot.model.state import State

WORLD = "world"


@dataclass(frozen=True, eq=False)
class Link:
    """A body and the joint that carries it; rotations as quaternions."""

    name: str
    body: Body
    joint: Joint
    parent: str
    at: Array
    rotation: Array
    body_at: Array
    body_rotation: Array


class Mechanism:
    """Bodies, joints, gravity and forces.  `print(m)` draws the tree."""

    def __init__(self, gravity: ArrayLike = (0.0, 0.0, -9.81)) -> None:
        self.gravity = checks.vector("mechanism", "gravity", gravity)
        self.links: list[Link] = []
        self.forces: list[Force] = []
        self.missing: tuple[str, ...] = ()  # forces that a file names but cannot hold

    def add(
        self, name: str, body: Body, joint: Joint, parent: str = WORLD, at: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike | None = None, body_at: Any = (0.0, 0.0, 0.0),
    ) -> "Mechanism":  # fmt: skip
        """Add a body.  `body_at` is (x, y, z) or ((x, y, z), rotation)."""
        who = f"body '{name}'"
        if not isinstance(name, str) or not name:
            raise ModelError(f"a body needs a name, got {show(name)}")
        if name == WORLD or name in self.names:
            raise ModelError(f"{who}: the name is taken")
        if not isinstance(body, Body):
            raise ModelError(f"{who}: expected a Body, got {show(body)} (a shape has .body(mass=...))")
        if not isinstance(joint, Joint):
            hint = ", write it with brackets" if isinstance(joint, type) else ""
            raise ModelError(f"{who}: expected a joint such as Spherical(), got {show(joint)}{hint}")
        if parent != WORLD and parent not in self.names:
            raise ModelError(
                f"{who}: unknown parent '{parent}'{checks.suggestion(parent, [*self.names, WORLD])}"
            )
        point, turn = _place(who, body_at)
        if isinstance(joint, Free) and (point.any() or turn[1:].any()):
            raise ModelError(f"{who}: body_at has no meaning on a Free joint, give the pose in the state")
        self.links.append(
            Link(
                name, body, joint, parent, checks.vector(who, "at", at),
                checks.rotation(who, "rotation", rotation), point, turn,
            )
        )  # fmt: skip
        return self

    def apply(self, *forces: Force) -> "Mechanism":
        """Add forces."""
        for force in forces:
            if not isinstance(force, Applied | Impulse):
                raise ModelError(f"expected a force such as Torque(...), got {show(force)}")
            self.link(force.body, force.label)
            self.forces.append(force)
        return self

    def snapshot(self) -> "Mechanism":
        """A mechanism with the same parts, which does not follow later changes of this one."""
        copy = Mechanism(self.gravity)
        copy.links, copy.forces, copy.missing = list(self.links), list(self.forces), self.missing
        return copy

    @property
    def names(self) -> list[str]:
        """Bodies in the order in which they were added: that of q and v."""
        return [link.name for link in self.links]

    def link(self, name: str, who: str = "mechanism") -> Link:
        """The link of this name, or a ModelError that knows what was meant."""
        for link in self.links:
            if link.name == name:
                return link
        raise ModelError(f"{who}: unknown body {name!r}{checks.suggestion(str(name), self.names)}")

    def state(self, values: Mapping[str, Mapping[str, Any]] | None = None, time: float = 0.0) -> State:
        """A state from joint coordinates by name; what is missing is zero or no rotation."""
        if values is not None and not isinstance(values, Mapping):
            raise ModelError(f"state: expected {{name: dict(...)}}, got {show(values)}")
        given = dict(values or {})
        for name in given:
            self.link(name, "state")
        parts = [self._coordinates(link, given.get(link.name, {})) for link in self.links]
        empty: list[Array] = [np.zeros(0)]
        q, v = (np.concatenate(empty + [part[k] for part in parts]) for k in (0, 1))
        return State(checks.number("state", "time", time), q, v)

    def _coordinates(self, link: Link, given: Mapping[str, Any]) -> tuple[Array, Array]:
        who = f"state of '{link.name}'"
        if not isinstance(given, Mapping):
            raise ModelError(f"{who}: expected dict(...), got {show(given)}")
        for word in given:
            if word not in link.joint.words:
                raise ModelError(
                    f"{who}: unknown coordinate '{word}'{checks.suggestion(word, link.joint.words)} "
                    f"({type(link.joint).__name__} has {', '.join(link.joint.words)})"
                )
        turn = checks.rotation(who, "rotation", given.get("rotation"))
        w = checks.vector(who, "angular_velocity", given.get("angular_velocity", (0.0, 0.0, 0.0)))
        if not isinstance(link.joint, Free):
            return turn, w
        c = link.body.center_of_mass
        p = checks.vector(who, "position", given.get("position", (0.0, 0.0, 0.0)))
        u = checks.vector(who, "velocity", given.get("velocity", (0.0, 0.0, 0.0)))
        origin = p - apply(turn, c)
        origin_velocity = apply(inverse(turn), u) - np.cross(w, c)
        return np.concatenate([origin, turn]), np.concatenate([w, origin_velocity])

    def __str__(self) -> str:
        lines = [f"world, gravity {show(self.gravity)}"]
        self._draw(WORLD, "", lines)
        lines += [f"force: {force.label}" for force in self.forces]
        return "\n".join(lines)

    def _draw(self, parent: str, indent: str, lines: list[str]) -> None:
        children = [link for link in self.links if link.parent == parent]
        for link in children:
            last = link is children[-1]
            lines.append(
                f"{indent}{'└' if last else '├'}─ {link.name}: {type(link.joint).__name__}"
                f"{f' at {show(link.at)}' if link.at.any() else ''}, {link.body!r}"
            )
            self._draw(link.name, indent + ("   " if last else "│  "), lines)

    def _repr_html_(self) -> str:
        rows = [
            (
                link.name,
                type(link.joint).__name__,
                link.parent,
                show(link.body.mass),
                show(link.body.principal_moments),
            )
            for link in self.links
        ]
        forces = "".join(markup.tag("div", markup.text(f"force: {force.label}")) for force in self.forces)
        bodies = markup.table(("body", "joint", "on", "mass", "principal moments"), rows)
        return f"<div>{markup.text(f'Mechanism, gravity {show(self.gravity)}')}{bodies}{forces}</div>"

    def __repr__(self) -> str:
        return f"Mechanism({', '.join(self.names)})"


def _place(who: str, body_at: Any) -> tuple[Array, Array]:
    """(x, y, z) or ((x, y, z), rotation) as a point and a quaternion."""
    if isinstance(body_at, list | tuple) and len(body_at) == 2:
        point, turn = body_at
        return checks.vector(who, "body_at", point), checks.rotation(who, "body_at", turn)
    return checks.vector(who, "body_at", body_at), checks.rotation(who, "body_at", None)

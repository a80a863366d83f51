"""What a mechanism consists of: bodies in a tree of joints, gravity, forces and loops."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot import html
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.forces.force import WORLD, Force
from poinsot.model.link import Link
from poinsot.model.loops import Loop
from poinsot.model.state import State

DEEP = 60  # indentation of `print` up to which a chain goes to the right


class Parts:
    """Bodies with their joints, forces and loops, found by name and shown as text."""

    __slots__ = ("__dict__", "__weakref__", "_kept")  # `_kept` is no part of what the mechanism is
    _kept: Any  # what was compiled of it, or None (`compile.kept`)

    def __init__(self, gravity: ArrayLike = (0.0, 0.0, -9.81)) -> None:
        self._kept = None
        self.gravity = checks.vector("mechanism", "gravity", gravity)
        self.links: list[Link] = []
        self.forces: list[Force] = []
        self.loops: list[Loop] = []
        self.missing: tuple[str, ...] = ()
        self.origin: Mapping[str, Any] | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "gravity":
            value = checks.vector("mechanism", "gravity", value)
        object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._kept = None
        vars(self).update(state)

    @property
    def names(self) -> list[str]:
        """Names of the bodies in the order in which they were added, which is that of q and v."""
        return [link.name for link in self.links]

    def link(self, name: str, who: str = "mechanism") -> Link:
        """Return the body of this name with its joint.

        Parameters
        ----------
        name : str
            Name of the body.
        who : str, default "mechanism"
            Who asks, for the message of the error.

        Returns
        -------
        Link
            Record with `name`, `body`, `joint`, `parent`, `at`, `rotation`, `body_at`, `body_rotation`.

        Raises
        ------
        ModelError
            If there is no body of this name; the message suggests a similar one.
        """
        if isinstance(name, str):
            for link in self.links:
                if link.name == name:
                    return link
        raise ModelError(f"{who}: unknown body {show(name)}{checks.suggestion(name, self.names)}")

    def slices(self, name: str) -> tuple[slice, slice]:
        """Return where the joint of a body has its numbers in q and in v.

        Parameters
        ----------
        name : str
            Name of the body.

        Returns
        -------
        q, v : slice
            Slices of `state.q` and of `state.v`.

        Raises
        ------
        ModelError
            If there is no body of this name.
        """
        own = self.link(name)
        before = [link.joint for link in self.links[: self.links.index(own)]]
        nq, nv = sum(joint.nq for joint in before), sum(joint.nv for joint in before)
        return slice(nq, nq + own.joint.nq), slice(nv, nv + own.joint.nv)

    @property
    def lengths(self) -> tuple[int, int]:
        """Lengths of q and v."""
        return sum(link.joint.nq for link in self.links), sum(link.joint.nv for link in self.links)

    def state(self, values: Mapping[str, Mapping[str, Any]] | None = None, time: float = 0.0) -> State:
        """Return a state from joint coordinates by name.

        Parameters
        ----------
        values : mapping of str to mapping, optional
            For each body by name its coordinates and velocities, such as
            `{"arm": dict(angle=0.1, rate=2.0)}`.  Each joint class lists its names.  What is missing is zero,
            or no rotation.
        time : float, default 0.0
            Time in seconds.

        Returns
        -------
        State
            The state.

        Raises
        ------
        ModelError
            If a body or a coordinate is unknown, or a value has the wrong shape.

        Examples
        --------
        >>> import poinsot as ps
        >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
        >>> m.state({"arm": dict(angle=0.5)})
        State(time=0.0, q=array([0.5]), v=array([0.]))
        """
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
        names = (*link.joint.coordinates, *link.joint.velocities, *link.joint.alternatives)
        for name in given:
            if name not in names:
                raise ModelError(
                    f"{who}: unknown coordinate {show(name)}{checks.suggestion(name, names)} "
                    f"({type(link.joint).__name__} has {', '.join(names) or 'none'})"
                )
        return link.joint.values(who, given, link.body)

    def __str__(self) -> str:
        lines = [f"world, gravity {show(self.gravity)}"]
        lines += _drawn(self.links)
        lines += [str(loop) for loop in self.loops]
        lines += [f"force: {force.label}" for force in self.forces]
        return "\n".join(lines)

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
        forces = "".join(html.tag("div", html.text(f"force: {force.label}")) for force in self.forces)
        loops = "".join(html.tag("div", html.text(str(loop))) for loop in self.loops)
        bodies = html.table(("body", "joint", "on", "mass", "principal moments"), rows)
        return f"<div>{html.text(f'Mechanism, gravity {show(self.gravity)}')}{bodies}{loops}{forces}</div>"

    def __repr__(self) -> str:
        return f"Mechanism({', '.join(self.names)})"


def _drawn(links: list[Link]) -> list[str]:
    """Return a line for each body, indented under its parent up to the depth `DEEP`."""
    children: dict[str, list[Link]] = {}
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

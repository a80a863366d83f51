"""A mechanism: bodies in a tree of joints, gravity, forces, and loops that close the tree.

    m = Mechanism()
    m.add("top", body, Spherical(), body_at=(0, 0, 0))
    m.apply(Torque("top", f))
    m.close(Loop("top", "world", Distance(1.0)))
    start = m.state({"top": dict(angular_velocity=(0, 0, 50))})

A joint frame sits in the parent's body frame at (`at`, `rotation`); the body frame sits in the
joint's child frame at `body_at`.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot import html
from poinsot.elementary.linear import dot, norm
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array, show
from poinsot.model.forces.force import WORLD as WORLD
from poinsot.model.forces.force import Force
from poinsot.model.joints import Free, Joint
from poinsot.model.loops import Loop
from poinsot.model.rotations import apply, inverse
from poinsot.model.state import State

DEEP = 60  # indentation of `print` up to which a chain goes to the right
NOTHING = Body(0.0, (0.0, 0.0, 0.0))  # a frame without mass


@dataclass(frozen=True, eq=False)
class Link:
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
        """Inertia about the reference point, and the centre of mass from there, in body axes.

        The reference point is the centre of mass of a free body, else the origin of the joint.
        """
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


class Mechanism:
    """A mechanism: bodies in a tree of joints, with gravity, forces and loops.

    `print(m)` draws the tree.

    Parameters
    ----------
    gravity : array_like, shape (3,), default (0, 0, -9.81)
        Acceleration of gravity in space, in m/s².

    Attributes
    ----------
    gravity : ndarray, shape (3,)
        Acceleration of gravity.
    links : list of Link
        Bodies with their joints, in the order in which they were added.
    forces : list of Force
        Forces that act.
    loops : list of Loop
        Loops that close the tree.
    missing : tuple of str
        Labels of forces that are functions and that the file of this mechanism could not store.
    origin : mapping or None
        The scenario that this mechanism is from, as data for archives.

    Raises
    ------
    ModelError
        If `gravity` is not three finite numbers.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism()
    >>> m.add("arm", ps.Body(1.0, (0.1, 0.1, 0.01)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    Mechanism(arm)
    >>> print(m)
    world, gravity (0, 0, -9.81)
    └─ arm: Revolute (0, 1, 0), Body(mass=1, inertia=(0.1, 0.1, 0.01))
    """

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

    def add(
        self,
        name: str,
        body: Body | None,
        joint: Joint,
        parent: str = WORLD,
        at: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike | None = None,
        body_at: Any = (0.0, 0.0, 0.0),
    ) -> "Mechanism":
        """Add a body and the joint that carries it.

        Parameters
        ----------
        name : str
            Name of the body and of its joint; not "world", and not taken by another body or loop.
        body : Body or None
            The body; None adds a frame without mass.
        joint : Joint
            Joint between the parent and the body, such as `Revolute((0, 0, 1))`.
        parent : str, default "world"
            Name of the body that carries the joint.
        at : array_like, shape (3,), default (0, 0, 0)
            Origin of the joint frame in the parent's body frame, in metres.
        rotation : array_like, shape (3, 3) or (4,), optional
            Rotation of the joint frame in the parent's body frame: a matrix or a quaternion (w, x, y, z).
            Default: no rotation.
        body_at : array_like, shape (3,), or (point, rotation), default (0, 0, 0)
            Origin of the body frame in the child frame of the joint, in metres, or origin and rotation.
            It must be zero on a `Free` joint, whose state gives the pose.

        Returns
        -------
        Mechanism
            The mechanism itself, so that calls can be chained.

        Raises
        ------
        ModelError
            If the name is taken, the parent is unknown or a value is wrong.
        """
        who = f"body '{name}'"
        if not isinstance(name, str) or not name:
            raise ModelError(f"a body needs a name, got {show(name)}")
        if not name.isprintable():
            raise ModelError(f"body {name!r}: a name has printable characters only")
        if name == WORLD or name in self.names or name in [loop.name for loop in self.loops]:
            raise ModelError(f"{who}: the name is taken")
        if body is None:
            body = NOTHING
        if not isinstance(body, Body):
            raise ModelError(f"{who}: expected a Body, got {show(body)} (a shape has .body(mass=...))")
        if not isinstance(joint, Joint):
            hint = ", write it with brackets" if isinstance(joint, type) else ""
            raise ModelError(f"{who}: expected a joint such as Spherical(), got {show(joint)}{hint}")
        if not isinstance(parent, str) or parent not in (WORLD, name, *self.names):
            raise ModelError(
                f"{who}: unknown parent {show(parent)}{checks.suggestion(parent, [*self.names, WORLD])}"
            )
        if parent == name:
            raise ModelError(f"{who}: a body cannot be its own parent, the tree would have a cycle")
        point, orientation = _place(who, body_at)
        if isinstance(joint, Free) and (point.any() or orientation[1:].any()):
            raise ModelError(f"{who}: body_at has no meaning on a Free joint, give the pose in the state")
        link = Link(
            name,
            body,
            joint,
            parent,
            checks.vector(who, "at", at),
            checks.rotation(who, "rotation", rotation),
            point,
            orientation,
        )
        link.about_reference  # noqa: B018 - which is refused if it is not finite
        self.links.append(link)
        return self

    def apply(self, *forces: Force) -> "Mechanism":
        """Add forces.

        Parameters
        ----------
        *forces : Force
            Forces such as `Spring(...)` or `Torque(...)`.

        Returns
        -------
        Mechanism
            The mechanism itself.

        Raises
        ------
        ModelError
            If a force names an unknown body or does not fit its joint.
        """
        trial = self.snapshot()
        for force in forces:
            if not isinstance(force, Force):
                raise ModelError(f"expected a force such as Torque(...), got {show(force)}")
            for body in force.bodies:
                if body != WORLD or len(force.bodies) == 1:  # the world may be the second body only
                    self.link(body, force.label)
            force.fits(trial)
            trial.forces.append(force)
        self.forces += forces
        return self

    def close(self, *loops: Loop) -> "Mechanism":
        """Add loops: further joints between two bodies of the tree.

        Parameters
        ----------
        *loops : Loop
            Loops such as `Loop("rod", "world", Revolute((0, 1, 0)))`.

        Returns
        -------
        Mechanism
            The mechanism itself.

        Raises
        ------
        ModelError
            If a loop names an unknown body or its name is taken.
        """
        taken = {WORLD, *self.names, *(loop.name for loop in self.loops)}
        for loop in loops:
            if not isinstance(loop, Loop):
                raise ModelError(f"expected Loop(a, b, joint), got {show(loop)}")
            for body in (loop.a, loop.b):
                if body != WORLD:
                    self.link(body, loop.label)
            if loop.name in taken:
                raise ModelError(f"{loop.label}: the name is taken, give another one with name=")
            taken.add(loop.name)
        self.loops += loops
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "gravity":
            value = checks.vector("mechanism", "gravity", value)
        object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._kept = None
        vars(self).update(state)

    def copy(self) -> "Mechanism":
        """Return a mechanism with the same bodies, joints, forces and loops, to be changed on its own.

        Returns
        -------
        Mechanism
            The copy.

        Examples
        --------
        >>> import poinsot as ps
        >>> m = ps.Mechanism().add("bob", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Spherical())
        >>> m.copy().add("more", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Free()).names, m.names
        (['bob', 'more'], ['bob'])
        """
        return self.snapshot()

    def replace(
        self,
        name: str,
        body: Body | None = None,
        joint: Joint | None = None,
        at: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        body_at: Any = None,
    ) -> "Mechanism":
        """Change a body: its inertia, its joint or where they are; what is not given stays.

        Parameters
        ----------
        name : str
            Name of the body.
        body, joint, at, rotation, body_at
            As in `add`.

        Returns
        -------
        Mechanism
            The mechanism itself.

        Raises
        ------
        ModelError
            If there is no such body, if a value is wrong, or if a force does not fit the new joint.

        Examples
        --------
        >>> import poinsot as ps
        >>> m = ps.Mechanism().add("bob", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Spherical())
        >>> heavy = m.copy().replace("bob", body=ps.Body(2.0, (0.1, 0.1, 0.1)))
        >>> heavy.link("bob").body.mass, m.link("bob").body.mass
        (2.0, 1.0)
        """
        old = self.link(name, "replace")
        alone = Mechanism(self.gravity)
        alone.add(
            name,
            old.body if body is None else body,
            old.joint if joint is None else joint,
            at=old.at if at is None else at,
            rotation=old.rotation if rotation is None else rotation,
            body_at=(old.body_at, old.body_rotation) if body_at is None else body_at,
        )
        new = dataclasses.replace(alone.links[0], parent=old.parent)
        trial = self.snapshot()
        trial.links = [new if link is old else link for link in self.links]
        for force in self.forces:
            force.fits(trial)
        self.links = trial.links
        return self

    def replace_force(self, old: Force, new: Force) -> "Mechanism":
        """Put a force in the place of another one.

        Parameters
        ----------
        old : Force
            Force that was applied to this mechanism.
        new : Force
            Force to take its place.

        Returns
        -------
        Mechanism
            The mechanism itself.

        Raises
        ------
        ModelError
            If `old` does not act on this mechanism, or `new` does not fit.

        Examples
        --------
        >>> import poinsot as ps
        >>> m = ps.Mechanism().add("bob", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Free())
        >>> soft = ps.Spring("world", "bob", stiffness=1.0)
        >>> m.apply(soft).replace_force(soft, ps.Spring("world", "bob", stiffness=5.0)).forces[0].stiffness
        5.0
        """
        if not any(force is old for force in self.forces):
            raise ModelError(f"replace_force: {show(old)} does not act on this mechanism")
        trial = self.snapshot()
        trial.forces = []
        trial.apply(new)
        self.forces = [new if force is old else force for force in self.forces]
        return self

    def snapshot(self) -> "Mechanism":
        """Return a copy with the same parts that does not follow later changes of this mechanism."""
        copy = object.__new__(Mechanism)
        copy._kept = self._kept
        lists = {name: list(vars(self)[name]) for name in ("links", "forces", "loops")}
        vars(copy).update(gravity=self.gravity, missing=self.missing, origin=self.origin, **lists)
        return copy

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
        self._draw(lines)
        lines += [str(loop) for loop in self.loops]
        lines += [f"force: {force.label}" for force in self.forces]
        return "\n".join(lines)

    def _draw(self, lines: list[str]) -> None:
        """Append a line for each body, indented under its parent up to the depth `DEEP`."""
        children: dict[str, list[Link]] = {}
        for link in self.links:
            children.setdefault(link.parent, []).append(link)
        waiting = [(link, "") for link in reversed(children.get(WORLD, []))]
        while waiting:
            link, indent = waiting.pop()
            last = link is children[link.parent][-1]
            place = f" at {show(link.at)}" if link.at.any() else ""
            lines.append(f"{indent}{'└' if last else '├'}─ {link.name}: {link.joint}{place}, {link.body!r}")
            deeper = indent + ("   " if last else "│  ") if len(indent) < DEEP else indent
            waiting += [(one, deeper) for one in reversed(children.get(link.name, []))]

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


def _place(who: str, body_at: Any) -> tuple[Array, Array]:
    """Return (x, y, z) or ((x, y, z), rotation) as a point and a quaternion."""
    if isinstance(body_at, list | tuple) and len(body_at) == 2:
        point, rotation = body_at
        return checks.vector(who, "body_at", point), checks.rotation(who, "body_at", rotation)
    return checks.vector(who, "body_at", body_at), checks.rotation(who, "body_at", None)


def check_parts(mechanism: Mechanism) -> None:
    """Raise a ModelError if the mechanism has no body or lacks forces that its file could not store."""
    if not mechanism.links:
        raise ModelError("the mechanism has no body: add one with m.add(name, body, joint)")
    if mechanism.missing:
        raise ModelError(
            f"the mechanism comes from a file, which cannot hold forces ({', '.join(mechanism.missing)}): "
            "build it again to go on"
        )


def check_problem(mechanism: Mechanism, start: State) -> None:
    """Raise a ModelError unless a run can begin here: `check_parts` and `check_state`."""
    if not isinstance(mechanism, Mechanism) or not isinstance(start, State):
        raise ModelError("expected a Mechanism and a State: start = m.state({...})")
    check_parts(mechanism)
    check_state(mechanism, start)


def check_state(mechanism: Mechanism, state: State) -> None:
    """Raise a ModelError unless q and v have the right lengths, are finite, and quaternions have length 1."""
    if not isinstance(mechanism, Mechanism) or not isinstance(state, State):
        raise ModelError("expected a Mechanism and a State: start = m.state({...})")
    if (len(state.q), len(state.v)) != mechanism.lengths:
        raise ModelError(
            f"the state does not belong to this mechanism: it has {len(state.q)} and {len(state.v)} numbers "
            f"in q and v, expected {mechanism.lengths[0]} and {mechanism.lengths[1]} (make it with m.state)"
        )
    for link in mechanism.links:
        at, along = mechanism.slices(link.name)
        q, v = state.q[at], state.v[along]
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            raise ModelError(f"state of '{link.name}': q and v must be finite")
        if link.joint.quaternion is not None:
            rotation = q[link.joint.quaternion : link.joint.quaternion + 4]
            length = norm(rotation)
            if abs(length - 1) > checks.UNIT:
                raise ModelError(f"state of '{link.name}': its quaternion has length {length:.9g}, not 1")

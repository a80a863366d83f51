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
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array, show
from poinsot.model.forces.force import WORLD as WORLD
from poinsot.model.forces.force import Force
from poinsot.model.joints import Free, Joint
from poinsot.model.link import MASSLESS, Link, placed
from poinsot.model.loops import Loop
from poinsot.model.parts import Parts
from poinsot.model.state import State


class Mechanism(Parts):
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

    __slots__ = ()

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
            body = MASSLESS
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
        point, orientation = placed(who, body_at)
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

"""A mechanism: bodies in a tree of joints, gravity, forces, and loops that close the tree.

    m = Mechanism()
    m.add("top", body, Spherical(), body_at=(0, 0, 0))
    m.apply(Torque("top", f))
    m.close(Loop("top", "world", Distance(1.0)))
    start = m.state({"top": dict(angular_velocity=(0, 0, 50))})

`link` says where the frames of bodies and joints are.
"""

from typing import Any

from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import show
from poinsot.model.forces.force import WORLD as WORLD
from poinsot.model.forces.force import Force
from poinsot.model.joints import Joint
from poinsot.model.link import checked_link
from poinsot.model.loops import Loop
from poinsot.model.parts import Parts


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
        if not isinstance(parent, str) or parent not in (WORLD, name, *self.names):
            near = checks.suggestion(parent, [*self.names, WORLD])
            raise ModelError(f"{who}: unknown parent {show(parent)}{near}")
        if parent == name:
            raise ModelError(f"{who}: a body cannot be its own parent, the tree would have a cycle")
        self.links.append(checked_link(name, body, joint, parent, at, rotation, body_at))
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
        new = checked_link(
            name,
            old.body if body is None else body,
            old.joint if joint is None else joint,
            old.parent,
            old.at if at is None else at,
            old.rotation if rotation is None else rotation,
            (old.body_at, old.body_rotation) if body_at is None else body_at,
        )
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

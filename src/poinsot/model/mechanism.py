"""A mechanism: bodies in a tree of joints, gravity, forces, and loops that close the tree.

    m = Mechanism()
    m.add("top", body, Spherical(), body_at=(0, 0, 0))
    m.apply(Torque("top", f))
    m.close(Loop("top", "world", Distance(1.0)))
    m.frame("tip", "top", at=(0, 0, 1))
    start = m.state({"top": dict(angular_velocity=(0, 0, 50))})

`link` says where the frames of bodies and joints are.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot import html
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array, show
from poinsot.model.forces.force import WORLD as WORLD
from poinsot.model.forces.force import Force
from poinsot.model.frame import Frame
from poinsot.model.inputs.control import NO_CONTROL, Control
from poinsot.model.joints import Joint
from poinsot.model.link import JointedBody, jointed_body, rigid_links, tree_lines
from poinsot.model.loops import Loop
from poinsot.model.state import State

if TYPE_CHECKING:
    from poinsot.live.live import Live


class Mechanism:
    """A mechanism: bodies in a tree of joints, with gravity, forces and loops; `print(m)` draws the tree.

    `gravity`: acceleration of gravity in space [m/s²]; default (0, 0, -9.81).

    Attributes
    ----------
    links : Bodies with their joints, in the order in which they were added.
    forces, loops : Forces that act, and loops that close the tree.
    frames : Frames on bodies that have a name.
    joint_names : Body by the name of its joint in the file that the mechanism was read from.
    limits : Lower and upper end of the coordinate of a joint, by body, where a file gives them [rad or m].
    notes : What the file has and a simulation leaves out.
    actuators, starts : Motors and states of the file, by name.
    missing : Labels of forces that are functions and that the file of this mechanism could not store.
    origin : The scenario that this mechanism is from, as data for archives; or None.
    control : What a controller exerts on it, if it is the mechanism of a controlled run.

    >>> m = ps.Mechanism()
    >>> m.add("arm", ps.Body(1.0, (0.1, 0.1, 0.01)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    Mechanism(arm)
    >>> print(m)
    world, gravity (0, 0, -9.81)
    └─ arm: Revolute (0, 1, 0), Body(mass=1, inertia=(0.1, 0.1, 0.01))
    """

    __slots__ = ("__dict__", "__weakref__", "_cache")  # `_cache` is no part of what the mechanism is
    _cache: Any  # what was compiled of it, or None (`compile`)
    control: Control = NO_CONTROL

    def __init__(self, gravity: ArrayLike = (0.0, 0.0, -9.81)) -> None:
        self._cache = None
        self.gravity = checks.vector("mechanism", "gravity", gravity)
        self.links: list[JointedBody] = []
        self.forces: list[Force] = []
        self.loops: list[Loop] = []
        self.frames: list[Frame] = []
        self.missing: tuple[str, ...] = ()
        self.joint_names: dict[str, str] = {}
        self.limits: dict[str, tuple[float, float]] = {}
        self.notes: tuple[str, ...] = ()
        self.actuators: dict[str, Any] = {}
        self.starts: dict[str, State] = {}
        self.origin: Mapping[str, Any] | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "gravity":
            value = checks.vector("mechanism", "gravity", value)
        object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._cache = None
        vars(self).update(state)

    @property
    def names(self) -> list[str]:
        """Names of the bodies in the order in which they were added, which is that of q and v."""
        return [link.name for link in self.links]

    @property
    def frame_names(self) -> list[str]:
        """Names of the frames."""
        return [frame.name for frame in self.frames]

    @property
    def lengths(self) -> tuple[int, int]:
        """Lengths of q and v."""
        return sum(link.joint.nq for link in self.links), sum(link.joint.nv for link in self.links)

    def link(self, name: str, who: str = "mechanism") -> JointedBody:
        """Return the body of this `name` with its joint; `who` asks, in the message of the error.

        It has `name`, `body`, `joint`, `parent`, `at`, `rotation`, `body_at` and `body_rotation`.
        """
        if isinstance(name, str):
            for link in self.links:
                if link.name == name:
                    return link
        raise ModelError(f"{who}: unknown body {show(name)}{checks.suggestion(name, self.names)}")

    @property
    def rigid_links(self) -> dict[str, JointedBody]:
        """All links by name; the body of a link with welded parts has their masses, inertia and center."""
        return rigid_links(tuple(self.links))

    def carrier(self, name: str) -> str:
        """Return the body to which body `name` is welded with `Fixed` joints; itself if it is not."""
        link = self.link(name)
        while not link.joint.nv and link.parent != WORLD:
            link = self.link(link.parent)
        return link.name

    def place(self, name: str, who: str = "mechanism") -> tuple[str, Array, Array]:
        """Return the body of a body or frame by its `name`, and origin and rotation of the frame in it.
        `who` asks, in the message of the error; the rotation is a unit quaternion."""
        for frame in self.frames:
            if isinstance(name, str) and frame.name == name:
                return frame.body, frame.at, frame.rotation
        if not isinstance(name, str) or name not in (WORLD, *self.names):
            near = checks.suggestion(name, [*self.names, *self.frame_names])
            what = "body or frame" if self.frames else "body"
            raise ModelError(f"{who}: unknown {what} {show(name)}{near}")
        return name, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])

    def slices(self, name: str) -> tuple[slice, slice]:
        """Return where the joint of the body `name` has its numbers in `state.q` and in `state.v`."""
        own = self.link(name)
        before = [link.joint for link in self.links[: self.links.index(own)]]
        nq, nv = sum(joint.nq for joint in before), sum(joint.nv for joint in before)
        return slice(nq, nq + own.joint.nq), slice(nv, nv + own.joint.nv)

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
        """Add a body and the joint that carries it; return the mechanism, so that calls can be chained.

        Parameters
        ----------
        name : Name of the body and of its joint; not "world", and not taken by another body or loop.
        body : The body; None adds a frame without mass.
        joint : Joint between the parent and the body, such as `Revolute((0, 0, 1))`.
        parent : Name of the body that carries the joint.
        at : Origin of the joint frame in the parent's body frame [m].
        rotation : Rotation of the joint frame in the parent's body frame: a matrix or a quaternion.
        body_at : Origin of the body frame in the child frame of the joint [m], or (origin, rotation).
            It must be zero on a `Free` joint, whose state gives the pose.
        """
        who = f"body '{name}'"
        if not isinstance(name, str) or not name:
            raise ModelError(f"a body needs a name, got {show(name)}")
        if not name.isprintable():
            raise ModelError(f"body {name!r}: a name has printable characters only")
        if name in self._taken:
            raise ModelError(f"{who}: the name is taken")
        if not isinstance(parent, str) or parent not in (WORLD, name, *self.names):
            near = checks.suggestion(parent, [*self.names, WORLD])
            raise ModelError(f"{who}: unknown parent {show(parent)}{near}")
        if parent == name:
            raise ModelError(f"{who}: a body cannot be its own parent, the tree would have a cycle")
        trial = self.snapshot()
        trial.links.append(jointed_body(name, body, joint, parent, at, rotation, body_at))
        for force in [] if joint.nv else self.forces:  # a weld moves the center of mass of its carrier
            force.fits(trial)
        self.links = trial.links
        return self

    def frame(
        self,
        name: str,
        body: str,
        at: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike | None = None,
    ) -> "Mechanism":
        """Give a point of a body, with axes, a name, such as the tool of an arm; return the mechanism.

        Runs, `ps.dynamics`, expressions and states know frames by their names, as they know bodies.

        Parameters
        ----------
        name : Name of the frame; not taken by a body, a loop or another frame.
        body : Name of the body; "world" is a body.
        at : Origin of the frame in the body frame [m].
        rotation : Rotation of the frame in the body frame: a matrix or a quaternion.

        >>> m = ps.Mechanism().add("arm", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Revolute((0, 1, 0)))
        >>> ps.dynamics.position(m.frame("tool", "arm", at=(0, 0, -1)), m.state(), "tool")
        array([ 0.,  0., -1.])
        """
        made = Frame(name, body, at, rotation)
        if not name.isprintable() or not name:
            raise ModelError(f"frame {show(name)}: a name has printable characters only, and at least one")
        if name in self._taken:
            raise ModelError(f"frame '{name}': the name is taken")
        if body != WORLD:
            self.link(body, f"frame '{name}'")
        self.frames.append(made)
        return self

    @property
    def _taken(self) -> set[str]:
        """Names of bodies, loops and frames, and of the world."""
        return {WORLD, *self.names, *self.frame_names, *(loop.name for loop in self.loops)}

    def apply(self, *forces: Force) -> "Mechanism":
        """Add `forces`, such as `Spring(...)` or `Torque(...)`, if they fit; return the mechanism."""
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
        """Add `loops`, such as `Loop("rod", "world", Revolute((0, 1, 0)))`; return the mechanism."""
        taken = self._taken
        for loop in loops:
            if not isinstance(loop, Loop):
                raise ModelError(f"expected Loop(a, b, joint), got {show(loop)}")
            for body in (loop.a, loop.b, *loop.joint.coupled):
                if body != WORLD:
                    self.link(body, loop.label)
            if loop.name in taken:
                raise ModelError(f"{loop.label}: the name is taken, give another one with name=")
            taken.add(loop.name)
        self.loops += loops
        return self

    def replace(
        self,
        name: str,
        body: Body | None = None,
        joint: Joint | None = None,
        at: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        body_at: Any = None,
    ) -> "Mechanism":
        """Change a body: its inertia, its joint or where they are; return the mechanism.

        `name`: name of the body; `body`, `joint`, `at`, `rotation`, `body_at`: as in `add`; what is not given
        stays.

        >>> m = ps.Mechanism().add("bob", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Spherical())
        >>> heavy = m.copy().replace("bob", body=ps.Body(2.0, (0.1, 0.1, 0.1)))
        >>> heavy.link("bob").body.mass, m.link("bob").body.mass
        (2.0, 1.0)
        """
        old = self.link(name, "replace")
        new = jointed_body(
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
        for force in (*self.forces, *self.control.forces):
            force.fits(trial)
        self.links = trial.links
        return self

    def replace_force(self, old: Force, new: Force) -> "Mechanism":
        """Put the force `new` in the place of `old`, which acts on this mechanism; return the mechanism.

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
        copy._cache = self._cache
        lists = {name: list(vars(self)[name]) for name in ("links", "forces", "loops", "frames")}
        same = ("gravity", "missing", "origin", "joint_names", "limits", "notes", "actuators", "starts")
        vars(copy).update({name: vars(self)[name] for name in same}, **lists)
        if self.control.forces:
            copy.control = self.control
        return copy

    def copy(self) -> "Mechanism":
        """Return a mechanism with the same bodies, joints, forces and loops, to be changed on its own."""
        return self.snapshot()

    def state(self, values: Mapping[str, Mapping[str, Any]] | None = None, time: float = 0.0) -> State:
        """Return a state from joint coordinates by name.

        Parameters
        ----------
        values : For each body by name its coordinates and velocities, by the names that its joint lists, such
            as `{"arm": dict(angle=0.1, rate=2.0)}`.  What is missing is zero, or no rotation.  The center of
            mass of a body is that of all that is welded to it.
        time : Time [s].

        >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
        >>> m.state({"arm": dict(angle=0.5)})
        State(time=0.0, q=array([0.5]), v=array([0.]))
        """
        if values is not None and not isinstance(values, Mapping):
            raise ModelError(f"state: expected {{name: dict(...)}}, got {show(values)}")
        given = dict(values or {})
        for name in given:
            self.link(name, "state")
        parts = [link.coordinates(given.get(name, {})) for name, link in self.rigid_links.items()]
        empty: list[Array] = [np.zeros(0)]
        q, v = (np.concatenate(empty + [part[k] for part in parts]) for k in (0, 1))
        return State(checks.number("state", "time", time), q, v)

    def live(
        self,
        start: State,
        method: str = "auto",
        *,
        step: float,
        controller: Any = None,
        events: Any = None,
        **options: Any,
    ) -> "Live":
        """Show the motion in a browser while it is computed: push it, change it, go back in time.

        The page is for this machine only.  A notebook shows it in place, and its kernel stays usable.

        Parameters
        ----------
        start, method, step, controller, events : as in `ps.simulate`
        **options : `port` of the page (0: any that is free; one that is taken: the next), `folder` for
            archives of what is recorded, `browser=False` to open none, `notebook`, the origin of a notebook
            that shows the page, and `wait=True` to wait until Ctrl-C

        >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
        >>> with m.live(m.state(), step=0.01, browser=False) as live:
        ...     live.state.time
        0.0
        """
        make = import_module("poinsot.live.live").show_mechanism
        found: Live = make(self, start, method, step, controller, events, **options)
        return found

    def to_urdf(self, *, name: str = "robot") -> str:
        """Return the mechanism as the text of a URDF file, as `ps.to_urdf` does; `name`: of the robot."""
        text: str = import_module("poinsot.robots.writing").to_urdf(self, name=name)
        return text

    def __str__(self) -> str:
        lines = [f"world, gravity {show(self.gravity)}", *tree_lines(self.links)]
        lines += [str(one) for one in (*self.frames, *self.loops)]
        lines += [f"force: {force.label}" for force in (*self.forces, *self.control.forces)]
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
        acting = (*self.forces, *self.control.forces)
        forces = "".join(html.tag("div", html.text(f"force: {force.label}")) for force in acting)
        loops = "".join(html.tag("div", html.text(str(loop))) for loop in self.loops)
        bodies = html.table(("body", "joint", "on", "mass", "principal moments"), rows)
        return f"<div>{html.text(f'Mechanism, gravity {show(self.gravity)}')}{bodies}{loops}{forces}</div>"

    def __repr__(self) -> str:
        return f"Mechanism({', '.join(self.names)})"

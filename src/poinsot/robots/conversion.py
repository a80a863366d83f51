"""A robot record as a mechanism: links on fixed joints become one body, and their names stay as frames.

    a link welded to another:   R = R_p R(joint) R(body),   r = r_p + R_p (at + R(joint) body_at)      (1)

The root link stands on the world, or floats on a Free joint called "base".  A link called "world" is the
world, and what is welded to it are fixed bodies.
"""

import warnings
from typing import Any, NamedTuple

import numpy as np

from poinsot.elementary.linear import eigh, norm, product
from poinsot.elementary.trigonometry import sincos
from poinsot.errors import ModelError
from poinsot.model.body import TRIANGLE, Body, PhysicsWarning, add_up
from poinsot.model.checks import Array, quaternion, show, suggestion
from poinsot.model.forces.applied import Wrench
from poinsot.model.forces.force import WORLD, Force
from poinsot.model.forces.joint import JointDamper, JointSpring
from poinsot.model.forces.stops import JointFriction, JointStop
from poinsot.model.forces.tendon import TendonDamper, TendonSpring
from poinsot.model.frame import Frame
from poinsot.model.inputs import Actuator, Servo
from poinsot.model.joints import Fixed, Free, Joint, Planar, Prismatic, Revolute, Spherical
from poinsot.model.link import MASSLESS, JointedBody, jointed_body
from poinsot.model.loops import Gear, Loop
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import compose, matrix
from poinsot.model.shapes.composite import Piece, Shapes
from poinsot.model.state import State
from poinsot.robots.findings import raise_errors
from poinsot.robots.record import (
    INFINITY,
    CouplingRecord,
    JointRecord,
    LinkRecord,
    LoopRecord,
    MotorRecord,
    RobotRecord,
    StartRecord,
)

EXACT = "exact"  # stops or friction
BASE = "base"
AXES = ("revolute", "prismatic")


class Seat(NamedTuple):
    """The body that carries a link, and the link in its frame."""

    body: str
    R: Array
    r: Array


class Whole(NamedTuple):
    """Links that are one body: mass, center of mass, inertia about it, and parts to draw."""

    mass: float
    center: Array
    inertia: Array
    parts: list[Piece]


def sort_joints(robot: RobotRecord) -> tuple[list[str], list[JointRecord]]:
    """Return the roots of a robot, and its joints from the roots outwards; mistakes become findings."""
    links = {link.name: link for link in robot.links}
    links.setdefault(WORLD, LinkRecord(WORLD, 0))
    above: dict[str, JointRecord] = {}
    below: dict[str, list[JointRecord]] = {}
    for joint in robot.joints:
        where = f"joint '{joint.name}'"
        missing = [one for one in (joint.parent, joint.child) if one and one not in links]
        for one in missing:
            hint = suggestion(one, links)
            robot.find("error", where, joint.line, "link", f"the link '{one}' does not exist{hint}")
        if joint.child in above:
            first = above[joint.child]
            text = f"the link '{joint.child}' already hangs on the joint '{first.name}'"
            robot.find("error", where, joint.line, "two parents", f"{text}: a loop is closed with ps.Loop")
        elif joint.child == WORLD:
            robot.find(
                "error",
                where,
                joint.line,
                "world",
                "the link 'world' is the world: it cannot hang on a joint",
            )
        elif not missing and joint.parent and joint.child:
            above[joint.child] = joint
            below.setdefault(joint.parent, []).append(joint)
    roots = [one.name for one in robot.links if one.name not in above]
    if WORLD in below and WORLD not in roots:
        roots.insert(0, WORLD)
    order: list[JointRecord] = []
    waiting = [joint for root in reversed(roots) for joint in reversed(below.get(root, []))]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting += reversed(below.get(joint.child, []))
    if len(order) < len(above):
        seen = {joint.name for joint in order}
        ring = next(joint for joint in above.values() if joint.name not in seen)
        text = "it is part of a ring of joints: a tree has none"
        robot.find("error", f"joint '{ring.name}'", ring.line, "cycle", text)
    return roots, order


def roots_of(robot: RobotRecord, base: str) -> tuple[list[str], list[JointRecord]]:
    """Return the roots and the sorted joints; with a free base, the link that floats is the only root."""
    roots, order = sort_joints(robot)
    many = [one for one in roots if one != WORLD]
    if len(many) > 1 or (many and WORLD in roots):
        text = (
            f"{len(roots)} links hang on no joint: {', '.join(show(one) for one in roots[:4])}; only one may"
        )
        line = next(link.line for link in robot.links if link.name == many[-1])
        robot.find("error", f"link '{many[-1]}'", line, "root", text)
    elif base == "free" and roots == [WORLD]:
        first = [joint for joint in order if joint.parent == WORLD]
        if len(first) == 1 and first[0].kind == "fixed":
            robot.note('the weld to the world, because base="free"')
            return [first[0].child], order[1:]
        if not (len(first) == 1 and first[0].kind == "free"):  # which floats already
            return [float_world(robot, first)], order
    return roots, order


def float_world(robot: RobotRecord, first: list[JointRecord]) -> str:
    """Make the link "world" of a file a link like others, which can float; return its name."""
    taken = {link.name for link in robot.links}
    name = BASE if BASE not in taken else next(x for k in range(99) if (x := f"{BASE} {k + 2}") not in taken)
    link = next((one for one in robot.links if one.name == WORLD), None)
    if link is None:
        robot.links.insert(0, LinkRecord(name, first[0].line if first else 0))
    else:
        link.name = name
    for joint in first:
        joint.parent = name
    robot.note(f"the link 'world' as the world: it floats, and is called '{name}'")
    return name


class Conversion:
    """The mechanism of a robot while it is made."""

    def __init__(
        self,
        robot: RobotRecord,
        base: str,
        stops: float | str | None = None,
        friction: float | str | None = None,
    ) -> None:
        self.robot, self.stops, self.friction = robot, stops, friction
        roots, self.order = roots_of(robot, base)
        raise_errors(robot.findings)
        self.links = {link.name: link for link in robot.links}
        self.seats: dict[str, Seat] = {WORLD: Seat(WORLD, np.eye(3), np.zeros(3))}
        self.joints: dict[str, JointRecord] = {}  # by the name of the body
        self.groups: dict[str, list[str]] = {}  # links of a body, by its name
        self.names: dict[str, str] = {}  # bodies by the name of a joint
        for root in roots:
            if root != WORLD:
                kind = "free" if base == "free" else "fixed"
                self._carry(JointRecord(BASE, self.links[root].line, kind, WORLD, root), root)
        if base == "free":
            self.names[BASE] = roots[0] if roots[0] != WORLD else self.order[0].child
        for joint in self.order:
            seat = self.seats[joint.parent]
            if joint.kind == "fixed" and seat.body != WORLD:
                R = product(seat.R, matrix(joint.rotation))
                r = seat.r + product(seat.R, joint.at) + product(R, joint.body_at)
                self.seats[joint.child] = Seat(seat.body, product(R, matrix(joint.body_rotation)), r)  # (1)
                self.groups[seat.body].append(joint.child)
            else:
                self._carry(joint, joint.child)
            if joint.name:
                self.names[joint.name] = self.seats[joint.child].body

    def _carry(self, joint: JointRecord, link: str) -> None:
        """Let a link be a body of its own on a joint."""
        self.seats[link] = Seat(link, np.eye(3), np.zeros(3))
        self.joints[link], self.groups[link] = joint, [link]

    def whole(self, body: str) -> Whole:
        """Return all links of a body as one."""
        parts, drawn = [], []
        for name in self.groups[body]:
            link, (_, R, r) = self.links[name], self.seats[name]
            parts.append((link.mass, r + product(R, link.center), R, link.inertia))
            turn = quaternion("link", "rotation", R)
            for one in link.parts:
                at, rotation = r + product(R, np.array(one.at)), compose(turn, np.array(one.rotation))
                drawn.append(one._replace(at=tuple(at.tolist()), rotation=tuple(rotation.tolist())))
        mass, center, J = add_up(parts)
        return Whole(mass, center, J, drawn)

    def body(self, name: str) -> Body:
        """Return the body of this name; an inertia that no body has is kept where it moves."""
        mass, center, J, parts = self.whole(name)
        moves = self.joints[name].kind != "fixed" or self.seats[self.joints[name].parent].body != WORLD
        shape = Shapes(parts, anchor=center) if parts else None
        if not mass and not (J.any() and moves):
            return Body(0.0, (0.0, 0.0, 0.0), center, shape) if parts else MASSLESS
        low, middle, high = eigh(J)[0].tolist()
        fits = mass > 0 and low >= 0 and high <= (low + middle) * (1 + TRIANGLE)
        if not moves and not fits:
            J = np.zeros((3, 3))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PhysicsWarning)  # `rules` says it by link and line
            return Body(mass, J, center, shape, physical=fits or not moves)

    def mechanism(self) -> Mechanism:
        """Return the mechanism."""
        robot, m = self.robot, Mechanism(self.robot.gravity)
        links: list[JointedBody] = []
        for name, joint in self.joints.items():
            where = f"{robot.file}:{joint.line}: "
            try:
                links.append(self.link(name, joint))
            except ModelError as error:
                raise ModelError(where + str(error)) from None
        m.links = links
        welded = [name for name, seat in self.seats.items() if seat.body != name]
        turns = (quaternion("frame", "rotation", self.seats[name].R) for name in welded)
        m.frames = [
            Frame(name, self.seats[name].body, self.seats[name].r, turn)
            for name, turn in zip(welded, turns, strict=True)
        ]
        m.forces = [force for name, joint in self.joints.items() for force in passive(name, joint)]
        m.forces += [force for name, joint in self.joints.items() for force in self.resist(name, joint)]
        m.forces += [force for link in robot.links if link.lift for force in self.lift(link)]
        for one in robot.tendons:
            arms = {self.names[joint]: c for joint, c in one.factors.items()}
            m.forces += [TendonSpring(arms, one.stiffness, one.length)] if one.stiffness else []
            m.forces += [TendonDamper(arms, one.damping)] if one.damping else []
        self.sites(m)
        m.close(*(self.loop(one) for one in robot.loops))
        m.close(*(self.gear(one) for one in robot.couplings if any(one.factors.values())))
        m.actuators = {one.name: self.motor(one) for one in robot.motors}
        m.starts = {one.name: self.start(m, one) for one in robot.starts}
        m.joint_names = dict(self.names)
        m.limits = {
            name: (joint.lower, joint.upper)
            for name, joint in self.joints.items()
            if joint.kind in AXES and (joint.lower > -INFINITY or joint.upper < INFINITY)
        }
        return m

    def resist(self, name: str, joint: JointRecord) -> list[Force]:
        """Return stops and friction of a joint, where the reader is asked for them."""
        found: list[Force] = []
        if joint.kind not in AXES:
            return found
        lower, upper = joint.lower, joint.upper
        if self.stops == EXACT and lower < upper and (lower > -INFINITY or upper < INFINITY):
            low, high = (None if abs(x) == INFINITY else x for x in (lower, upper))
            found.append(JointStop(name, low, high))
        elif isinstance(self.stops, float) and -INFINITY < lower < upper < INFINITY:
            found.append(JointStop(name, lower, upper, self.stops))
        if self.friction and joint.friction:
            speed = self.friction if isinstance(self.friction, float) else None
            found.append(JointFriction(name, joint.friction, speed))
        return found

    def lift(self, link: LinkRecord) -> list[Force]:
        """Return the force that carries a part of the weight of a link, at its center of mass."""
        seat = self.seats[link.name]
        if seat.body == WORLD or not link.mass:
            return []
        x, y, z = (-link.lift * link.mass * g for g in self.robot.gravity)

        def gravity_compensation(t, R, w, p, v):  # type: ignore[no-untyped-def]
            return 0.0, 0.0, 0.0, x, y, z

        return [Wrench(seat.body, gravity_compensation, at=seat.r + product(seat.R, link.center))]

    def sites(self, m: Mechanism) -> None:
        """Add the sites of the file as frames; one whose name is taken is called "site/name"."""
        taken = {*m.names, *(one.name for one in m.frames), WORLD}
        for one in self.robot.sites:
            name = one.name if one.name not in taken else f"site/{one.name}"
            if name not in taken and name.isprintable():
                body, R, r = self.seats[one.link]
                turn = quaternion("frame", "rotation", product(R, matrix(one.rotation)))
                m.frames.append(Frame(name, body, r + product(R, one.at), turn))
                taken.add(name)

    def loop(self, one: LoopRecord) -> Loop:
        """Return a loop between the bodies that carry two links."""
        a, b = self.seats[one.a], self.seats[one.b]
        turns = [
            quaternion("loop", "rotation", product(R, matrix(turn)))
            for R, turn in ((a.R, one.rotation_a), (b.R, one.rotation_b))
        ]
        at_a, at_b = a.r + product(a.R, one.at_a), b.r + product(b.R, one.at_b)
        joint = Spherical() if one.kind == "spherical" else Fixed()
        return Loop(a.body, b.body, joint, at_a, at_b, turns[0], turns[1], name=one.name)

    def gear(self, one: CouplingRecord) -> Loop:
        """Return the coupling of joints: the first follows the others, or is held if there are none."""
        joint, factor = next((name, x) for name, x in one.factors.items() if x)
        ratios = {self.names[name]: -x / factor for name, x in one.factors.items() if name != joint}
        body = next(iter(ratios), WORLD)
        connection = Gear(ratios.pop(body, 0.0), one.offset / factor, ratios or None)
        return Loop(self.names[joint], body, connection, name=f"{one.name} (gear)")

    def motor(self, one: MotorRecord) -> Actuator:
        """Return a motor, or a servo."""
        joint, limit = self.names[one.joint], one.bounds if one.bounds[1] < INFINITY else None
        if one.bias is None:
            return Actuator(joint, limit=limit)
        return Servo(joint, limit=limit, gain=one.gain, bias=one.bias)

    def start(self, m: Mechanism, one: StartRecord) -> State:
        """Return a start of the file: velocities of free joints are in space there, in body axes here."""
        q, v = np.zeros(m.lengths[0]), np.zeros(m.lengths[1])
        for joint, (x, u) in one.values.items():
            a, b = m.slices(self.names[joint])
            if len(x) == 7:
                u = np.concatenate([u[3:], product(matrix(x[3:]).T, u[:3])])
            q[a], v[b] = x, u
        return State(0.0, q, v)

    def link(self, name: str, joint: JointRecord) -> JointedBody:
        """Return a body with its joint, in the frame of the body that carries it."""
        seat = self.seats[joint.parent]
        at, turn = joint.at, matrix(joint.rotation)
        if joint.ref:
            axis = joint.axis / norm(joint.axis)
            if joint.kind == "prismatic":
                at = at - product(turn, joint.ref * axis)
            else:
                s, c = sincos(-joint.ref / 2)
                turn = product(turn, matrix(np.array([c, *(s * axis)])))
        place = seat.r + product(seat.R, at), quaternion("joint", "rotation", product(seat.R, turn))
        body_at = joint.body_at, joint.body_rotation
        return jointed_body(name, self.body(name), joint_of(joint), seat.body, *place, body_at)


def joint_of(joint: JointRecord) -> Joint:
    """Return the joint of a record."""
    match joint.kind:
        case "revolute":
            return Revolute(joint.axis, joint.armature)
        case "prismatic":
            return Prismatic(joint.axis, joint.armature)
        case "planar":
            return Planar(joint.axis)
        case "spherical":
            return Spherical(joint.armature)
        case "free":
            return Free(joint.armature)
    return Fixed()


def passive(name: str, joint: JointRecord) -> list[Force]:
    """Return the spring and the damper of a joint."""
    found: list[Force] = []
    if joint.damping and joint.kind != "fixed":
        found.append(JointDamper(name, joint.damping))
    if joint.stiffness and joint.kind in (*AXES, "spherical"):
        rest: Any = joint.rest_rotation if joint.kind == "spherical" else joint.rest
        found.append(JointSpring(name, joint.stiffness, rest))
    return found

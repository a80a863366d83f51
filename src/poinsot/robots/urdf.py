"""URDF files as records, with a line for every complaint.

    links     <inertial>: mass, center, inertia about it in axes that its <origin> rotates; none: no mass
    joints    revolute, continuous, prismatic, planar, floating, fixed; spherical as Bullet has it
              <origin>: xyz, and rpy with R = Rz(yaw) Ry(pitch) Rx(roll); <axis>: (1, 0, 0) if there is none
    shapes    <visual>, or <collision> of a link that has no visual

What a simulation cannot do without is an error; a limit, a shape or a color that cannot be read is left out.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.elementary.euler import quaternion_product
from poinsot.elementary.linear import product
from poinsot.elementary.trigonometry import sincos
from poinsot.errors import ModelError
from poinsot.model.checks import Array, show, suggestion
from poinsot.model.rotations import matrix
from poinsot.model.shapes.composite import Piece
from poinsot.model.shapes.mesh_file import MeshFile
from poinsot.model.shapes.solids import Box, Capsule, Cylinder, Solid, Sphere
from poinsot.robots.document import Element
from poinsot.robots.location import Locator
from poinsot.robots.record import INFINITY, CouplingRecord, JointRecord, LinkRecord, RobotRecord

KINDS = {  # of joints, and what they are here
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "planar": "planar",
    "spherical": "spherical",
    "floating": "free",
    "fixed": "fixed",
}
ONE_AXIS = ("revolute", "prismatic")
LARGEST = 1e100  # number: products such as m d2 are still numbers
INERTIA = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
QUIET = ("material", "link", "joint")  # children of <robot> that are read, or only colors
PASSED = {  # what is known and not simulated, and how a note calls it
    "safety_controller": "safety controllers",
    "calibration": "calibrations",
    "contact": "contact properties",
    "transmission": "transmissions",
    "gazebo": "gazebo elements",
    "ros2_control": "ros2_control elements",
    "sensor": "sensors",
    "collision": "collision shapes",
}


def quaternion_of_rpy(rpy: Array) -> Array:
    """Return the quaternion of R = Rz(yaw) Ry(pitch) Rx(roll)."""
    found = np.array([1.0, 0.0, 0.0, 0.0])
    for axis in (2, 1, 0):
        s, c = sincos(float(rpy[axis]) / 2)
        one = np.array([c, 0.0, 0.0, 0.0])
        one[1 + axis] = s
        found = quaternion_product(found, one)
    return np.asarray(found)


class UrdfReader:
    """Reads the elements of one file into a record."""

    def __init__(self, root: Element, path: Path, locator: Locator) -> None:
        self.root, self.locator = root, locator
        self.robot = RobotRecord(str(path), root.attributes.get("name", path.stem))
        self.mimics: list[tuple[JointRecord, Element]] = []
        self.known_links: dict[str, LinkRecord] = {}
        self.known_joints: dict[str, JointRecord] = {}

    def read(self) -> RobotRecord:
        """Return the record of the file."""
        for one in self.root.children:
            if one.name == "link":
                self.link(one)
            elif one.name == "joint":
                self.joint(one)
            elif one.name not in QUIET:
                self.pass_over(one)
        self.couple()
        if not self.robot.links:
            hint = "; only <deformable>" if self.root.first("deformable") else ""
            self.error("robot", self.root, "empty", f"no <link> in this file{hint}")
        return self.robot

    def error(self, where: str, at: Element, rule: str, message: str) -> None:
        self.robot.find("error", where, at.line, rule, message)

    def pass_over(self, one: Element) -> None:
        """Count an element that is not simulated."""
        self.robot.note(PASSED.get(one.name, f"<{one.name[:40]}> elements"))

    # numbers

    def numbers(self, where: str, one: Element, key: str, count: int, default: float | None) -> Array:
        """Return the numbers of an attribute; a wrong one is an error, and `default` stands in for it."""
        text, stand_in = one.attributes.get(key), np.full(count, 0.0 if default is None else default)
        if text is None:
            if default is None:
                self.error(where, one, "missing", f"<{one.name}> needs {key}=")
            return stand_in
        problem, found = parse_numbers(text, count)
        if problem:
            self.error(where, one, "number", f"<{one.name} {key}={show(text)}>: {problem}")
            return stand_in
        return found

    def number(self, where: str, one: Element | None, key: str, default: float) -> float:
        """Return a number that a simulation can do without: a wrong one is a warning."""
        if one is None or key not in one.attributes:
            return default
        problem, found = parse_numbers(one.attributes[key], 1)
        if problem:
            text = f"<{one.name} {key}={show(one.attributes[key])}>: {problem}; it is left out"
            self.robot.find("warning", where, one.line, "number", text)
            return default
        return float(found[0])

    def pose(self, where: str, parent: Element) -> tuple[Array, Array]:
        """Return origin and quaternion of the <origin> of an element."""
        one = self.single(where, parent, "origin")
        if one is None:
            return np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
        at, rpy = (self.numbers(where, one, key, 3, 0.0) for key in ("xyz", "rpy"))
        return at, quaternion_of_rpy(rpy)

    def single(self, where: str, parent: Element, name: str) -> Element | None:
        """Return the only child of this name; a second one is an error."""
        found = list(parent.all(name))
        if len(found) > 1:
            self.error(where, found[1], "twice", f"a second <{name}>: only one is allowed")
        return found[0] if found else None

    def name_of(self, one: Element, known: Mapping[str, Any]) -> str:
        name = one.attributes.get("name", "")
        if not name or not name.isprintable():
            self.error(
                f"<{one.name}>", one, "name", f"needs a name of printable characters, got {show(name)}"
            )
        elif name in known:
            self.error(f"{one.name} '{name}'", one, "name", f"the name is taken by another {one.name}")
        return name or f"{one.name}{len(known)}"

    # links

    def link(self, one: Element) -> None:
        link = LinkRecord(self.name_of(one, self.known_links), one.line)
        where = f"link '{link.name}'"
        self.known_links[link.name] = link
        inertial = self.single(where, one, "inertial")
        if inertial is not None:
            self.inertial(where, link, inertial)
        drawn = list(one.all("visual")) or list(one.all("collision"))
        for shape in drawn:
            self.shape(where, link, shape)
        for other in one.children:
            if other.name not in ("inertial", "visual"):
                self.pass_over(other)
        self.robot.links.append(link)

    def inertial(self, where: str, link: LinkRecord, one: Element) -> None:
        link.line = one.line
        at, rotation = self.pose(where, one)
        mass, inertia = self.single(where, one, "mass"), self.single(where, one, "inertia")
        if mass is None:
            self.robot.find("remark", where, one.line, "no mass", "<inertial> without <mass>: taken as 0")
        else:
            link.mass = float(self.numbers(where, mass, "value", 1, None)[0])
        if link.mass < 0:
            self.error(where, mass or one, "mass", f"a mass must not be negative, got {show(link.mass)}")
            link.mass = 0.0
        link.center = at
        if inertia is not None:
            xx, xy, xz, yy, yz, zz = (
                float(self.numbers(where, inertia, key, 1, 0.0 if key in ("ixy", "ixz", "iyz") else None)[0])
                for key in INERTIA
            )
            R = matrix(rotation)
            link.inertia = product(R, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), R.T)

    def shape(self, where: str, link: LinkRecord, one: Element) -> None:
        geometry = one.first("geometry")
        kind = geometry.children[0] if geometry is not None and geometry.children else None
        if kind is None:
            return
        count = len(self.robot.findings)
        at, rotation = self.pose(where, one)
        try:
            made = self.solid(where, kind)
        except ModelError as error:
            made = None
            self.robot.find("warning", where, kind.line, "shape", f"{error}: it is not drawn")
        for i in range(count, len(self.robot.findings)):  # a shape does not stop a simulation
            found = self.robot.findings[i]
            if found.level == "error":
                self.robot.findings.pop(i)
                self.robot.find("warning", where, found.line, "shape", f"{found.message}: it is not drawn")
                return
        if made is not None:
            link.parts.append(Piece(made, tuple(at.tolist()), tuple(rotation.tolist()), mass=1.0))

    def solid(self, where: str, kind: Element) -> Solid | None:
        """Return the shape of a child of <geometry>."""

        def number(key: str) -> float:
            return float(self.numbers(where, kind, key, 1, None)[0])

        makers: dict[str, Callable[[], Solid | None]] = {
            "box": lambda: Box(self.numbers(where, kind, "size", 3, None)),
            "cylinder": lambda: Cylinder(number("radius"), number("length")),
            "sphere": lambda: Sphere(number("radius")),
            "capsule": lambda: Capsule(number("radius"), number("length")),
            "mesh": lambda: self.mesh(where, kind),
        }
        if kind.name not in makers:
            self.robot.note(f"<{kind.name[:40]}> shapes")
            return None
        return makers[kind.name]()

    def mesh(self, where: str, kind: Element) -> Solid | None:
        name = kind.attributes.get("filename", "")
        scale = self.numbers(where, kind, "scale", 3, 1.0)
        found = self.locator.find(name)
        if found is None:
            self.robot.find("remark", where, kind.line, "mesh", f"the mesh '{name}' is not found")
            return None
        return MeshFile(str(found), scale)

    # joints

    def joint(self, one: Element) -> None:
        name = self.name_of(one, self.known_joints)
        where, given = f"joint '{name}'", one.attributes.get("type", "")
        kind = KINDS.get(given, "")
        if not kind:
            hint = suggestion(given, KINDS) or f": one of {', '.join(KINDS)}"
            self.error(where, one, "type", f"unknown type {show(given)}{hint}")
        ends = []
        for end in ("parent", "child"):
            found = self.single(where, one, end)
            ends.append(found.attributes.get("link", "") if found is not None else "")
            if not ends[-1]:
                self.error(where, one, "missing", f"needs <{end} link=...>")
        at, rotation = self.pose(where, one)
        joint = JointRecord(name, one.line, kind or "fixed", ends[0], ends[1], at, rotation)
        self.known_joints[name] = joint
        axis = self.single(where, one, "axis")
        if axis is not None and kind in (*ONE_AXIS, "planar"):
            joint.axis = self.numbers(where, axis, "xyz", 3, None)
            if not joint.axis.any():
                self.error(where, axis, "axis", "the axis has length 0")
                joint.axis = np.array([1.0, 0.0, 0.0])
        self.limits(where, joint, one, given)
        if kind != "fixed":
            self.dynamics(where, joint, one.first("dynamics"))
        for other in one.children:
            if other.name in PASSED:
                self.pass_over(other)
        mimic = one.first("mimic")
        if mimic is not None:
            self.mimics.append((joint, mimic))
        self.robot.joints.append(joint)

    def dynamics(self, where: str, joint: JointRecord, one: Element | None) -> None:
        """Read what resists a motion; a negative number, which would push, is left out."""
        for key in ("damping", "friction"):
            value = self.number(where, one, key, 0.0)
            if value < 0 and one is not None:
                text = f"{key} must not be negative, got {show(value)}: it is left out"
                self.robot.find("warning", where, one.line, "dynamics", text)
            setattr(joint, key, max(value, 0.0))

    def limits(self, where: str, joint: JointRecord, one: Element, given: str) -> None:
        """Read the limits; a revolute joint from 0 to 0 has none, as other readers have it."""
        limit = one.first("limit")
        if limit is None:
            if given in ("revolute", "prismatic"):
                self.robot.find("remark", where, one.line, "limit", "no <limit>: it moves without end")
            return
        joint.effort = self.number(where, limit, "effort", INFINITY)
        joint.speed = self.number(where, limit, "velocity", INFINITY)
        if given not in ("revolute", "prismatic"):
            return
        if not {"lower", "upper"} & set(limit.attributes):
            self.robot.find("remark", where, limit.line, "limit", "no lower and upper: it moves without end")
            return
        lower, upper = (self.number(where, limit, key, 0.0) for key in ("lower", "upper"))
        if lower == upper == 0:
            self.robot.find("remark", where, limit.line, "limit", "from 0 to 0: taken as no limit")
        elif lower > upper:
            text = f"the lower limit {show(lower)} lies above the upper one {show(upper)}: exchange them"
            self.robot.find("warning", where, limit.line, "limit", text)
        else:
            joint.lower, joint.upper = lower, upper

    def couple(self) -> None:
        """Turn mimics into couplings: q - multiplier * leader = offset."""
        for joint, one in self.mimics:
            where, leader = f"joint '{joint.name}'", one.attributes.get("joint", "")
            factor = float(self.numbers(where, one, "multiplier", 1, 1.0)[0])
            offset = float(self.numbers(where, one, "offset", 1, 0.0)[0])
            other = self.known_joints.get(leader)
            if other is None:
                hint = suggestion(leader, self.known_joints)
                self.error(where, one, "mimic", f"mimics the joint '{leader}', which does not exist{hint}")
            elif joint.kind == "fixed":
                text = f"it is fixed: that it mimics '{leader}' means nothing"
                self.robot.find("remark", where, one.line, "mimic", text)
            elif joint.kind not in ONE_AXIS or other.kind not in (*ONE_AXIS, "fixed") or other is joint:
                text = f"cannot mimic '{leader}': both must be joints of one axis, and not the same"
                self.error(where, one, "mimic", text)
            else:
                factors = {joint.name: 1.0} | ({leader: -factor} if other.kind != "fixed" else {})
                self.robot.couplings.append(CouplingRecord(joint.name, one.line, factors, offset))


def parse_numbers(text: str, count: int) -> tuple[str, Array]:
    """Return what is wrong with a text of `count` finite numbers, empty if nothing is, and the numbers."""
    words, none = text.split(), np.zeros(count)
    if "$(" in text or "${" in text:
        return "xacro is not expanded: convert the file with xacrodoc (pip install xacrodoc)", none
    if "," in text:
        return "commas are not allowed: separate numbers by blanks", none
    try:
        if "_" in text:
            raise ValueError
        found = np.array([float(word) for word in words])
    except ValueError:
        return "not a number" if count == 1 else f"must be {count} numbers", none
    if len(found) != count:
        return f"must be {count} number{'s' * (count > 1)}, got {len(found)}", none
    good = (np.abs(found) <= LARGEST).all()  # and no NaN
    return ("", found) if good else (f"must be finite, and at most {LARGEST:g}", none)

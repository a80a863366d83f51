"""A mechanism as the text of a URDF file.

URDF puts the frame of a link at its joint, so that the frame of a body with `body_at` is a link of its own on
a fixed joint.  Bodies, joints with one axis, Spherical, Free and Planar joints, Fixed joints, joint dampers,
limits, frames, boxes, cylinders, spheres, capsules and mesh files can be written.  Other shapes are left out;
what else cannot be written is an error.
"""

from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.forces.force import WORLD
from poinsot.model.forces.joint import JointDamper
from poinsot.model.forces.stops import JointFriction
from poinsot.model.joints import Fixed, Free, Joint, Planar, Prismatic, Revolute, Spherical
from poinsot.model.link import JointedBody
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.shapes.composite import Piece, Shapes
from poinsot.model.shapes.mesh_file import MeshFile
from poinsot.model.shapes.solids import Box, Capsule, Cylinder, Sphere
from poinsot.robots.urdf import quaternion_of_rpy

KINDS = {Fixed: "fixed", Free: "floating", Planar: "planar", Spherical: "spherical", Prismatic: "prismatic"}


def to_urdf(mechanism: Mechanism, *, name: str = "robot") -> str:
    """Return a mechanism as the text of a URDF file; a ModelError names what such a file cannot hold.

    `mechanism`: the mechanism; `name`: name of the robot.  Gravity, loops, armatures and forces other than
    joint dampers and friction have no place in URDF; shapes that it does not know are left out.

    >>> m = ps.Mechanism().add("arm", ps.Body(1.0, (1, 1, 1)), ps.Revolute((0, 1, 0)), at=(0, 0, 1))
    >>> ps.to_urdf(m).splitlines()[1]
    '  <link name="world"/>'
    """
    m = checks.mechanism("to_urdf", mechanism)
    refuse(m)
    lines = [f"<robot name={quoteattr(checks.text('to_urdf', 'name', name))}>", f'  <link name="{WORLD}"/>']
    joints = {body: joint for joint, body in reversed(m.joint_names.items())}
    taken = {*m.names, *m.frame_names}
    for link in m.links:
        lines += _link(link, joints.get(link.name, link.name), m, taken)
    for frame in m.frames:
        lines += [f"  <link name={quoteattr(frame.name)}/>"]
        lines += _joint(
            f"{frame.name} (frame)", "fixed", frame.body, frame.name, frame.at, frame.rotation, ""
        )
    return "\n".join([*lines, "</robot>", ""])


def refuse(m: Mechanism) -> None:
    """Raise a ModelError if a URDF file cannot hold the mechanism."""
    for link in m.links:
        armature = getattr(link.joint, "armature", 0.0)
        if (type(link.joint) not in KINDS and not isinstance(link.joint, Revolute)) or armature:
            what = "an armature" if armature else str(link.joint)
            raise ModelError(f"to_urdf: URDF has no place for {what} of '{link.name}'")
    for force in m.forces:
        if not isinstance(force, JointDamper | JointFriction) or np.size(getattr(force, "damping", 0.0)) > 1:
            raise ModelError(f"to_urdf: URDF has no place for the {force.label}")
    if m.loops:
        raise ModelError(f"to_urdf: URDF has no place for the {m.loops[0].label}")


def _numbers(x: Array) -> str:
    return " ".join(repr(float(one)) for one in x)


def rpy_of(R: Array) -> Array:
    """Return roll, pitch and yaw of a rotation R = Rz Ry Rx; at a pitch of a quarter turn roll is zero."""
    across = np.hypot(R[0, 0], R[1, 0])
    pitch = np.arctan2(-R[2, 0], across)
    if across < 1e-9:
        return np.array([0.0, pitch, np.arctan2(-R[0, 1], R[1, 1])])
    return np.array([np.arctan2(R[2, 1], R[2, 2]), pitch, np.arctan2(R[1, 0], R[0, 0])])


def _origin(at: Array, rotation: Array) -> str:
    rpy = rpy_of(matrix(rotation))
    assert np.abs(matrix(quaternion_of_rpy(rpy)) - matrix(rotation)).max() < 1e-8, "angles of the rotation"
    return f'<origin xyz="{_numbers(at)}" rpy="{_numbers(rpy)}"/>'


def _joint(name: str, kind: str, parent: str, child: str, at: Array, rotation: Array, more: str) -> list[str]:
    return [
        f'  <joint name={quoteattr(name)} type="{kind}">',
        f"    {_origin(at, rotation)}{more}",
        f"    <parent link={quoteattr(parent)}/><child link={quoteattr(child)}/>",
        "  </joint>",
    ]


def _link(link: JointedBody, joint: str, m: Mechanism, taken: set[str]) -> list[str]:
    """Return a body, its joint, and a link between them if the body is not at its joint."""
    inside = [*_inertial(link.body), *_visuals(link.body)]
    lines = [f"  <link name={quoteattr(link.name)}>", *inside, "  </link>"]
    low, high = m.limits.get(link.name, (-np.inf, np.inf))
    bounded = bool(np.isfinite([low, high]).all())
    child, moved = link.name, bool(link.body_at.any() or link.body_rotation[1:].any())
    if moved:
        child = next(x for x in (f"{link.name} (joint)" + "'" * k for k in range(99)) if x not in taken)
        taken.add(child)
        lines = [f"  <link name={quoteattr(child)}/>", *lines]
    kind = KINDS.get(type(link.joint)) or ("revolute" if bounded else "continuous")
    more = _more(link.joint, link.name, m)
    if bounded:
        more += f'<limit lower="{low!r}" upper="{high!r}" effort="0" velocity="0"/>'
    lines += _joint(joint, kind, link.parent, child, link.at, link.rotation, more)
    if moved:
        weld = f"{link.name} (weld)"
        lines += _joint(weld, "fixed", child, link.name, link.body_at, link.body_rotation, "")
    return lines


def _geometry(shape: Any) -> str:
    """Return a shape as a child of <geometry>; empty if URDF has none."""
    match shape:
        case Box():
            return f'<box size="{_numbers(np.array(shape.size))}"/>'
        case Cylinder():
            return f'<cylinder radius="{shape.radius!r}" length="{shape.length!r}"/>'
        case Sphere():
            return f'<sphere radius="{shape.radius!r}"/>'
        case Capsule():
            return f'<capsule radius="{shape.radius!r}" length="{shape.length!r}"/>'
        case MeshFile():
            return f'<mesh filename={quoteattr(shape.path)} scale="{_numbers(np.array(shape.scale))}"/>'
    return ""


def _visuals(body: Body) -> list[str]:
    """Return the shapes of a body where they are drawn: the center of the whole lies in that of the mass."""
    shape: Any = body.shape
    if shape is None:
        return []
    alone = Piece(shape, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    pieces = shape.parts if isinstance(shape, Shapes) else [alone]
    move = body.center_of_mass - shape.center
    return [
        f"    <visual>{_origin(one.at + move, np.array(one.rotation))}<geometry>{text}</geometry></visual>"
        for one in pieces
        if (text := _geometry(one.shape))
    ]


def _more(joint: Joint, name: str, m: Mechanism) -> str:
    axis = f'<axis xyz="{_numbers(np.array(joint.axes[0]))}"/>' if joint.axes else ""
    own = [force for force in m.forces if getattr(force, "joint", "") == name]
    damping = sum(float(force.damping) for force in own if isinstance(force, JointDamper))
    friction = sum(force.friction for force in own if isinstance(force, JointFriction))
    if not damping and not friction:
        return axis
    return f'{axis}<dynamics damping="{damping!r}" friction="{friction!r}"/>'


def _inertial(body: Body) -> list[str]:
    if not body.mass and not body.inertia.any():
        return []
    J = product(body.inertia, np.eye(3))
    parts = " ".join(f'i{"xyz"[i]}{"xyz"[j]}="{float(J[i, j])!r}"' for i in range(3) for j in range(i, 3))
    place = f'<origin xyz="{_numbers(body.center_of_mass)}"/><mass value="{body.mass!r}"/>'
    return [f"    <inertial>{place}<inertia {parts}/></inertial>"]

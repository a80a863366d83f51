"""The choice of the method that runs a mechanism, and of the system that it runs on."""

from dataclasses import dataclass

from poinsot.compile.cache import cache_of, tree_for
from poinsot.compile.catalogue import by_name
from poinsot.compile.layout import can_run
from poinsot.compile.modes import ModeTree
from poinsot.compile.one_body import single, torque_free
from poinsot.compile.system import CompiledMechanism
from poinsot.core.methods import ALL
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError
from poinsot.model.forces.applied import Applied
from poinsot.model.forces.drive import Drive
from poinsot.model.forces.force import Force
from poinsot.model.forces.impulse import Impulse
from poinsot.model.forces.stops import ModeJoint, mode_joints
from poinsot.model.joints import Free, Spherical
from poinsot.model.mechanism import Mechanism


@dataclass(frozen=True, eq=False)
class Traits:
    """Properties of a mechanism that the choice of a method depends on."""

    mechanism: Mechanism
    single: bool  # one body on a Spherical or Free joint
    reading: list[Force]  # forces that depend on the velocity
    workers: list[Force]  # forces without a potential
    drives: list[Drive]
    modes: list[ModeJoint]  # joints with hard stops or exact friction

    @classmethod
    def of(cls, mechanism: Mechanism) -> "Traits":
        """Return the traits of a mechanism."""
        acting: list[Force] = [*mechanism.forces, *mechanism.control.forces]
        acting = [force for force in acting if not isinstance(force, Impulse | Drive)]
        return cls(
            mechanism,
            single(mechanism),
            [force for force in acting if force.reads_velocity],
            [force for force in acting if not force.conservative],
            [force for force in mechanism.forces if isinstance(force, Drive)],
            mode_joints(mechanism),
        )

    @property
    def torque_free(self) -> bool:
        """A single body without any torque."""
        return self.single and torque_free(self.mechanism)


def objection(method: Method, mechanism: Mechanism) -> str:
    """Return why this method cannot run this mechanism; empty if it can."""
    return _objection(method, Traits.of(mechanism))


def _objection(method: Method, traits: Traits) -> str:
    mechanism = traits.mechanism
    if method.tree is None and not traits.single:
        return f"is for one body on a Spherical or Free joint, and this is {_describe(mechanism)}"
    contact = next((loop for loop in mechanism.loops if loop.joint.contact), None)
    gear = next((loop for loop in mechanism.loops if loop.joint.couples_joints), None)
    if gear is not None and not (method.contacts or method.loops):
        return f"cannot couple joints, and there is {gear.label}"
    if contact is not None and not method.contacts:
        return f"cannot keep a body rolling or gliding, and there is {contact.label}"
    if mechanism.loops and not (contact or gear or traits.modes) and not method.loops:
        return f"cannot keep loops closed, and there is {mechanism.loops[0].label}"
    if traits.modes and not method.contacts:
        return f"cannot hold joints at hard stops or by exact friction, and '{traits.modes[0].name}' has such"
    if method.scope == "free" and not traits.torque_free:
        return "solves free motion only, and a torque acts here"
    if traits.reading and not method.velocity_forces:
        return f"needs forces that do not depend on the velocity, and {traits.reading[0].label} reads w or v"
    for drive in traits.drives:
        kernel, joint = method.tree_kernel(loops=True), mechanism.link(drive.joint).joint
        if kernel is None or not kernel.drives:
            return f"cannot move a joint as a function of time, and there is {drive.label}"
        if not can_run(kernel.drivable, joint):
            return f"cannot drive a {type(joint).__name__} joint, and there is {drive.label}"
    joints = method.tree.joints if method.tree is not None else None
    if joints is not None:
        for link in mechanism.links:
            if not can_run(joints, link.joint):
                return f"cannot run a {type(link.joint).__name__} joint, and '{link.name}' has one"
            if link.joint.nv > 1 and getattr(link.joint, "armature", 0.0) > 0.0:
                kind = type(link.joint).__name__
                return f"cannot run the armature of a {kind} joint, and '{link.name}' has one"
    return ""


def _describe(mechanism: Mechanism) -> str:
    n = len(mechanism.links)
    acting = (*mechanism.forces, *mechanism.control.forces)
    other = [force for force in acting if not isinstance(force, Applied | Impulse)]
    if n == 1 and isinstance(mechanism.links[0].joint, Free | Spherical) and other:
        return f"a body with a {other[0].label}"
    return (
        f"a body on a {type(mechanism.links[0].joint).__name__} joint" if n == 1 else f"a tree of {n} bodies"
    )


def choose(name: str | Method, mechanism: Mechanism) -> tuple[Method, str]:
    """Return the method, and the reason for it if the name is "auto"."""
    return _choose(name, Traits.of(mechanism))


def _choose(name: str | Method, traits: Traits) -> tuple[Method, str]:
    if isinstance(name, str) and name == "auto":
        return _advise(traits)
    method = by_name(name)
    why = _objection(method, traits)
    if why:
        able = [other.name for other in ALL if not other.variant and not _objection(other, traits)]
        raise ScenarioError(f"method '{name}' {why}: use {', '.join(able) or 'none: there is no method'}")
    return method, ""


def _advise(traits: Traits) -> tuple[Method, str]:
    """Return the method that the measurements recommend (docs/methods.md), and the reason."""
    if any(loop.joint.contact for loop in traits.mechanism.loops):
        return by_name("gauss3"), "auto: keeps contacts, which are constraints of velocities"
    if any(loop.joint.couples_joints for loop in traits.mechanism.loops):
        return by_name("gauss3"), "auto: couples joints"
    if traits.modes:
        return by_name("gauss3"), "auto: holds joints at hard stops and by exact friction"
    if traits.mechanism.loops:
        return by_name("variational"), "auto: keeps loops closed"
    if not traits.single and traits.workers:
        return by_name(
            "gauss3"
        ), f"auto: {traits.workers[0].label} has no potential, there is no energy to keep"
    if not traits.single and not _objection(by_name("sgauss3"), traits):
        return by_name("sgauss3"), "auto: all forces have a potential, and the method keeps the energy"
    if not traits.single:
        return by_name("gauss3"), "auto: takes any joint and any force"
    if traits.reading:
        return by_name("cf4"), f"auto: {traits.reading[0].label} depends on the velocity"
    if traits.workers:
        return by_name("cf4"), f"auto: {traits.workers[0].label} has no potential, there is no energy to keep"
    return by_name("srkn4"), "auto: all forces have a potential, and the method keeps the energy"


def system_for(mechanism: Mechanism, name: str | Method = "auto") -> tuple[CompiledMechanism, Method, str]:
    """Return the system, the method that runs it, and the reason for it if the name is "auto".
    The system is one body where mechanism and method allow it (faster), else a tree."""
    traits = Traits.of(mechanism)
    method, reason = _choose(name, traits)
    if traits.single and method.body is not None:
        return cache_of(mechanism).one_body(), method, reason
    joints = method.tree.joints if method.tree is not None else None
    tree = tree_for(mechanism, joints=joints)
    return ModeTree(tree) if traits.modes else tree, method, reason

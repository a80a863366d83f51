"""Which method runs a mechanism: the one asked for if it can, or a good one."""

from poinsot.compile.one_body import compile_body, single
from poinsot.core.methods import ALL
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError
from poinsot.model.checks import suggestion
from poinsot.model.forces.applied import Applied, Force, Impulse
from poinsot.model.joint import Free, Spherical
from poinsot.model.mechanism import Mechanism


def by_name(name: str) -> Method:
    """The method of this name, or a ScenarioError that knows what was meant."""
    for method in ALL:
        if method.name == name:
            return method
    names = [method.name for method in ALL]
    hint = suggestion(str(name), names) or f": one of {', '.join(names)}"
    raise ScenarioError(f"unknown method {name!r}{hint}")


def objection(method: Method, mechanism: Mechanism) -> str:
    """Why this method cannot run this mechanism; empty if it can."""
    if method.tree is None and not single(mechanism):
        return f"is for one body on a Spherical or Free joint, and this is {_described(mechanism)}"
    if mechanism.loops and not method.loops:
        return f"cannot keep loops closed, and there is {mechanism.loops[0].label}"
    if method.scope == "free" and not compile_body(mechanism).torque_free:
        return "solves free motion only, and a torque acts here"
    reading = _reading_velocity(mechanism)
    if reading and not method.velocity_forces:
        return f"needs forces that do not depend on the velocity, and {reading[0].label} reads w or v"
    return ""


def _described(mechanism: Mechanism) -> str:
    n = len(mechanism.links)
    other = [force for force in mechanism.forces if not isinstance(force, Applied | Impulse)]
    if n == 1 and isinstance(mechanism.links[0].joint, Free | Spherical) and other:
        return f"a body with a {other[0].label}"
    return (
        f"a body on a {type(mechanism.links[0].joint).__name__} joint" if n == 1 else f"a tree of {n} bodies"
    )


def _acting(mechanism: Mechanism) -> list[Force]:
    return [force for force in mechanism.forces if not isinstance(force, Impulse)]


def _reading_velocity(mechanism: Mechanism) -> list[Force]:
    return [force for force in _acting(mechanism) if force.reads_velocity]


def chosen(name: str, mechanism: Mechanism) -> tuple[Method, str]:
    """The method, and why it was chosen if the choice was ours."""
    if name != "auto":
        method = by_name(name)
        why = objection(method, mechanism)
        if why:
            able = [other.name for other in ALL if not other.variant and not objection(other, mechanism)]
            raise ScenarioError(f"method '{name}' {why}: use {', '.join(able) or 'none: there is no method'}")
        return method, ""
    return advised(mechanism)


def advised(mechanism: Mechanism) -> tuple[Method, str]:
    """The method that the measurements speak for (docs/methods.md), and why."""
    if mechanism.loops:
        return by_name("variational"), "auto: keeps loops closed"
    if not single(mechanism):
        return by_name("gauss3"), "auto: keeps the energy of a mechanism, at any joint and with any force"
    reading = _reading_velocity(mechanism)
    if reading:
        return by_name("cf4"), f"auto: {reading[0].label} depends on the velocity"
    workers = [force for force in _acting(mechanism) if not force.conservative]
    if workers:
        return by_name("cf4"), f"auto: {workers[0].label} has no potential, there is no energy to keep"
    return by_name("srkn4"), "auto: nothing here takes energy away, so it can be kept"


def methods() -> list[Method]:
    """Every method, as a record that describes itself."""
    return list(ALL)

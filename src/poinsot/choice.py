"""Which method runs a mechanism: the one asked for if it can, or a good one."""

from poinsot.core.methods import ALL
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError
from poinsot.model.checks import suggestion
from poinsot.model.compile import OneBody


def by_name(name: str) -> Method:
    """The method of this name, or a ScenarioError that knows what was meant."""
    for method in ALL:
        if method.name == name:
            return method
    names = [method.name for method in ALL]
    hint = suggestion(str(name), names) or f": one of {', '.join(names)}"
    raise ScenarioError(f"unknown method {name!r}{hint}")


def objection(method: Method, body: OneBody) -> str:
    """Why this method cannot run this body; empty if it can."""
    if method.scope == "free" and not body.torque_free:
        return "solves free motion only, and a torque acts here"
    reading = body.reading_velocity
    if reading and not method.velocity_forces:
        return f"needs forces that do not depend on the velocity, and {reading[0].label} reads w or v"
    return ""


def chosen(name: str, body: OneBody) -> tuple[Method, str]:
    """The method, and why it was chosen if the choice was ours."""
    if name != "auto":
        method = by_name(name)
        why = objection(method, body)
        if why:
            able = [other.name for other in ALL if not objection(other, body)]
            raise ScenarioError(f"method '{name}' {why}: use {', '.join(able)}")
        return method, ""
    return advised(body)


def advised(body: OneBody) -> tuple[Method, str]:
    """The method that the measurements speak for (docs/methods.md), and why."""
    if body.reading_velocity:
        return by_name("cf4"), f"auto: {body.reading_velocity[0].label} depends on the velocity"
    if body.workers:
        return by_name("cf4"), f"auto: {body.workers[0].label} has no potential, there is no energy to keep"
    return by_name("srkn4"), "auto: nothing here takes energy away, so it can be kept"


def methods() -> list[Method]:
    """Every method, as a record that describes itself."""
    return list(ALL)

"""The numbers of a scenario as sliders: which there are, their ranges, and the scenario with another number.

A slider is a parameter of `ps.scenario` (a path), or a component of one.  Rotations are shown as the angles
of the sequence ZYX.  Ranges follow from the values: what cannot be negative goes from a tenth to ten times
its value, on a logarithmic scale; the table [live] of a scenario file may say otherwise.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from poinsot.elementary.euler import angles
from poinsot.errors import ModelError, ScenarioError
from poinsot.formats.data import plain_force
from poinsot.formats.scenario_file.fields import BODY, COORDINATES, FORCES
from poinsot.formats.scenario_file.kinds import Quantity
from poinsot.lie import quaternion
from poinsot.model import checks
from poinsot.scenario.builder import rotation
from poinsot.scenario.files import scenario_from_text, to_toml
from poinsot.scenario.scenario import Scenario, gallery, recipe_data, scenario
from poinsot.scenario.values import check_values

SEQUENCE = "ZYX"
TURN = ("yaw", "pitch", "roll")
XYZ = ("x", "y", "z")
POSITIVE = ("mass", "density", "inertia", "step", "period", "stiffness", "damping")
WIDE = 10.0  # factor from the value to the ends of a logarithmic range
LENGTHS = ("at", "body_at", "center_of_mass")
OWN_UNITS = {"period": "s", "target": "m"}  # of the settings of controllers
RESTART = ("start", "time")  # groups whose numbers begin the motion anew


@dataclass(frozen=True)
class Slider:
    """A number that can be changed; the fields are those of the protocol (`messages`)."""

    path: str
    index: int | None
    label: str
    unit: str
    value: float
    low: float
    high: float
    log: bool
    whole: bool
    restart: bool
    panel: str


class Parameters:
    """A scenario, and the numbers that it is made of.

    `given`: the scenario that was started, whose controller and events are used if the data have none.
    """

    def __init__(self, given: Scenario) -> None:
        self.given = given
        origin = given.mechanism.origin or {}
        self.text = origin.get("text") if origin.get("name") == given.name else None
        self.of_gallery = self.text is None and given.name in gallery()
        self.name = given.name
        if not self.of_gallery and self.text is None:
            self.text, self.name = _text_of(given), "live.toml"
        self.scenario = given
        self._known: list[Slider] | None = None

    @property
    def data(self) -> Mapping[str, Any]:
        """The data of the scenario as it is now: tables by name, numbers in SI units."""
        parameters = self.scenario.parameters
        if self.of_gallery:
            one, data = recipe_data(self.name, parameters)
            options = {key: parameters.get(key, x) for key, x in one.options.items()}
            return {**data, "options": options}
        if self.text is not None:
            return check_values(self.name, self.text, parameters)[0]
        return {"step": self.scenario.step}

    def with_value(self, path: str, index: int | None, value: float) -> "Parameters":
        """Return the scenario with another number; a PoinsotError says why there is none."""
        known = {(one.path, one.index): one for one in self.sliders()}
        if (path, index) not in known:
            raise ScenarioError(f"there is no number '{path}'{'' if index is None else f' [{index}]'}")
        new: Any = round(value) if known[path, index].whole else float(value)
        if index is not None:
            whole = [known[path, k].value for k in range(len(known)) if (path, k) in known]
            whole[index] = new
            turned = path.endswith("rotation")
            new = quaternion.from_euler(SEQUENCE, whole).tolist() if turned else whole
        return self.with_values({path: new})

    def with_values(self, values: Mapping[str, Any]) -> "Parameters":
        """Return the scenario with other parameters, as `ps.scenario` takes them."""
        found = object.__new__(Parameters)
        vars(found).update({**vars(self), "_known": None})
        given = {**self.scenario.parameters, **values}
        if self.of_gallery:
            found.scenario = scenario(self.name, **given)
        elif self.text is not None:
            made = scenario_from_text(self.name, self.text, given, closed=False)
            controller, events = made.controller or self.given.controller, made.events or self.given.events
            found.scenario = replace(made, controller=controller, events=events)
        elif set(values) <= {"step"}:
            step = checks.number("live", "step", values["step"], positive=True)
            found.scenario = replace(self.scenario, step=step, parameters=given)
        else:
            raise ScenarioError("the mechanism has Python functions: only its step can be changed here")
        return found

    def sliders(self) -> list[Slider]:
        """Return all numbers, in the order of their panels."""
        if self._known is None:
            self._known = self._find_sliders()
        return self._known

    def _find_sliders(self) -> list[Slider]:
        rules = self.given.sliders.get("sliders", {})
        data = self.data
        if len(data) > 1:
            data = {**data, "start": self._start(data.get("start", {}))}
        return [_with_rule(one, rules.get(one.path, {})) for one in _sliders(data)]

    def _start(self, given: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
        """Return coordinates and velocities of all joints: what a scenario does not say is zero."""
        found: dict[str, Mapping[str, Any]] = {}
        for link in self.scenario.mechanism.links:
            joint, own = link.joint, given.get(link.name, {})
            names = () if {"q", "v"} & own.keys() else (*joint.coordinates, *joint.velocities)
            rest = {name: _zero(name, joint.sizes.get(name, 1)) for name in names}
            found[link.name] = {**rest, **own}
        return found

    def target(self) -> int:
        """Return the number of coordinates of the target of the controller; 0: it has none."""
        found = self.data.get("control", self.data.get("controller", {})).get("target", ())
        return len(found) if isinstance(found, tuple | list) and len(found) in (2, 3) else 0


def _text_of(given: Scenario) -> str | None:
    """Return a scenario that is neither of the gallery nor of a file as the text of one, if it can be."""
    try:
        return to_toml(replace(given, controller=None, control={}, events=(), events_of="", method="auto"))
    except (ScenarioError, ModelError):
        return None


def _sliders(data: Mapping[str, Any]) -> Iterator[Slider]:
    """Yield all numbers of the data of a scenario."""
    for name, value in data.get("options", {}).items():
        if isinstance(value, int) and not isinstance(value, bool):
            yield Slider(name, None, name, "", value, 1, max(4 * value, 10), False, True, True, "scenario")
    yield from _numbers("step", "step", data["step"], "s", "method")
    for name, values in data.get("start", {}).items():
        for key, value in values.items():
            label = key.replace("_", " ")
            yield from _numbers(
                f"start.{name}.{key}", label, value, _unit(COORDINATES, key), f"start: {name}"
            )
    if "gravity" in data:
        yield from _numbers("gravity", "gravity", data["gravity"], "m/s^2", "scenario")
    for body in data.get("bodies", ()):
        for key in ("mass", "density", "inertia", *LENGTHS):
            if key in body:
                path, panel = f"bodies.{body['name']}.{key}", f"body: {body['name']}"
                yield from _numbers(path, key.replace("_", " "), body[key], _unit(BODY, key), panel)
    for k, given in enumerate(data.get("forces", ())):
        force = plain_force(given)
        if force is not None and force.get("kind") in FORCES:
            panel = f"force: {force.get('name') or force['kind']} {k}"
            for key, value in force.items():
                unit = _unit(FORCES[force["kind"]], key)
                yield from _numbers(f"forces.{k}.{key}", key.replace("_", " "), value, unit, panel)
    for group in ("parameters", "control", "controller"):
        for key, value in data.get(group, {}).items():
            yield from _numbers(f"{group}.{key}", key, value, OWN_UNITS.get(key, ""), group)


def _zero(name: str, size: int) -> Any:
    """Return a coordinate that is not given."""
    return (1.0, 0.0, 0.0, 0.0) if name == "rotation" else [0.0] * size if size > 1 else 0.0


def _unit(table: Any, key: str) -> str:
    kind = table.fields.get(key)
    return kind.units[0] if isinstance(kind, Quantity) and kind.units[0] != "1" else ""


def _numbers(path: str, label: str, value: Any, unit: str, panel: str) -> Iterator[Slider]:
    """Yield the sliders of a value: one number, a vector, or a rotation."""
    key, restart = path.rpartition(".")[2], path.split(".")[0] in RESTART
    if key == "rotation":
        try:
            turned = angles("live", SEQUENCE, checks.rotation("live", key, rotation(value)))[0]
        except ModelError:
            return
        for k, x in enumerate(turned.tolist()):
            yield Slider(path, k, TURN[k], "rad", x, -math.pi, math.pi, False, False, restart, panel)
        return
    if isinstance(value, bool | str | Mapping) or value is None:
        return
    try:
        numbers = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return
    if numbers.ndim > 1 or not numbers.size or not np.isfinite(numbers).all():
        return
    size = float(np.abs(numbers).max())
    for k, x in enumerate(np.atleast_1d(numbers).tolist()):
        index = None if numbers.ndim == 0 else k
        part = "" if index is None else f" {XYZ[k] if len(np.atleast_1d(numbers)) <= 3 else k}"
        low, high, log = _range(key, unit, x, size)
        yield Slider(path, index, label + part, unit, x, low, high, log, False, restart, panel)


def _range(key: str, unit: str, value: float, size: float) -> tuple[float, float, bool]:
    """Return the range of a number; `size`: the largest component of its vector."""
    if key in POSITIVE and value > 0:
        return value / WIDE, value * WIDE, True
    if unit == "rad":
        most = max(math.pi, abs(value))
        return -most, most, False
    most = 3 * size or 1.0
    return (0.0, most, False) if key in POSITIVE else (-most, most, False)


def _with_rule(one: Slider, rule: Mapping[str, Any]) -> Slider:
    """Return a slider as the table [live] wants it."""
    found = one
    if len(rule.get("range", ())) == 2:
        low, high = rule["range"]
        found = replace(found, low=low, high=high, log=found.log and low > 0)
    if "label" in rule:
        part = "" if one.index is None else f" {one.label.rpartition(' ')[2]}"
        found = replace(found, label=rule["label"] + part)
    return replace(found, panel=rule.get("panel", found.panel))

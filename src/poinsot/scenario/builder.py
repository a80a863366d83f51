"""From the values of a scenario, of a file or of a recipe, to a mechanism and its start.

The mistakes of a file are noted, not raised, and a body with a mistake is replaced by a stand-in, so that
what refers to it can still be checked.  Those of a recipe are raised: only a parameter can be wrong.
"""

import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from poinsot.errors import ModelError, ScenarioError
from poinsot.formats import data as plain_data
from poinsot.formats.data import shape_of
from poinsot.formats.expressions import forces as formulas
from poinsot.formats.expressions.formula import FormulaError
from poinsot.formats.scenario_file.places import WRONG, Mistakes, Path
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array, suggestion
from poinsot.model.forces.force import WORLD, Force
from poinsot.model.joints import Free, Joint
from poinsot.model.joints.joint import about
from poinsot.model.link import JointedBody
from poinsot.model.loops import Loop
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.composite import Shapes, part_of
from poinsot.model.shapes.mesh import Mesh
from poinsot.model.state import State

Values = Mapping[str, Any]
STAND_IN = Body(1.0, (1.0, 1.0, 1.0))
OWN = ("inertia", "center_of_mass", "physical")
MOST = 2000  # bodies, forces, loops of a file


def right(values: Values) -> dict[str, Any]:
    """Return the values without mistakes."""
    return {key: one for key, one in values.items() if one is not WRONG}


def rotation(value: Any) -> Any:
    """Return a rotation as the model takes it: {axis, angle} becomes a quaternion."""
    if not isinstance(value, Mapping):
        return value
    return about(checks.direction("rotation", "axis", value["axis"]), np.array(value["angle"]))


class Raised:
    """In place of `Mistakes`: the first mistake is an error."""

    def add(self, path: Path, message: str, *, key: bool = False, offset: int = 0) -> None:
        raise ScenarioError(f"{'.'.join(map(str, path))}: {message}")

    def below(self, path: Path) -> bool:
        return False


class Builder:
    """Builds a mechanism from checked values; without `mistakes`, the first one is raised."""

    def __init__(self, values: Values, mistakes: Mistakes | None, folder: FilePath) -> None:
        self.values, self.folder = values, folder
        self.mistakes: Mistakes | Raised = Raised() if mistakes is None else mistakes
        self.m = Mechanism()

    def attempt(self, path: Path, action: Callable[[], Any]) -> Any:
        """Return what the action returns; note its error at the path and return WRONG."""
        try:
            return action()
        except (ModelError, ScenarioError) as error:
            if isinstance(self.mistakes, Raised):
                raise
            self.note(path, str(error))
        return WRONG

    def note(self, path: Path, message: str) -> None:
        """Note an error of the model at the field that it names, if there is one."""
        place: Any = self.values
        for part in path:
            place = place[part]
        named = re.match(r"(?:[^:]*: )?(\w+) (?:must|has|is) ", message)
        known = isinstance(place, Mapping) and named is not None and named[1] in place
        self.mistakes.add((*path, named[1]) if known and named is not None else path, message)

    def mechanism(self) -> Mechanism:
        """Return the mechanism of all parts without mistakes."""
        values = right(self.values)
        if "gravity" in values:
            gravity = self.attempt(("gravity",), lambda: Mechanism(gravity=values["gravity"]))
            self.m = self.m if gravity is WRONG else gravity
        for kind in ("bodies", "forces", "loops", "frames"):
            if isinstance(self.mistakes, Mistakes) and len(values.get(kind, [])) > MOST:
                self.mistakes.add((kind,), f"a file has at most {MOST} {kind}, this one {len(values[kind])}")
                values[kind] = []
        bodies = values.get("bodies", [])
        if self.values.get("bodies") == []:
            self.mistakes.add(("bodies",), "there must be at least one body")
        for i, one in enumerate(bodies):
            if one is not WRONG:
                self.body(("bodies", i), one)
        for kind, make in (("forces", self.force), ("loops", self.loop), ("frames", self.frame)):
            for i, one in enumerate(values.get(kind, [])):
                if one is not WRONG and not self.mistakes.below((kind, i)):
                    make((kind, i), one)
        return self.m

    def body(self, path: Path, one: Values) -> None:
        given = right(one)
        name = given.get("name", "")
        if "name" in given and (not name or name == WORLD or name in self.m.names):
            self.mistakes.add((*path, "name"), f"the name {name!r} is taken" if name else "must not be empty")
            return
        broken, joint = self.mistakes.below(path), WRONG
        if "joint" in given:
            joint = self.attempt((*path, "joint"), lambda: self.joint(name, given["joint"]))
        body = WRONG if broken else self.attempt(path, lambda: self.mass(path, given))
        parent = given.get("parent", WORLD)
        fits = parent == WORLD or parent in self.m.names or isinstance(self.mistakes, Raised)
        if not fits:
            self.mistakes.add((*path, "parent"), self.no_parent(name, parent))
        if joint is not WRONG and body is not WRONG and fits:
            place = {key: given[key] for key in ("at",) if key in given}
            made = self.attempt(path, lambda: self.add(self.m, name, body, joint, parent, place, given))
            if made is not WRONG:
                return
        if name and name.isprintable():
            self.m.add(
                name, STAND_IN, joint if isinstance(joint, Joint) else Free(), parent if fits else WORLD
            )

    def add(
        self,
        m: Mechanism,
        name: str,
        body: Body,
        joint: Joint,
        parent: str,
        place: dict[str, Any],
        given: Values,
    ) -> Mechanism:
        """Add a body to the mechanism."""
        if "rotation" in given:
            place["rotation"] = rotation(given["rotation"])
        if "body_rotation" in given:
            place["body_at"] = (given.get("body_at", (0.0, 0.0, 0.0)), rotation(given["body_rotation"]))
        elif "body_at" in given:
            at = given["body_at"]
            place["body_at"] = at if isinstance(at, tuple) else np.array(at)
        return m.add(name, body, joint, parent, **place)

    def no_parent(self, name: str, parent: str) -> str:
        """Say why there is no such parent: it does not exist, comes later, or there is a cycle."""
        parents = {
            one["name"]: one.get("parent", WORLD)
            for one in self.values["bodies"]
            if one is not WRONG and isinstance(one.get("name", None), str)
        }
        if parent not in parents:
            return f"unknown body {parent!r}{suggestion(parent, [*parents, WORLD])}"
        way = [name]
        while isinstance(parents.get(way[-1]), str) and len(way) <= len(parents):
            way.append(parents[way[-1]])
            if way[-1] == name:
                return f"the bodies form a cycle: {' on '.join(way)}"
        return f"body {parent!r} comes later in the file: a body comes after its parent"

    def joint(self, name: str, given: Any) -> Joint:
        """Return the joint of a body."""
        try:
            return plain_data.joint_of(given)
        except ModelError as error:
            if isinstance(self.mistakes, Raised):
                raise ScenarioError(f"body '{name}': {error}") from None
            raise

    def mass(self, path: Path, given: Values) -> Body:
        """Return the body of its values."""
        try:
            return self.body_of(path, given)
        except ModelError as error:
            if isinstance(self.mistakes, Raised):
                raise ModelError(f"body '{given['name']}': {str(error).removeprefix('body: ')}") from None
            raise

    def body_of(self, path: Path, given: Values) -> Body:
        shape = self.shape(given["shape"]) if "shape" in given else None
        own = {key: given[key] for key in OWN if key in given}
        if "density" in given:
            if shape is None or "mass" in given or "inertia" in given:
                raise ModelError("density needs a shape, and excludes mass and inertia")
            body: Body = shape.body(density=given["density"], **own)
            return body
        if isinstance(shape, Shapes) and shape.has_masses and not {"mass", "inertia"} & set(given):
            return shape.body(**own)
        if "mass" not in given:
            self.mistakes.add((*path, "mass"), "is missing", key=True)
            return STAND_IN
        return Body(given["mass"], shape=shape, **own)

    def shape(self, given: Values) -> Any:
        """Return a shape; the path of a mesh is seen from the folder of the file."""
        if not isinstance(given, Mapping):
            return given
        data = {key: one for key, one in given.items() if one is not WRONG}
        if data["kind"] == "shapes":
            parts = ({**one, "rotation": rotation(one.get("rotation"))} for one in data["parts"])
            return Shapes([part_of(one, self.shape(one["shape"])) for one in parts], data.get("anchor"))
        if data["kind"] != "mesh":
            return shape_of(data)
        if "path" in data:
            return Mesh(self.folder / data["path"], data.get("scale", 1.0))
        if not {"vertices", "faces"} <= set(data):
            raise ModelError("shape: a mesh needs a path, or vertices and faces")
        return Mesh.from_arrays(data["vertices"], np.array(data["faces"]).astype(int))

    def named(self, path: Path, given: Values) -> bool:
        """Note names of bodies that there are not; return whether all are known."""
        known = True
        for key in ("body", "joint", "a", "b"):
            name = given.get(key)
            if isinstance(name, str) and name not in self.m.names and not (key in "ab" and name == WORLD):
                self.mistakes.add((*path, key), f"unknown body {name!r}{suggestion(name, self.m.names)}")
                known = False
        return known

    def force(self, path: Path, one: Values | Force) -> None:
        if isinstance(one, Force):
            self.m.apply(one)
            return
        given = dict(one)
        if not self.named(path, given) and "joint" in given:
            return
        parameters = right(self.values.get("parameters", {}))
        if given["kind"] not in formulas.KINDS:
            made = self.attempt(path, lambda: plain_data.force_of(given, self.m))
        else:
            try:
                made = self.attempt(path, lambda: formulas.formula_force(given, self.m, parameters))
            except FormulaError as error:
                for fault in error.all:
                    self.mistakes.add(self.expression(path, given, fault), str(fault), offset=fault.at)
                return
        if made is not WRONG and not self.mistakes.below(path):
            self.attempt(path, lambda: self.m.apply(made))

    def expression(self, path: Path, given: Values, error: FormulaError) -> Path:
        """Return the path of the expression with a mistake."""
        inner: Path = path
        if isinstance(error, formulas.PotentialError):
            table = isinstance(given["potential"], Mapping)
            inner = (
                (*path, "potential") if table and error.part in given["potential"].get("where", {}) else path
            )
            found = (*path, "potential", "value") if table else (*path, "potential")
        elif error.part == formulas.WHOLE:
            found = (*path, next(key for key in ("torque", "value", "force") if key in given))
        elif isinstance(error.part, int) and error.part >= 3 and given["kind"] in formulas.SIX:
            found = (*path, "force", error.part - 3)
        else:
            found = (*path, "value" if given["kind"] == "Drive" else "torque", error.part)
        if isinstance(error.part, str):
            own = error.part in given.get("parameters", {})
            found = (*inner, "parameters" if own else "where", error.part)
        return found

    def loop(self, path: Path, one: Values | Loop) -> None:
        if isinstance(one, Loop):
            self.m.close(one)
            return
        given = {**one, **{key: rotation(one[key]) for key in ("rotation_a", "rotation_b") if key in one}}
        made = self.attempt(path, lambda: plain_data.loop_of(given)) if self.named(path, one) else WRONG
        if made is not WRONG:
            self.attempt(path, lambda: self.m.close(made))

    def frame(self, path: Path, one: Values) -> None:
        if one["body"] == WORLD or self.named(path, one):
            given = {**one, **({"rotation": rotation(one["rotation"])} if "rotation" in one else {})}
            self.attempt(path, lambda: self.m.frame(**given))

    def start(self) -> State:
        """Return the start of the mechanism."""
        given = self.values.get("start", {})
        given = {} if given is WRONG else given
        for name in given:
            if name not in self.m.names:
                self.mistakes.add(("start", name), f"unknown body{suggestion(name, self.m.names)}", key=True)
        parts = [self.coordinates(link, given.get(link.name, {})) for link in self.m.rigid_links.values()]
        q, v = (np.concatenate([np.zeros(0), *(part[k] for part in parts)]) for k in (0, 1))
        time = self.values.get("time", 0.0)
        found = self.attempt(("time",), lambda: State(0.0 if time is WRONG else time, q, v))
        return State(0.0, q, v) if found is WRONG else found

    def coordinates(self, link: JointedBody, values: Any) -> tuple[Array, Array]:
        """Return q and v of a joint."""
        nothing = np.zeros(link.joint.nq), np.zeros(link.joint.nv)
        path = ("start", link.name)
        if values is WRONG or self.mistakes.below(path):
            return nothing
        given = {**values, **({"rotation": rotation(values["rotation"])} if "rotation" in values else {})}
        raw = {key: given.pop(key) for key in ("q", "v") if key in given}

        def read() -> tuple[Array, Array]:
            if raw and given:
                raise ModelError("q and v cannot be mixed with coordinates by name")
            if not raw:
                return link.coordinates(given)
            found = tuple(np.array(raw.get(key, zero)) for key, zero in zip("qv", nothing, strict=True))
            if (found[0].shape, found[1].shape) != (nothing[0].shape, nothing[1].shape):
                raise ModelError(f"q must have {link.joint.nq} and v {link.joint.nv} numbers")
            return found[0], found[1]

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            made = self.attempt(path, read)
        return nothing if made is WRONG else made

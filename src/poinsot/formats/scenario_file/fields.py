"""The fields of a scenario file: one table for reading, for the schema and for the documentation.

What the model declares (`model.fields`) is taken from there; the rest stands here.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from poinsot.formats import data
from poinsot.formats.scenario_file.kinds import (
    Anything,
    Either,
    Expression,
    Flag,
    Kind,
    ListOf,
    Named,
    OneOf,
    Quantity,
    Rotation,
    Table,
    Text,
    Whole,
)
from poinsot.model import forces
from poinsot.model.event import Event
from poinsot.model.fields import Declared, Field, kinds
from poinsot.model.forces.force import Force
from poinsot.model.frame import Frame
from poinsot.model.joints.joint import UNITS
from poinsot.model.loops import Loop

PLAIN = Quantity()
AXIS = Quantity(depths=(1,))
POINT = Quantity(("m",), (1,))
TIME = Quantity(("s",))
NAMES = Either(Text(), ListOf(Text()), list)


def kind_of(field: Field) -> Kind:
    """Return how a file holds a field of the model."""
    if field.kind == "numbers":
        depths = tuple(sorted({len(shape) for shape in field.shapes}))
        return Quantity(tuple(field.unit.split(" or ")) if field.unit else ("1",), depths)
    others: Mapping[str, Kind] = {
        "name": Text(),
        "text": Text(),
        "word": Text(field.words),
        "flag": Flag(),
        "whole": Whole(-1),
        "rotation": Rotation(),
        "expression": Expression(),
        "expressions": Named(Expression()),
        "numbers by name": Named(PLAIN),
        "names": NAMES,
    }
    return others[field.kind]


def table_of(kind: type[Declared], without: Iterable[str] = (), **more: Kind) -> Table:
    """Return the table of a class of the model; `more` are fields that only files have."""
    fields = {name: one for name, one in kind.declared.items() if name not in without}
    found = {name: more.pop(name) if name in more else kind_of(one) for name, one in fields.items()}
    needed = tuple(name for name, one in fields.items() if one.required)
    notes = {name: one.note or one.text for name, one in fields.items()}
    return Table({**found, **more}, needed, notes)


JOINTS = {name: table_of(kind) for name, kind in data.JOINTS.items()}
CONNECTIONS = {name: table_of(kind) for name, kind in data.CONNECTIONS.items() if not kind.loop_refusal}
SHAPE_TABLES = {name: table_of(kind) for name, kind in data.SHAPES.items() if name != "shapes"}
SHAPE_TABLES["mesh"] = Table(
    {
        "path": Text(),
        "scale": Quantity(depths=(0, 1)),
        "vertices": Quantity(("m",), (2,)),
        "faces": Quantity(depths=(2,)),
    }
)
PART = Table(
    {
        "shape": OneOf(dict(SHAPE_TABLES)),
        "at": POINT,
        "rotation": Rotation(),
        "mass": Quantity(("kg",), signed=False),
        "density": Quantity(("kg/m^3",), signed=False),
    },
    ("shape",),
    {"at": "origin of the shape in the frame of the whole", "density": "in place of the mass"},
)
SHAPE_TABLES["shapes"] = Table(
    {"parts": ListOf(PART), "anchor": Quantity(("m",), (1,))},
    ("parts",),
    {"parts": "shapes that are one body", "anchor": "point that lies in the center of mass"},
)
BODY = Table(
    {
        "name": Text(),
        "mass": Quantity(("kg",), signed=False),
        "density": Quantity(("kg/m^3",), signed=False),
        "inertia": Quantity(("kg m^2",), (1, 2)),
        "center_of_mass": POINT,
        "shape": OneOf(SHAPE_TABLES),
        "physical": Flag(),
        "joint": OneOf(JOINTS, bare=True),
        "parent": Text(),
        "at": POINT,
        "rotation": Rotation(),
        "body_at": POINT,
        "body_rotation": Rotation(),
    },
    ("name", "joint"),
    {
        "name": "name of the body and of the joint that carries it",
        "density": "in place of the mass, for a body with a shape",
        "inertia": "about the centre of mass: three moments or a matrix; default: that of the shape",
        "parent": 'name of a body above this one; default: "world"',
        "at": "origin of the joint frame in the body frame of the parent",
        "rotation": "of the joint frame: a quaternion (w, x, y, z), a matrix, or { axis, angle }",
        "body_at": "origin of the body frame in the child frame of the joint",
        "physical": "false: accept moments of inertia that no real body has",
    },
)
FORMULA: Mapping[str, Kind] = {"where": Named(Expression()), "parameters": Named(PLAIN), "name": Text()}
POTENTIAL = Either(Expression(), Table({"value": Expression(), "where": Named(Expression())}, ("value",)))


def _formula_table(kind: type[Declared], components: tuple[str, ...]) -> Table:
    """Return the table of a force whose function is given by expressions."""
    functions = [name for name, one in kind.declared.items() if one.kind == "function"]
    more: dict[str, Kind] = {name: ListOf(Expression()) for name in components}
    more |= {"potential": POTENTIAL} if "potential" in functions else {}
    found = table_of(kind, functions, **more, **FORMULA)
    needed = found.required if len(components) > 1 else (*found.required, *components)
    return Table(found.fields, needed, found.notes)


FORCES = {name: table_of(kind) for name, kind in data.FORCES.items()}
FORCES |= {
    name: _formula_table(kind, kind.components)
    for name, kind in kinds(forces, Force).items()
    if hasattr(kind, "components")
}
FRAME = table_of(Frame)
LOOP = table_of(Loop, joint=OneOf(CONNECTIONS, bare=True))
EVENT = table_of(Event)


def _coordinates() -> Table:
    """Return the table of the coordinates and velocities of all joints."""
    sizes: dict[str, set[int]] = {}
    for kind in data.JOINTS.values():
        for name in (*kind.coordinates, *kind.velocities):
            sizes.setdefault(name, set()).add(min(kind.sizes.get(name, 1), 2) - 1)
    found: dict[str, Kind] = {
        name: Rotation() if name == "rotation" else Quantity((UNITS[name],), tuple(sorted(depths)))
        for name, depths in sizes.items()
    }
    notes = {
        "q": "all coordinates of the joint as in `state.q`",
        "v": "all velocities of the joint as in `state.v`",
    }
    return Table({**found, "q": AXIS, "v": AXIS}, notes=notes)


COORDINATES = _coordinates()
SLIDER = Table(
    {"range": Quantity(depths=(1,)), "label": Text(), "panel": Text()},
    notes={"range": "smallest and largest value, in SI units", "panel": "heading below which it stands"},
)
LIVE = Table(
    {"panel": Text(), "speed": PLAIN, "sliders": Named(SLIDER)},
    notes={
        "panel": "panel that is open at first",
        "speed": "seconds of the motion per second; default: 1",
        "sliders": 'by the path of their parameter: [live.sliders."bodies.top.mass"]',
    },
)
SWEEP = Table(
    {
        "vary": Named(Anything()),
        "zip": Flag(),
        "samples": Whole(1),
        "seed": Whole(0),
        "design": Text(("random", "sobol", "latin")),
    },
    ("vary",),
    {
        "vary": 'by path a list of values, "linspace(0, 1, 5)", or a draw such as "normal(1, 0.1)"',
        "zip": "pair the values of all paths; default: false, a grid",
        "samples": "number of members that are drawn",
        "seed": "of the draws; default: 0",
        "design": "of the draws; default: random",
    },
)
SCENARIO = Table(
    {
        "title": Text(),
        "notes": Text(),
        "gravity": Quantity(("m/s^2",), (1,)),
        "method": Either(Text(), Named(Anything())),
        "step": TIME,
        "until": TIME,
        "every": Whole(1),
        "time": TIME,
        "parameters": Named(PLAIN),
        "bodies": ListOf(BODY),
        "forces": ListOf(OneOf(FORCES)),
        "loops": ListOf(LOOP),
        "frames": ListOf(FRAME),
        "start": Named(COORDINATES),
        "controller": Named(Anything()),
        "events": Either(Text(), ListOf(EVENT), list),
        "reference": Named(Anything()),
        "live": LIVE,
        "sweep": SWEEP,
    },
    ("step", "until", "bodies"),
    {
        "gravity": "acceleration of gravity in space; default: [0, 0, -9.81]",
        "method": 'one of `poinsot methods`, or { name, options }; default: "auto"',
        "step": "step size",
        "until": "end time",
        "every": "steps between two samples; default: 1",
        "time": "start time; default: 0",
        "parameters": "numbers that expressions may use by name",
        "start": "coordinates and velocities of the joints, by body; what is missing is zero",
        "controller": "scenario: the gallery scenario whose controller is used; the rest are its settings",
        "events": "tables [[events]], or the gallery scenario whose events are used",
        "reference": "check values, by what they are",
        "live": "sliders of the page of `poinsot live`",
        "sweep": "what `poinsot sweep` varies",
    },
)


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of scenario files, for editors."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "title": "Poinsot scenario", **SCENARIO.schema()}

"""The fields of a scenario file: one table for reading, for the schema and for the documentation."""

from poinsot.formats.scenario_file.kinds import (
    Anything,
    Either,
    Expression,
    Flag,
    ListOf,
    Named,
    OneOf,
    Quantity,
    Rotation,
    Table,
    Text,
    Whole,
)

PLAIN, MATRIX = Quantity(), Quantity(depths=(2,))
AXIS = Quantity(depths=(1,))
LENGTH, POINT = Quantity(("m",)), Quantity(("m",), (1,))
TIME, TIMES = Quantity(("s",)), Quantity(("s",), (1,))
FRAME = Text(("space", "body"))

JOINTS = {
    "revolute": Table({"axis": AXIS}, ("axis",)),
    "prismatic": Table({"axis": AXIS}, ("axis",)),
    "cylindrical": Table({"axis": AXIS}, ("axis",)),
    "helical": Table({"axis": AXIS, "pitch": LENGTH}, ("axis", "pitch")),
    "universal": Table({"axis1": AXIS, "axis2": AXIS}, ("axis1", "axis2")),
    "planar": Table({"normal": AXIS}, ("normal",)),
    "spherical": Table({}),
    "free": Table({}),
    "fixed": Table({}),
}
CONNECTIONS = {
    **{kind: table for kind, table in JOINTS.items() if kind not in ("free", "helical")},
    "distance": Table({"length": LENGTH}, ("length",)),
    "plane": Table({"normal": AXIS}, ("normal",)),
    "axis": Table({"direction": AXIS}, ("direction",)),
}
SHAPES = {
    "box": Table({"size": Quantity(("m",), (0, 1))}, ("size",)),
    "cylinder": Table({"radius": LENGTH, "length": LENGTH}, ("radius", "length")),
    "capsule": Table({"radius": LENGTH, "length": LENGTH}, ("radius", "length")),
    "sphere": Table({"radius": LENGTH}, ("radius",)),
    "mesh": Table(
        {
            "path": Text(),
            "scale": Quantity(depths=(0, 1)),
            "vertices": Quantity(("m",), (2,)),
            "faces": MATRIX,
        }
    ),
}
BODY = Table(
    {
        "name": Text(),
        "mass": Quantity(("kg",), signed=False),
        "density": Quantity(("kg/m^3",), signed=False),
        "inertia": Quantity(("kg m^2",), (1, 2)),
        "center_of_mass": POINT,
        "shape": OneOf(SHAPES),
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
FORMULA = {
    "where": Named(Expression()),
    "parameters": Named(PLAIN),
    "switches": TIMES,
    "name": Text(),
}
POTENTIAL = Either(Expression(), Table({"value": Expression(), "where": Named(Expression())}, ("value",)))
ENDS = {"a": Text(), "b": Text()}
POINTS = {"at_a": POINT, "at_b": POINT}
FORCES = {
    "Spring": Table(
        {**ENDS, "stiffness": Quantity(("N/m",)), "length": LENGTH, **POINTS}, ("a", "b", "stiffness")
    ),
    "Damper": Table({**ENDS, "damping": Quantity(("N s/m",)), **POINTS}, ("a", "b", "damping")),
    "Stiffness": Table({**ENDS, "K": MATRIX, "rest_pose": MATRIX}, ("a", "b", "K")),
    "Damping": Table({**ENDS, "D": MATRIX}, ("a", "b", "D")),
    "Drag": Table(
        {
            "body": Text(),
            "D": MATRIX,
            "velocity": Quantity(("m/s",), (1,)),
            "rotation": Quantity(("rad/s",), (1,)),
        },
        ("body", "D"),
    ),
    "JointSpring": Table(
        {
            "joint": Text(),
            "stiffness": Quantity(("N/m", "N m/rad"), (0, 1, 2)),
            "rest": Quantity(("m", "rad"), (0, 1, 2)),
            "form": Text(("log", "trace", "euler")),
        },
        ("joint", "stiffness"),
    ),
    "JointDamper": Table(
        {"joint": Text(), "damping": Quantity(("N s/m", "N m s/rad"), (0, 1, 2))}, ("joint", "damping")
    ),
    "Impulse": Table(
        {
            "body": Text(),
            "time": TIME,
            "torque": Quantity(("N m s",), (1,)),
            "force": Quantity(("N s",), (1,)),
            "frame": FRAME,
        },
        ("body", "time"),
    ),
    "Torque": Table(
        {"body": Text(), "torque": ListOf(Expression()), "frame": FRAME, "potential": POTENTIAL, **FORMULA},
        ("body", "torque"),
    ),
    "Wrench": Table(
        {
            "body": Text(),
            "torque": ListOf(Expression()),
            "force": ListOf(Expression()),
            "at": POINT,
            "frame": FRAME,
            "potential": POTENTIAL,
            **FORMULA,
        },
        ("body",),
    ),
    "JointTorque": Table({"joint": Text(), "torque": ListOf(Expression()), **FORMULA}, ("joint", "torque")),
    "Drive": Table({"joint": Text(), "value": ListOf(Expression()), **FORMULA}, ("joint", "value")),
}
LOOP = Table(
    {
        **ENDS,
        "joint": OneOf(CONNECTIONS, bare=True),
        **POINTS,
        "rotation_a": Rotation(),
        "rotation_b": Rotation(),
        "name": Text(),
    },
    ("a", "b", "joint"),
)
LOOP_NAMES = Either(Text(), ListOf(Text()), list)
EVENT = Table(
    {
        "function": Expression(),
        "direction": Whole(-1),
        "stop": Flag(),
        "reset": Named(Expression()),
        "name": Text(),
        "parameters": Named(PLAIN),
        "release": LOOP_NAMES,
        "latch": LOOP_NAMES,
    },
    ("function",),
    {
        "function": 'an expression that is zero at the event, such as "ball.position[2] - 0.1"',
        "direction": "1: where the function becomes positive; -1: negative; default: 0, both",
        "stop": "true: end the run there",
        "reset": 'what the event sets, by expressions: { "ball.speed" = "-0.8 * ball.speed" }',
        "name": "name in run.events; default: the expression",
        "release": "loops that open there",
        "latch": "loops that close there, and are open before",
    },
)
COORDINATES = Table(
    {
        "angle": Quantity(("rad",)),
        "rate": Quantity(("rad/s",)),
        "displacement": Quantity(("m",), (0, 1)),
        "speed": Quantity(("m/s",), (0, 1)),
        "angles": Quantity(("rad",), (1,)),
        "rates": Quantity(("rad/s",), (1,)),
        "rotation": Rotation(),
        "angular_velocity": Quantity(("rad/s",), (1,)),
        "position": POINT,
        "velocity": Quantity(("m/s",), (1,)),
        "q": AXIS,
        "v": AXIS,
    },
    notes={
        "q": "all coordinates of the joint as in `state.q`",
        "v": "all velocities of the joint as in `state.v`",
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
        "start": Named(COORDINATES),
        "controller": Named(Anything()),
        "events": Either(Text(), ListOf(EVENT), list),
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
    },
)

"""A valid call of every public callable, with every argument given: what the attack on arguments starts from.

`CALLS[name](w)` makes the call anew, because calls change mechanisms; `w` is a `World` of things that are
costly to make.  The working folder is a temporary one: paths are names of files in it.
"""

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import sympy

import poinsot as ps
from poinsot.accuracy.comparison import Row
from poinsot.model.constraints import Connection
from poinsot.model.fields import Declared, Field
from poinsot.model.forces.force import Force
from poinsot.model.shapes.solids import Solid

an = ps.analytical
EYE, ONE = np.eye(3), np.ones(1)
AT = (0.1, 0.2, 0.3)


class Call(NamedTuple):
    """A function and its arguments by name; a tuple for *args, a dictionary for **options."""

    function: Callable[..., Any]
    given: dict[str, Any]

    def places(self) -> Iterator[tuple[str, Any]]:
        """Yield where a value can be replaced: name of the parameter, and which of *args or **options."""
        for name, parameter in inspect.signature(self.function).parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                yield from ((name, i) for i in range(len(self.given[name])))
            elif parameter.kind is parameter.VAR_KEYWORD:
                yield from ((name, key) for key in self.given[name])
            else:
                yield name, None

    def with_value(self, place: tuple[str, Any], value: Any) -> "Call":
        """Return the call with another value at one place."""
        name, part = place
        if part is None:
            return self._replace(given={**self.given, name: value})
        whole = self.given[name]
        changed = (
            {**whole, part: value} if isinstance(whole, dict) else (*whole[:part], value, *whole[part + 1 :])
        )
        return self._replace(given={**self.given, name: changed})

    def __call__(self) -> Any:
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                positional += self.given[name]
            elif parameter.kind is parameter.VAR_KEYWORD:
                named |= self.given[name]
            elif parameter.kind is parameter.KEYWORD_ONLY:
                named[name] = self.given[name]
            else:
                positional.append(self.given[name])
        return self.function(*positional, **named)


def call(function: Callable[..., Any], *arguments: Any, **options: Any) -> Call:
    """Return the call of a function with these arguments."""
    return Call(function, dict(inspect.signature(function).bind(*arguments, **options).arguments))


def torque(t, R, w, p, v):
    return 0.1, 0.0, 0.0


def wrench(t, R, w, p, v):
    return 0.0, 0.0, 0.0, 0.1, 0.0, 0.0


def vortex(t, p):
    return -p[1], p[0], 0.0


def height(R, p):
    return 0.0


def between(t: Any, Ra: Any, wa: Any, pa: Any, va: Any, Rb: Any, wb: Any, pb: Any, vb: Any) -> Any:
    return 0.0, 0.0, 0.0, pa[0] - pb[0], pa[1] - pb[1], pa[2] - pb[2]


def of_two(Ra: Any, pa: Any, Rb: Any, pb: Any) -> Any:
    return sum((pb[i] - pa[i]) * (pb[i] - pa[i]) for i in (0, 1, 2)) / 2


def at_joint(t, q, v):
    return -0.1 * v[0]


def of_time(t):
    return 0.2 * t


def brake(t, state, memory):
    return [-0.5 * state.v[0]], memory


def pull(t, state):
    return [-state.q[0]]


def line(t):
    """A curve of one coordinate."""
    return np.array([[t], [1.0], [0.0], [0.0], [0.0]])


def path(t):
    """A curve in space."""
    return np.outer([t, 1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0])


def resting(t):
    """A reference of the arm."""
    return ps.State(t, [1.0, 0.0], [0.0, 0.0]), [0.0, 0.0]


def live_of(mechanism: ps.Mechanism) -> Callable[..., None]:
    """Return `Mechanism.live`, which would go on for ever, as a function that closes it."""

    def show(start: Any, method: Any, *, step: Any, controller: Any, events: Any, **options: Any) -> None:
        mechanism.live(start, method, step=step, controller=controller, events=events, **options).close()

    return show


def time_of(t, state):
    return t


def same(x):
    return x


class World:
    """What the calls need."""

    bar = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)

    def arm(self) -> ps.Mechanism:
        """Return two bodies: one joint, and a spring."""
        m = ps.Mechanism().add("a", self.bar, ps.Revolute((1, 0, 0)), body_at=(0, 0, -0.5))
        return m.add("b", self.bar, ps.Revolute((0, 1, 0)), parent="a", at=(0, 0, -0.5))

    def driven_arm(self) -> ps.Mechanism:
        """Return the arm with a servo."""
        m = self.arm()
        m.actuators["elbow"] = ps.Servo("b", gain=20.0, bias=(0, -20.0, -2.0))
        return m

    def bob(self) -> ps.Mechanism:
        """Return a free body."""
        return ps.Mechanism().add("bob", self.bar, ps.Free())

    def rope(self) -> ps.Mechanism:
        """Return a free body on a rope: a mechanism with a loop."""
        return self.bob().close(ps.Loop("world", "bob", ps.Distance(1.0), name="rope"))

    @cached_property
    def bound(self) -> ps.dynamics.Dynamics:
        """The equations of motion of the arm."""
        return ps.dynamics.bind(self.arm())

    @cached_property
    def modes(self) -> ps.dynamics.Modes:
        """The modes of the arm."""
        return ps.dynamics.modes(self.arm(), self.arm().state())

    @cached_property
    def members(self) -> ps.Ensemble:
        """An ensemble of the arm."""
        vary = {"start.a.angle": [0.1, 0.2, 0.3]}
        return ps.ensemble(self.arm(), vary=vary, method="rk4", step=0.01, until=0.02, lanes=False)

    def to_ss(self) -> Any:
        """Call `to_ss` with a stand-in for python-control, which need not be installed."""
        with patch.dict(sys.modules, {"control": SimpleNamespace(ss=lambda *given, **names: given)}):
            return self.linear.to_ss()

    @cached_property
    def top(self) -> ps.Mechanism:
        """A top."""
        body = ps.Cylinder(0.3, 0.1).body(mass=1.0, center_of_mass=(0, 0, 0.4))
        return ps.Mechanism().add("t", body, ps.Spherical())

    @cached_property
    def spinning(self) -> ps.State:
        """The top in motion."""
        return self.top.state({"t": dict(angular_velocity=(0, 1, 20))})

    def hanging(self) -> ps.State:
        """Return a state of the arm."""
        return self.arm().state({"a": dict(angle=1.0)})

    @cached_property
    def controller(self) -> ps.Controller:
        """A brake."""
        return ps.Controller(brake, period=0.02, inputs=["a"], memory=0)

    @cached_property
    def pair(self) -> ps.control.Pair:
        """Inertia and stiffness of the first body."""
        return ps.control.Pair("a", "world", *((0.0, (0, 0, 0), (1.0, 1.0, 1.0)),) * 3)

    @cached_property
    def template(self) -> ps.control.Template:
        """A template of the arm."""
        return ps.control.Template(
            "particle", [self.pair, ps.control.Pair("b", "a", *((0.0, AT, np.eye(3)),) * 3)]
        )

    @cached_property
    def tracking(self) -> ps.Controller:
        """A tracking controller of the arm."""
        return ps.control.track(self.arm(), self.template, resting, ["a", "b"], period=0.01)

    def drone(self) -> ps.Mechanism:
        """Return a free body with its centre of mass at the origin."""
        return ps.Mechanism().add("bob", ps.Body(1.0, (1.0, 1.0, 1.0)), ps.Free())

    def pvtol(self) -> ps.Mechanism:
        """Return a planar vehicle."""
        return ps.Mechanism(gravity=(0, -9.81, 0)).add("bob", ps.Body(1.0, (1, 1, 1)), ps.Planar((0, 0, 1)))

    @cached_property
    def run(self) -> ps.Run:
        """A short controlled run."""
        return ps.simulate(
            self.arm(), self.hanging(), "rk4", step=0.01, steps=6, controller=self.controller, every=2
        )

    @cached_property
    def free_run(self) -> ps.Run:
        """A short run of a body whose moments differ."""
        m = ps.Mechanism(gravity=(0, 0, 0)).add("n", ps.Body(1.0, (0.1, 0.2, 0.25)), ps.Free())
        return ps.simulate(m, m.state({"n": dict(angular_velocity=(0.1, 3, 0))}), "srkn4", step=0.01, steps=6)

    @cached_property
    def comparison(self) -> ps.Comparison:
        """A comparison."""
        rows = tuple(Row("rk4", 4, 0.1 / n, 10 * n, 40 * n, 1e-3, 1e-3 / n**4) for n in (1, 2))
        return ps.Comparison("a top", 1.0, 1e-12, rows, {"nmb": "no"})

    @cached_property
    def linear(self) -> Any:
        """A linear model."""
        return ps.dynamics.linearize(self.arm(), self.hanging(), ["a"])

    @cached_property
    def robot(self) -> str:
        """The name of a robot file."""
        Path("robot.urdf").write_text('<robot name="r"><link name="a"/></robot>')
        return "robot.urdf"

    @cached_property
    def archive(self) -> str:
        """The name of an archive."""
        self.run.save("run.poinsot")
        return "run.poinsot"

    @cached_property
    def live(self) -> str:
        """The name of an archive that was written during the run."""
        options = {"step": 0.01, "until": 0.06, "every": 2, "archive": "live.poinsot"}
        record = {"t": time_of}
        Path("live.poinsot").unlink(missing_ok=True)
        ps.simulate(self.arm(), self.hanging(), "rk4", controller=self.controller, record=record, **options)
        return "live.poinsot"

    @cached_property
    def mesh(self) -> str:
        """The name of a file with a tetrahedron."""
        with open("mesh.obj", "w") as file:
            file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        return "mesh.obj"

    @cached_property
    def circle(self) -> Any:
        """Redundant coordinates."""
        return an.spaces.circle(1.0)

    x, xi = np.array([1.0, 0.0]), np.ones(1)
    line = an.spaces.minimal(1)

    @cached_property
    def system(self) -> Any:
        """A pendulum."""
        return an.levi_civita(self.circle, lambda x: np.eye(1), lambda x: 9.81 * x[1])

    t = sympy.Symbol("t")
    angle = sympy.Function("angle")(t)

    @cached_property
    def symbolic(self) -> Any:
        """A pendulum in SymPy."""
        return ps.symbolic.System(
            [self.angle], self.angle.diff(self.t) ** 2 + sympy.cos(self.angle), time=self.t
        )

    @cached_property
    def frame(self) -> Any:
        """Two links."""
        return an.MovingFrame([an.Link(-1, 2.0, EYE, inboard=(0, 0, -1), axes=[(0, 1, 0)])])

    @cached_property
    def particles(self) -> Any:
        """A pendulum of one particle."""
        return an.Particles(self.line, [2.0], lambda x: np.array([[np.sin(x[0]), -np.cos(x[0])]]))

    def bodies(self) -> Any:
        """Return a tree of one rigid body with a spring and a damper."""
        tree = an.RigidBodies(gravity=(0, 0, -10))
        tree.add(0, "revolute", an.prime([2.0], [[0, 0, -1]]), axis=(0, 1, 0))
        return tree


FUNCTIONS = {
    "t, R, w, p, v": wrench,
    "R, p": height,
    "t, Ra, wa, pa, va, Rb, wb, pb, vb": between,
    "Ra, pa, Rb, pb": of_two,
    "t, p": vortex,
    "t, q, v": at_joint,
    "t": of_time,
}
OF_KIND = {
    "name": "a",
    "text": "x",
    "flag": False,
    "rotation": EYE,
    "limit": (1.0, 8.0),
    "connection": ps.Distance(1.0),
    "whole": 0,
}
OF_NAME = {"anchor": None, "b": "b", "center_of_mass": (0.0, 0.0, 0.0), "mass": 1.0}


def sample(name: str, field: Field) -> Any:
    """Return a valid value of a field of the model."""
    if field.sample is not None or name in OF_NAME:
        return OF_NAME.get(name, field.sample)
    if field.kind == "numbers":
        sizes = [2 if n is None else n for n in field.shapes[0]]
        square = len(sizes) == 2 and sizes[0] == sizes[1]
        if square and name == "inertia":
            return World.bar.inertia
        return np.eye(sizes[0]) if square else (0.5 if not sizes else np.full(sizes, 0.5))
    if field.kind == "function":
        return FUNCTIONS[", ".join(field.words)]
    return field.words[0] if field.words else OF_KIND[field.kind]


def _declared() -> Iterator[tuple[str, Callable[[World], Call]]]:
    """Yield a call of the constructor of every public class that is made of fields."""
    for name in ps.__all__:
        kind = getattr(ps, name)
        if not (isinstance(kind, type) and issubclass(kind, Declared)):
            continue
        if [*inspect.signature(kind).parameters] == [*kind.declared]:  # a mesh has a constructor of its own
            given = {key: sample(key, field) for key, field in kind.declared.items()}
            yield f"ps.{name}", lambda w, kind=kind, given=given: Call(kind, dict(given))


def _replace_force(w: World) -> Call:
    soft = ps.Spring("a", "b", 1.0)
    return call(w.arm().apply(soft).replace_force, soft, ps.Spring("a", "b", 2.0))


TETRAHEDRON = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
FACTS = {"symplectic": False, "reversible": False, "keeps": ("energy",), "turn": 0.5}
OWN_METHOD = {"order": 1, "step": lambda field, t, q, v, h: (q, v), **FACTS}
Table = dict[str, Callable[[World], Call]]
TREE: Table = {
    "ps.Advice": lambda w: call(ps.Advice, "rk4", 0.1, 1e-6, 40, "because"),
    "ps.advise": lambda w: call(ps.advise, w.top, w.spinning, 0.1, accuracy=1e-3),
    "ps.Comparison": lambda w: call(ps.Comparison, "a top", 1.0, 1e-12, (), {}, "rad"),
    "ps.Comparison.plot": lambda w: call(w.comparison.plot, "figure.svg"),
    "ps.Comparison.reach": lambda w: call(w.comparison.reach, 1e-3, 1e-6),
    "ps.Comparison.to_csv": lambda w: call(w.comparison.to_csv, "table.csv"),
    "ps.Comparison.to_html": lambda w: call(w.comparison.to_html, "page.html", 1e-3, command="poinsot"),
    "ps.spy": lambda w: call(ps.spy, EYE, title="title", path="spy.svg"),
    "ps.Method": lambda w: call(ps.Method, "mine", **OWN_METHOD),
    "ps.Method.tree_kernel": lambda w: call(ps.Method("mine", **OWN_METHOD).tree_kernel, True),
    "ps.check_method": lambda w: call(ps.check_method, "rk4"),
    "ps.method": lambda w: call(ps.method, "newmark", beta=0.25, gamma=0.6),
    "ps.methods": lambda w: call(ps.methods),
    "ps.gallery": lambda w: call(ps.gallery),
    "ps.compare": lambda w: call(
        ps.compare,
        w.top,
        ["srkn4"],
        [0.05],
        start=w.spinning,
        until=0.1,
        step=0.05,
        say=same,
        targets=[1e-3],
        progress=False,
    ),
    "ps.reproduce": lambda w: call(ps.reproduce, "movingframe/kinematics"),
    "ps.scenario": lambda w: call(
        ps.scenario,
        "fast-top",
        **{
            "step": 0.01,
            "until": 0.1,
            "time": 0.0,
            "method": "nmb",
            "gravity": (0, 0, -9.81),
            "bodies.top.mass": 1.0,
            "bodies.top.inertia": (1.0, 1.0, 1.0),
            "bodies.top.center_of_mass": (0, 0, 1.0),
            "bodies.top.physical": True,
            "bodies.top.joint": "spherical",
            "start.top.angular_velocity": (0, 0, 50),
        },
    ),
    "ps.to_toml": lambda w: call(ps.to_toml, w.arm()),
    "ps.load": lambda w: call(ps.load, w.archive),
    "ps.ensemble": lambda w: call(
        ps.ensemble,
        w.arm(),
        starts=None,
        vary={"start.a.angle": [0.1, 0.2]},
        zip=False,
        samples=None,
        seed=0,
        design="random",
        start=w.hanging(),
        method="rk4",
        step=0.01,
        until=0.02,
        every=1,
        controller=None,
        events=[],
        reduce=None,
        executor="threads",
        workers=1,
        lanes=False,
        archive=None,
        progress=False,
    ),
    "ps.Ensemble": lambda w: call(
        ps.Ensemble, w.members._problem, w.members._members, w.members._table, w.members._head, "a note"
    ),
    "ps.Ensemble.rerun": lambda w: call(w.members.rerun, 1, 2),
    "ps.Ensemble.dataset": lambda w: call(w.members.dataset),
    "ps.Ensemble.save": lambda w: call(w.members.save, "members.poinsot"),
    "ps.Ensemble.to_netcdf": lambda w: call(w.members.to_netcdf, "members.nc"),
    "ps.Ensemble.mean": lambda w: call(w.members.mean, "final_q"),
    "ps.Ensemble.quantiles": lambda w: call(w.members.quantiles, "final_q", (0.1, 0.9)),
    "ps.Ensemble.to_html": lambda w: call(
        w.members.to_html, "members.html", [0, 1], title="arms", notes="two of them", trail="a", ground=0.0
    ),
    "ps.Ensemble.view": lambda w: call(
        w.members.view, 2, title="arms", notes="two of them", trail="a", ground=0.0
    ),
    "ps.Ensemble.plot": lambda w: call(w.members.plot, "map", "members.svg", of="a.angle"),
    "ps.Rolling": lambda w: call(
        ps.Rolling,
        "a",
        ps.Wheel(0.1),
        (0, 0, 0),
        (0, 0, 1),
        "world",
        (0, 0, 0),
        (0, 0, 1),
        surface=None,
        friction=0.3,
        name="rolls",
    ),
    "ps.Skate": lambda w: call(
        ps.Skate, "a", (0, 0, 0), (1, 0, 0), "world", (0, 0, 0), (0, 0, 1), name="glides"
    ),
    "ps.Bowl": lambda w: call(ps.Bowl, 1.0),
    "ps.RollingContact": lambda w: call(ps.RollingContact, (0, 0, 0), 0.0, 0.1, 1.0, 0.3),
    "ps.SkateContact": lambda w: call(ps.SkateContact),
    "ps.dynamics.gravity_forces": lambda w: call(ps.dynamics.gravity_forces, w.arm(), w.hanging()),
    "ps.dynamics.coriolis_matrix": lambda w: call(ps.dynamics.coriolis_matrix, w.arm(), w.hanging()),
    "ps.dynamics.centroidal_matrix": lambda w: call(ps.dynamics.centroidal_matrix, w.arm(), w.hanging()),
    "ps.dynamics.center_of_mass_jacobian": lambda w: call(
        ps.dynamics.center_of_mass_jacobian, w.arm(), w.hanging()
    ),
    "ps.dynamics.inertial_parameters": lambda w: call(ps.dynamics.inertial_parameters, w.arm()),
    "ps.dynamics.regressor": lambda w: call(
        ps.dynamics.regressor, w.arm(), w.hanging(), np.zeros(w.arm().lengths[1])
    ),
    "ps.dynamics.inverse_kinematics": lambda w: call(
        ps.dynamics.inverse_kinematics,
        w.arm(),
        w.hanging(),
        {w.arm().names[-1]: {"position": (0.0, 0.0, -1.0)}},
        limits={},
        accuracy=1e-6,
        iterations=5,
    ),
    "ps.dynamics.Kinematics": lambda w: call(ps.dynamics.Kinematics, w.hanging(), 0.0, 1, "reached"),
    "ps.read": lambda w: call(ps.read, w.robot, base="fixed", packages=(), stops=1e3, friction=0.1),
    "ps.check": lambda w: call(ps.check, w.robot, base="free", packages=(), step=0.01),
    "ps.to_urdf": lambda w: call(ps.to_urdf, ps.read(w.robot), name="r"),
    "ps.Finding": lambda w: call(ps.Finding, "error", "link 'a'", 3, "mass", "no mass", file="a.urdf"),
    "ps.resume": lambda w: call(
        ps.resume,
        w.live,
        until=0.06,
        mechanism=w.arm(),
        system=None,
        controller=w.controller,
        method=None,
        record={"t": time_of},
        progress=False,
        events=None,
        same=False,
    ),
    "ps.replay": lambda w: call(
        ps.replay, w.live, mechanism=w.arm(), system=None, controller=w.controller, method=None, events=None
    ),
    "ps.stream": lambda w: call(
        ps.stream,
        w.arm(),
        w.hanging(),
        "rk4",
        step=0.01,
        every=1,
        until=None,
        steps=2,
        controller=w.controller,
        events=None,
        record={},
    ),
    "ps.solve": lambda w: call(
        ps.solve,
        lambda t, R: (1.0, 2.0, 3.0),
        (0.0, 0.1),
        np.eye(3),
        group="SO3",
        method="cf4",
        step=0.05,
        accuracy=None,
        events=lambda t, R: R[0, 0],
    ),
    "ps.simulate": lambda w: call(
        ps.simulate,
        w.arm(),
        w.hanging(),
        "rk4",
        step=0.01,
        until=None,
        steps=2,
        every=1,
        controller=w.controller,
        record={"t": lambda t, state: t},
        archive=None,
        progress=False,
        events=[ps.Event("a.angle", reset=lambda t, state: state)],
        accuracy=None,
    ),
    "ps.StepError": lambda w: call(ps.StepError, "no luck", time=0.0, step=1, state=w.spinning, run=None),
    "ps.RecordError": lambda w: call(ps.RecordError, "no luck", run=None),
    "ps.Body": lambda w: call(ps.Body, 1.0, (1.0, 1.0, 1.0), AT, ps.Box(1.0), True),
    "ps.Body.of": lambda w: call(ps.Body.of, [(w.bar, AT, EYE), w.bar]),
    "ps.State": lambda w: call(ps.State, 0.0, [0.5], [1.0], None),
    "ps.Actuator.components": lambda w: call(ps.Actuator("a").components, w.arm()),
    "ps.Servo.components": lambda w: call(ps.Servo("a").components, w.arm()),
    "ps.Controller": lambda w: call(ps.Controller, brake, 0.02, ["a"], (1, 2)),
    "ps.Controller.control": lambda w: call(w.controller.control, w.arm()),
    "ps.Controller.limits": lambda w: call(w.controller.limits, w.arm()),
    "ps.Controller.steps": lambda w: call(w.controller.steps, 0.01),
    "ps.Feedback": lambda w: call(ps.Feedback, pull, ["a"], compiled=True),
    "ps.Feedback.control": lambda w: call(ps.Feedback(pull, ["a"]).control, w.arm()),
    "ps.Mechanism": lambda w: call(ps.Mechanism, (0, 0, -9.81)),
    "ps.Mechanism.add": lambda w: call(
        w.arm().add, "c", w.bar, ps.Revolute((1, 0, 0)), "a", AT, EYE, ((0, 0, 1), EYE)
    ),
    "ps.Mechanism.apply": lambda w: call(w.arm().apply, ps.Spring("a", "b", 5.0), ps.JointDamper("a", 0.1)),
    "ps.Mechanism.close": lambda w: call(w.arm().close, ps.Loop("b", "world", ps.Distance(1.0))),
    "ps.Mechanism.frame": lambda w: call(w.arm().frame, "tool", "a", AT, (1, 0, 0, 0)),
    "ps.Mechanism.to_urdf": lambda w: call(ps.read(w.robot).to_urdf, name="r"),
    "ps.Mechanism.copy": lambda w: call(w.arm().copy),
    "ps.Mechanism.snapshot": lambda w: call(w.arm().snapshot),
    "ps.Mechanism.link": lambda w: call(w.arm().link, "a", "who"),
    "ps.Mechanism.replace": lambda w: call(
        w.arm().replace, "a", w.bar, ps.Revolute((0, 1, 0)), AT, EYE, (0, 0, 1)
    ),
    "ps.Mechanism.replace_force": _replace_force,
    "ps.Mechanism.carrier": lambda w: call(w.arm().carrier, "a"),
    "ps.Mechanism.slices": lambda w: call(w.arm().slices, "a"),
    "ps.Mechanism.live": lambda w: call(
        live_of(w.arm()),
        w.hanging(),
        "rk4",
        step=0.01,
        controller=w.controller,
        events=None,
        port=0,
        folder=None,
        browser=False,
        notebook=None,
    ),
    "ps.Mechanism.state": lambda w: call(w.arm().state, {"a": dict(angle=1.0)}, 0.0),
    "ps.Mesh": lambda w: call(ps.Mesh, w.mesh, 1.0),
    "ps.Mesh.from_arrays": lambda w: call(
        ps.Mesh.from_arrays, [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], TETRAHEDRON
    ),
    "ps.RotatingFrame.on_all": lambda w: call(ps.RotatingFrame.on_all, w.arm(), (0.0, 0.0, 0.1)),
    "ps.Stiffness.of_springs": lambda w: call(
        ps.Stiffness.of_springs, "a", "b", [1.0, 2.0, 3.0], EYE, 2 * EYE
    ),
}
SHOWN = {
    **dict.fromkeys(("title", "notes", "command", "error"), "t"),
    **{"trail": {"b": AT}, "ground": -1.0, "overlay": True},
}
RUN: Table = {
    "ps.Run": lambda w: call(
        ps.Run,
        **{name: getattr(w.run, name) for name in inspect.signature(ps.Run).parameters},
    ),
    "ps.Run.angles": lambda w: call(w.run.angles, "a", (0, 0, 1)),
    "ps.Run.angular_velocity": lambda w: call(w.run.angular_velocity, "a"),
    "ps.Run.at": lambda w: call(w.run.at, 0.02),
    "ps.Run.distance_to_se3": lambda w: call(w.free_run.distance_to_se3, "n"),
    "ps.Run.drift": lambda w: call(w.run.drift),
    "ps.Run.part": lambda w: call(w.free_run.part, "n"),
    "ps.Run.flips": lambda w: call(w.free_run.flips, "n"),
    "ps.Run.input": lambda w: call(w.run.input, "a"),
    "ps.Run.joint": lambda w: call(w.run.joint, "a"),
    "ps.Run.plot": lambda w: call(w.run.plot, "figure.svg", "drift", None),
    "ps.Run.point": lambda w: call(w.run.point, "a", AT),
    "ps.Run.polhode": lambda w: call(w.free_run.polhode, "n", "figure.svg"),
    "ps.Run.position": lambda w: call(w.run.position, "a"),
    "ps.Run.quaternion": lambda w: call(w.run.quaternion, "a"),
    "ps.Run.rate": lambda w: call(w.run.rate, "a"),
    "ps.Run.reaction": lambda w: call(w.run.reaction, "a"),
    "ps.Run.report": lambda w: call(w.run.report),
    "ps.Run.resample": lambda w: call(w.run.resample, [0.0, 0.015, 0.02]),
    "ps.Run.rotation": lambda w: call(w.run.rotation, "a"),
    "ps.Run.save": lambda w: call(w.run.save, "saved.poinsot"),
    "ps.Run.to_html": lambda w: call(w.run.to_html, "page.html", {"other": w.run}, **SHOWN),
    "ps.Run.to_video": lambda w: call(
        w.run.to_video,
        "film.mp4",
        {"other": w.run},
        seconds=1.0,
        speed=1.0,
        rate=10,
        size=(64, 64),
        look="",
        progress=False,
        title="t",
        notes="n",
        trail="a",
    ),
    "ps.Run.parts": lambda w: call(w.run.parts),
    "ps.Run.to_csv": lambda w: call(w.run.to_csv, "run.csv", reactions=True),
    "ps.Run.to_netcdf": lambda w: call(w.run.to_netcdf, "run.nc", reactions=False),
    "ps.Run.to_pandas": lambda w: call(w.run.to_pandas, reactions=True),
    "ps.Run.to_xarray": lambda w: call(w.run.to_xarray, reactions=True),
    "ps.Run.velocity": lambda w: call(w.run.velocity, "a"),
    "ps.Run.view": lambda w: call(w.run.view, {"other": w.run}, **SHOWN),
}
MECHANICS: Table = {
    "ps.dynamics.LoopResiduals": lambda w: call(ps.dynamics.LoopResiduals, {}, {}, 0, 0, 1),
    "ps.dynamics.Energy": lambda w: call(ps.dynamics.Energy, 1.0, 2.0),
    "ps.dynamics.Momentum": lambda w: call(ps.dynamics.Momentum, ONE, ONE),
    "ps.dynamics.Linearization": lambda w: call(
        ps.dynamics.Linearization,
        **{name: getattr(w.linear, name) for name in inspect.signature(ps.dynamics.Linearization).parameters},
    ),
    "ps.dynamics.Linearization.without": lambda w: call(w.linear.without, "a.angle", "a.rate"),
    "ps.dynamics.Dynamics": lambda w: call(ps.dynamics.Dynamics, w.arm()),
    "ps.dynamics.Dynamics.acceleration": lambda w: call(
        w.bound.acceleration, np.zeros((5, 2)), np.ones((5, 2)), np.ones(2), time=0.0, out=np.zeros((5, 2))
    ),
    "ps.dynamics.Dynamics.center_of_mass": lambda w: call(w.bound.center_of_mass, np.zeros(2)),
    "ps.dynamics.relative_pose": lambda w: call(
        ps.dynamics.relative_pose, w.arm(), w.hanging(), "b", "a", AT
    ),
    "ps.dynamics.relative_jacobian": lambda w: call(
        ps.dynamics.relative_jacobian, w.arm(), w.hanging(), "b", "a", AT
    ),
    "ps.dynamics.Dynamics.relative_pose": lambda w: call(w.bound.relative_pose, np.zeros(2), "b", "a", AT),
    "ps.dynamics.Dynamics.relative_jacobian": lambda w: call(
        w.bound.relative_jacobian, np.zeros(2), "b", "a", AT
    ),
    "ps.dynamics.Dynamics.gravity_forces": lambda w: call(w.bound.gravity_forces, np.zeros(2)),
    "ps.dynamics.Dynamics.coriolis_matrix": lambda w: call(w.bound.coriolis_matrix, np.zeros(2), np.ones(2)),
    "ps.dynamics.Dynamics.center_of_mass_jacobian": lambda w: call(
        w.bound.center_of_mass_jacobian, np.zeros(2)
    ),
    "ps.dynamics.Dynamics.centroidal_matrix": lambda w: call(w.bound.centroidal_matrix, np.zeros(2)),
    "ps.dynamics.Dynamics.regressor": lambda w: call(w.bound.regressor, np.zeros(2), np.ones(2), np.ones(2)),
    "ps.dynamics.Dynamics.energy": lambda w: call(w.bound.energy, np.zeros(2), np.ones(2)),
    "ps.dynamics.Dynamics.inverse_dynamics": lambda w: call(
        w.bound.inverse_dynamics,
        np.zeros(2),
        np.ones(2),
        np.ones(2),
        inputs=["a", "b"],
        time=0.0,
        out=np.zeros(2),
    ),
    "ps.dynamics.Dynamics.jacobian": lambda w: call(
        w.bound.jacobian, np.zeros(2), "b", AT, axes="body", out=np.zeros((6, 2))
    ),
    "ps.dynamics.Dynamics.pose": lambda w: call(w.bound.pose, np.zeros(2), "b", AT),
    "ps.dynamics.Dynamics.position": lambda w: call(w.bound.position, np.zeros(2), "b", AT),
    "ps.dynamics.Dynamics.velocity": lambda w: call(
        w.bound.velocity, np.zeros(2), np.ones(2), "b", AT, axes="space"
    ),
    "ps.dynamics.Dynamics.angular_velocity": lambda w: call(
        w.bound.angular_velocity, np.zeros(2), np.ones(2), "b", axes="body"
    ),
    "ps.dynamics.Dynamics.mass_matrix": lambda w: call(
        w.bound.mass_matrix, np.zeros(2), out=np.zeros((2, 2))
    ),
    "ps.dynamics.Dynamics.momentum": lambda w: call(w.bound.momentum, np.zeros(2), np.ones(2)),
    "ps.dynamics.Equilibrium": lambda w: call(
        ps.dynamics.Equilibrium, 0.0, np.zeros(2), np.zeros(2), None, np.zeros(1), ("a",)
    ),
    "ps.dynamics.Modes": lambda w: call(
        ps.dynamics.Modes,
        **{name: getattr(w.modes, name) for name in inspect.signature(ps.dynamics.Modes).parameters},
    ),
    "ps.dynamics.Modes.displace": lambda w: call(w.modes.displace, 0, 0.1),
    "ps.dynamics.Linearization.to_ss": lambda w: call(w.to_ss),
    "ps.dynamics.Dynamics.linearize": lambda w: call(
        w.bound.linearize, np.zeros(2), np.zeros(2), ["a"], u=np.zeros(1), time=0.0
    ),
    "ps.dynamics.equilibrium": lambda w: call(
        ps.dynamics.equilibrium, w.arm(), w.arm().state(), ["a"], u=[0.0]
    ),
    "ps.dynamics.modes": lambda w: call(ps.dynamics.modes, w.arm(), w.arm().state(), ["a"], u=[0.0]),
    "ps.dynamics.pose": lambda w: call(ps.dynamics.pose, w.arm(), w.hanging(), "b", AT),
    "ps.dynamics.position": lambda w: call(ps.dynamics.position, w.arm(), w.hanging(), "b", AT),
    "ps.dynamics.velocity": lambda w: call(ps.dynamics.velocity, w.arm(), w.hanging(), "b", AT, axes="space"),
    "ps.dynamics.angular_velocity": lambda w: call(
        ps.dynamics.angular_velocity, w.arm(), w.hanging(), "b", axes="body"
    ),
    "ps.dynamics.acceleration": lambda w: call(
        ps.dynamics.acceleration, w.arm(), w.hanging(), [0.1, 0.2], out=np.zeros(2)
    ),
    "ps.dynamics.bind": lambda w: call(ps.dynamics.bind, w.arm()),
    "ps.dynamics.center_of_mass": lambda w: call(ps.dynamics.center_of_mass, w.arm(), w.hanging()),
    "ps.dynamics.loop_constraints": lambda w: call(ps.dynamics.loop_constraints, w.rope(), w.rope().state()),
    "ps.dynamics.difference": lambda w: call(ps.dynamics.difference, w.arm(), w.hanging(), w.hanging()),
    "ps.dynamics.discrete_residual": lambda w: call(
        ps.dynamics.discrete_residual, w.arm(), w.hanging(), w.hanging(), w.hanging(), 0.1
    ),
    "ps.dynamics.discrete_residual_recorder": lambda w: call(
        ps.dynamics.discrete_residual_recorder, w.arm(), 0.1
    ),
    "ps.dynamics.discrete_residual_along": lambda w: call(
        ps.dynamics.discrete_residual_along, w.arm(), [w.hanging()] * 3, 0.1
    ),
    "ps.dynamics.energy": lambda w: call(ps.dynamics.energy, w.arm(), w.hanging()),
    "ps.dynamics.inverse_dynamics": lambda w: call(
        ps.dynamics.inverse_dynamics, w.arm(), w.hanging(), [0.1, 0.2], inputs=["b", "a"], out=np.zeros(2)
    ),
    "ps.dynamics.jacobian": lambda w: call(
        ps.dynamics.jacobian, w.arm(), w.hanging(), "b", AT, axes="body", out=np.zeros((6, 2))
    ),
    "ps.dynamics.jacobian_rate": lambda w: call(ps.dynamics.jacobian_rate, w.arm(), w.hanging(), "b", AT),
    "ps.dynamics.linearize": lambda w: call(
        ps.dynamics.linearize,
        w.arm(),
        w.hanging(),
        ["a"],
        "rk4",
        step=0.01,
        steps=2,
        u=[0.0],
        outputs=["a.angle"],
    ),
    "ps.dynamics.mass_matrix": lambda w: call(
        ps.dynamics.mass_matrix, w.arm(), w.hanging(), out=np.zeros((2, 2))
    ),
    "ps.dynamics.momentum": lambda w: call(ps.dynamics.momentum, w.arm(), w.hanging()),
    "ps.dynamics.move": lambda w: call(ps.dynamics.move, w.arm(), w.hanging(), [0.0, 0.1, 0.2, 0.3]),
    "ps.dynamics.multipliers": lambda w: call(ps.dynamics.multipliers, w.rope(), w.rope().state()),
    "ps.dynamics.reactions": lambda w: call(ps.dynamics.reactions, w.arm(), w.hanging()),
    "ps.dynamics.reactions_along": lambda w: call(
        ps.dynamics.reactions_along, w.run.mechanism, [w.hanging()], np.zeros((1, 1))
    ),
    "ps.control.Pair": lambda w: call(
        ps.control.Pair, "a", "world", np.eye(4), (1.0, AT, (1, 1, 1)), (1.0, AT, np.eye(3))
    ),
    "ps.control.Template": lambda w: call(ps.control.Template, "particle", [w.pair]),
    "ps.control.Template.at": lambda w: call(w.template.at, w.arm(), w.hanging(), w.hanging(), [0.0, 0.0]),
    "ps.control.TemplateAt": lambda w: call(ps.control.TemplateAt, np.eye(1), [1.0], 1.0, 2.0, 3.0),
    "ps.control.LeastConstraint": lambda w: call(
        ps.control.LeastConstraint, [1.0], 0.0, [0.0], [1.0], np.eye(1), ()
    ),
    "ps.control.least_constraint": lambda w: call(
        ps.control.least_constraint,
        np.eye(2),
        [0.0, 1.0],
        np.eye(2),
        np.eye(2),
        [1.0, 2.0],
        Z=np.eye(2),
        b=[0.1, 5.0],
    ),
    "ps.control.Actuation": lambda w: call(ps.control.Actuation, "full", 1, 1.0, np.zeros((1, 0))),
    "ps.control.servos": lambda w: call(ps.control.servos, w.driven_arm(), {"elbow": 0.3}),
    "ps.control.actuation": lambda w: call(ps.control.actuation, w.arm(), w.hanging(), ["a"]),
    "ps.control.input_matrix": lambda w: call(ps.control.input_matrix, w.arm(), w.hanging(), ["a"]),
    "ps.control.track": lambda w: call(
        ps.control.track,
        w.arm(),
        w.template,
        resting,
        ["a", "b"],
        limits=(np.eye(2), [50.0, 50.0]),
        period=None,
        metric=[1.0, 2.0],
        completion=1e-3,
        check=True,
        horizon=None,
    ),
    "ps.control.computed_torque": lambda w: call(
        ps.control.computed_torque, w.arm(), resting, ["a", "b"], 9.0, 6.0, period=0.01, horizon=1.0
    ),
    "ps.control.joint_pd": lambda w: call(
        ps.control.joint_pd, w.arm(), resting, ["a", "b"], 9.0, 6.0, period=0.01, horizon=1.0
    ),
    "ps.control.Matched": lambda w: call(ps.control.Matched, *[1.0] * 7),
    "ps.control.match_poles": lambda w: call(
        ps.control.match_poles, 1.0, (4, 0.8), (20, 0.8), 0.01, gravity=9.81
    ),
    "ps.control.matched_pair": lambda w: call(
        ps.control.matched_pair, "a", 1.0, (4, 0.8), (20, 0.8), (6, 1), 0.03, offsets=(0.0, 0.0), gravity=9.81
    ),
    "ps.control.Lag": lambda w: call(ps.control.Lag, 20.0, 3.0),
    "ps.control.TiltServo": lambda w: call(ps.control.TiltServo, 75.0, 39.4, 0.93),
    "ps.control.RotorDynamics": lambda w: call(
        ps.control.RotorDynamics, 1.44e-5, 3.6e-5, (100.0, 125.0, 66.0), 0.7
    ),
    "ps.control.Readings": lambda w: call(ps.control.Readings, AT, AT, AT, EYE),
    "ps.control.Sensors.read": lambda w: call(
        ps.control.Sensors().read, w.arm(), w.hanging(), "b", AT, acceleration=[0.1, 0.2], seed=1
    ),
    "ps.control.Sensors": lambda w: call(
        ps.control.Sensors,
        gyro=0.01,
        accelerometer=0.15,
        accelerometer_bias=(0.1, 0.0, 0.2),
        position=5e-4,
        attitude=2e-3,
        period=0.1,
        delay=0.034,
    ),
    "ps.control.twin": lambda w: call(
        ps.control.twin,
        w.arm(),
        w.controller,
        step=0.01,
        actuators=ps.control.Lag(9.0),
        delay=1,
        bias=np.zeros(6),
        sensors=None,
        seed=3,
    ),
    "ps.control.Matching": lambda w: call(ps.control.Matching, *[np.zeros((1, 1))] * 3),
    "ps.control.matching": lambda w: call(ps.control.matching, w.tracking, time=0.0),
    "ps.control.two_mass_pairs": lambda w: call(
        ps.control.two_mass_pairs, "a", "b", 16.0, [-2 + 1.5j, -2 - 1.5j, -5 + 3j, -5 - 3j], 0.3
    ),
    "ps.control.recording": lambda w: call(ps.control.recording, w.tracking),
    "ps.control.poles": lambda w: call(ps.control.poles, w.tracking, time=0.0),
    "ps.control.Performance": lambda w: call(
        ps.control.Performance, *[np.zeros(1)] * 9, (np.zeros((0, 1)), np.zeros(0))
    ),
    "ps.control.Performance.plot": lambda w: call(
        ps.control.performance(w.run, w.tracking).plot, "figure.svg"
    ),
    "ps.control.performance": lambda w: call(ps.control.performance, w.run, w.tracking),
    "ps.control.references.constant": lambda w: call(ps.control.references.constant, w.hanging()),
    "ps.control.references.joint_motion": lambda w: call(ps.control.references.joint_motion, w.arm(), line),
    "ps.control.references.free_motion": lambda w: call(
        ps.control.references.free_motion, w.bob(), "bob", path, None
    ),
    "ps.control.references.infeasibility": lambda w: call(
        ps.control.references.infeasibility, w.arm(), resting, ["a", "b"], [0.0, 1.0]
    ),
    "ps.control.references.flat_quadcopter": lambda w: call(
        ps.control.references.flat_quadcopter,
        w.drone(),
        "bob",
        path,
        heading=line,
        drag=0.1,
        front=(1.0, 0.0, 0.0),
        begin=0.0,
    ),
    "ps.control.references.flat_pvtol": lambda w: call(
        ps.control.references.flat_pvtol, w.pvtol(), "bob", path, offset=0.1
    ),
    "ps.control.references.rest_to_rest": lambda w: call(
        ps.control.references.rest_to_rest, [0.0], [(0.0, 1.0, [2.0])], degree=9
    ),
    "ps.control.references.replan": lambda w: call(
        ps.control.references.replan, np.zeros((5, 2)), [1.0, 2.0], 1.0, begin=0.0
    ),
    "ps.control.references.circle": lambda w: call(
        ps.control.references.circle, 1.0, 0.5, across=(1, 0, 0), up=(0, 0, 1), center=(0, 0, 0)
    ),
    "ps.control.references.helix": lambda w: call(
        ps.control.references.helix, 1.0, 0.5, (0, 0, 0.2), across=(1, 0, 0), up=(0, 1, 0), center=(0, 0, 0)
    ),
    "ps.control.references.loop_the_loop": lambda w: call(
        ps.control.references.loop_the_loop, 1.0, 3.6, begin=0.0
    ),
    "ps.control.references.flip": lambda w: call(
        ps.control.references.flip, duration=2.2, height=0.94, p=10, side=1.4, q=12, begin=0.0
    ),
    "ps.control.references.euler_attitude": lambda w: call(ps.control.references.euler_attitude, path),
    "ps.control.references.turning": lambda w: call(
        ps.control.references.turning, (0, 1, 0), line, start=EYE
    ),
    "ps.control.references.pose_spline": lambda w: call(
        ps.control.references.pose_spline, 0.0, 1.0, [np.eye(4), np.eye(4)]
    ),
    "ps.control.Regulator": lambda w: call(
        ps.control.Regulator, w.arm(), np.zeros((1, 4)), w.hanging(), u=[0.0], states=w.linear.states
    ),
    "ps.control.Regulator.deviation": lambda w: call(
        ps.control.Regulator(w.arm(), np.zeros((1, 4)), w.hanging()).deviation, w.hanging()
    ),
    "ps.control.Regulator.force": lambda w: call(
        ps.control.Regulator(w.arm(), np.zeros((1, 4)), w.hanging()).force, w.hanging()
    ),
    "ps.control.LQR": lambda w: call(ps.control.LQR, EYE, EYE, ONE),
    "ps.control.lqr": lambda w: call(
        ps.control.lqr, [[1, 1], [0, 1]], [[0.5], [1.0]], [1, 1], [1], continuous=False
    ),
    "ps.control.discretize": lambda w: call(ps.control.discretize, [[0, 1], [0, 0]], [[0], [1]], 1.0),
    "ps.control.Kalman": lambda w: call(ps.control.Kalman, EYE, EYE, np.zeros(3)),
    "ps.control.kalman": lambda w: call(ps.control.kalman, EYE, EYE, EYE, EYE, continuous=False),
    "ps.control.sample_model": lambda w: call(
        ps.control.sample_model, w.arm(), w.hanging(), ["a"], period=0.02, method="rk4", step=0.01, u=[0.0]
    ),
    "ps.control.memory_of": lambda w: call(ps.control.memory_of, w.run.final),
}
POSE, TWIST, PRIME = np.eye(4), np.zeros(6), np.diag([0.0, 0, 0, 2.0])
INERTIA = an.from_moments(2.0, (0, 0, 0), EYE)
P = np.diag([3.0, 2.0, 1.0])
ANALYTICAL: Table = {
    "ps.analytical.closest_rotation": lambda w: call(an.closest_rotation, P, EYE),
    "ps.analytical.critical_points": lambda w: call(an.critical_points, P),
    "ps.analytical.wahba": lambda w: call(an.wahba, [1, 1], EYE[:2], EYE[1:]),
    "ps.analytical.Coordinates": lambda w: call(
        an.Coordinates,
        2,
        lambda x: np.array([[-x[1]], [x[0]]]),
        lambda x: np.array([x @ x - 1]),
        lambda x: np.array([[-x[1], x[0]]]),
        0.02,
    ),
    "ps.analytical.Coordinates.A": lambda w: call(w.circle.A, w.x),
    "ps.analytical.Coordinates.Phi": lambda w: call(w.circle.Phi, w.x),
    "ps.analytical.Coordinates.Y": lambda w: call(w.circle.Y, w.x),
    "ps.analytical.Coordinates.check": lambda w: call(w.circle.check, w.x, 1e-9, nonholonomic=False),
    "ps.analytical.Coordinates.connection": lambda w: call(w.circle.connection, lambda x: np.eye(1), w.x),
    "ps.analytical.Coordinates.derivative": lambda w: call(w.circle.derivative, lambda x: x[0], w.x),
    "ps.analytical.Coordinates.deviation": lambda w: call(w.circle.deviation, w.x, w.xi),
    "ps.analytical.Coordinates.drift": lambda w: call(w.circle.drift, w.x, 1.0),
    "ps.analytical.Coordinates.gamma": lambda w: call(w.circle.gamma, w.x),
    "ps.analytical.Coordinates.hessian": lambda w: call(
        w.circle.hessian, lambda x: x[1], w.x, lambda x: np.eye(1)
    ),
    "ps.analytical.Coordinates.linearize": lambda w: call(
        w.circle.linearize, lambda x, v, a: a + x[1:], w.x, w.xi, w.xi
    ),
    "ps.analytical.Coordinates.rate": lambda w: call(w.circle.rate, w.x, w.xi),
    "ps.analytical.Coordinates.retract": lambda w: call(w.circle.retract, w.x, 1e-13, 20),
    "ps.analytical.Coordinates.second": lambda w: call(w.circle.second, lambda x: x[1], w.x),
    "ps.analytical.Coordinates.velocity": lambda w: call(w.circle.velocity, w.x, w.x),
    "ps.analytical.System": lambda w: call(
        an.System,
        w.line,
        lambda t, x, v: v,
        lambda t, x, v: -x,
        lambda t, x, v: 0.0,
        lambda t, x, v: 0.0,
        lambda t, x, v: 0.0,
        lambda t, x, v, f: f,
        lambda t, x, v: np.zeros(1),
        None,
        ["x"],
        None,
        lambda t, x, v: v @ v,
        lambda t, x, v: (v, x),
        lambda t, x, v: 0 * v,
        lambda x: x,
        [an.InputForce(lambda t, x: np.eye(1))],
    ),
    "ps.analytical.System.draw": lambda w: call(
        w.system.draw, points=lambda x: [(0.0, 0.0, 0.0)], poses=None, rods=[(-1, 0)], names=["a", "b"]
    ),
    "ps.analytical.System.field": lambda w: call(w.system.field, 0.0, np.array([1.0, 0.0, 1.0]), 0.1),
    "ps.analytical.System.linearize": lambda w: call(w.system.linearize, 0.0, w.x, w.xi),
    "ps.analytical.System.retract": lambda w: call(w.system.retract, np.array([1.0, 0.0, 1.0])),
    "ps.analytical.System.split": lambda w: call(w.system.split, np.array([1.0, 0.0, 1.0])),
    "ps.symbolic.System": lambda w: call(
        ps.symbolic.System,
        [w.angle],
        w.angle.diff(w.t) ** 2,
        dissipation=w.angle.diff(w.t) ** 2,
        forces=[w.angle],
        constraints=[w.angle - w.t],
        velocities=None,
        parameters={},
        time=w.t,
        patience=1.0,
    ),
    "ps.symbolic.System.draw": lambda w: call(
        w.symbolic.draw, points=lambda x: [(0.0, 0.0, 0.0)], poses=None, rods=[(-1, 0)], names=["a"]
    ),
    "ps.symbolic.System.latex": lambda w: call(w.symbolic.latex),
    "ps.symbolic.System.linearize": lambda w: call(w.symbolic.linearize, {w.angle: 0}),
    "ps.symbolic.System.system": lambda w: call(w.symbolic.system),
    "ps.symbolic.System.to_c": lambda w: call(w.symbolic.to_c),
    "ps.symbolic.System.to_numpy": lambda w: call(w.symbolic.to_numpy),
    "ps.symbolic.System.to_python": lambda w: call(w.symbolic.to_python),
    "ps.symbolic.of": lambda w: call(ps.symbolic.of, w.arm(), parameters=["a.mass"], patience=1.0),
    "ps.symbolic.moving_frame": lambda w: call(
        ps.symbolic.moving_frame,
        [w.angle],
        [{"parent": -1, "mass": 1, "inertia": EYE.tolist(), "inboard": AT, "axis": (1, 0, 0)}],
        time=w.t,
    ),
    "ps.symbolic.Ad": lambda w: call(ps.symbolic.Ad, EYE.tolist()),
    "ps.symbolic.ad": lambda w: call(ps.symbolic.ad, AT),
    "ps.symbolic.exp": lambda w: call(ps.symbolic.exp, (1, 0, 0)),
    "ps.symbolic.hat": lambda w: call(ps.symbolic.hat, AT),
    "ps.symbolic.log": lambda w: call(ps.symbolic.log, EYE.tolist()),
    "ps.symbolic.vee": lambda w: call(ps.symbolic.vee, EYE.tolist()),
    "ps.analytical.with_loop_constraints": lambda w: call(
        an.with_loop_constraints, w.system, lambda x: np.eye(1), lambda x: np.array([x[0]]), 0.1
    ),
    "ps.analytical.gauss": lambda w: call(an.gauss, EYE, np.ones(3), EYE[:1], ONE),
    "ps.analytical.gibbs_appell": lambda w: call(
        an.gibbs_appell,
        w.line,
        lambda t, x, v, a: a[0] ** 2,
        lambda x: x[0] ** 2,
        lambda t, x, v: 0 * v,
        forces=[lambda t, x, v: 0 * v],
        dissipation=lambda t, x, v: v @ v,
        inputs=[an.InputForce(lambda t, x: np.eye(1))],
        energy=lambda t, x, v: v @ v,
    ),
    "ps.analytical.hamilton": lambda w: call(
        an.hamilton,
        w.line,
        lambda t, x, p: p[0] ** 2 + x[0] ** 2,
        lambda t, x, v: 0 * v,
        forces=[lambda t, x, v: 0 * v],
        dissipation=lambda t, x, v: v @ v,
        inputs=[an.InputForce(lambda t, x: np.eye(1))],
        energy=lambda t, x, v: v @ v,
    ),
    "ps.analytical.lagrange": lambda w: call(
        an.lagrange,
        w.line,
        lambda t, x, v: v[0] ** 2 - x[0] ** 2,
        lambda t, x, v: 0 * v,
        forces=[lambda t, x, v: 0 * v],
        dissipation=lambda t, x, v: v @ v,
        inputs=[an.InputForce(lambda t, x: np.eye(1))],
        energy=lambda t, x, v: v @ v,
    ),
    "ps.analytical.legendre": lambda w: call(
        an.legendre, w.line, lambda t, x, v: v[0] ** 2 - x[0] ** 2, lambda t, x, v: 0 * v, 1e-12
    ),
    "ps.analytical.levi_civita": lambda w: call(
        an.levi_civita,
        w.line,
        lambda x: np.eye(1),
        lambda x: x[0] ** 2,
        lambda t, x, v: 0 * v,
        forces=[lambda t, x, v: 0 * v],
        dissipation=lambda t, x, v: v @ v,
        inputs=[an.InputForce(lambda t, x: np.eye(1))],
    ),
    "ps.analytical.Link": lambda w: call(an.Link, -1, 2.0, EYE, AT, AT, [(0, 1, 0)], EYE, [AT]),
    "ps.analytical.MovingFrame": lambda w: call(
        an.MovingFrame, [an.Link(-1, 2.0, EYE, inboard=AT)], (0, 0, -10)
    ),
    "ps.analytical.MovingFrame.acceleration": lambda w: call(
        w.frame.acceleration, ONE, ONE, 0.0, lambda t, motion: (np.zeros((1, 3)), np.zeros((1, 3)))
    ),
    "ps.analytical.MovingFrame.energy": lambda w: call(w.frame.energy, ONE, ONE),
    "ps.analytical.MovingFrame.field": lambda w: call(w.frame.field, 0.0, np.ones(2), None),
    "ps.analytical.MovingFrame.halves": lambda w: call(w.frame.halves),
    "ps.analytical.MovingFrame.joints": lambda w: call(w.frame.joints, ONE, ONE),
    "ps.analytical.MovingFrame.mass": lambda w: call(w.frame.mass),
    "ps.analytical.MovingFrame.matrices": lambda w: call(w.frame.matrices, ONE, ONE),
    "ps.analytical.MovingFrame.motion": lambda w: call(w.frame.motion, ONE, ONE, None),
    "ps.analytical.MovingFrame.coordinates": lambda w: call(w.frame.coordinates),
    "ps.analytical.MovingFrame.hamiltonian": lambda w: call(w.frame.hamiltonian),
    "ps.analytical.MovingFrame.pattern": lambda w: call(w.frame.pattern, ONE),
    "ps.analytical.MovingFrame.potential": lambda w: call(w.frame.potential, ONE),
    "ps.analytical.MovingFrame.reduced_mass": lambda w: call(w.frame.reduced_mass, ONE),
    "ps.analytical.MovingFrame.draw": lambda w: call(
        w.frame.draw, points=lambda x: [(0.0, 0.0, 0.0)], poses=None, rods=[(-1, 0)], names=["a"]
    ),
    "ps.analytical.MovingFrame.system": lambda w: call(
        w.frame.system,
        None,
        lambda q: np.sin(q),
        1.0,
        forces=[lambda t, x, v: 0 * v],
        dissipation=lambda t, x, v: v @ v,
        inputs=[an.InputForce(lambda t, x: np.eye(1))],
    ),
    "ps.analytical.MovingFrame.reduce": lambda w: call(w.frame.reduce, ONE, ONE),
    "ps.analytical.Particles": lambda w: call(an.Particles, w.line, [2.0], lambda x: x[None]),
    "ps.analytical.Particles.acceleration_energy": lambda w: call(w.particles.acceleration_energy, ONE, ONE),
    "ps.analytical.Particles.connection": lambda w: call(w.particles.connection, ONE),
    "ps.analytical.Particles.force": lambda w: call(w.particles.force, ONE, [[0.0, -1.0]]),
    "ps.analytical.Particles.jacobian": lambda w: call(w.particles.jacobian, ONE),
    "ps.analytical.Particles.kinetic_energy": lambda w: call(w.particles.kinetic_energy, ONE, ONE),
    "ps.analytical.Particles.mass": lambda w: call(w.particles.mass, ONE),
    "ps.analytical.Particles.second": lambda w: call(w.particles.second, ONE),
    "ps.analytical.constrained_particles": lambda w: call(
        an.constrained_particles,
        [1.0],
        lambda r: np.array([r @ r - 1]),
        lambda t, r, v: np.array([[0.0, -10.0]]),
        2,
        [(0, (0.0, 1.0), 3.0, 0.5)],
        lambda t, r, v: 0.1 * (v * v).sum(),
    ),
    "ps.analytical.left_product": lambda w: call(an.left_product, np.ones(4)),
    "ps.analytical.right_product": lambda w: call(an.right_product, np.ones(4)),
    "ps.analytical.moving_particles": lambda w: call(
        an.moving_particles,
        w.line,
        [1.0],
        lambda t, x: np.array([[np.sin(x[0]), t - np.cos(x[0])]]),
        lambda t, x: x[0] ** 2,
        lambda t, x, xi: -0.1 * xi,
        [(0, (0.0, 2.0), 3.0, 0.5)],
        lambda t, x, xi: 0.1 * xi[0] ** 2,
    ),
    "ps.analytical.InputForce": lambda w: call(an.InputForce, lambda t, x: np.eye(1), 1, 2.0, "motor"),
    "ps.analytical.InputForce.force": lambda w: call(
        an.InputForce(lambda t, x: np.eye(1)).force, 0.0, ONE, ONE
    ),
    "ps.analytical.RigidBodies": lambda w: call(an.RigidBodies, (0, 0, -10)),
    "ps.analytical.RigidBodies.acceleration": lambda w: call(w.bodies().acceleration, ONE, ONE, [0.1]),
    "ps.analytical.RigidBodies.add": lambda w: call(
        w.bodies().add, 1, "revolute", PRIME, POSE, (0, 1, 0), "relative"
    ),
    "ps.analytical.RigidBodies.bias": lambda w: call(w.bodies().bias, ONE, ONE),
    "ps.analytical.RigidBodies.connection": lambda w: call(w.bodies().connection, ONE),
    "ps.analytical.RigidBodies.coordinates": lambda w: call(w.bodies().coordinates),
    "ps.analytical.RigidBodies.coriolis": lambda w: call(w.bodies().coriolis, ONE, ONE),
    "ps.analytical.RigidBodies.damper": lambda w: call(w.bodies().damper, 0, 1, PRIME),
    "ps.analytical.RigidBodies.damping": lambda w: call(w.bodies().damping, ONE),
    "ps.analytical.RigidBodies.gravity_force": lambda w: call(w.bodies().gravity_force, ONE),
    "ps.analytical.RigidBodies.kinematics": lambda w: call(w.bodies().kinematics, ONE, ONE),
    "ps.analytical.RigidBodies.acceleration_energy": lambda w: call(w.bodies().acceleration_energy, ONE, ONE),
    "ps.analytical.RigidBodies.kinetic_energy": lambda w: call(w.bodies().kinetic_energy, ONE, ONE),
    "ps.analytical.RigidBodies.mass": lambda w: call(w.bodies().mass, ONE),
    "ps.analytical.RigidBodies.potential_energy": lambda w: call(w.bodies().potential_energy, ONE),
    "ps.analytical.RigidBodies.spring": lambda w: call(w.bodies().spring, 0, 1, PRIME, POSE),
    "ps.analytical.RigidBodies.start": lambda w: call(w.bodies().start, [ONE]),
    "ps.analytical.RigidBodies.stiffness_force": lambda w: call(w.bodies().stiffness_force, ONE),
    "ps.analytical.RigidBodies.of": lambda w: call(
        an.RigidBodies.of, w.line, [(0, lambda x: np.eye(4), PRIME)], (0, 0, -10)
    ),
    "ps.analytical.RigidBodies.draw": lambda w: call(
        w.bodies().draw, points=lambda x: [(0.0, 0.0, 0.0)], poses=None, rods=[(-1, 0)], names=["a"]
    ),
    "ps.analytical.RigidBodies.system": lambda w: call(
        w.bodies().system,
        lambda t, x, v: 0 * v,
        forces=[lambda t, x, v: 0 * v],
        dissipation=lambda t, x, v: v @ v,
        inputs=[an.InputForce(lambda t, x: np.eye(1))],
    ),
    "ps.analytical.from_moments": lambda w: call(an.from_moments, 2.0, AT, 2 * EYE),
    "ps.analytical.prime": lambda w: call(an.prime, [2.0], [AT]),
    "ps.analytical.reduce_springs": lambda w: call(an.reduce_springs, [1.0, 2.0, 3.0], EYE, 2 * EYE),
    "ps.analytical.special_polar": lambda w: call(an.special_polar, P),
    "ps.analytical.vee_prime": lambda w: call(an.vee_prime, PRIME, "who"),
    "ps.analytical.attitude.CriticalSet": lambda w: call(
        an.attitude.CriticalSet, "minimum", "point", 0, 1.0, np.ones(3), same
    ),
    "ps.analytical.attitude.CriticalSet.distance": lambda w: call(an.critical_points(P)[0].distance, EYE),
    "ps.analytical.attitude.gradient": lambda w: call(an.attitude.gradient, P, EYE),
    "ps.analytical.attitude.hessian": lambda w: call(an.attitude.hessian, P, EYE),
    "ps.analytical.attitude.potential": lambda w: call(an.attitude.potential, P, EYE),
    "ps.analytical.body.acceleration": lambda w: call(
        an.body.acceleration, INERTIA, POSE, TWIST, np.ones(6), (0, 0, -10)
    ),
    "ps.analytical.body.damping_force": lambda w: call(
        an.body.damping_force, PRIME, TWIST, POSE, POSE, TWIST
    ),
    "ps.analytical.body.fluid_force": lambda w: call(an.body.fluid_force, [2.0], [AT], [AT], EYE),
    "ps.analytical.body.inertia_force": lambda w: call(an.body.inertia_force, INERTIA, TWIST, TWIST),
    "ps.analytical.body.stiffness_energy": lambda w: call(an.body.stiffness_energy, PRIME, POSE, POSE),
    "ps.analytical.body.stiffness_force": lambda w: call(an.body.stiffness_force, PRIME, POSE, POSE),
    "ps.analytical.body.weight": lambda w: call(an.body.weight, INERTIA, POSE, (0, 0, -10)),
    "ps.analytical.derivatives.Derivative": lambda w: call(an.derivatives.Derivative, lambda x: x @ x, 0.01),
    "ps.analytical.derivatives.Derivative.along": lambda w: call(
        an.derivatives.Derivative(lambda x: x @ x).along, w.x, np.eye(2)
    ),
    "ps.analytical.derivatives.Derivative.gradient": lambda w: call(
        an.derivatives.Derivative(lambda x: x @ x).gradient, w.x
    ),
    "ps.analytical.derivatives.complex_step": lambda w: call(
        an.derivatives.complex_step, lambda x: x**3, ONE, ONE
    ),
    "ps.analytical.derivatives.difference": lambda w: call(
        an.derivatives.difference, lambda x: x**3, ONE, ONE, 0.01
    ),
    "ps.analytical.derivatives.second": lambda w: call(
        an.derivatives.second, lambda x: x**3, ONE, ONE, ONE, 0.01
    ),
    "ps.analytical.derivatives.takes_complex": lambda w: call(
        an.derivatives.takes_complex, lambda x: x**3, ONE, ONE
    ),
    "ps.analytical.operators.Ad": lambda w: call(an.operators.Ad, POSE),
    "ps.analytical.operators.Vee": lambda w: call(an.operators.Vee, EYE),
    "ps.analytical.operators.Wed": lambda w: call(an.operators.Wed, EYE),
    "ps.analytical.operators.ad": lambda w: call(an.operators.ad, TWIST),
    "ps.analytical.operators.inner": lambda w: call(an.operators.inner, EYE, EYE, EYE),
    "ps.analytical.operators.inverse": lambda w: call(an.operators.inverse, POSE),
    "ps.analytical.operators.metric": lambda w: call(an.operators.metric, EYE, EYE, EYE),
    "ps.analytical.operators.norm": lambda w: call(an.operators.norm, EYE, EYE),
    "ps.analytical.operators.pose": lambda w: call(an.operators.pose, EYE, AT),
    "ps.analytical.operators.swap": lambda w: call(an.operators.swap, TWIST),
    "ps.analytical.operators.vee": lambda w: call(an.operators.vee, EYE),
    "ps.analytical.operators.vee2": lambda w: call(an.operators.vee2, EYE),
    "ps.analytical.operators.wed": lambda w: call(an.operators.wed, np.ones(3)),
    "ps.analytical.spaces.circle": lambda w: call(an.spaces.circle, 2.0),
    "ps.analytical.spaces.columns": lambda w: call(an.spaces.columns, EYE),
    "ps.analytical.spaces.euler_angles": lambda w: call(an.spaces.euler_angles),
    "ps.analytical.spaces.euler_rates": lambda w: call(an.spaces.euler_rates, np.zeros(3)),
    "ps.analytical.spaces.euler_rotation": lambda w: call(an.spaces.euler_rotation, np.zeros(3)),
    "ps.analytical.spaces.matrix": lambda w: call(an.spaces.matrix, np.ones(9)),
    "ps.analytical.spaces.minimal": lambda w: call(an.spaces.minimal, 2),
    "ps.analytical.spaces.pitch_cone": lambda w: call(an.spaces.pitch_cone),
    "ps.analytical.spaces.pitch_cone_angles": lambda w: call(an.spaces.pitch_cone_angles, np.array(AT)),
    "ps.analytical.spaces.pitch_cone_direction": lambda w: call(an.spaces.pitch_cone_direction, np.zeros(2)),
    "ps.analytical.spaces.rigid_body": lambda w: call(an.spaces.rigid_body),
    "ps.analytical.spaces.rotation_matrix": lambda w: call(an.spaces.rotation_matrix),
    "ps.analytical.spaces.unit_quaternion": lambda w: call(an.spaces.unit_quaternion),
    "ps.analytical.torsion.angle_spring": lambda w: call(an.torsion.angle_spring, 2.0),
    "ps.analytical.torsion.angles": lambda w: call(an.torsion.angles, EYE),
    "ps.analytical.torsion.curl": lambda w: call(an.torsion.curl, an.torsion.log_spring(2.0)[0], EYE, 0.01),
    "ps.analytical.torsion.exponential": lambda w: call(an.torsion.exponential, np.ones(3)),
    "ps.analytical.torsion.log_spring": lambda w: call(an.torsion.log_spring, 2.0),
    "ps.analytical.torsion.logarithm": lambda w: call(an.torsion.logarithm, EYE),
    "ps.analytical.torsion.potential_spring": lambda w: call(an.torsion.potential_spring, EYE),
    "ps.analytical.torsion.work_around": lambda w: call(
        an.torsion.work_around, an.torsion.log_spring(2.0)[0], np.zeros(3), 0.5, 16, 2
    ),
}
VECTOR, QUATERNION = np.array(AT), np.array([1.0, 0, 0, 0])
RNG = np.random.default_rng(1)
EULER = dict(sequence="ZYX", angles=VECTOR, degrees=True)
GROUPS = {
    "so3": dict(u=VECTOR, x=VECTOR, y=VECTOR, R=EYE, X=EYE, a=EYE, b=EYE, rng=RNG, count=2, **EULER),
    "se3": dict(u=TWIST, x=TWIST, y=TWIST, T=POSE, X=POSE, a=POSE, b=POSE, F=TWIST),
    "quaternion": dict(
        u=VECTOR, x=VECTOR, y=VECTOR, q=QUATERNION, R=EYE, a=QUATERNION, b=QUATERNION, **EULER
    ),
}


def _of_groups() -> Table:
    """Return calls of the functions of the groups: the name of an argument says what it is."""
    table: Table = {}
    for group, values in GROUPS.items():
        module = getattr(ps, group)
        for name in module.__all__:
            function = getattr(module, name)
            given = {key: values[key] for key in inspect.signature(function).parameters}
            if (group, name) in (("se3", "apply"), ("se3", "Ad")):
                given["x"] = VECTOR if name == "apply" else TWIST
            table[f"ps.{group}.{name}"] = lambda w, f=function, given=given: Call(f, dict(given))
    return table


def _of_parts() -> Table:
    """Return calls of what all joints, loops, forces and shapes have."""
    table: Table = {}
    for name, make in {**DECLARED, "ps.Mesh": TREE["ps.Mesh"]}.items():
        kind = getattr(ps, name.removeprefix("ps."))
        if issubclass(kind, Connection):
            table[f"{name}.to_data"] = lambda w, make=make: call(make(w)().to_data)
        elif issubclass(kind, Force):
            table[f"{name}.fits"] = lambda w, make=make: call(make(w)().fits, w.arm())
            table[f"{name}.inside"] = lambda w, make=make: call(make(w)().inside, w.arm())
        elif issubclass(kind, Solid):
            table[f"{name}.body"] = lambda w, make=make: call(
                make(w)().body, mass=1.0, density=None, center_of_mass=AT
            )
            table[f"{name}.inertia"] = lambda w, make=make: call(make(w)().inertia, 1.0)
            table[f"{name}.to_dict"] = lambda w, make=make: call(make(w)().to_dict)
    return table


DECLARED: Table = dict(_declared())
CALLS: Table = {**DECLARED, **TREE, **RUN, **MECHANICS, **ANALYTICAL, **_of_groups(), **_of_parts()}

# Verbs between the parts of the library.  They take records that users do not make: `Seats` of a compiled
# tree, `ConnectionFrame` of a loop, a `Snapshot` of the motion, slices of the state.  The checks come before
# them.
INTERFACE = (
    *("constraints", "elements", "energy", "place"),  # of loops, joints and forces
    *("pose", "tangents", "twist", "values"),  # of joints
    *("bounds", "columns", "count", "hold", "rows", "saturate"),  # of inputs
)

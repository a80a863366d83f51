"""Runs of a system of equations that a user wrote with `ps.analytical`, through the same `simulate`.

    system = ps.analytical.levi_civita(coordinates, mass, potential)
    run = ps.simulate(system, ps.State(0.0, x, xi), "gauss3", step=0.01, until=10)
    run.time, run.x, run.velocity, run.energy, run.constraint

Equations that are a program (`model.programs`: those of `ps.symbolic`) are compiled.  Python functions are
called back by the compiled time loop (`core.tree.python_field`): this is slow, and meant for checking.
`run.reason` says which.  To methods that move joints, minimal coordinates are those of slides (`Prismatic`);
redundant ones cannot be moved by groups.
"""

import hashlib
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numba import float64

from poinsot.analytical import System as Equations
from poinsot.analytical.arguments import trusted
from poinsot.analytical.compilation import program_of
from poinsot.analytical.inputs import InputForce
from poinsot.analytical.programs import check_start, is_minimal
from poinsot.compile.catalogue import by_name
from poinsot.compile.functions.program import constants
from poinsot.compile.functions.program import field as program_field
from poinsot.compile.system import System
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.kernel_cache import digest as kernels
from poinsot.core.methods import ALL
from poinsot.core.methods.method import Method
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.field import RATE
from poinsot.core.tree.forces.table import no_forces, no_functions
from poinsot.core.tree.joints.table import PRISMATIC
from poinsot.core.tree.kernel import ProblemSize, TreeKernel
from poinsot.core.tree.python_field import PythonField
from poinsot.core.tree.records import FORCE_INTS, HEAD, LOOP_INTS, Model, Packed, pack
from poinsot.core.tree.time_loop import time_loop
from poinsot.core.tree.workspace import SIZE
from poinsot.errors import ScenarioError
from poinsot.formats.expressions.formula import Formula, FormulaError, function_of
from poinsot.model.checks import EPSILON, Array, show
from poinsot.model.controller import Controller
from poinsot.model.event import Event, name_events, value
from poinsot.model.identity import identity_of
from poinsot.model.mechanism import Mechanism
from poinsot.model.programs.graph import Graph, Node
from poinsot.model.programs.program import Program
from poinsot.model.programs.trace import NoTraceError, trace
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.simulation.advise import Advice, Question, search, span_of
from poinsot.simulation.discrete import STEPS_OF, DiscreteTimeLoop
from poinsot.simulation.driver import Job
from poinsot.simulation.engine import Engine
from poinsot.simulation.options import RunOptions, plain_plan

DEFAULT = "gauss3"
FIRST = 16.0  # steps with which a search for a step begins


def check_state(equations: Equations, state: State) -> None:
    """Raise an error unless a state fits a system."""
    if equations.program is not None:
        check_start(equations.program, state)
        return
    size = equations.coordinates.size
    if len(state.q) != size:
        raise ScenarioError(f"the state has {len(state.q)} coordinates, expected {size}, got {show(state.q)}")
    n = equations.coordinates.check(state.q, nonholonomic=True)  # builders refuse what does not hold for them
    if len(state.v) != n:
        raise ScenarioError(f"the state has {len(state.v)} velocities, expected {n}, got {show(state.v)}")


def compilable(equations: Equations, start: State, inputs: Sequence[InputForce]) -> Program | None:
    """Return the program that a run compiles, with its inputs; None: the equations stay in Python."""
    program = equations.program
    if program is None:
        try:
            program = program_of(equations, start)
        except NoTraceError:
            return None
    if not inputs:
        return program
    graph, n, count = Graph(), program.sizes["z"], sum(one.size for one in inputs)
    t, x = graph.argument("t"), [graph.argument("x", k) for k in range(program.sizes["x"])]
    u = [graph.argument("u", k) for k in range(count)]
    try:
        parts = [trace(one.B, graph, t, x) for one in inputs]
    except NoTraceError:
        return None
    if [part.shape for part in parts] != [(n, one.size) for one in inputs]:
        return None  # `InputForce` says what is wrong
    B = np.hstack(parts)
    loads = {("f", i): graph.argument("f", i) + _sum(B[i], u, graph) for i in range(n)}
    names = {**program.arguments, "u": [f"u{k}" for k in range(count)]}
    return Program.of(names, program.graph(loads, graph), program.values)


def _sum(row: Array, u: Sequence[Node], graph: Graph) -> Node:
    total = graph.number(0.0)
    for a, b in zip(row, u, strict=True):
        total = total + a * b
    return total


class AnalyticalSystem(System):
    """Presents the equations of a user to the engine as a system of the core."""

    mechanism = Mechanism()  # without bodies: inputs of controllers ask it nothing

    impulses = drives = forces = ()  # of a mechanism

    def __init__(
        self, equations: Equations, start: State, inputs: Sequence[InputForce] = (), field: bool = True
    ) -> None:
        """Take equations; `field`: whether a method calls their field, which is compiled if it can be."""
        self.equations, self.size, self.velocities = equations, len(start.q), len(start.v)
        self.width, self.inputs, self.start = self.size + self.velocities, inputs, start.q
        self.program = compilable(equations, start, inputs) if field else None
        self.slides = self.size if self.program is not None and is_minimal(self.program) else 0
        self.field = PythonField(self.evaluate)
        self.u: Array = np.zeros(sum(one.size for one in inputs))
        self.models: list[Model] = []  # of all time loops: each has the inputs

    def _model(self, n: int, number: Any) -> tuple[Model, int]:
        """Return a model with n slides and no force, and where the constants of the program are in it.

        Without bodies, the key of the field in Python stands behind the head.
        """
        none = Packed(np.zeros(0, dtype=np.int32), np.zeros(0))
        masses = np.tile([1.0, *np.zeros(9)], (n, 1))
        places = np.tile([*np.eye(3).ravel(), 0.0, 0.0, 0.0], (n, 1))
        numbers = places, masses, np.zeros((n, 3)), np.zeros(3)
        ints, floats = pack([PRISMATIC] * n, [0] * n, [0] * n, *numbers, none, none)
        ints[1:3] = self.size, self.velocities
        key = [] if n else [self.field.key]
        ints[FORCE_INTS] += len(key)
        ints[LOOP_INTS] = ints[FORCE_INTS] + 1
        whole = np.concatenate([ints[:HEAD], key, ints[HEAD:], [0, 0]]).astype(np.int32)
        more = [] if self.program is None else [constants(self.program), self.u]
        workspace = np.zeros((n + 1) * SIZE * DOUBLES[number])
        self.models.append(Model(whole, np.concatenate([floats, *more, [0.0]]), workspace))
        return self.models[-1], len(floats)

    def hold(self, u: Array) -> None:
        """Set the inputs of a controller."""
        self.u = np.asarray(u, dtype=float)
        for model in self.models if self.program is not None else ():
            model.floats[len(model.floats) - 1 - len(self.u) : -1] = self.u

    def input_force(self, t: float, x: Array) -> Array:
        """Return the generalized force B u of the inputs."""
        parts = np.split(self.u, np.cumsum([one.size for one in self.inputs])[:-1])
        return np.asarray(sum(one.force(t, x, u) for one, u in zip(self.inputs, parts, strict=True)))

    @cached_property
    def fingerprint(self) -> str:
        """Identifies the system in the memory of a state."""
        program, (digest, unknown) = self.equations.program, identity_of(self.equations.acceleration)
        who: object = digest if not unknown else id(self.equations)
        if program is not None:
            who = program.digest, program.values
        return hashlib.sha256(repr((who, self.size, kernels())).encode()).hexdigest()[:16]

    def evaluate(self, part: int, t: float, y: Array, f: Array) -> None:
        """Write dy/dt to f; if `part` is RATE, only the rates of x."""
        x, z = y[: self.size], y[self.size : self.width]
        with trusted():
            xi = self.equations.velocity(t, x, z)
            f[: self.size] = self.equations.coordinates.rate(x, xi)
            if part == RATE:
                return
            rate, power = self.equations.acceleration(t, x, z), self.equations.power
            f[self.width] = 0.0 if power is None else power(t, x, z)
            if self.inputs and self.equations.response is not None:
                force = self.input_force(t, x)
                rate = rate + self.equations.response(t, x, z, force)
                f[self.width] += force @ xi
            f[self.size : self.width] = rate

    def time_loop(self, method: Method, number: Any = float64) -> TimeLoop:
        """Return the compiled time loop of a method on these equations."""
        if method.name in STEPS_OF:
            return DiscreteTimeLoop(self, method, self.start)
        assert method.tree is not None, method.name
        return self._time_loop(method.tree, number)

    def _time_loop(self, kernel: TreeKernel, number: Any) -> TimeLoop:
        n = self.slides if kernel.groups else 0  # equations without joints, if the method can do without
        shape, inner = ProblemSize(self.size, self.velocities, n, 0), kernel.inner(number)
        model, first = self._model(n, inner)
        if self.program is None:
            field, fault = self.field.compiled(inner), self.field.raise_fault
        else:
            field, fault = program_field(self.program, first, inner), None
        return TimeLoop(
            time_loop(kernel, number),
            (field, no_forces(inner), no_functions(inner)),
            model,
            blank=np.zeros(shape.n + kernel.memory(shape)),
            work=self.width,
            history=None if kernel.history is None else shape.n + kernel.history,
            rest=(np.zeros(shape.n + kernel.workspace(shape)), kernel.coefficients),
            raise_fault=fault,
        )  # no fallback: Newton's method differentiates along the rates of joints

    def check_state(self, state: State) -> None:
        """Raise an error unless a state fits the system."""
        check_state(self.equations, state)

    def to_core(self, q: Array, v: Array) -> Array:
        """Return the state of the core for coordinates q and velocities v."""
        return np.concatenate([q, v])

    def from_core(self, x: Array) -> tuple[Array, Array]:
        """Return coordinates and velocities for states of the core, one per row."""
        return x[:, : self.size].copy(), x[:, self.size : self.width].copy()


def usable_methods(slides: bool = False) -> list[str]:
    """Return the names of the methods that need no joints, or none but slides."""
    trees = [(method.name, method.tree) for method in ALL if method.tree is not None]
    return [name for name, tree in trees if not tree.groups or (slides and tree.passes is None)]


def system_job(equations: Equations, start: State, name: str, options: RunOptions, why: str = "") -> Job:
    """Return the job of a user's system, for the driver of all runs; `why` says why it has this step."""
    if not isinstance(start, State):
        raise ScenarioError(
            "simulate takes a system of ps.analytical and a State: ps.State(time, x, velocities)"
        )
    options = replace(options, controller=_with_inputs(equations, options.controller))
    forces = _forces(equations, options.controller)
    plan = plain_plan(AnalyticalSystem.mechanism, start, options).change(equations=equations)
    if options.events is not None:
        found = name_events(options.events)
        functions = tuple(event_function(one, start) for one in found)
        resets = tuple(one.reset for one in found)
        plan = plan.change(events=found, event_functions=functions, event_resets=resets)
    method = by_name(DEFAULT if name == "auto" else name)
    check_state(equations, start)
    system = AnalyticalSystem(equations, start, forces, field=method.name not in STEPS_OF)
    usable = usable_methods(system.slides > 0)
    if method.name not in (*usable, *STEPS_OF):
        raise ScenarioError(
            f"method '{name}' moves joints, and this system has none: use {', '.join(usable)}"
        )
    told = "equations compiled" if system.program is not None else ""
    reason = "; ".join(filter(None, [why, told]))
    return Job(plan, Engine(system, method, plan.step, start), start, reason)


def event_function(event: Event, start: State) -> Callable[[float, State], float]:
    """Return the function of an event of an own system, which was called at the start.

    An expression may contain the time t, the coordinates q and the velocities v: "q[0] - 0.1".
    """
    if event.release or event.latch:
        raise ScenarioError(
            f"event '{event.name}': a system of ps.analytical has no loops to release or latch"
        )
    if event.reset is not None and not callable(event.reset):
        raise ScenarioError(f"event '{event.name}': the reset of an own system is a function of (t, state)")
    function = event.function
    if isinstance(function, str):
        function = _expression(event, function, start)
    y = value(event, function, start)
    if isinstance(y, str):
        raise ScenarioError(y)
    return function


def _expression(event: Event, text: str, start: State) -> Callable[[float, State], float]:
    """Return an expression of an event as a function of time and state."""
    sizes = {"t": (), "q": (len(start.q),), "v": (len(start.v),)}
    try:
        formula = function_of(Formula((text,), {}, event.parameters or {}), sizes)
    except FormulaError as error:
        raise ScenarioError(f"event '{event.name}': {error}") from None
    return lambda t, state: float(formula(t, state.q.tolist(), state.v.tolist()))


class SystemQuestion(Question):
    """What advice is sought for, of an own system: errors are relative to the motion of each coordinate."""

    def base(self) -> int:
        if not isinstance(self.controller, Controller):
            return 1
        share = self.controller.period / self.span
        return Fraction(share).limit_denominator(10_000).denominator

    def job(self, method: Method, options: RunOptions) -> Job:
        return system_job(self.mechanism, self.start, method.label, options)  # type: ignore[arg-type]

    def apart(self, run: Run, fine: Run) -> float:
        found = abs(run.final.time - fine.final.time) / self.span
        for a, b, samples in (
            (run.final.q, fine.final.q, fine.x),
            (run.final.v, fine.final.v, fine.trajectory.v),
        ):
            size = np.maximum(np.ptp(samples, axis=0) / 2, EPSILON * np.abs(samples).max(axis=0, initial=0.0))
            found = max(found, float((np.abs(a - b) / np.maximum(size, 1e-300)).max(initial=0.0)))
        return found


def advise_system(
    equations: Equations, start: State, name: str, accuracy: float, options: RunOptions
) -> Advice:
    """Choose a step, and a method if the name is "auto", for an own system."""
    span = span_of(start, accuracy, options.until)
    question = SystemQuestion(
        equations,  # type: ignore[arg-type]
        start,
        span,
        accuracy,
        options.controller,
        options.events,
    )
    names = (DEFAULT, "gauss4") if name == "auto" else (name,)
    return search(question, [by_name(one) for one in names], "symplectic, for own systems", FIRST)


def _with_inputs(equations: Equations, controller: Any) -> Any:
    """Return a controller with the inputs of the system that it names."""
    known = {one.key: one for one in equations.inputs}
    if not isinstance(controller, Controller) or not known:
        return controller
    found = copy(controller)
    named = tuple(known.get(getattr(one, "joint", ""), one) for one in controller.inputs)
    object.__setattr__(found, "inputs", named)
    return found


def _forces(equations: Equations, controller: Any) -> tuple[InputForce, ...]:
    """Return the forces of a controller; a ScenarioError says if it does not fit the system."""
    if controller is None:
        return ()
    inputs = controller.inputs if isinstance(controller, Controller) else ()
    forces = tuple(one for one in inputs if isinstance(one, InputForce))
    if not forces or len(forces) < len(inputs):
        raise ScenarioError(
            "the controller of a system of ps.analytical is a ps.Controller whose inputs are "
            f"ps.analytical.InputForce, or named as inputs= of the system, got {show(controller)}"
        )
    if equations.response is None:
        raise ScenarioError("this system was written without a response to forces: it takes no controller")
    return forces

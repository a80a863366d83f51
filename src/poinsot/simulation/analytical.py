"""Runs of a system of equations that a user wrote with `ps.analytical`, through the same `simulate`.

    system = ps.analytical.levi_civita(coordinates, mass, potential)
    run = ps.simulate(system, ps.State(0.0, x, xi), "gauss3", step=0.01, until=10)
    run.time, run.x, run.velocity, run.energy, run.constraint

Equations that are a program (`model.program`: those of `ps.symbolic`) are compiled.  Python functions are
called back by the compiled time loop (`core.tree.python_field`): this is slow, and meant for checking.
`run.reason` says which.  To methods that move joints, minimal coordinates are those of slides (`Prismatic`);
redundant ones cannot be moved by groups.
"""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numba import float64

from poinsot.analytical import System as Equations
from poinsot.analytical.arguments import trusted
from poinsot.analytical.equations import InputForce
from poinsot.analytical.programs import check_start, is_minimal
from poinsot.compile.catalogue import by_name
from poinsot.compile.functions.program import constants
from poinsot.compile.functions.program import field as program_field
from poinsot.compile.system import System
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.kernel_cache import digest as kernels
from poinsot.core.methods import ALL
from poinsot.core.methods.method import Method
from poinsot.core.tree.field import RATE
from poinsot.core.tree.forces.table import no_forces, no_functions
from poinsot.core.tree.joints.table import PRISMATIC
from poinsot.core.tree.kernel import ProblemSize, TreeKernel
from poinsot.core.tree.python_field import PythonField
from poinsot.core.tree.records import FORCE_INTS, HEAD, LOOP_INTS, Model, Packed, pack
from poinsot.core.tree.time_loop import time_loop
from poinsot.errors import ScenarioError
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller
from poinsot.model.identity import identity_of
from poinsot.model.mechanism import Mechanism
from poinsot.model.program import Program
from poinsot.model.state import State
from poinsot.simulation.driver import Job
from poinsot.simulation.engine import Engine
from poinsot.simulation.options import RunOptions, plain_plan

DEFAULT = "gauss3"


def compilable(equations: Equations, inputs: Sequence[InputForce]) -> Program | None:
    """Return the program that a run compiles, with its inputs; None: the equations stay in Python."""
    return equations.program if not inputs else None


class AnalyticalSystem(System):
    """Presents the equations of a user to the engine as a system of the core."""

    mechanism = Mechanism()  # without bodies: inputs of controllers ask it nothing

    impulses = drives = forces = ()  # of a mechanism

    def __init__(self, equations: Equations, start: State, inputs: Sequence[InputForce] = ()) -> None:
        self.equations, self.size, self.velocities = equations, len(start.q), len(start.v)
        self.width, self.inputs = self.size + self.velocities, inputs
        self.program = compilable(equations, inputs)
        self.slides = self.size if self.program is not None and is_minimal(self.program) else 0
        self.field = PythonField(self.evaluate)
        self.u: Array = np.zeros(sum(one.size for one in inputs))
        self.model = self._model()

    def _model(self) -> Model:
        """Return the model: slides or no bodies; no force, no loop; the key of the field in Python."""
        n, none = self.slides, Packed(np.zeros(0, dtype=np.int32), np.zeros(0))
        masses = np.tile([1.0, *np.zeros(9)], (n, 1))
        places = np.tile([*np.eye(3).ravel(), 0.0, 0.0, 0.0], (n, 1))
        numbers = places, masses, np.zeros((n, 3)), np.zeros(3)
        packed = pack([PRISMATIC] * n, [0] * n, [0] * n, *numbers, none, none)
        ints, floats = packed.ints.copy(), packed.floats
        ints[1:3] = self.size, self.velocities
        key = [self.field.key] if not n else []
        ints[FORCE_INTS] += len(key)
        ints[LOOP_INTS] = ints[FORCE_INTS] + 1
        self.first = len(floats)
        more = [] if self.program is None else [constants(self.program), self.u]
        whole = np.concatenate([ints[:HEAD], key, ints[HEAD:], [0, 0]]).astype(np.int32)
        return Model(whole, np.concatenate([floats, *more, [0.0]]), np.zeros(1))

    def hold(self, u: Array) -> None:
        """Set the inputs of a controller."""
        self.u = np.asarray(u, dtype=float)
        self.model.floats[len(self.model.floats) - 1 - len(self.u) : -1] = self.u

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
        assert method.tree is not None, method.name
        return self._time_loop(method.tree, number)

    def _time_loop(self, kernel: TreeKernel, number: Any) -> TimeLoop:
        shape = ProblemSize(self.size, self.velocities, self.slides, 0)
        inner = kernel.inner(number)
        if self.program is None:
            field, fault = self.field.compiled(inner), self.field.raise_fault
        else:
            field, fault = program_field(self.program, self.first, inner), None

        def fallback() -> TimeLoop | None:  # Newton's method differentiates along the rates of joints
            if kernel.fallback is None or not self.slides or kernel.fallback.tangents:
                return None
            found = self._time_loop(kernel.fallback, number)
            found.title = kernel.fallback.title
            return found

        return TimeLoop(
            time_loop(kernel, number),
            (field, no_forces(inner), no_functions(inner)),
            self.model,
            blank=np.zeros(shape.n + kernel.memory(shape)),
            work=self.width,
            history=None if kernel.history is None else shape.n + kernel.history,
            rest=(np.zeros(shape.n + kernel.workspace(shape)), kernel.coefficients),
            fallback=fallback,
            raise_fault=fault,
        )

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


def system_job(equations: Equations, start: State, name: str, options: RunOptions) -> Job:
    """Return the job of a user's system, for the driver of all runs."""
    if not isinstance(start, State):
        raise ScenarioError(
            "simulate takes a system of ps.analytical and a State: ps.State(time, x, velocities)"
        )
    if options.events is not None:
        raise ScenarioError("events are for mechanisms, not for a system of ps.analytical")
    forces = _forces(equations, options.controller)
    plan = plain_plan(AnalyticalSystem.mechanism, start, options).change(equations=equations)
    method = by_name(DEFAULT if name == "auto" else name)
    program = compilable(equations, forces)
    usable = usable_methods(program is not None and is_minimal(program))
    if method.name not in usable:
        raise ScenarioError(
            f"method '{name}' moves joints, and this system has none: use {', '.join(usable)}"
        )
    if equations.program is not None:
        check_start(equations.program, start)
        return Job(plan, Engine(AnalyticalSystem(equations, start, forces), method, plan.step, start), start)
    size = equations.coordinates.size
    if len(start.q) != size:
        raise ScenarioError(f"the state has {len(start.q)} coordinates, expected {size}, got {show(start.q)}")
    n = equations.coordinates.check(start.q)
    if len(start.v) != n:
        raise ScenarioError(f"the state has {len(start.v)} velocities, expected {n}, got {show(start.v)}")
    return Job(plan, Engine(AnalyticalSystem(equations, start, forces), method, plan.step, start), start)


def _forces(equations: Equations, controller: Any) -> tuple[InputForce, ...]:
    """Return the forces of a controller; a ScenarioError says if it does not fit the system."""
    if controller is None:
        return ()
    inputs = controller.inputs if isinstance(controller, Controller) else ()
    forces = tuple(one for one in inputs if isinstance(one, InputForce))
    if not forces or len(forces) < len(inputs):
        raise ScenarioError(
            "the controller of a system of ps.analytical is a ps.Controller whose inputs are "
            f"ps.analytical.InputForce, got {show(controller)}"
        )
    if equations.response is None:
        raise ScenarioError("this system was written without a response to forces: it takes no controller")
    return forces

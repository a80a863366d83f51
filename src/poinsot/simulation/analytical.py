"""Runs of a system of equations that a user wrote with `ps.analytical`, through the same `simulate`.

    system = ps.analytical.levi_civita(coordinates, mass, potential)
    run = ps.simulate(system, ps.State(0.0, x, xi), "gauss3", step=0.01, until=10)
    run.time, run.x, run.velocity, run.energy, run.constraint

The equations are Python functions that the compiled time loop calls back (`core.tree.python_field`): this is
slow, and meant for checking.  Methods that move joints by their groups need a tree; all others can be used.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import float64

from poinsot.analytical import System as Equations
from poinsot.analytical.arguments import trusted
from poinsot.analytical.equations import InputForce
from poinsot.compile.catalogue import by_name
from poinsot.compile.system import System
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.methods import ALL
from poinsot.core.methods.method import Method
from poinsot.core.tree.field import RATE
from poinsot.core.tree.forces.table import no_forces, no_functions
from poinsot.core.tree.kernel import ProblemSize
from poinsot.core.tree.python_field import PythonField
from poinsot.core.tree.records import HEAD, Model
from poinsot.core.tree.time_loop import time_loop
from poinsot.errors import ScenarioError
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.simulation.driver import Job
from poinsot.simulation.engine import Engine
from poinsot.simulation.options import RunOptions, plain_plan

DEFAULT = "gauss3"


class AnalyticalSystem(System):
    """Presents the equations of a user to the engine as a system of the core."""

    mechanism = Mechanism()  # without bodies: inputs of controllers ask it nothing

    impulses = drives = forces = ()  # of a mechanism

    def __init__(self, equations: Equations, start: State, inputs: Sequence[InputForce] = ()) -> None:
        self.equations, self.size, self.velocities = equations, len(start.q), len(start.v)
        self.width, self.inputs = self.size + self.velocities, inputs
        self.field = PythonField(self.evaluate)
        self.u: Array = np.zeros(0)

    def hold(self, u: Array) -> None:
        """Set the inputs of a controller."""
        self.u = u

    def input_force(self, t: float, x: Array) -> Array:
        """Return the generalized force B u of the inputs."""
        parts = np.split(self.u, np.cumsum([one.size for one in self.inputs])[:-1])
        return np.asarray(sum(one.force(t, x, u) for one, u in zip(self.inputs, parts, strict=True)))

    @property
    def fingerprint(self) -> str:
        """Identifies the system in the memory of a state."""
        return hashlib.sha256(repr((id(self.equations), self.size)).encode()).hexdigest()[:16]

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
        kernel = method.tree
        assert kernel is not None, method.name
        shape = ProblemSize(self.size, self.velocities, 0, 0)
        inner = kernel.inner(number)
        end, key = HEAD + 1, self.field.key  # no body, no force, no loop: the key, then two zeros
        ints = np.array([0, shape.nq, shape.nv, end, 3, end + 1, 3, key, 0, 0], dtype=np.int32)
        return TimeLoop(
            time_loop(kernel, number),
            (self.field.compiled(inner), no_forces(inner), no_functions(inner)),
            Model(ints, np.zeros(4), np.zeros(1)),
            blank=np.zeros(shape.n + kernel.memory(shape)),
            work=self.width,
            rest=(np.zeros(shape.n + kernel.workspace(shape)), kernel.coefficients),
            raise_fault=self.field.raise_fault,
        )  # no fallback: Newton's method differentiates along the rates of joints

    def to_core(self, q: Array, v: Array) -> Array:
        """Return the state of the core for coordinates q and velocities v."""
        return np.concatenate([q, v])

    def from_core(self, x: Array) -> tuple[Array, Array]:
        """Return coordinates and velocities for states of the core, one per row."""
        return x[:, : self.size].copy(), x[:, self.size : self.width].copy()


def usable_methods() -> list[str]:
    """Return the names of the methods that need no joints."""
    return [method.name for method in ALL if method.tree is not None and not method.tree.groups]


def system_job(equations: Equations, start: State, name: str, options: RunOptions) -> Job:
    """Return the job of a user's system, for the driver of all runs."""
    if not isinstance(start, State):
        raise ScenarioError(
            "simulate takes a system of ps.analytical and a State: ps.State(time, x, velocities)"
        )
    if options.archive is not None or options.events is not None:
        raise ScenarioError("archive and events are for mechanisms, not for a system of ps.analytical")
    forces = _forces(equations, options.controller)
    plan = plain_plan(AnalyticalSystem.mechanism, start, options).change(equations=equations)
    method = by_name(DEFAULT if name == "auto" else name)
    if method.name not in usable_methods():
        raise ScenarioError(
            f"method '{name}' moves joints, and this system has none: use {', '.join(usable_methods())}"
        )
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

"""Runs of a system of equations that a user wrote with `ps.analytical`, through the same `simulate`.

    system = ps.analytical.levi_civita(coordinates, mass, potential)
    run = ps.simulate(system, ps.State(0.0, x, xi), "gauss3", step=0.01, until=10)
    run.time, run.x, run.velocity, run.energy, run.constraint

The equations are Python functions that the compiled time loop calls back (`core.tree.python_field`): this is
slow, and meant for checking.  Methods that move joints by their groups need a tree; all others can be used.
"""

import hashlib
import time as clock
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numba import float64

from poinsot.analytical import System as Equations
from poinsot.analytical.arguments import trusted
from poinsot.analytical.inputs import InputForce
from poinsot.compile.catalogue import by_name
from poinsot.compile.system import System
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.methods import ALL
from poinsot.core.methods.method import Method
from poinsot.core.tree.field import RATE
from poinsot.core.tree.forces.table import no_forces, no_functions
from poinsot.core.tree.kernel import Shape
from poinsot.core.tree.python_field import PythonField
from poinsot.core.tree.records import HEAD, Model
from poinsot.core.tree.time_loop import time_loop
from poinsot.errors import ConvergenceError, ScenarioError, StepError
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.simulation.analytical_run import AnalyticalRun
from poinsot.simulation.control.control_loop import ControlLoop
from poinsot.simulation.engine import Engine, Stopped
from poinsot.simulation.interrupts import interruptible
from poinsot.simulation.options import checked_every, counted, recordable

DEFAULT = "gauss3"
CHUNK = 1000  # steps between two checks for Ctrl-C


class AnalyticalSystem(System):
    """Presents the equations of a user to the engine as a system of the core."""

    mechanism = Mechanism()  # without bodies: inputs of controllers ask it nothing

    def __init__(self, equations: Equations, start: State, forces: Sequence[InputForce] = ()) -> None:
        self.equations, self.size, self.velocities = equations, len(start.q), len(start.v)
        self.width, self.forces = self.size + self.velocities, forces
        self.field = PythonField(self.evaluate)
        self.u: Array = np.zeros(0)

    def hold(self, u: Array) -> None:
        """Set the inputs of a controller."""
        self.u = u

    def pushed(self, t: float, x: Array) -> Array:
        """Return the generalised force B u of the inputs."""
        parts = np.split(self.u, np.cumsum([one.size for one in self.forces])[:-1])
        return np.asarray(sum(one.force(t, x, u) for one, u in zip(self.forces, parts, strict=True)))

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
            if self.forces and self.equations.response is not None:
                force = self.pushed(t, x)
                rate = rate + self.equations.response(t, x, z, force)
                f[self.width] += force @ xi
            f[self.size : self.width] = rate

    def time_loop(self, method: Method, number: Any = float64) -> TimeLoop:
        """Return the compiled time loop of a method on these equations."""
        kernel = method.tree
        assert kernel is not None, method.name
        shape = Shape(self.size, self.velocities, 0, 0)
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


def simulate_analytical(
    equations: Equations,
    start: State,
    name: str,
    step: float,
    until: float | None,
    steps: int | None,
    every: int,
    progress: bool,
    controller: Any = None,
    record: Any = None,
    archive: Any = None,
    events: Any = None,
) -> AnalyticalRun:
    """Simulate a user's system; samples are the start, every `every`-th step and the last one."""
    if not isinstance(start, State):
        raise ScenarioError(
            "simulate takes a system of ps.analytical and a State: ps.State(time, x, velocities)"
        )
    if archive is not None or events is not None:
        raise ScenarioError("archive and events are for mechanisms, not for a system of ps.analytical")
    forces = _forces(equations, controller)
    functions = recordable(record, start)
    h, total = counted(start, step, until, steps)
    every = checked_every(every)
    method = by_name(DEFAULT if name == "auto" else name)
    if method.name not in usable_methods():
        raise ScenarioError(
            f"method '{name}' moves joints, and this system has none: use {', '.join(usable_methods())}"
        )
    size = equations.coordinates.size
    if len(start.q) != size:
        raise ScenarioError(f"the state has {len(start.q)} coordinates, expected {size}, got {show(start.q)}")
    n = equations.coordinates.checked(start.q)
    if len(start.v) != n:
        raise ScenarioError(f"the state has {len(start.v)} velocities, expected {n}, got {show(start.v)}")
    begun, system = clock.perf_counter(), AnalyticalSystem(equations, start, forces)
    engine = Engine(system, method, h, start)
    control = ControlLoop(controller, cast(Any, engine)) if forces else None
    ticks = control.ticks(total) if control is not None else range(0)
    times: list[float] = []
    rows: list[Array] = []
    inputs: list[Array] = []
    recorded: dict[str, list[Any]] = {name: [] for name in functions}

    def take() -> None:
        """Record the present state."""
        times.append(engine.time())
        rows.append(engine.sample()[0])
        inputs.append(engine.inputs)
        for name, function in functions.items():
            recorded[name].append(function(engine.here()))

    done = 0
    with interruptible(progress, total) as chunk_done:
        while True:
            if control is not None and done in ticks:
                control.decide()
                if engine.stopped is None:
                    engine.refresh()
                    control.apply()
            if engine.stopped is not None:
                raise _failure(engine.stopped, engine)
            if done % every == 0 or done == total:
                take()
            if done == total:
                break
            left = control.period - engine.count % control.period if control is not None else CHUNK
            count = min(every - done % every, total - done, left, CHUNK)
            engine.go(count, 0)
            if engine.stopped is not None:
                raise _failure(engine.stopped, engine)
            done += count
            chunk_done(count)
    table = np.array(rows)
    q, v = system.from_core(table)
    return AnalyticalRun(
        equations,
        method,
        h,
        np.array(times),
        q,
        v,
        engine.state(),
        engine.evaluations,
        engine.iterations,
        clock.perf_counter() - begun,
        table[:, -1].copy(),
        np.array(inputs),
        {name: np.array(values) for name, values in recorded.items()},
    )


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


def _failure(stop: Stopped, engine: Engine[AnalyticalSystem]) -> StepError:
    """Return the error of a step that failed."""
    final = engine.state()
    where = f"{engine.method.label}: step {engine.count} from t = {final.time:g}"
    if stop.fault:
        return StepError(f"{where}: the system {stop.fault}", time=final.time, step=engine.count, state=final)
    if stop.controller:
        return StepError(f"{where}: {stop.controller}", time=final.time, step=engine.count, state=final)
    what = ": the state became infinite or NaN" if stop.infinite else " did not converge"
    kind = StepError if stop.infinite else ConvergenceError
    return kind(f"{where}{what}; try a smaller step", time=final.time, step=engine.count, state=final)

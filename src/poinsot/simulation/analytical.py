"""Runs of a system of equations that a user wrote with `ps.analytical`, through the same `simulate`.

    system = ps.analytical.levi_civita(coordinates, mass, potential)
    run = ps.simulate(system, ps.State(0.0, x, xi), "gauss3", step=0.01, until=10)
    run.time, run.x, run.velocity, run.energy, run.constraint

The equations are Python functions that the compiled time loop calls back (`core.tree.python_field`): this is
slow, and meant for checking.  Methods that move joints by their groups need a tree; all others can be used.
"""

import hashlib
import time as clock
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import float64

from poinsot.analytical import System as Equations
from poinsot.analytical.arguments import trusted
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
from poinsot.diagnostics.drift import Drift, drift
from poinsot.errors import ConvergenceError, ModelError, ScenarioError, StepError
from poinsot.model.checks import Array, show
from poinsot.model.state import State
from poinsot.simulation.engine import Engine, Stopped
from poinsot.simulation.interrupts import interruptible
from poinsot.simulation.options import checked_every, counted

DEFAULT = "gauss3"
CHUNK = 1000  # steps between two checks for Ctrl-C


@dataclass(frozen=True, eq=False)
class AnalyticalRun:
    """The result of a simulation of a system of `ps.analytical`.

    `ps.simulate` returns it; users do not construct one.

    Parameters
    ----------
    system : ps.analytical.System
        The system that was simulated.
    method : Method
        The integration method, a record of `ps.methods()`.
    step : float
        Step size in s.
    time : ndarray, shape (n,)
        Times of the samples in s.
    x : ndarray, shape (n, nx)
        Coordinates at the samples.
    velocity : ndarray, shape (n, nv)
        Minimal velocities at the samples, or momenta in Hamilton's form.
    final : State
        State after the last step.
    evaluations : int
        Number of evaluations of the equations.
    iterations : int
        Number of iterations of an implicit method.
    seconds : float
        Time that the run took to compute, in s.

    Examples
    --------
    A pendulum of length 1 m and mass 1 kg, with its angle as the coordinate:

    >>> import numpy as np
    >>> import poinsot as ps
    >>> angle = ps.analytical.Coordinates(1, lambda x: np.eye(1))
    >>> pendulum = ps.analytical.levi_civita(
    ...     angle, lambda x: np.eye(1), lambda x: -9.81 * np.cos(x[0])
    ... )
    >>> run = ps.simulate(pendulum, ps.State(0.0, [0.1], [0.0]), "rk4", step=0.01, steps=10)
    >>> run.x.shape, bool(run.drift().relative_band < 1e-9)
    ((11, 1), True)
    """

    system: Equations
    method: Method
    step: float
    time: Array
    x: Array
    velocity: Array
    final: State
    evaluations: int
    iterations: int
    seconds: float

    @property
    def energy(self) -> Array:
        """Energy of the system in J, shape (n,); a ModelError if the system was written without an energy."""
        energy = self.system.energy
        if energy is None:
            raise ModelError("this system was written without an energy")
        samples = zip(self.time, self.x, self.velocity, strict=True)
        return np.array([float(energy(t, x, xi)) for t, x, xi in samples])

    @property
    def constraint(self) -> Array:
        """Largest absolute residual of the constraints on x, shape (n,)."""
        phi = self.system.coordinates.constraints
        return np.array([float(np.abs(np.asarray(phi(x))).max(initial=0.0)) for x in self.x])

    def drift(self) -> Drift:
        """Return the drift of the energy.

        Returns
        -------
        Drift
            Band and slope of the energy, relative to its largest absolute value.

        Raises
        ------
        ModelError
            If the system was written without an energy.
        """
        return drift(self.time, self.energy, float(np.abs(self.energy).max()))


class AnalyticalSystem(System):
    """Presents the equations of a user to the engine as a system of the core."""

    def __init__(self, equations: Equations, start: State) -> None:
        self.equations, self.size, self.velocities = equations, len(start.q), len(start.v)
        self.width = self.size + self.velocities
        self.field = PythonField(self.evaluate)

    @property
    def fingerprint(self) -> str:
        """Identifies the system in the memory of a state."""
        return hashlib.sha256(repr((id(self.equations), self.size)).encode()).hexdigest()[:16]

    def evaluate(self, part: int, t: float, y: Array, f: Array) -> None:
        """Write dy/dt to f; if `part` is RATE, only the rates of x."""
        x, z = y[: self.size], y[self.size : self.width]
        with trusted():
            f[: self.size] = self.equations.coordinates.rate(x, self.equations.velocity(t, x, z))
            if part != RATE:
                f[self.size : self.width] = self.equations.acceleration(t, x, z)
                f[self.width] = 0.0

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
    refused: tuple[Any, ...],
) -> AnalyticalRun:
    """Simulate a user's system; samples are the start, every `every`-th step and the last one.

    The options in `refused` are for mechanisms only: any that is given is an error.
    """
    if not isinstance(start, State):
        raise ScenarioError(
            "simulate takes a system of ps.analytical and a State: ps.State(time, x, velocities)"
        )
    if any(one is not None for one in refused):
        raise ScenarioError(
            "record, archive and controller are for mechanisms, not for a system of ps.analytical"
        )
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
    begun, system = clock.perf_counter(), AnalyticalSystem(equations, start)
    engine = Engine(system, method, h, start)
    times, rows = [start.time], [np.concatenate([start.q, start.v])]
    done = 0
    with interruptible(progress, total) as chunk_done:
        while done < total:
            count = min(every - done % every, total - done, CHUNK)
            engine.go(count, 0)
            if engine.stopped is not None:
                raise _failure(engine.stopped, engine)
            done += count
            chunk_done(count)
            if done % every == 0 or done == total:
                times.append(engine.time())
                rows.append(engine.sample()[0, :-1])
    q, v = system.from_core(np.array(rows))
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
    )


def _failure(stop: Stopped, engine: Engine[AnalyticalSystem]) -> StepError:
    """Return the error of a step that failed."""
    final = engine.state()
    where = f"{engine.method.label}: step {engine.count} from t = {final.time:g}"
    if stop.fault:
        return StepError(
            f"{where}: the system raised {stop.fault}", time=final.time, step=engine.count, state=final
        )
    what = ": the state became infinite or NaN" if stop.infinite else " did not converge"
    kind = StepError if stop.infinite else ConvergenceError
    return kind(f"{where}{what}; try a smaller step", time=final.time, step=engine.count, state=final)

"""Runs of a system that a user wrote in `ps.analytical`: the same methods through the same `simulate`.

    system = ps.analytical.levi_civita(coordinates, mass, potential)
    run = ps.simulate(system, ps.State(0.0, x, xi), "gauss3", step=0.01, until=10)
    run.time, run.x, run.velocity, run.energy, run.constraint

The equations are Python and are called back by the compiled loop (`core.methods.tree.outside`): slow, and for
checking.  Methods that move joints by their own groups need a tree; the others run here.
"""

import hashlib
import time as clock
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import float64
from numpy.typing import NDArray

from poinsot.analytical import System
from poinsot.compile.method_choice import by_name
from poinsot.core.methods import ALL
from poinsot.core.methods.method import Method
from poinsot.core.numbers.v4d import v4d
from poinsot.core.tree.field import RATE
from poinsot.core.tree.forces.table import no_forces, no_functions
from poinsot.core.tree.kernel import Kernel, Shape
from poinsot.core.tree.python_field import faults, outside
from poinsot.core.tree.python_field import known as answering
from poinsot.core.tree.time_loop import advance_tree
from poinsot.diagnostics.drift import Drift, drift
from poinsot.errors import ConvergenceError, ModelError, ScenarioError, StepError
from poinsot.model.checks import Array, show
from poinsot.model.state import State
from poinsot.simulation.engine import Engine, Stopped

DEFAULT = "gauss3"
PORTION = 1000  # steps between two looks at the outside world


@dataclass(frozen=True, eq=False)
class OwnRun:
    """The samples of a run, and what they say."""

    system: System
    method: Method
    step: float
    time: Array  # (n,)
    x: Array  # (n, coordinates)
    velocity: Array  # (n, minimal velocities), or momenta in Hamilton's form
    final: State
    evaluations: int
    iterations: int
    seconds: float

    @property
    def energy(self) -> Array:
        """(n,): of a system that has one."""
        energy = self.system.energy
        if energy is None:
            raise ModelError("this system was written without an energy")
        samples = zip(self.time, self.x, self.velocity, strict=True)
        return np.array([float(energy(t, x, xi)) for t, x, xi in samples])

    @property
    def constraint(self) -> Array:
        """(n,): how far x is off its constraints, the largest of them."""
        phi = self.system.coordinates.constraints
        return np.array([float(np.abs(np.asarray(phi(x))).max(initial=0.0)) for x in self.x])

    def drift(self) -> Drift:
        """Of the energy."""
        return drift(self.time, self.energy, float(np.abs(self.energy).max()))


class TimeLoop:
    """The compiled loop on a field that Python computes."""

    def __init__(self, own: "Own", kernel: Kernel) -> None:
        shape = Shape(own.size, own.width - own.size, 0, 0)
        number = v4d if kernel.stages_in_lanes else float64
        self.own, self.kernel, self.work = own, kernel, own.width
        self.memory, self.compiled = kernel.memory(shape), advance_tree(kernel)
        self.functions = outside(number), no_forces(number), no_functions(number)
        self.space = np.zeros(shape.n + kernel.space(shape))

    def cell(self, x: Array) -> Array:
        return np.concatenate([x, np.zeros(1 + self.memory)])

    def __call__(self, ints: NDArray[np.int64], times: Array, cell: Array, out: Array) -> None:
        shape = np.array([0, self.own.size, self.own.width - self.own.size], dtype=np.int32)
        with answering(self.own.evaluate) as key:
            seats = np.array([0, 0, key], dtype=np.int32)
            self.compiled(
                *self.functions, ints, times, shape, np.zeros(3), seats, np.zeros(1),
                np.zeros(1, dtype=np.int32), np.zeros(1), cell, out, self.space, self.kernel.table,
                np.zeros(1),
            )  # fmt: skip
            if key in faults:
                raise faults[key]

    def fallback(self) -> "TimeLoop | None":
        return None  # Newton's method differentiates along the rates of joints


class Own:
    """A user's system as the engine wants it (`model.system`)."""

    impulses: tuple[()] = ()

    def __init__(self, system: System, start: State) -> None:
        self.system, self.size, self.width = system, len(start.q), len(start.q) + len(start.v)
        self.fingerprint = hashlib.sha256(repr((id(system), self.size)).encode()).hexdigest()[:16]

    def evaluate(self, part: int, t: float, y: Array, f: Array) -> None:
        """dy/dt, or only the rates of x."""
        x, z = y[: self.size], y[self.size : self.width]
        f[: self.size] = self.system.coordinates.rate(x, self.system.velocity(t, x, z))
        if part != RATE:
            f[self.size : self.width] = self.system.acceleration(t, x, z)
            f[self.width] = 0.0

    def loop(self, method: Method) -> TimeLoop:
        return TimeLoop(self, method.tree)

    def to_core(self, q: Array, v: Array) -> Array:
        return np.concatenate([q, v])

    def from_core(self, x: Array) -> tuple[Array, Array]:
        return x[:, : self.size].copy(), x[:, self.size : self.width].copy()


def able() -> list[str]:
    """Methods that need no joints."""
    return [method.name for method in ALL if method.tree is not None and not method.tree.groups]


def simulate_own(
    system: System, start: State, name: str, h: float, total: int, every: int, bar: Any
) -> OwnRun:
    """The run of a user's system; the samples are the first, each `every`-th and the last step."""
    method = by_name(DEFAULT if name == "auto" else name)
    if method.name not in able():
        raise ScenarioError(
            f"method '{name}' moves joints, and this system has none: use {', '.join(able())}"
        )
    size = system.coordinates.size
    if len(start.q) != size:
        raise ScenarioError(f"the state has {len(start.q)} coordinates, expected {size}, got {show(start.q)}")
    n = system.coordinates.checked(start.q)
    if len(start.v) != n:
        raise ScenarioError(f"the state has {len(start.v)} velocities, expected {n}, got {show(start.v)}")
    begun, engine = clock.perf_counter(), Engine(Own(system, start), method, h, start)  # type: ignore[arg-type]
    times, rows = [start.time], [np.concatenate([start.q, start.v])]
    done = 0
    while done < total:
        count = min(every - done % every, total - done, PORTION)
        engine.go(count, 0)
        if engine.stopped is not None:
            raise _failure(engine.stopped, engine)
        done += count
        bar.update(count)
        if done % every == 0 or done == total:
            times.append(engine.time())
            rows.append(engine.sample()[0, :-1])
    q, v = Own(system, start).from_core(np.array(rows))
    return OwnRun(
        system, method, h, np.array(times), q, v, engine.state(), engine.evaluations, engine.iterations,
        clock.perf_counter() - begun,
    )  # fmt: skip


def _failure(stop: Stopped, engine: Engine) -> StepError:
    final = engine.state()
    where = f"{engine.method.name}: step {engine.count} from t = {final.time:g}"
    if stop.fault:
        return StepError(
            f"{where}: the system raised {stop.fault}", time=final.time, step=engine.count, state=final
        )
    what = "left the finite numbers" if stop.infinite else "did not converge"
    kind = StepError if stop.infinite else ConvergenceError
    return kind(f"{where} {what}; try a smaller step", time=final.time, step=engine.count, state=final)

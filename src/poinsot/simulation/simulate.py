"""`simulate`: the one way to run a mechanism.

The steps are compiled (`core.methods.advance`); here they are dealt out in portions, so that a run
can be interrupted, shows its progress and writes its archive as it goes.  Impulses and switches of
forces, and the ticks of a controller, cut the run into pieces at their steps; at each cut the method
forgets what it remembers.
"""

import math
import numbers
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import merge
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from poinsot.compile.method_choice import chosen
from poinsot.compile.system import system
from poinsot.compile.tree import compile_tree
from poinsot.core.methods.method import Method
from poinsot.diagnostics.report import report
from poinsot.errors import ConvergenceError, ScenarioError, StepError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Controller, Held, uncontrolled
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.model.state_checks import check_parts
from poinsot.run.run import Run
from poinsot.simulation.breakpoints import NO_CUT, Cut, cuts_of
from poinsot.simulation.control_loop import Steering
from poinsot.simulation.engine import Engine, Stopped
from poinsot.simulation.interrupts import bar_of, held_interrupts
from poinsot.simulation.loop_checks import closed, watch_gaps
from poinsot.simulation.recorder import Recorder

PORTION = 50_000  # steps of one body between two looks at the outside world: 5 to 100 ms
MOST = 1e15  # steps that can be counted in double precision times
TOO_MUCH, THINNED = 0.01, 1000  # energy that may move, relative; samples at which it is looked at


class StepWarning(UserWarning):
    """The step is too large for the motion."""


def simulate(
    mechanism: Mechanism,
    start: State,
    method: str = "auto",
    *,
    step: float,
    until: float | None = None,
    steps: int | None = None,
    every: int = 1,
    controller: Controller | None = None,
    record: Mapping[str, Callable[[State], Any]] | None = None,
    archive: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Run:
    """Run a mechanism from `start` `until` a time (or for so many `steps`), sampled every so many steps.

    The first and the last state are always samples.  A `controller` looks at the state once a period
    and holds forces at joints (`ps.Controller`).  `record` evaluates functions of the state at each
    sample; `archive` writes the samples to a file while the run goes on.  Ctrl-C returns what there is.
    A step that cannot be made raises a StepError, which holds the run up to there.
    """
    if not isinstance(mechanism, Mechanism) and isinstance(start, State):
        if record is not None or archive is not None or controller is not None:
            raise ScenarioError(
                "record, archive and controller are for mechanisms, not for a system of ps.analytical"
            )
        return _own(mechanism, start, method, step, until, steps, every, progress)
    if not isinstance(mechanism, Mechanism) or not isinstance(start, State):
        raise ScenarioError("simulate takes a Mechanism and a State: start = m.state({...})")
    check_parts(mechanism)
    mechanism = _steered(mechanism, controller)  # what becomes of the user's later does not concern this run
    h, total = _count(start, step, until, steps)
    _check_every(every)
    if record is not None and not (isinstance(record, Mapping) and all(map(callable, record.values()))):
        raise ScenarioError(f"record must be {{name: function of the state}}, got {checks.show(record)}")
    for name, function in (record or {}).items():
        try:
            function(start)
        except Exception as error:
            raise ScenarioError(f"record '{name}': {type(error).__name__}: {error}") from None
    how, reason = chosen(method, mechanism)
    body = system(mechanism, how)
    body.check(start)
    first_speed = fastest(mechanism, start.q[None], start.v[None]) if how.turn is not None else 0.0
    _warn(how, h, first_speed)
    engine = Engine(body, how, h, start)
    if mechanism.loops and engine.fresh:
        start = closed(compile_tree(mechanism), start)
        engine = Engine(body, how, h, start)
    cuts = cuts_of(mechanism, engine.time(), h, total)
    steering = Steering(controller, engine) if controller is not None else None
    if steering is not None and total > 0:
        steering.decide()
    recorder = Recorder(engine, int(every), reason, start, archive)
    try:
        with bar_of(progress, total) as bar, held_interrupts() as interrupted:
            for done in _drive(engine, recorder, total, int(every), cuts, steering):
                bar.update(done)
                if interrupted:
                    raise KeyboardInterrupt
        run = recorder.finish(record)
    except KeyboardInterrupt:
        return recorder.finish(record, interrupted=True)
    except Stopped as stop:
        raise _failure(stop, engine, recorder.finish(record, interrupted=True)) from None
    finally:
        recorder.close()
    if mechanism.loops:
        watch_gaps(compile_tree(mechanism), run.trajectory.thinned(THINNED))
    if how.turn is not None:
        thin = run.trajectory.thinned(THINNED)
        _warn(how, h, fastest(mechanism, thin.q, thin.v), warned=first_speed)
    else:
        _warn_of_energy(how, h, run)
    return run


def _steered(mechanism: Mechanism, controller: Controller | None) -> Mechanism:
    """A copy of the mechanism, with the forces of the controller."""
    if controller is None:
        if any(isinstance(force, Held) for force in mechanism.forces):
            raise ScenarioError("this is the mechanism of a controlled run: give its controller, too")
        return mechanism.snapshot()
    if not isinstance(controller, Controller):
        raise ScenarioError(f"controller must be a ps.Controller, got {checks.show(controller)}")
    copy = uncontrolled(mechanism)
    return copy.apply(*controller.forces(copy))


def _own(
    system: Any, start: State, method: str, step: float, until: float | None, steps: int | None, every: int,
    progress: bool,
) -> Any:  # fmt: skip
    """The run of a user's own system in `ps.analytical`."""
    from poinsot.analytical import System
    from poinsot.simulation.analytical import simulate_own

    if not isinstance(system, System):
        raise ScenarioError("simulate takes a Mechanism and a State: start = m.state({...})")
    h, total = _count(start, step, until, steps)
    _check_every(every)
    with bar_of(progress, total) as bar:
        return simulate_own(system, start, method, h, total, int(every), bar)


def _check_every(every: int) -> None:
    if not isinstance(every, int | np.integer) or every < 1:
        raise ScenarioError(f"every must be a whole number from 1, got {checks.show(every)}")


def completed(run: Run) -> Run:
    """The run, if it went to its end; Ctrl-C goes on to whoever wanted more than one run."""
    if run.interrupted:
        raise KeyboardInterrupt
    return run


def _count(start: State, step: float, until: float | None, steps: int | None) -> tuple[float, int]:
    """The step and how many of them."""
    h = float(step) if isinstance(step, numbers.Real) and not isinstance(step, bool) else math.nan
    if not (math.isfinite(h) and h > 0):
        raise ScenarioError(f"step must be a positive number, got {checks.show(step)}")
    if start.time + h == start.time:
        raise ScenarioError(f"step {h:g} is lost in rounding at the time t = {start.time:g}")
    if (until is None) == (steps is None):
        raise ScenarioError("give either until=TIME or steps=NUMBER")
    if steps is not None:
        if not isinstance(steps, int | np.integer) or isinstance(steps, bool) or steps < 0:
            raise ScenarioError(f"steps must be a whole number from 0, got {checks.show(steps)}")
        if steps > MOST:
            raise ScenarioError(f"steps must be at most {MOST:.0e}, got {checks.show(steps)}")
        return h, int(steps)
    end = checks.number("simulate", "until", until)
    if end < start.time:
        raise ScenarioError(f"until must not lie before the start, t = {start.time:g}, got {end:g}")
    count = (end - start.time) / h - 1e-9
    if not count < MOST:
        raise ScenarioError(f"step {h:g} is too small: {count:.1g} steps until t = {end:g}")
    return h, max(0, math.ceil(count))


def _borders(cuts: Mapping[int, Cut], ticks: Iterable[int], total: int) -> Iterator[int]:
    """Steps at which something happens, each once, from the first to the last."""
    return (step for step, _ in groupby(merge(sorted({*cuts, 0, total}), ticks)))


def _drive(
    engine: Engine, recorder: Recorder, total: int, every: int, cuts: Mapping[int, Cut],
    steering: Steering | None,
) -> Iterator[int]:  # fmt: skip
    """Make all steps and record the samples; yields how many steps were done since the last time."""
    if engine.stopped is not None:
        raise engine.stopped
    done, ticks = 0, steering.ticks(total) if steering is not None else range(0)
    portion = max(1, PORTION // len(engine.system.mechanism.links))
    for begin, end in pairwise(_borders(cuts, ticks, total)):
        cut = cuts.get(begin, NO_CUT)
        if begin in cuts or begin in ticks:
            engine.cut(cut.impulses, -math.inf if cut.jump is None else cut.jump)
        if steering is not None and begin in ticks:
            steering.apply()
        jump = cuts[end].jump if end in cuts else None
        engine.last = math.inf if jump is None else math.nextafter(jump, -math.inf)
        while done < end:
            due, left = every - done % every, end - done
            if due == every <= min(left, portion):  # many samples in one call
                n = min(left, portion) // every * every
                rows = engine.go(n, every)
                counts = engine.begin + every * np.arange(1, len(rows) + 1)
            else:
                n = min(due, left, portion)
                rows = engine.go(n, 0)
                if engine.stopped is None and (n == due or done + n == total):
                    rows = engine.sample()
                counts = np.array([engine.count])
            if steering is not None and engine.stopped is None and done + n == end < total:
                steering.decide()
            recorder.add(rows, counts)
            if engine.stopped is not None:
                raise engine.stopped
            done += n
            yield n


def _failure(stop: Stopped, engine: Engine, run: Run) -> StepError:
    """The error of a step that could not be made, with what there is and what to try."""
    name, final = engine.method.name, run.final
    turn = engine.h * fastest(engine.system.mechanism, final.q[None], final.v[None])
    where = f"{name}: step {engine.count} from t = {run.final.time:g}"
    advice = f"(a body turns {turn:.2g} rad in a step of {engine.h:g}); try a smaller step"
    if stop.controller:
        kind, message = StepError, f"{where}: {stop.controller}"
    elif stop.fault:
        kind, message = StepError, f"{where}: a force raised {stop.fault}"
    elif stop.infinite:
        kind, message = StepError, f"{where} left the finite numbers {advice}"
    else:
        kind, message = ConvergenceError, f"{where} did not converge {advice}"
    return kind(
        message,
        time=run.final.time, step=engine.count, state=run.final, run=run,
    )  # fmt: skip


def fastest(mechanism: Mechanism, q: Array, v: Array) -> float:
    """The largest angular velocity of a body at these states."""
    with np.errstate(over="ignore", invalid="ignore"):
        found = motions(mechanism, q, v)
        return max(float(np.sqrt((x.angular_velocity**2).sum(axis=1).max())) for x in found.values())


def _warn(method: Method, h: float, speed: float, warned: float = 0.0) -> None:
    """When a step turns the body too far for the method; not again if `warned` was too fast already."""
    if method.turn is not None and h * speed > method.turn >= h * warned:
        warnings.warn(
            f"{method.name}: the body turns {h * speed:.2g} rad in a step of {h:g}, more than the "
            f"{method.turn:g} rad for which this method is good; try step={method.turn / speed / 4:.1g}",
            StepWarning,
            stacklevel=3,
        )


def _warn_of_energy(method: Method, h: float, run: Run) -> None:
    """For methods that may turn the body as far as they like: the forces are what limits their step."""
    moved = report(run.trajectory.thinned(THINNED), "", 0, 0, 0, 0.0).energy
    if moved.kept and moved.relative_band > TOO_MUCH:
        warnings.warn(
            f"{method.name}: the energy moves by {100 * moved.relative_band:.2g} % with a step of {h:g}, "
            "which is too large for these forces",
            StepWarning,
            stacklevel=3,
        )

"""`simulate`: the one way to run a mechanism.

The steps are compiled (`core.body.time_loop`, `core.tree.time_loop`); here they are made in chunks, so that a
run can be interrupted, shows its progress and writes its archive as it goes.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any

from poinsot.analytical import System as AnalyticalSystem
from poinsot.compile.method_choice import compiled
from poinsot.mechanics.start import check_start, closed_start
from poinsot.model.controller import Controller
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.simulation.analytical import simulate_analytical
from poinsot.simulation.control_loop import ControlLoop
from poinsot.simulation.driver import drive
from poinsot.simulation.engine import Engine, Stopped, resumes
from poinsot.simulation.failure import step_error
from poinsot.simulation.interrupts import interruptible
from poinsot.simulation.options import planned
from poinsot.simulation.recorder import Recorder
from poinsot.simulation.warnings import Watch


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
    """Simulate from `start` until time `until` (or for `steps` steps) and record every `every`-th step.

    The first and the last state are always samples.  A `controller` looks at the state once a period
    and holds forces at joints (`ps.Controller`).  `record` evaluates functions of the state at each
    sample; `archive` writes the samples to a file while the run goes on.  Ctrl-C returns what there is.
    A step that cannot be made raises a StepError, which holds the run up to there.
    """
    if isinstance(mechanism, AnalyticalSystem):
        options = record, archive, controller
        found = simulate_analytical(mechanism, start, method, step, until, steps, every, progress, options)
        return found  # type: ignore[no-any-return] # a run of its own kind
    plan = planned(mechanism, start, step, until, steps, every, controller, record, archive, progress)
    system, how, reason = compiled(plan.mechanism, method)  # once; forces are data from here on
    check_start(system, start)
    watch = Watch(system, how, plan.step, start)
    if plan.mechanism.loops and not resumes(system, how, plan.step, start):
        start = closed_start(system, start)
    engine = Engine(system, how, plan.step, start)
    control = ControlLoop(plan.controller, engine) if plan.controller is not None else None
    with Recorder(engine, plan, reason, start) as recorder:
        try:
            with interruptible(plan.progress, plan.steps) as chunk_done:
                drive(engine, recorder, plan, control, chunk_done)
        except KeyboardInterrupt:
            return recorder.run(interrupted=True)
        except Stopped as stop:
            raise step_error(stop, engine, recorder.run(interrupted=True)) from None
        return watch.checked(recorder.run())


def completed(run: Run) -> Run:
    """The run, if it went to its end; Ctrl-C goes on to whoever wanted more than one run."""
    if run.interrupted:
        raise KeyboardInterrupt
    return run

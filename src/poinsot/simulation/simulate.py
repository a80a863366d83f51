"""`simulate`: the one way to run a mechanism.

The steps are compiled (`core.body.time_loop`, `core.tree.time_loop`).  They are made in chunks, so that a run
can be interrupted, shows its progress and writes its archive while it goes on.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from poinsot.analytical import System as AnalyticalSystem
from poinsot.analytical.system import Formulation
from poinsot.core import kernel_cache
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike
from poinsot.model.cascade import merge
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.simulation.advise import advise_step
from poinsot.simulation.analytical import advise_system, system_job
from poinsot.simulation.driver import Job, complete, make_job
from poinsot.simulation.options import Record, RunOptions, make_plan

NEEDS_STEP = "give either step=TIME or accuracy=NUMBER with until=TIME"
LONG = 1.0  # seconds of compiling worth a line


def simulate(
    mechanism: Mechanism | AnalyticalSystem | Formulation,
    start: State,
    method: str | Method = "auto",
    *,
    step: float | None = None,
    until: float | None = None,
    steps: int | None = None,
    every: int = 1,
    controller: Controller | Feedback | Sequence[Controller] | None = None,
    record: Record | None = None,
    archive: PathLike | None = None,
    progress: bool | None = None,
    events: Sequence[Event] | None = None,
    accuracy: float | None = None,
) -> Run:
    """Simulate from `start` until time `until` (or for `steps` steps) and record every `every`-th step.

    The first and the last state are always recorded.  Driven joints start where their drives say, and the
    start is projected onto the loops of the mechanism.
    Ctrl-C ends the run early: the run up to there is returned, with `interrupted` set.  Inside another run (a
    controller that predicts) it ends both: KeyboardInterrupt is raised in the inner one.

    Parameters
    ----------
    mechanism : The mechanism to simulate, or a system of equations from `ps.analytical`.
    start : Initial state, from `mechanism.state(...)` or from a run, such as `run.final`.
    method : Name of the method, one of `ps.methods()`, or `ps.method(name, **options)`; "auto" chooses one,
        and `run.reason` says why.  What to take:
        one body          `srkn4`, or `cf4` where a force has no potential or reads the velocity
        trees             `sgauss3`, or `gauss3` where a force has no potential
        loops             `variational`, or `variational4` and `variational6` for more digits
        stiff forces      `radau3`, which damps what is stiff; with loops `variational_midpoint`
        long times        a symplectic method: `srkn4`, `sgauss2`, `variational`: the energy does not drift
        a wanted accuracy "auto" and `accuracy=`: estimated, see `ps.advise`
    step : Step size [s].  Impulses and jumps of forces must lie on steps.  Give either `step` or `accuracy`.
    until : End time [s]; the last step is the first one that reaches it.  Give either `until` or `steps`.
    steps : Number of steps.  Give either `until` or `steps`.
    every : Number of steps between two samples.
    controller : Controller that reads the state once a period and holds its inputs, or a list of controllers
        with periods, inputs and memories of their own, or a law that acts continuously.
    record : Functions of the state, called at each sample; `run.recorded` holds the results.
    archive : File to which the samples are written during the run; `ps.load` reads it.  Default: no file.
    progress : Show a progress bar on stderr.  Default: if stderr is a terminal and the run lasts longer than
        two seconds.  False also silences the line that says how long kernels are compiled, as the variable
        POINSOT_QUIET of the environment does.
    events : Events to find; they may end the run or reset the state.  `run.events` has their times and
        states.
    accuracy : Largest error of the state at `until`, in place of a step: angles [rad], positions and
        velocities relative to the motion.  `ps.advise` chooses the step, and the method if it is "auto", by
        an estimate (a few runs) of at most 0.7 of this; `run.reason` says what it chose and estimated.

    Raises
    ------
    StepError : If a step fails: the state became infinite, or a force raised an error.  The error carries the
        run up to there.
    ConvergenceError : A StepError: the iteration in a step did not converge.
    EventError : A StepError: an event cannot be evaluated, or fires infinitely often.

    Warns
    -----
    StepWarning
        If the step is too large for the motion.
    LoopWarning
        If the start does not lie on the loops, or a loop opens during the run.

    Examples
    --------
    A body that spins about its intermediate axis flips over:

    >>> m = ps.Mechanism(gravity=(0, 0, 0))
    >>> _ = m.add("nut", ps.Body(mass=1.0, inertia=(0.08, 0.082, 0.004)), ps.Free())
    >>> start = m.state({"nut": {"angular_velocity": (6.0, 0.01, 0.0)}})
    >>> run = ps.simulate(m, start, "srkn4", step=0.02, until=4.0, every=10)
    >>> len(run.time), len(run.flips("nut"))
    (21, 1)

    Continue from the end, and evaluate a function of the state at each sample:

    >>> more = ps.simulate(m, run.final, "srkn4", step=0.02, steps=2, record={"t": lambda t, state: t})
    >>> [round(t, 2) for t in more.recorded["t"].tolist()]
    [4.0, 4.02, 4.04]

    An accuracy in place of a step:

    >>> run = ps.simulate(m, start, until=4.0, accuracy=1e-6)
    >>> run.method.name, run.step > 0.01
    ('srkn4', True)
    """
    one: Controller | Feedback | None = None
    if isinstance(controller, Controller) and controller.inputs:
        one = controller
    elif controller is not None:
        one = merge(controller)
    options = RunOptions(step, until, steps, every, one, record, archive, progress, events)
    with compilation_notice(quiet=progress is False):
        return _simulate(mechanism, start, method, options, accuracy)


def _simulate(
    mechanism: Mechanism | AnalyticalSystem | Formulation,
    start: State,
    method: str | Method,
    options: RunOptions,
    accuracy: float | None,
) -> Run:
    """Choose what is not given, and run."""
    step, steps = options.step, options.steps
    why = ""
    if accuracy is not None:
        if step is not None or steps is not None:
            other = "step" if step is not None else "steps"
            raise ScenarioError(f"accuracy= chooses the step: give it without {other}=, and with until=")
        if isinstance(mechanism, Formulation):
            mechanism = mechanism.system()
        question = start, _name(method), accuracy, options
        if isinstance(mechanism, AnalyticalSystem):
            advice = advise_system(mechanism, *question)
        else:
            advice = advise_step(mechanism, *question)
        method, why = advice.method, f"accuracy {accuracy:g}: {advice}"
        options = replace(options, step=advice.step)
    return complete(job_of(mechanism, start, method, options, why))


def _name(method: str | Method) -> str:
    return method.label if isinstance(method, Method) else method


def job_of(
    mechanism: Mechanism | AnalyticalSystem | Formulation,
    start: State,
    method: str | Method,
    options: RunOptions,
    why: str = "",
) -> Job:
    """Return the job of a mechanism or a system; `why` says why it has this step, if it was not given."""
    name = _name(method)
    if isinstance(mechanism, Formulation | AnalyticalSystem):
        if options.step is None:
            raise ScenarioError(NEEDS_STEP)
        equations = mechanism.system() if isinstance(mechanism, Formulation) else mechanism
        return system_job(equations, start, name, options, why)
    return make_job(make_plan(mechanism, start, options), name, why)


def shows_lines() -> bool:
    """Return whether lines on stderr can be replaced: it is a terminal, or that of a notebook."""
    return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel.")


@contextmanager
def compilation_notice(quiet: bool) -> Iterator[None]:
    """Say on stderr what is compiled meanwhile, and how long it took; another one who tells goes on telling.

    On a terminal and in a notebook the line appears when a compilation begins and is replaced; elsewhere it
    is written once, at the end, if compiling took longer than `LONG`.
    """
    waiting = kernel_cache.Waiting
    if quiet or waiting.tell is not None or os.environ.get("POINSOT_QUIET"):
        yield
        return
    before, begun = len(kernel_cache.compiled), waiting.seconds

    def text() -> str:
        count = len(kernel_cache.compiled) - before
        done = f"{count}, {waiting.seconds - begun:.0f} s"
        where = f"kept in {kernel_cache.cache_folder()}; `poinsot warm` does it ahead"
        return f"poinsot: compiling kernels for the first time: {done} ({where})"

    def overwrite(end: str) -> None:
        print(f"\r{text()}", end=end, file=sys.stderr, flush=True)

    waiting.tell = lambda name: overwrite("") if shows_lines() else None
    try:
        yield
    finally:
        waiting.tell = None
        if len(kernel_cache.compiled) > before and shows_lines():
            overwrite("\n")
        elif waiting.seconds - begun > LONG:
            print(text(), file=sys.stderr, flush=True)

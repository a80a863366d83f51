"""`simulate`: the one way to run a mechanism.

The steps are compiled (`core.body.time_loop`, `core.tree.time_loop`).  They are made in chunks, so that a run
can be interrupted, shows its progress and writes its archive while it goes on.
"""

from poinsot.analytical import MovingFrame
from poinsot.analytical import System as AnalyticalSystem
from poinsot.compile.catalogue import label_of
from poinsot.compile.method_choice import compiled
from poinsot.compile.system import CompiledMechanism
from poinsot.core.methods.method import Method
from poinsot.formats.paths import PathLike
from poinsot.mechanics.start import check_start, closed_start
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.simulation.analytical import simulate_analytical
from poinsot.simulation.control_loop import ControlLoop
from poinsot.simulation.driver import drive
from poinsot.simulation.engine import Engine, Stopped, resumes
from poinsot.simulation.failure import step_error
from poinsot.simulation.interrupts import ended, interruptible
from poinsot.simulation.options import Plan, Record, planned
from poinsot.simulation.recorder import Recorder
from poinsot.simulation.warnings import Watch


def simulate(
    mechanism: Mechanism,
    start: State,
    method: str | Method = "auto",
    *,
    step: float,
    until: float | None = None,
    steps: int | None = None,
    every: int = 1,
    controller: Controller | Feedback | None = None,
    record: Record | None = None,
    archive: PathLike | None = None,
    progress: bool = False,
) -> Run:
    """Simulate from `start` until time `until` (or for `steps` steps) and record every `every`-th step.

    The first and the last state are always recorded.  The start is projected onto the loops of the mechanism.
    Ctrl-C ends the run early: the run up to there is returned, with `interrupted` set.

    Parameters
    ----------
    mechanism : Mechanism, ps.analytical.System or ps.analytical.MovingFrame
        The mechanism to simulate, or a system of equations from `ps.analytical`.
    start : State
        Initial state, from `mechanism.state(...)` or from a run, such as `run.final`.
    method : str or Method, default "auto"
        Name of the method, one of `ps.methods()`, or `ps.method(name, **options)`; "auto" chooses one, and
        `run.reason` says why.
    step : float
        Step size in s.  Impulses and jumps of forces must lie on steps.
    until : float, optional
        End time in s; the last step is the first one that reaches it.  Give either `until` or `steps`.
    steps : int, optional
        Number of steps.  Give either `until` or `steps`.
    every : int, default 1
        Number of steps between two samples.
    controller : Controller or Feedback, optional
        Controller that reads the state once a period and holds its inputs, or a law that acts continuously.
        Default: none.
    record : mapping of str to callable, optional
        Functions of the state, called at each sample; `run.recorded` holds the results.  Default: none.
    archive : str or path-like, optional
        File to which the samples are written during the run; `ps.load` reads it.  Default: no file.
    progress : bool, default False
        Show a progress bar on stderr.

    Returns
    -------
    Run or AnalyticalRun
        The samples of the motion; an AnalyticalRun for a system of `ps.analytical`.

    Raises
    ------
    ScenarioError
        If an argument is wrong, or the method cannot run the mechanism.
    ModelError
        If the mechanism or the start is wrong, for example if a loop cannot be closed.
    StepError
        If a step fails: the state became infinite, or a force raised an error.  The error carries the run up
        to there.
    ConvergenceError
        A StepError: the iteration in a step did not converge.
    ArchiveError
        If the archive cannot be written, or the file exists.

    Warns
    -----
    StepWarning
        If the step is too large for the motion.
    LoopWarning
        If the start does not lie on the loops, or a loop opens during the run.

    Examples
    --------
    A body that spins about its intermediate axis flips over:

    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, 0))
    >>> _ = m.add("nut", ps.Body(mass=1.0, inertia=(0.08, 0.082, 0.004)), ps.Free())
    >>> start = m.state({"nut": {"angular_velocity": (6.0, 0.01, 0.0)}})
    >>> run = ps.simulate(m, start, "srkn4", step=0.02, until=4.0, every=10)
    >>> len(run.time), len(run.flips("nut"))
    (21, 1)

    Continue from the end, and evaluate a function of the state at each sample:

    >>> more = ps.simulate(m, run.final, "srkn4", step=0.02, steps=2, record={"t": lambda state: state.time})
    >>> [round(t, 2) for t in more.recorded["t"].tolist()]
    [4.0, 4.02, 4.04]
    """
    name: str = label_of(method)
    if isinstance(mechanism, MovingFrame):
        mechanism = mechanism.system()  # type: ignore[assignment] # a system of ps.analytical
    if isinstance(mechanism, AnalyticalSystem):
        options = controller, record, archive
        found = simulate_analytical(mechanism, start, name, step, until, steps, every, progress, *options)
        return found  # type: ignore[return-value] # an AnalyticalRun
    plan = planned(mechanism, start, step, until, steps, every, controller, record, archive, progress)
    system, how, reason = compiled(plan.mechanism, name)  # once; forces are data from here on
    check_start(system, start)
    watch = Watch(system, how, plan.step, start)
    if plan.mechanism.loops and not resumes(system, how, plan.step, start):
        start = closed_start(system, start)
    engine = Engine(system, how, plan.step, start)
    return finished(Recorder(engine, plan, reason, start), engine, plan, watch)


def finished(recorder: Recorder, engine: Engine[CompiledMechanism], plan: Plan, watch: Watch) -> Run:
    """Make all steps of a plan and return the run; the recorder is closed."""
    with recorder:
        control = ControlLoop(plan.controller, engine) if isinstance(plan.controller, Controller) else None
        try:
            with interruptible(plan.progress, plan.steps) as chunk_done:
                drive(engine, recorder, plan, control, chunk_done)
        except KeyboardInterrupt as stop:
            return ended(stop, recorder.run(interrupted=True))
        except Stopped as stop:
            raise step_error(stop, engine, recorder.run(interrupted=True)) from None
        return watch.checked(recorder.run())


def completed(run: Run) -> Run:
    """Return the run if it reached its end; raise KeyboardInterrupt if Ctrl-C ended it."""
    if run.interrupted:
        raise KeyboardInterrupt
    return run

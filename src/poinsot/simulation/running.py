"""Running a plan: from the start to the last step, with the warnings of a run."""

from poinsot.compile.method_choice import compiled
from poinsot.compile.system import CompiledMechanism
from poinsot.mechanics.start import check_start, closed_start, driven_start
from poinsot.model.controller import Controller
from poinsot.run.run import Run
from poinsot.simulation.control.control_loop import ControlLoop
from poinsot.simulation.driver import drive
from poinsot.simulation.engine import Engine, Stopped, resumes
from poinsot.simulation.events.loop_switches import LoopSwitches
from poinsot.simulation.failure import step_error
from poinsot.simulation.interrupts import ended, interruptible
from poinsot.simulation.options import Plan
from poinsot.simulation.recorder import Recorder
from poinsot.simulation.warnings import Watch


def performed(plan: Plan, method: str, why: str = "") -> Run:
    """Run a plan with a method; `why` says why it has this step, if the step was not given."""
    whole, how, reason = compiled(plan.mechanism, method)  # once; forces are data from here on
    start, switches = plan.start, LoopSwitches(plan, whole, how)
    system = switches.at(start)
    check_start(system, start)
    fresh = not resumes(system, how, plan.step, start)
    if fresh and system.drives:
        start = driven_start(system, start)
    watch = Watch(whole, how, plan.step, start)
    if system.mechanism.loops and fresh:
        start = closed_start(system, start)
    engine = switches.engine(start)
    return finished(Recorder(engine, plan, why or reason, start), engine, plan, watch, switches)


def finished(
    recorder: Recorder,
    engine: Engine[CompiledMechanism],
    plan: Plan,
    watch: Watch,
    switches: LoopSwitches,
) -> Run:
    """Make all steps of a plan and return the run; the recorder is closed."""
    with recorder:
        control = ControlLoop(plan.controller, engine) if isinstance(plan.controller, Controller) else None
        try:
            with interruptible(plan.progress, plan.steps) as progress:
                drive(engine, recorder, plan, switches, control, progress)
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

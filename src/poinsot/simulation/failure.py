"""The error of a step that failed: what happened, where, and what to try."""

from poinsot.compile.functions.checks import culprit
from poinsot.compile.system import CompiledMechanism
from poinsot.errors import ConvergenceError, EventError, StepError
from poinsot.model.checks import show
from poinsot.run.run import Run
from poinsot.simulation.engine import Engine, Stopped
from poinsot.simulation.warnings import top_speed

LARGE = 1.0  # rad that a body may turn in a step before the step is to blame


def step_error(stop: Stopped, engine: Engine[CompiledMechanism], run: Run) -> StepError:
    """Return the error, which carries the run up to the failed step."""
    final = run.final
    angle = engine.h * top_speed(engine.system, final.q[None], final.v[None])
    where = f"{engine.method.label}: step {engine.count} from t = {final.time:g}"
    advice = f"(a body rotates by {angle:.2g} rad in a step of {engine.h:g}); try a smaller step"
    kind: type[StepError] = StepError
    if stop.event:
        kind, message = EventError, f"{where}: {stop.event}"
    elif stop.controller:
        message = f"{where}: {stop.controller}; the state is q = {show(final.q)}, v = {show(final.v)}"
    elif cause := culprit(run.mechanism, final, engine.h):
        message = f"{where}: {cause}" + (f" {advice}" if not angle < LARGE else "")
    elif stop.fault:
        message = f"{where}: a force {stop.fault}"
    elif stop.infinite:
        message = f"{where}: the state became infinite or NaN {advice}"
    else:
        kind, message = ConvergenceError, f"{where} did not converge {advice}"
    return kind(message, time=final.time, step=engine.count, state=final, run=run)

"""`stream`: the states of a motion one after the other, while it is computed; nothing is stored.

    with ps.stream(m, start, step=0.001, every=10) as motion:
        for state in motion:
            if state.time > 5:
                motion.change(step=0.0005)
            ...

The driver and the time loop are those of `simulate`, so the states have its bits.  Compiled steps are made in
chunks that run ahead of the states that were handed out; where a state is asked for or something changes,
they are made again up to there.  What cannot be repeated (controllers, events, impulses) does not run ahead.
"""

import time as clock
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any

import numpy as np

from poinsot.analytical import System as AnalyticalSystem
from poinsot.analytical.system import Formulation
from poinsot.core.methods.method import Method
from poinsot.diagnostics.report import Measurement, Report, summary
from poinsot.diagnostics.trajectory import GrowingSamples, Samples, Trajectory, trajectory_of
from poinsot.errors import ScenarioError
from poinsot.model.cascade import merge
from poinsot.model.checks import show
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.feedback import Feedback
from poinsot.model.inputs import Input
from poinsot.model.loop_history import ALWAYS_CLOSED
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State, view
from poinsot.run.events import Firing
from poinsot.simulation.driver import Job, passes
from poinsot.simulation.engine import Mark, Stopped
from poinsot.simulation.interrupts import Progress, end_process, interruptible
from poinsot.simulation.messages import step_error
from poinsot.simulation.options import Record, RunOptions, record_fault, recorded_numbers
from poinsot.simulation.recorder import Recorder
from poinsot.simulation.simulate import job_of

System = Mechanism | AnalyticalSystem | Formulation
Inputs = Mapping[str | Input, float | Sequence[float]]


class Delivery(Recorder):
    """Hands the samples on in place of storing them."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.parts: list[Samples] = []

    def begin(self) -> None:
        super().begin()
        self.parts.append(self.first_sample)

    def keep(self, part: Samples) -> None:
        self.last = float(part.time[-1])
        self.parts.append(part)

    def take(self) -> Samples | None:
        """Return the samples of a pass; None if it made none."""
        self.flush()
        if not self.parts:
            return None
        parts, self.parts = self.parts, []
        whole = parts[0] if len(parts) == 1 else Samples(*map(np.concatenate, zip(*parts, strict=True)))
        for array in whole:
            array.setflags(write=False)
        self.first_sample = whole
        return whole

    def _growing(self) -> GrowingSamples:
        """Return the last sample, for the run that an error carries."""
        last = self.first_sample
        return GrowingSamples(last.part(len(last.time) - 1, len(last.time)), 1)


class Stretch:
    """One job from its start up to a change, and where its samples are."""

    def __init__(self, job: Job) -> None:
        self.job, self.begun = job, clock.perf_counter()
        self.delivery, self.control = job.participants(Delivery, slow=True)
        self.progress = Progress()
        self.passes = passes(job.plan, job.engine, self.delivery, self.control, self.progress)
        self.mark: Mark | None = None  # before the steps of the part
        self.done = 0  # steps of the driver up to there
        self.part: Samples | None = None
        self.stop: Stopped | None = None  # what ends the motion after the samples of the part
        self.given = self.measured = 0  # samples of the part that were handed out, and that are in the report
        self.found = Measurement(job.plan.mechanism, loops=ALWAYS_CLOSED)
        self.work, self.first = 0.0, job.engine.clock.count

    def pull(self) -> bool:
        """Make the steps up to the next samples; False at the end."""
        self.measure()
        engine, here = self.job.engine, self.delivery.here
        found: Samples | None = None
        self.delivery.firings = []
        while found is None:
            if self.stop is not None:
                raise step_error(self.stop, engine, self.delivery.run(interrupted=True)) from None
            mark, done = engine.mark(), here.done
            try:
                with interruptible(False, 0) as progress:
                    if self.control is not None:
                        self.control.arrived = progress.arrived
                    made = next(self.passes, None)
                    progress(0)
            except Stopped as stop:
                self.stop, made = stop, 1  # the samples before it come first
            except KeyboardInterrupt as stop:
                end_process(stop)
                raise
            if made is None:
                return False
            found = self.delivery.take()
        self.mark, self.done, self.part, self.given, self.measured = mark, done, found, 0, 0
        return True

    def state_of(self, number: int) -> State:
        """Return a sample of the part as a light state."""
        assert self.part is not None, "there is a part"
        return view(float(self.part.time[number]), self.part.q[number], self.part.v[number])

    def measure(self) -> None:
        """Add what was handed out to the sums of the report."""
        if self.part is None or self.job.plan.equations is not None or self.given == self.measured:
            return
        new = self.part.part(self.measured, self.given)
        self.found.add(
            trajectory_of(new, self.job.plan.mechanism, self.delivery.forces, self.delivery.driven)
        )
        self.work, self.measured = float(new.work[-1]), self.given

    def return_to_sample(self) -> None:
        """Go back to the state that was handed out last, if the engine is ahead of it."""
        assert self.part is not None, "a state was handed out"
        engine, here = self.job.engine, self.delivery.here
        ahead = len(self.part.time) - self.given
        if not ahead or here.waits or self.mark is None:
            return
        self.measure()
        steps = here.done - self.done - self.job.plan.every * ahead
        engine.rewind(self.mark)
        engine.go(steps, 0)
        here.done = self.done + steps
        here.chunk.steps = max(1, min(here.chunk.steps, steps))  # who asks often is not made to wait
        self.part = self.part.part(0, self.given)
        self.delivery.first_sample = self.part


class Stream:
    """The states of a motion, one after the other: an iterator and a context manager, from `ps.stream`.

    The start comes first, then a state every `every` steps; after an event that ends the motion its state.
    Nothing is stored: a stream without an end may go on for ever.

    Attributes
    ----------
    recorded : what the functions of `record` gave at the last state, by name
    events : the events since the state before: `name`, `before` and `after`

    >>> s = ps.scenario("double-pendulum")
    >>> with ps.stream(s.mechanism, s.start, "gauss3", step=0.01, every=10) as motion:
    ...     times = [round(next(motion).time, 2) for _ in range(4)]
    >>> times
    [0.0, 0.1, 0.2, 0.3]
    """

    def __init__(self, mechanism: System, start: State, method: str | Method, options: RunOptions) -> None:
        self._mechanism, self._method, self._options = mechanism, method, options
        self._stretch: Stretch | None = Stretch(job_of(mechanism, start, method, options))
        self.recorded: dict[str, Any] = {}
        self.events: list[Firing] = []

    def __iter__(self) -> Iterator[State]:
        return self

    def __next__(self) -> State:
        here = self._stretch
        if here is None:
            raise StopIteration
        if (here.part is None or here.given == len(here.part.time)) and not here.pull():
            raise StopIteration
        assert here.part is not None, "there are samples"
        here.given += 1
        state = here.state_of(here.given - 1)
        self.events = here.delivery.firings
        if self._options.record:
            self.recorded = {name: _value(name, f, state) for name, f in self._options.record.items()}
        return state

    def __enter__(self) -> "Stream":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the motion and free what it holds; there are no more states."""
        self._stretch = None

    def _present(self) -> Stretch:
        """Return where the motion is."""
        if self._stretch is None:
            raise ScenarioError("the stream is closed")
        if self._stretch.part is None:
            self._stretch.pull()  # the start
        return self._stretch

    @property
    def state(self) -> State:
        """The state that was handed out last, with the memory from which `simulate` goes on bit for bit."""
        here = self._present()
        if here.given == 0:
            return here.job.start
        here.return_to_sample()
        found: State = here.job.engine.state()
        return found

    @property
    def method(self) -> Method:
        """The method that makes the steps."""
        return self._present().job.engine.method

    @property
    def trajectory(self) -> Trajectory:
        """The state that was handed out last, as a trajectory of one sample with energies and momenta."""
        here = self._present()
        assert here.part is not None, "there are samples"
        at = max(here.given, 1)
        one = here.part.part(at - 1, at)
        return trajectory_of(one, here.job.plan.mechanism, here.delivery.forces, here.delivery.driven)

    def report(self) -> Report:
        """Return what drifted so far, since the last change, and what that cost; `print` shows it.

        The drift is kept in running sums over the states that were handed out.
        """
        here = self._present()
        if here.job.plan.equations is not None:
            raise ScenarioError("report is for mechanisms, not for a system of ps.analytical")
        here.measure()
        engine = here.job.engine
        steps = engine.clock.count - here.first
        seconds = clock.perf_counter() - here.begun
        cost = steps, engine.status.evaluations, engine.status.iterations, seconds, 0.0
        name = f"{engine.method.label}: {engine.method.title}"
        title = (
            f"{name}, step {engine.clock.step:g}, until t = {here.state_of(max(here.given - 1, 0)).time:g}"
        )
        return summary(here.found, here.delivery.forces, here.work, title, cost)

    def change(
        self,
        *,
        mechanism: System | None = None,
        method: str | Method | None = None,
        step: float | None = None,
        controller: Controller | Feedback | Sequence[Controller] | None = None,
        inputs: Inputs | None = None,
    ) -> State:
        """Go on from the state that was handed out last with other numbers; return that state.

        The method begins anew, as at a breakpoint: what follows has the bits of `simulate` from `(q, v)`.  If
        what is given makes no motion, an error says why and the stream goes on as it was.  The report begins
        anew, too.

        Parameters
        ----------
        mechanism : the mechanism with other masses, lengths, forces, ...; it has the same coordinates
        method, step : of the steps that follow [s]
        controller : another controller, such as one with another target
        inputs : forces to hold, in place of a controller, by joint or input [N, N m]

        >>> m = ps.Mechanism(gravity=(0, 0, 0)).add("cart", ps.Body(2.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
        >>> motion = ps.stream(m, m.state(), "gauss2", step=0.5)
        >>> _ = motion.change(inputs={"cart": 4.0})
        >>> [float(next(motion).v[0]) for _ in range(2)]
        [1.0, 2.0]
        """
        if controller is not None and inputs is not None:
            raise ScenarioError("change: give either controller= or inputs=")
        here = self._present()
        state = self.state
        options = replace(self._options, step=self._options.step if step is None else step)
        if inputs is not None:
            options = replace(options, controller=_constant_inputs(inputs, options))
        elif controller is not None:
            options = replace(options, controller=merge(controller))
        if options.steps is not None and not options.endless:
            options = replace(options, steps=options.steps - (here.job.engine.clock.count - here.first))
        start = State(state.time, state.q, state.v)
        system, how = mechanism or self._mechanism, method or self._method
        following = Stretch(job_of(system, start, how, options))
        following.pull()
        following.given = 1  # the start is the state that was handed out last
        self._stretch, self._mechanism, self._method, self._options = following, system, how, options
        return following.state_of(0)


def _value(name: str, function: Any, state: State) -> Any:
    """Return what a function of `record` gives at a state."""
    try:
        return recorded_numbers(name, [function(state.time, state)])[0]
    except Exception as error:
        raise ScenarioError(record_fault(name, error)) from None


def _constant_inputs(inputs: Inputs, options: RunOptions) -> Controller:
    """Return the controller that holds these forces."""
    if not isinstance(inputs, Mapping) or not inputs:
        raise ScenarioError(f"inputs must be a dictionary {{joint: force}}, got {show(inputs)}")
    values: list[float] = []
    for one in inputs.values():
        values += [float(x) for x in one] if isinstance(one, Sequence | np.ndarray) else [float(one)]
    assert options.step is not None, "it was checked"
    period = options.every * options.step

    def hold(t: float, state: State, memory: Any) -> tuple[list[float], Any]:
        return values, memory

    return Controller(hold, period, inputs=[*inputs])


def stream(
    mechanism: System,
    start: State,
    method: str | Method = "auto",
    *,
    step: float,
    every: int = 1,
    until: float | None = None,
    steps: int | None = None,
    controller: Controller | Feedback | Sequence[Controller] | None = None,
    events: Sequence[Event] | None = None,
    record: Record | None = None,
) -> Stream:
    """Return the states of a motion one after the other, while it is computed; nothing is stored.

    The states have the bits of `ps.simulate` with the same arguments.

    Parameters
    ----------
    mechanism, start, method : as in `ps.simulate`
    step : step size [s]
    every : number of steps between two states
    until, steps : end time [s], or number of steps.  Default: the stream has no end
    controller, events, record : as in `ps.simulate`; `Stream.recorded` and `Stream.events` belong to the last
        state

    >>> s = ps.scenario("fast-top")
    >>> motion = ps.stream(s.mechanism, s.start, step=0.001, every=100)
    >>> for state in motion:
    ...     if state.time >= 1.0:
    ...         break
    >>> motion.report().energy.relative_band < 1e-8
    True
    """
    endless = until is None and steps is None
    one = None if controller is None else merge(controller)
    options = RunOptions(step, until, steps, every, one, record, events=events, endless=endless)
    return Stream(mechanism, start, method, options)

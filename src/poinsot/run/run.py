"""A run: the trajectory of a mechanism under a method, and everything one may ask of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.core.methods.method import Method
from poinsot.diagnostics.growing import trajectory_of
from poinsot.diagnostics.report import Report, report
from poinsot.diagnostics.trajectory import Trajectory, frozen
from poinsot.errors import ArchiveError, ModelError
from poinsot.formats.paths import PathLike, file_path, replaced
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces.drive import Drive
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run.archive.records import NO_CHECKPOINT, checkpoint, ending, header, sample_rows
from poinsot.run.archive.writer import Writer
from poinsot.run.dataset import contents
from poinsot.run.events import EventRecord, Switch, firing_data, firings_of, loop_history
from poinsot.run.motion import RunMotion
from poinsot.view.visible import Visible

if TYPE_CHECKING:
    from poinsot.model.loop_history import LoopHistory
    from poinsot.run.dense import Dense, DenseOutput

SAVED = 1 << 16  # samples in a block of a saved run
NEAR = 4  # roundings within which a time is that of a sample


@dataclass(frozen=True, eq=False)
class Run(RunMotion, Visible):
    """The result of a simulation: samples of the motion, and what the run cost.

    `ps.simulate` and `ps.load` return a Run; users do not construct one.  All arrays are read-only, and their
    first axis is the sample.  Units are SI: seconds, metres, kilograms, radians.

    Parameters
    ----------
    trajectory : Trajectory
        Times, coordinates, velocities and work at the samples, with the mechanism they belong to.
    method : Method
        The integration method, a record of `ps.methods()`.
    step : float
        Step size in s.
    steps : int
        Number of steps that were made.
    every : int
        Number of steps between two samples.
    evaluations : int
        Number of force evaluations.
    iterations : int
        Number of iterations of an implicit method.
    seconds : float
        Time that the run took to compute, in s.
    final : State
        State after the last step, with the memory of the method: a new run can continue from it.
    versions : mapping of str to str
        Versions of the programs on which the bits of the result depend.
    reason : str, default ""
        Why "auto" chose the method; empty if the caller named the method.
    interrupted : bool, default False
        True if the run ended early, by Ctrl-C or an error.
    recorded : mapping of str to ndarray, default {}
        Values of the functions that were given as `record`, at the samples.
    command : str, default ""
        Command line that made the run, if a shell command did.
    until : float, optional
        End time that was asked for, in s.  Default None: the run was asked for a number of steps.
    resampled : bool, default False
        True if the samples are those of `resample`, not those that were computed.
    events : mapping of str to EventRecord, default {}
        The events by name, with `times`, `states`, and the states `after` a reset.
    stopped : str, default ""
        Name of the event that ended the run; empty if none did.
    open_loops : tuple of str, default ()
        Names of the loops that were open at the start: those that an event latches, or has released before.

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("dzhanibekov")
    >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=2.0)
    >>> run
    Run(srkn4, step=0.02, 100 steps, 101 samples, t = 0 .. 2)
    >>> run.rotation("nut").shape
    (101, 3, 3)
    >>> bool(abs(run.energy - run.energy[0]).max() < 1e-13)
    True
    """

    trajectory: Trajectory
    method: Method
    step: float
    steps: int
    every: int
    evaluations: int
    iterations: int
    seconds: float
    final: State
    versions: Mapping[str, str]
    reason: str = ""
    interrupted: bool = False
    recorded: Mapping[str, Array] = field(default_factory=dict)
    command: str = ""
    until: float | None = None
    resampled: bool = False
    events: Mapping[str, EventRecord] = field(default_factory=dict)
    stopped: str = ""
    open_loops: tuple[str, ...] = ()

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that was simulated: a copy, with the forces of the controller if there was one."""
        return self.trajectory.mechanism

    @property
    def time(self) -> Array:
        """Times of the samples in s, shape (n,)."""
        return self.trajectory.time

    def input(self, name: str) -> Array:
        """Return the force of the drive of a joint, or the inputs that the controller held there.

        A drive (`ps.Drive`) exerts row i at sample i.  Inputs of a controller are held from sample i on
        (zero-order hold).  The controller is not called at the end of a run, so the last row repeats the
        inputs that were held up to there.

        Parameters
        ----------
        name : str
            Name of the body that the joint carries.

        Returns
        -------
        ndarray, shape (n, k)
            Forces in N or torques in N m, one column per input at this joint, or per velocity of a driven
            joint.

        Raises
        ------
        ModelError
            If the run had neither a controller nor a drive, or none at this joint.
        """
        driven = self.trajectory.driven
        if not driven:
            raise ModelError("run: it had no controller and no drive, so there are no inputs")
        if not isinstance(name, str) or name not in driven:
            known = ", ".join(dict.fromkeys(driven))
            no = "driven" if self._drives else "an input of the controller"
            raise ModelError(f"run: joint {checks.show(name)} is not {no}: one of {known}")
        return self.trajectory.inputs[:, [joint == name for joint in driven]]

    @property
    def _drives(self) -> list[Drive]:
        """Drives of the mechanism."""
        return [force for force in self.mechanism.forces if isinstance(force, Drive)]

    def reaction(self, name: str) -> Array:
        """Return the reactions in the joint that carries a body, or in a loop.

        Parameters
        ----------
        name : str
            Name of the body, or of the loop.

        Returns
        -------
        ndarray, shape (n, 6)
            Torque in N m and force in N of the parent on the body through its joint, or of a loop on its body
            b.  `ps.dynamics.reactions` says at which point and in which axes.  It is zero where an event has
            opened the loop.

        Raises
        ------
        ModelError
            If the mechanism has neither a body nor a loop of this name.
        """
        from poinsot.compile.kept import kept
        from poinsot.mechanics.reactions import reactions_of

        if not isinstance(name, str) or name not in [loop.name for loop in self.mechanism.loops]:
            self._motion(name)
        x = self.trajectory
        held = len(x.driven) - sum(self.mechanism.link(one.joint).joint.nv for one in self._drives)
        inputs = x.inputs[:, :held] if held else None
        found = np.zeros((len(x.time), 6))
        for part, open in self.loop_history.groups(x.time):
            if name not in open:  # an open loop exerts nothing
                m = kept(self.mechanism).opened(open)
                given = None if inputs is None else inputs[part]
                found[part] = reactions_of(m, x.time[part], x.q[part], x.v[part], given)[name]
        return found

    @property
    def kinetic(self) -> Array:
        """Kinetic energy of the mechanism in J, shape (n,)."""
        return self.trajectory.kinetic

    @property
    def potential(self) -> Array:
        """Potential energy of gravity and of the forces that have one, in J, shape (n,)."""
        return self.trajectory.potential

    @cached_property
    def energy(self) -> Array:
        """Sum of kinetic and potential energy in J, shape (n,)."""
        return frozen(self.kinetic + self.potential)

    @property
    def work(self) -> Array:
        """Work of the forces without a potential since the start, in J, shape (n,)."""
        return self.trajectory.work

    @property
    def angular_momentum(self) -> Array:
        """Angular momentum of the mechanism about the origin, in space axes, in kg m^2/s, shape (n, 3)."""
        return self.trajectory.angular_momentum

    @property
    def linear_momentum(self) -> Array:
        """Linear momentum of the mechanism in space axes, in kg m/s, shape (n, 3)."""
        return self.trajectory.linear_momentum

    @cached_property
    def _dense(self) -> "Dense":
        """Finds the states between the samples."""
        from poinsot.run.dense import Dense, Reset

        happened = firings_of(self.events)
        resets = [Reset(one.before, one.after) for one in happened if one.after is not None]
        facts = self.method, self.step, self.steps, self.every
        return Dense(self.trajectory, *facts, resets, self.loop_history)

    @cached_property
    def loop_history(self) -> "LoopHistory":
        """Which loops were open when, if events released or latched some: `loop_history.at(time)`."""
        return loop_history(self.open_loops, self.events)

    @property
    def dense_output(self) -> "DenseOutput":
        """How `at` and `resample` find the states between two samples: a DenseOutput with `kind` and `order`.

        It is a step of the method itself, with the order of the method.  If the forces are not known any more
        (Python functions of a loaded run, or a controller that acted between two samples), it is Hermite
        interpolation of order 3 in the distance of two samples.
        """
        return self._dense.output

    def at(self, time: float) -> State:
        """Return the state at a time, as a state from which a new run can start.

        Between two samples it is found as `dense_output` says.  At a sample it is the sample, and at the end
        it is `final`.

        Parameters
        ----------
        time : float
            Time in s.

        Returns
        -------
        State
            The state at this time.

        Raises
        ------
        ModelError
            If the time lies before the first or after the last sample.

        Examples
        --------
        >>> import poinsot as ps
        >>> s = ps.scenario("dzhanibekov")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
        >>> state = run.at(0.311)
        >>> exact = ps.simulate(s.mechanism, s.start, "exact", step=0.311, steps=1).final
        >>> bool(abs(state.q - exact.q).max() < 1e-12)
        True
        """
        time = checks.number("run", "time", time)
        times = self.time
        for i in {0, len(times) - 1, int(np.argmin(np.abs(times - time)))}:
            if abs(times[i] - time) <= NEAR * np.spacing(abs(time)):
                time = float(times[i])
        if not times[0] <= time <= times[-1]:
            raise ModelError(f"run: time {time:g} is outside {times[0]:g} .. {times[-1]:g}")
        if time == self.final.time:
            return self.final
        found = self._dense.point(time)
        return State(time, found.q, found.v)

    def resample(self, times: ArrayLike) -> "Run":
        """Return the same run with samples at other times.

        Parameters
        ----------
        times : array_like, shape (n,)
            Times in s, which do not decrease, from the first to the last sample of this run.

        Returns
        -------
        Run
            The run with these samples, found as `dense_output` says.  It cannot be saved.

        Raises
        ------
        ModelError
            If the times are not numbers, decrease, or lie outside the run.

        Examples
        --------
        >>> import numpy as np
        >>> import poinsot as ps
        >>> s = ps.scenario("dzhanibekov")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
        >>> fine = run.resample(np.linspace(0.0, 1.0, 1001))
        >>> fine.position("nut").shape, bool(abs(fine.energy - run.energy[0]).max() < 1e-13)
        ((1001, 3), True)
        """
        from poinsot.run.dense import checked_times

        _, first, last = self.trajectory.span
        samples = self._dense.samples(checked_times(times, first, last))
        final = self.at(float(samples.time[-1]))
        trajectory = trajectory_of(samples, self.mechanism, self.trajectory.forces, self.trajectory.driven)
        found = replace(self, trajectory=trajectory, final=final, recorded={}, resampled=True)
        vars(found)["_dense"] = self._dense  # of the run that was computed
        return found

    def report(self) -> Report:
        """Return what drifted and what the run cost.

        Returns
        -------
        Report
            The drift of the conserved quantities; `print` shows it as a table.

        Examples
        --------
        >>> import poinsot as ps
        >>> s = ps.scenario("dzhanibekov")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
        >>> report = run.report()
        >>> report.steps, report.energy.relative_band < 1e-13
        (50, True)
        """
        why = f" ({self.reason})" if self.reason else ""
        name = f"{self.method.label}: {self.method.title}"
        title = f"{name}, step {self.step:g}, until t = {self.final.time:g}{why}"
        cost = self.steps, self.evaluations, self.iterations, self.seconds
        return report(self.trajectory, title, *cost, self.overshoot, self.loop_history)

    @property
    def overshoot(self) -> float:
        """Time in s by which the last step went beyond `until`; 0 if that is rounding."""
        if self.until is None:
            return 0.0
        beyond = self.final.time - self.until
        slack = checks.time_slack(self.final.time - self.steps * self.step, self.until, self.step)
        return beyond if beyond > slack * self.step else 0.0

    def plot(self, path: PathLike | None = None, kind: str = "drift", body: str | None = None) -> Any:
        """Draw a figure of the run.

        Parameters
        ----------
        path : str or path-like, optional
            File to write the figure to, which ends in .svg, .png or .pdf.  Default: no file is written.
        kind : {"drift", "kinematics", "phase", "polhode", "spy"}, default "drift"
            "drift": errors of energy and angular momentum over time; "kinematics": orientation, position,
            velocities and distance to SE(3) of a body over time; "phase": coordinates of joints against
            their rates; "polhode": the axis of rotation in the body and in space; "spy": the pattern of the
            mass matrix.
        body : str, optional
            Body to draw, for "kinematics" and "polhode" (default: the first) and "phase" (default: the
            first few).

        Returns
        -------
        matplotlib.figure.Figure
            The figure.  No window is opened.

        Raises
        ------
        ScenarioError
            If there is no figure of this kind, or matplotlib is not installed.
        ModelError
            If the mechanism has no body of this name, or the body has no such figure.
        """
        from poinsot.plots.kinds import figure_of

        return figure_of(kind, self.method.label, self.trajectory, body, path)

    def polhode(self, name: str, path: PathLike | None = None) -> Any:
        """Draw the polhode and the herpolhode of a body.

        Parameters
        ----------
        name : str
            Name of the body.
        path : str or path-like, optional
            File to write the figure to, which ends in .svg, .png or .pdf.  Default: no file is written.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.  No window is opened.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name, or the body does not rotate at the start.
        """
        from poinsot.plots.polhode import polhode_figure

        self._motion(name)
        return polhode_figure(self.trajectory, name, path)

    def save(self, path: PathLike) -> Path:
        """Write the run to an archive, which `ps.load` reads.

        An existing file is replaced only when the new one is complete.

        Parameters
        ----------
        path : str or path-like
            File to write; the usual ending is .poinsot.

        Returns
        -------
        pathlib.Path
            The path of the archive.

        Raises
        ------
        ArchiveError
            If the file cannot be written.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> import poinsot as ps
        >>> s = ps.scenario("dzhanibekov")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     again = ps.load(run.save(pathlib.Path(folder) / "nut.poinsot"))
        >>> bool((again.time == run.time).all())
        True
        """
        if self.resampled:
            raise ArchiveError("a resampled run cannot be saved: save the run that it was made from")
        target = file_path(path)
        facts = self.method, self.step, self.every, self.versions, self.reason, self.command, self.until
        fingerprint = self.final.memory.fingerprint if self.final.memory is not None else ""
        try:
            with replaced(target) as fresh:
                writer = Writer(fresh)
                try:
                    more: dict[str, Any] = {"steps": self.steps}
                    if self.events:
                        more["open"] = list(self.open_loops)
                        more["events"] = [
                            Switch(name, one.release, one.latch).data() for name, one in self.events.items()
                        ]
                    writer.data("H", header(self.trajectory, *facts, fingerprint, more))
                    driven, count = bool(self.trajectory.driven), self.trajectory.count
                    for begin in range(0, count, SAVED):  # a saved run needs no copy of itself
                        part = self.trajectory.part(begin, begin + SAVED).samples
                        here = checkpoint(self.final) if begin + SAVED >= count else NO_CHECKPOINT
                        if begin + SAVED >= count and self.events:
                            here["events"] = firing_data(firings_of(self.events))
                        writer.samples(sample_rows(part, driven), here)
                    writer.data("E", ending(self))
                finally:
                    writer.close()
        except OSError as error:
            raise ArchiveError(f"{target}: cannot be written: {error.strerror}") from None
        return target

    def to_xarray(self) -> Any:
        """Return the run as an xarray Dataset with time as a coordinate (needs the extra `files`).

        Returns
        -------
        xarray.Dataset
            Energies, momenta, and quaternion, position and velocities of all bodies.

        Raises
        ------
        ModelError
            If xarray is not installed.
        """
        try:
            import xarray
        except ImportError:
            raise ModelError("to_xarray needs xarray: pip install 'poinsot[files]'") from None
        return xarray.Dataset(*contents(self))

    def __repr__(self) -> str:
        n, first, last = self.trajectory.span
        return (
            f"Run({self.method.label}, step={self.step:g}, {self.steps} steps, {n} samples, "
            f"t = {first:g} .. {last:g})"
        )

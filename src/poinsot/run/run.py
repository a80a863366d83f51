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
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.errors import ModelError
from poinsot.formats.paths import PathLike
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.state import State
from poinsot.run.archive.saving import saved
from poinsot.run.dataset import dataset
from poinsot.run.drawn import Drawn
from poinsot.run.events import EventRecord, firings_of
from poinsot.run.quantities import RunQuantities
from poinsot.view.visible import Visible

if TYPE_CHECKING:
    from poinsot.run.dense import Dense, DenseOutput

NEAR = 4  # roundings within which a time is that of a sample


@dataclass(frozen=True, eq=False)
class Run(RunQuantities, Drawn, Visible):
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
        Values of the functions that were given as `record`, at the samples.  Files hold those that are
        numbers.
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

    @cached_property
    def _dense(self) -> "Dense":
        """Finds the states between the samples."""
        from poinsot.run.dense import Dense, Reset

        happened = firings_of(self.events)
        resets = [Reset(one.before, one.after) for one in happened if one.after is not None]
        facts = self.method, self.step, self.steps, self.every
        return Dense(self.trajectory, *facts, resets, self.loop_history)

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
        return saved(self, path)

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
        return dataset(self)

    def __repr__(self) -> str:
        n, first, last = self.trajectory.span
        made = f"{self.method.label}, step={self.step:g}, {self.steps} steps"
        return f"Run({made}, {n} samples, t = {first:g} .. {last:g})"

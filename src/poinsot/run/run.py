"""A run: the motion of a mechanism, or of a system of equations, under a method; all one may ask of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.core.methods.method import Method
from poinsot.diagnostics.distance import distance_to_se3
from poinsot.diagnostics.drift import Drift, drift
from poinsot.diagnostics.motions import BodySamples, PartSamples, core_is_loaded
from poinsot.diagnostics.report import Report, report
from poinsot.diagnostics.spin import Angles, angles, flip_times
from poinsot.diagnostics.system_report import system_report
from poinsot.diagnostics.system_trajectory import SystemTrajectory
from poinsot.diagnostics.trajectory import Trajectory, freeze, trajectory_of
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.formats.paths import PathLike
from poinsot.model import checks
from poinsot.model.checks import Array, suggestion
from poinsot.model.forces.drive import Drive
from poinsot.model.loop_history import LoopHistory
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import times
from poinsot.model.state import State, attach
from poinsot.run.archive.writer import save_run
from poinsot.run.dataset import dataset, to_netcdf
from poinsot.run.events import EventRecord, loop_history
from poinsot.run.table import frame, to_csv
from poinsot.view.display import Visible

if TYPE_CHECKING:
    from poinsot.analytical import System
    from poinsot.run.dense import Dense, DenseOutput

NEAR = 4  # roundings within which a time is that of a sample
TRIED = 9  # samples at which the error of a step is estimated


@dataclass(frozen=True, eq=False)
class Run(Visible):
    """The result of a simulation: samples of the motion, and what the run cost.

    `ps.simulate` and `ps.load` return a Run; users do not construct one.  All arrays are read-only, and their
    first axis is the sample.  Units are SI: seconds, metres, kilograms, radians.

    The run of a system of `ps.analytical` or `ps.symbolic` has `system`, `x`, `velocity` (an array),
    `energy`, `hamiltonian`, `multipliers`, `constraint`, `inputs` and `work`; it is plotted, shown, reported
    and saved as that of a mechanism.  What belongs to bodies raises a ModelError.

    Parameters
    ----------
    trajectory : times, coordinates, velocities and work at the samples, with the mechanism they belong to
    method : the integration method, a record of `ps.methods()`
    step : step size [s]
    steps : number of steps that were made
    every : number of steps between two samples
    evaluations : number of force evaluations
    iterations : number of iterations of an implicit method
    seconds : time that the run took to compute [s]
    final : state after the last step, with the memory of the method: a new run can continue from it
    versions : versions of the programs on which the bits of the result depend
    reason : why "auto" chose the method, and what continued where it did not converge; else empty
    interrupted : True if the run ended early, by Ctrl-C or an error
    recorded : values of the functions that were given as `record`, at the samples; files hold the numbers
    command : command line that made the run, if a shell command did
    until : end time that was asked for; None: the run was asked for a number of steps [s]
    resampled : True if the samples are those of `resample`, not those that were computed
    events : the events by name, with `times`, `states`, and the states `after` a reset
    stopped : name of the event that ended the run; empty if none did
    open_loops : loops that were open at the start: those that an event latches, or has released before
    system : the system of `ps.analytical` that was simulated; None: a mechanism was, or a file does not know
        the functions of the system

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
    system: "System | None" = None

    def __post_init__(self) -> None:
        if isinstance(self.trajectory, SystemTrajectory):
            vars(self)["velocity"] = self.trajectory.v  # in the place of the method: it has no bodies
        elif (
            isinstance(self.trajectory, Trajectory)
            and isinstance(self.final, State)
            and vars(self.final).get("_of") is None
        ):
            vars(self)["final"] = attach(self.final, self.trajectory.mechanism)

    # samples

    @property
    def time(self) -> Array:
        """Times of the samples, shape (n,) [s]."""
        return self.trajectory.time

    @property
    def x(self) -> Array:
        """Coordinates at the samples, shape (n, nq): of all joints, or of a system of `ps.analytical`."""
        return self.trajectory.q

    @property
    def inputs(self) -> Array:
        """Inputs of the controller that act from each sample on, then the forces of drives, shape (n, nu)."""
        found, x = self.trajectory.inputs, self.trajectory
        return found[:, : x.facts.inputs] if isinstance(x, SystemTrajectory) and x.facts else found

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that was simulated: a copy, with the forces of the controller if there was one."""
        if isinstance(self.trajectory, SystemTrajectory):
            raise ModelError(
                "run: this is a run of a system of ps.analytical, which has no bodies: "
                "use run.x, run.velocity, run.energy, run.drift()"
            )
        return self.trajectory.mechanism

    def at(self, time: float) -> State:
        """Return the state at a `time` [s], as a state from which a new run can start.

        Between two samples it is found as `dense_output` says.  At a sample it is the sample, and at the end
        it is `final`.

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
        return attach(State(time, found.q, found.v), self.mechanism)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the run without what is compiled for it."""
        return {name: x for name, x in vars(self).items() if name != "_dense"}

    @cached_property
    def _dense(self) -> "Dense":
        """Finds the states between the samples."""
        from poinsot.run.dense import Dense

        _ = self.mechanism
        return Dense(self)

    @property
    def dense_output(self) -> "DenseOutput":
        """How `at` and `resample` find the states between two samples: a DenseOutput with `kind` and `order`.

        It is a step of the method itself, with the order of the method.  If the forces are not known any more
        (Python functions of a loaded run, or a controller that acted between two samples), it is Hermite
        interpolation of order 3 in the distance of two samples.
        """
        return self._dense.output

    def resample(self, times: ArrayLike) -> "Run":
        """Return the same run with samples at other `times` [s], found as `dense_output` says.

        The times do not decrease, from the first to the last sample of this run.  It cannot be saved.

        >>> s = ps.scenario("dzhanibekov")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
        >>> fine = run.resample(np.linspace(0.0, 1.0, 1001))
        >>> fine.position("nut").shape, bool(abs(fine.energy - run.energy[0]).max() < 1e-13)
        ((1001, 3), True)
        """
        from poinsot.run.dense import check_times

        _, first, last = self.trajectory.span
        samples = self._dense.samples(check_times(times, first, last))
        final = self.at(float(samples.time[-1]))
        trajectory = trajectory_of(samples, self.mechanism, self.trajectory.forces, self.trajectory.driven)
        found = replace(self, trajectory=trajectory, final=final, recorded={}, resampled=True)
        vars(found)["_dense"] = self._dense  # of the run that was computed
        return found

    # bodies and joints

    def _motion(self, name: str) -> BodySamples:
        """Return the motion of a body or frame; a ModelError says if there is none."""
        loops = [loop.name for loop in self.mechanism.loops]
        motions = self.trajectory.motions
        found = motions.find(name) if isinstance(name, str) else None
        if found is None:
            if isinstance(name, str) and name in loops:
                raise ModelError(
                    f"run: {name!r} is a loop, not a body: only run.reaction({name!r}) is defined for it"
                )
            known = [*motions, *self.mechanism.frame_names, *loops]
            raise ModelError(f"run: unknown body {checks.show(name)}{suggestion(name, known)}")
        return found

    def rotation(self, name: str) -> Array:
        """Return the rotation matrices of body `name`, from body axes to space axes, shape (n, 3, 3)."""
        return self._motion(name).rotation

    def quaternion(self, name: str) -> Array:
        """Return the attitude of body `name` as quaternions (w, x, y, z), body to space, shape (n, 4)."""
        return self._motion(name).quaternion

    def position(self, name: str) -> Array:
        """Return the positions in space of the center of mass of body `name`, or of a frame, (n, 3) [m].

        A body and what is welded to it (with `Fixed` joints) are one rigid body with one center of mass;
        `part` has the center of the body alone.  For a welded part it is its own center.
        """
        return self._motion(name).position

    def point(self, name: str, at: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Return the positions in space of a point of body or frame `name`, shape (n, 3) [m].

        `at`: the point in the body frame, or in the frame [m].

        >>> s = ps.scenario("dzhanibekov")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=0.1)
        >>> run.point("nut", at=(0, 0, 1)).shape
        (6, 3)
        """
        x = self._motion(name)
        return freeze(x.origin + times(x.rotation, checks.vector("run.point", "at", at)))

    def angular_velocity(self, name: str) -> Array:
        """Return the angular velocities of body `name` in body axes, shape (n, 3) [rad/s]."""
        return self._motion(name).angular_velocity

    def velocity(self, name: str) -> Array:
        """Return the velocities of the center of mass of body `name` in space, as `position`, (n, 3) [m/s].

        In the run of a system of `ps.analytical`, `run.velocity` is the array of its velocities (or momenta
        in Hamilton's form) instead, shape (n, nv).
        """
        return self._motion(name).velocity

    def part(self, name: str) -> PartSamples:
        """Return body `name` without what is welded to it: `body`, `position` and `velocity` of its center.

        >>> m = ps.Mechanism().add("hub", ps.Body(1.0, (1, 1, 1)), ps.Free())
        >>> m = m.add("ball", ps.Body(3.0, (1, 1, 1)), ps.Fixed(), parent="hub", at=(1, 0, 0))
        >>> run = ps.simulate(m, m.state({"hub": dict(position=(0, 0, 0))}), step=0.1, steps=1)
        >>> run.position("hub")[0].tolist(), run.part("hub").position[0].tolist()
        ([0.0, 0.0, 0.0], [-0.75, 0.0, 0.0])
        """
        return self._motion(name).part

    def joint(self, name: str) -> Array:
        """Return the coordinates of the joint that carries body `name`, shape (n, nq) [rad, m].

        `poinsot.model.joints` lists them for each joint.
        """
        self._motion(name)
        return self.trajectory.q[:, self.mechanism.slices(name)[0]]

    def rate(self, name: str) -> Array:
        """Return the velocities of the joint that carries body `name`, shape (n, nv) [rad/s, m/s]."""
        self._motion(name)
        return self.trajectory.v[:, self.mechanism.slices(name)[1]]

    def distance_to_se3(self, name: str) -> Array:
        """Return how far the poses of body `name` are from SE(3), before anything is normalized, shape (n,).

        It is the Frobenius norm of RᵀR - 1 for the matrix R that the stored quaternions of the joints between
        the body and the world give; `rotation` normalizes them.  It is rounding for all methods but
        `rk4_raw`.  A small distance is no measure of the accuracy.
        """
        self._motion(name)
        return distance_to_se3(self.trajectory, name)

    def angles(self, name: str, up: ArrayLike | None = None) -> Angles:
        """Return nutation, precession and spin of the third axis of body `name`, shape (n,) each [rad].

        They are measured against the direction `up` in space; default: against gravity, or z without gravity.

        >>> s = ps.scenario("fast-top")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, until=0.1)
        >>> print(f"{run.angles('top').nutation[0]:.3f}")
        0.300
        """
        g = self.mechanism.gravity
        given = up if up is not None else (-g if g.any() else (0.0, 0.0, 1.0))
        return angles(self.rotation(name), checks.direction("run.angles", "up", given))

    def flips(self, name: str) -> Array:
        """Return the times at which the spin about the intermediate axis of body `name` changes its sign [s].

        They are interpolated between the samples; a ModelError if two principal moments are equal.  The body
        is one with all that is welded to it.

        >>> s = ps.scenario("dzhanibekov")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=6.0)
        >>> print(*(f"{time:.4f}" for time in run.flips("nut")))
        1.7363 5.2090
        """
        self._motion(name)
        whole = self.mechanism.carrier(name)
        return flip_times(self.mechanism, whole, self.time, self.angular_velocity(whole))

    # forces

    @property
    def _drives(self) -> list[Drive]:
        return [force for force in self.mechanism.forces if isinstance(force, Drive)]

    def input(self, name: str) -> Array:
        """Return the force of the drive of joint `name`, or the inputs held there [N, N m].

        It has one column per input at this joint, or per velocity of a driven joint.  A drive (`ps.Drive`)
        exerts row i at sample i.  Inputs of a controller are held from sample i on (zero-order hold).  The
        controller is not called at the end of a run, so the last row repeats the inputs that were held up to
        there.
        """
        driven, drives = self.trajectory.driven, self._drives
        if not driven:
            raise ModelError("run: it had no controller and no drive, so there are no inputs")
        if not isinstance(name, str) or name not in driven:
            known = ", ".join(dict.fromkeys(driven))
            no = "driven" if drives else "an input of the controller"
            raise ModelError(f"run: joint {checks.show(name)} is not {no}: one of {known}")
        return self.trajectory.inputs[:, [joint == name for joint in driven]]

    def reaction(self, name: str) -> Array:
        """Return the reactions in the joint of body `name`, or in a loop: torque and force, (n, 6) [N m, N].

        They act from the parent on the body through its joint, or from a loop on its body b;
        `ps.dynamics.reactions` says at which point and in which axes.  They are zero where an event has
        opened the loop.
        """
        if not isinstance(name, str) or name not in [loop.name for loop in self.mechanism.loops]:
            self._motion(name)
        return self.reactions[name]

    @cached_property
    def reactions(self) -> dict[str, Array]:
        """The reactions of all joints and loops by name, as of `reaction`."""
        from poinsot.compile.cache import with_open
        from poinsot.mechanics.reactions import reactions_of

        m, x = self.mechanism, self.trajectory
        held = len(x.driven) - sum(m.link(one.joint).joint.nv for one in self._drives)
        inputs = x.inputs[:, :held] if held else None
        found = {name: np.zeros((len(x.time), 6)) for name in (*(one.name for one in m.loops), *m.names)}
        for part, open in self.loop_history.groups(x.time):
            given = None if inputs is None else inputs[part]
            here = reactions_of(with_open(m, open), x.time[part], x.q[part], x.v[part], given)
            for name, wrench in here.items():  # an open loop exerts nothing
                found[name][part] = wrench
        return {name: freeze(one) for name, one in found.items()}

    @cached_property
    def loop_history(self) -> LoopHistory:
        """Which loops were open when, if events released or latched some: `loop_history.at(time)`."""
        return loop_history(self.open_loops, self.events)

    # what is conserved

    def _of_system(self, what: str) -> Array:
        """Return what the system answers at all samples, (n, k); a ModelError if it has no such answer."""
        if not isinstance(self.trajectory, SystemTrajectory):
            raise ModelError(f"run: {what} is for runs of a system of ps.analytical: see run.report()")
        return self.trajectory.answer(what)

    def _of_bodies(self, what: str) -> Array:
        """Return a sum over all bodies at all samples."""
        _ = self.mechanism
        found: Array = getattr(self.trajectory, what)
        return found

    @property
    def kinetic(self) -> Array:
        """Kinetic energy of the mechanism, shape (n,) [J]."""
        return self._of_bodies("kinetic")

    @property
    def potential(self) -> Array:
        """Potential energy of gravity and of the forces that have one, shape (n,) [J]."""
        return self._of_bodies("potential")

    @cached_property
    def energy(self) -> Array:
        """Kinetic and potential energy, or the energy of a system of `ps.analytical`, shape (n,) [J]."""
        if isinstance(self.trajectory, SystemTrajectory):
            return freeze(self._of_system("energy")[:, 0].copy())
        return freeze(self.kinetic + self.potential)

    @property
    def hamiltonian(self) -> Array:
        """Hamiltonian of a system, shape (n,): not the energy, if positions depend on the time [J]."""
        return self._of_system("hamiltonian")[:, 0]

    @property
    def multipliers(self) -> Array:
        """Multipliers of the constraints that forces hold in a system, shape (n, m)."""
        return self._of_system("multipliers")

    @property
    def constraint(self) -> Array:
        """Largest absolute residual of the constraints on x in a system, shape (n,)."""
        return self._of_system("residual")[:, 0]

    @property
    def work(self) -> Array:
        """Work since the start of the forces without a potential and, in a system, of inputs, (n,) [J]."""
        return self.trajectory.work

    @property
    def angular_momentum(self) -> Array:
        """Angular momentum of the mechanism about the origin, in space axes, shape (n, 3) [kg m²/s]."""
        return self._of_bodies("angular_momentum")

    @property
    def linear_momentum(self) -> Array:
        """Linear momentum of the mechanism in space axes, shape (n, 3) [kg m/s]."""
        return self._of_bodies("linear_momentum")

    def drift(self) -> Drift:
        """Return the drift of the energy: that of `report`, or of a system relative to its largest energy."""
        if not isinstance(self.trajectory, SystemTrajectory):
            return self.report().energy
        return drift(self.time, self.energy, float(np.abs(self.energy).max()))

    def report(self) -> Report:
        """Return what drifted and what the run cost; `print` shows it as a table.

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
        if isinstance(self.trajectory, SystemTrajectory):
            return system_report(self.trajectory, title, (*cost, self.overshoot))
        found = report(self.trajectory, title, *cost, self.overshoot, self.loop_history)
        watched = any(getattr(loop.joint, "friction", None) is not None for loop in self.mechanism.loops)
        return replace(found, estimate=self._estimate_state_error, contacts=self._slips() if watched else ())

    def _slips(self) -> tuple[str, ...]:
        """Return what the report says of contacts with friction."""
        from poinsot.mechanics.friction import remarks

        return tuple(remarks(self.mechanism, self.final, self.time, self.reaction))

    def _estimate_state_error(self) -> float | None:
        """Return an estimate of the error of the last state; None where steps cannot be repeated cheaply."""
        x = self.trajectory
        stored = not core_is_loaded() or type(x) is not Trajectory
        if stored or self.steps == 0 or x.count < 2 or self.resampled or self.mechanism.missing:
            return None
        return self._dense.state_error(TRIED) if self.dense_output.kind == "own step" else None

    @property
    def overshoot(self) -> float:
        """Time by which the last step went beyond `until`; 0 if that is rounding [s]."""
        if self.until is None:
            return 0.0
        beyond = self.final.time - self.until
        slack = checks.time_slack(self.final.time - self.steps * self.step, self.until, self.step)
        return beyond if beyond > slack * self.step else 0.0

    # files and figures

    def save(self, path: PathLike) -> Path:
        """Write the run to an archive at `path`, which `ps.load` reads; return the path.

        An existing file is replaced only when the new one is complete.

        >>> import tempfile, pathlib
        >>> s = ps.scenario("dzhanibekov")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     again = ps.load(run.save(pathlib.Path(folder) / "nut.poinsot"))
        >>> bool((again.time == run.time).all())
        True
        """
        return save_run(self, path)

    def parts(self) -> Iterator["Run"]:
        """Return the run as parts that are small enough to compute with, each a Run of some of its samples.

        >>> s = ps.scenario("dzhanibekov")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
        >>> [len(part.time) for part in run.parts()]
        [51]
        """
        total, at = self.trajectory.span[0], 0
        for one in self.trajectory.parts():
            end = at + len(one.time)
            some = {name: x[at:end] for name, x in self.recorded.items() if len(x) == total}
            yield replace(self, trajectory=one, recorded=some)
            at = end

    def to_xarray(self, *, reactions: bool = False) -> Any:
        """Return the run as an xarray Dataset with time as a coordinate (needs the extra `files`).

        It has coordinates and rates of all joints, inputs, what was recorded, energies, momenta, and
        quaternion, position and velocities of all bodies, with their units; with `reactions`, also the
        wrenches in joints and loops.
        """
        return dataset(self, checks.flag("run", "reactions", reactions))

    def to_netcdf(self, path: PathLike, *, reactions: bool = False) -> Path:
        """Write the Dataset of `to_xarray` to a NetCDF file at `path`, part by part; return the path.

        With `reactions`, it has the wrenches in joints and loops too.
        """
        return to_netcdf(self.parts(), path, checks.flag("run", "reactions", reactions))

    def to_pandas(self, *, reactions: bool = False) -> Any:
        """Return the run as one flat pandas DataFrame: a row per sample, with columns such as "upper.angle".

        The time is the index.  `attrs["units"]` has the unit of each column.  With `reactions`, the wrenches
        in joints and loops are columns too.
        """
        return frame(self, checks.flag("run", "reactions", reactions))

    def to_csv(self, path: PathLike, *, reactions: bool = False) -> Path:
        """Write the table of `to_pandas` to a CSV file at `path`, with all digits; return the path.

        The first line has the names with their units, such as "upper.angle [rad]".  With `reactions`, the
        wrenches in joints and loops are columns too.

        >>> import tempfile, pathlib
        >>> s = ps.scenario("double-pendulum")
        >>> run = ps.simulate(s.mechanism, s.start, "gauss2", step=0.01, steps=3)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     text = run.to_csv(pathlib.Path(folder) / "run.csv").read_text()
        >>> text.split(",")[:3]
        ['time [s]', 'upper.angle [rad]', 'upper.rate [rad/s]']
        """
        return to_csv(self.parts(), path, checks.flag("run", "reactions", reactions))

    def plot(self, path: PathLike | None = None, kind: str = "drift", body: str | None = None) -> Any:
        """Draw a figure of the run, a matplotlib Figure, which a notebook shows; no window is opened.

        Parameters
        ----------
        path : file to write the figure to, which ends in .svg, .png or .pdf; default: none
        kind : "joints": coordinates and rates of the joints over time, and the sizes of their forces;
            "inputs": inputs of the controller and forces of drives; "recorded": what `record=` asked for;
            "drift": errors of energy and angular momentum over time; "kinematics": orientation, position,
            velocities and distance to SE(3) of a body over time; "energy": T, V and their sum; "momenta":
            components of both momenta; "se3": determinant and distance to SE(3) of the poses of a body;
            "all": these four in one figure; "phase": coordinates of joints against their rates; "polhode":
            the axis of rotation in the body and in space; "spy": the pattern of the mass matrix
        body : body to draw (default: the first; for "phase", "joints" and "inputs": the first few)
        """
        from poinsot.plots.run_figures import figure_of

        return figure_of(kind, self, body, path)

    def polhode(self, name: str, path: PathLike | None = None) -> Any:
        """Draw the polhode and the herpolhode of body `name`; `path` is a file to write the figure to."""
        from poinsot.plots.run_figures import polhode_figure

        self._motion(name)
        return polhode_figure(self.trajectory, name, path)

    def __repr__(self) -> str:
        n, first, last = self.trajectory.span
        made = f"{self.method.label}, step={self.step:g}, {self.steps} steps"
        return f"Run({made}, {n} samples, t = {first:g} .. {last:g})"

"""A run: the trajectory of a mechanism under a method, and everything one may ask of it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.core.methods.method import Method
from poinsot.diagnostics.report import Report, report
from poinsot.diagnostics.spin import Angles, angles, flip_times
from poinsot.diagnostics.trajectory import Trajectory, frozen
from poinsot.errors import ArchiveError, ModelError
from poinsot.model.checks import Array, suggestion
from poinsot.model.state import State
from poinsot.run.archive.records import checkpoint, ending, header, sample_rows
from poinsot.run.archive.writer import Writer
from poinsot.view.visible import Visible


@dataclass(frozen=True, eq=False)
class Run(Visible):
    """The samples of a run, at `time`, and what they say.  Arrays are read-only."""

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
    reason: str = ""  # why "auto" chose the method
    interrupted: bool = False
    recorded: Mapping[str, Array] = field(default_factory=dict)
    command: str = ""  # of the shell, if one made the run

    @property
    def mechanism(self) -> Any:
        return self.trajectory.mechanism

    @property
    def time(self) -> Array:
        return self.trajectory.time

    def _motion(self, name: str) -> Any:
        motions = self.trajectory.motions
        if name not in motions:
            loops = [loop.name for loop in self.mechanism.loops]
            if name in loops:
                raise ModelError(f"run: {name!r} is a loop, not a body: it has run.reaction({name!r}) only")
            raise ModelError(f"run: unknown body {name!r}{suggestion(str(name), [*motions, *loops])}")
        return motions[name]

    def rotation(self, name: str) -> Array:
        """(n, 3, 3) body to space."""
        return self._motion(name).rotation  # type: ignore[no-any-return]

    def quaternion(self, name: str) -> Array:
        """(n, 4) body to space, scalar first."""
        return self._motion(name).quaternion  # type: ignore[no-any-return]

    def position(self, name: str) -> Array:
        """(n, 3) of the centre of mass, in space."""
        return self._motion(name).position  # type: ignore[no-any-return]

    def angular_velocity(self, name: str) -> Array:
        """(n, 3) body frame."""
        return self._motion(name).angular_velocity  # type: ignore[no-any-return]

    def velocity(self, name: str) -> Array:
        """(n, 3) of the centre of mass, in space."""
        return self._motion(name).velocity  # type: ignore[no-any-return]

    def joint(self, name: str) -> Array:
        """(n, nq) coordinates of the joint of this body."""
        self._motion(name)
        return self.trajectory.q[:, self.mechanism.slices(name)[0]]

    def rate(self, name: str) -> Array:
        """(n, nv) velocities of the joint of this body."""
        self._motion(name)
        return self.trajectory.v[:, self.mechanism.slices(name)[1]]

    def input(self, name: str) -> Array:
        """(n, k): what the controller holds at this joint from each sample on (zero-order hold).

        A controller is not asked at the end of a run: the last sample has what was held up to there.
        """
        driven = self.trajectory.driven
        if not driven:
            raise ModelError("run: it had no controller, so there are no inputs")
        if name not in driven:
            known = ", ".join(dict.fromkeys(driven))
            raise ModelError(f"run: joint {name!r} is not an input of the controller: one of {known}")
        return self.trajectory.inputs[:, [joint == name for joint in driven]]

    def reaction(self, name: str) -> Array:
        """(n, 6): torque and force of the parent on this body through its joint, or of a loop on its body b.

        `ps.dynamics.reactions` says at which point and in which axes.
        """
        from poinsot.mechanics.dynamics import reactions_along

        if name not in [loop.name for loop in self.mechanism.loops]:
            self._motion(name)
        samples = zip(self.time, self.trajectory.q, self.trajectory.v, strict=True)
        states = [State(float(t), q, v) for t, q, v in samples]
        return reactions_along(self.mechanism, states, self.trajectory.inputs)[name]

    @property
    def kinetic(self) -> Array:
        return self.trajectory.kinetic

    @property
    def potential(self) -> Array:
        return self.trajectory.potential

    @cached_property
    def energy(self) -> Array:
        """Kinetic and potential energy."""
        return frozen(self.kinetic + self.potential)

    @property
    def work(self) -> Array:
        """(n,) of the forces without a potential, since the start: energy - work stays."""
        return self.trajectory.work

    @property
    def angular_momentum(self) -> Array:
        """(n, 3) about the origin, in space."""
        return self.trajectory.angular_momentum

    @property
    def linear_momentum(self) -> Array:
        return self.trajectory.linear_momentum

    def at(self, time: float) -> State:
        """The sample nearest to `time`, as a state from which a new run can start."""
        if not self.time[0] <= time <= self.time[-1]:
            raise ModelError(f"run: time {time:g} is outside {self.time[0]:g} .. {self.time[-1]:g}")
        i = int(np.argmin(np.abs(self.time - time)))
        if i == len(self.time) - 1:
            return self.final
        return State(float(self.time[i]), self.trajectory.q[i].copy(), self.trajectory.v[i].copy())

    def report(self) -> Report:
        """What drifted and what it cost; print it."""
        why = f" ({self.reason})" if self.reason else ""
        title = (
            f"{self.method.name}: {self.method.title}, step {self.step:g}, until t = {self.final.time:g}{why}"
        )
        return report(self.trajectory, title, self.steps, self.evaluations, self.iterations, self.seconds)

    def plot(
        self, path: str | os.PathLike[str] | None = None, kind: str = "drift", body: str | None = None
    ) -> Any:
        """A matplotlib figure, written to `path` if given: "drift", "phase", "polhode" or "spy"."""
        from poinsot.plots.kinds import figure_of

        return figure_of(kind, self.method.name, self.trajectory, body, path)

    def angles(self, name: str, up: ArrayLike | None = None) -> Angles:
        """Nutation, precession and spin of the body's third axis against `up` (default: against gravity)."""
        g = self.mechanism.gravity
        return angles(self.rotation(name), up if up is not None else (-g if g.any() else (0.0, 0.0, 1.0)))

    def flips(self, name: str) -> Array:
        """Times at which the spin about the intermediate axis changes its sign."""
        return flip_times(self.mechanism, name, self.time, self.angular_velocity(name))

    def polhode(self, name: str, path: str | os.PathLike[str] | None = None) -> Any:
        """Polhode and herpolhode as a figure, written to `path` if given."""
        from poinsot.plots.polhode import polhode_figure

        self._motion(name)
        return polhode_figure(self.trajectory, name, path)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write an archive; `ps.load(path)` reads it.  All or nothing: an old file is replaced at the end."""
        target = Path(path)
        fresh = target.with_name(f"{target.name}.{os.getpid()}.part")
        fresh.unlink(missing_ok=True)
        try:
            writer = Writer(fresh)
            try:
                first = header(
                    self.trajectory,
                    self.method,
                    self.step,
                    self.every,
                    self.versions,
                    self.reason,
                    self.command,
                )
                writer.data("H", first)
                writer.samples(sample_rows(self.trajectory.samples, bool(self.trajectory.driven)))
                writer.data("C", checkpoint(self.final))
                writer.data("E", ending(self))
            finally:
                writer.close()
            os.replace(fresh, target)
        except OSError as error:
            raise ArchiveError(f"{target}: cannot be written: {error.strerror}") from None
        finally:
            fresh.unlink(missing_ok=True)
        return target

    def to_xarray(self) -> Any:
        """An xarray Dataset with time as coordinate (extra `files`)."""
        try:
            import xarray
        except ImportError:
            raise ModelError("to_xarray needs xarray: pip install 'poinsot[files]'") from None
        scalars = {
            "kinetic": self.kinetic,
            "potential": self.potential,
            "energy": self.energy,
            "work": self.work,
        }
        data: dict[str, Any] = {name: ("time", x) for name, x in scalars.items()}
        data["angular_momentum"] = (("time", "axis"), self.angular_momentum)
        data["linear_momentum"] = (("time", "axis"), self.linear_momentum)
        for word, part in (
            ("quaternion", "wxyz"),
            ("position", "axis"),
            ("angular_velocity", "axis"),
            ("velocity", "axis"),
        ):
            stacked = np.stack([getattr(self, word)(name) for name in self.mechanism.names], axis=1)
            data[word] = (("time", "body", part), stacked)
        if self.trajectory.driven:
            data["input"] = (("time", "driven"), self.trajectory.inputs)
        coordinates = {
            "time": self.time,
            **({"driven": list(self.trajectory.driven)} if self.trajectory.driven else {}),
            "body": self.mechanism.names,
            "axis": list("xyz"),
            "wxyz": list("wxyz"),
        }
        return xarray.Dataset(
            data, coordinates, {"method": self.method.name, "step": self.step, **self.versions}
        )

    def __repr__(self) -> str:
        return (
            f"Run({self.method.name}, step={self.step:g}, {self.steps} steps, {len(self.time)} samples, "
            f"t = {self.time[0]:g} .. {self.time[-1]:g})"
        )

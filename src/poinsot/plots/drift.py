"""Drift of energy and angular momentum over time on a logarithmic scale, one line per run."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from poinsot.diagnostics.trajectory import Trajectory
from poinsot.formats.paths import PathLike
from poinsot.model.checks import Array
from poinsot.plots.figure import COLORS, dress, new_figure, write

FLOOR = 1e-17  # where an error of zero is drawn: below rounding
TINY = float(np.finfo(float).tiny)
POINTS = 400  # intervals of a figure


class Conserved(NamedTuple):
    """A conserved quantity: its values, the size of a change of them, and what changes are compared with."""

    values: Callable[[Trajectory], Array]
    change: Callable[[Trajectory, Array], Array]
    scale: Callable[[Trajectory, Array], float]  # of a run and its first value

    def __call__(self, run: Trajectory) -> Array:
        """Return the relative error at all samples."""
        x = self.values(run)
        return np.asarray(self.change(run, x - x[0]) / max(self.scale(run, x[0]), TINY))

    def largest(self, run: Trajectory, points: int = POINTS) -> tuple[Array, Array]:
        """Return the largest error in each of `points` intervals of time, as `envelope`, part by part."""
        n = run.count
        if n <= 2 * points:
            return run.time, self(run)
        per, at, scale = n // points, 0, TINY
        time, error = np.zeros(points), np.zeros(points)
        first: Array | None = None
        for part in run.parts():
            x = self.values(part)
            first = x[0] if first is None else first
            change, place = self.change(part, x - first), (at + np.arange(len(x))) // per
            inside = place < points
            np.maximum.at(error, place[inside], change[inside])
            time[place[inside]] = part.time[inside]
            scale, at = max(scale, self.scale(part, first)), at + len(x)
        return time, error / scale


def _off_vertical(run: Trajectory, change: Array) -> Array:
    """Return the size of a change of the momentum; under gravity, that of the component along gravity."""
    weight = float(np.linalg.norm(run.mechanism.gravity))
    if weight > 0:
        return np.asarray(np.abs(change @ run.mechanism.gravity) / weight)
    return np.asarray(np.linalg.norm(change, axis=1))


def _total(run: Trajectory) -> Array:
    return np.asarray(run.kinetic + run.potential - run.work)


energy_error = Conserved(  # |E - W - E0| relative to the size of the energies
    _total,
    lambda run, change: np.abs(change),
    lambda run, first: max(float(run.kinetic.max()), abs(float(first))),
)
momentum_error = Conserved(  # |L - L0| relative to the largest |L|
    lambda run: run.angular_momentum,
    _off_vertical,
    lambda run, first: float(np.linalg.norm(run.angular_momentum, axis=1).max()),
)


def envelope(time: Array, error: Array, points: int = POINTS) -> tuple[Array, Array]:
    """Return the largest error in each of `points` intervals of time, for a small figure."""
    if len(time) <= 2 * points:
        return time, error
    whole = len(time) // points * points
    shape = (points, whole // points)
    return time[:whole].reshape(shape)[:, -1], error[:whole].reshape(shape).max(axis=1)


def drift_axes(axes: Any, runs: Mapping[str, Trajectory], error: Conserved, title: str) -> None:
    """Draw the errors of all runs into one panel; `error` is a conserved quantity."""
    for color, (name, run) in zip(COLORS * 4, runs.items(), strict=False):
        time, values = error.largest(run)
        axes.plot(time, np.maximum(values, FLOOR), color=color, linewidth=1.4, label=name)
    axes.set_yscale("log")
    axes.set_title(title, fontsize=11, loc="left")
    axes.set_xlabel("time [s]", fontsize=9)
    dress(axes)


def drift_figure(runs: Mapping[str, Trajectory], path: PathLike | None = None) -> Any:
    """Draw two panels, energy and angular momentum; write the figure to `path` if it is given."""
    figure = new_figure(9.0, 3.6)
    left, right = figure.subplots(1, 2)
    drift_axes(left, runs, energy_error, "energy error, relative")
    drift_axes(right, runs, momentum_error, "angular momentum error, relative")
    left.legend(frameon=False, fontsize=9)
    if path is not None:
        write(figure, path)
    return figure

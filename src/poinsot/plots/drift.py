"""Drift of energy and angular momentum over time on a logarithmic scale, one line per run."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.diagnostics.trajectory import Trajectory
from poinsot.formats.paths import PathLike
from poinsot.model.checks import Array
from poinsot.plots.figure import COLORS, dress, new_figure, write

FLOOR = 1e-17  # where an error of zero is drawn: below rounding


def energy_error(run: Trajectory) -> Array:
    """Return |E - W - E0| relative to the size of the energies."""
    total = run.kinetic + run.potential - run.work
    scale = max(float(run.kinetic.max()), abs(float(total[0])), np.finfo(float).tiny)
    return np.asarray(np.abs(total - total[0]) / scale)


def momentum_error(run: Trajectory) -> Array:
    """Return |L - L0| relative to the largest |L|; under gravity, that of the component along gravity."""
    L = run.angular_momentum
    scale = max(float(np.linalg.norm(L, axis=1).max()), np.finfo(float).tiny)
    weight = float(np.linalg.norm(run.mechanism.gravity))
    if weight > 0:
        return np.asarray(np.abs((L - L[0]) @ run.mechanism.gravity) / weight / scale)
    return np.asarray(np.linalg.norm(L - L[0], axis=1) / scale)


def envelope(time: Array, error: Array, points: int = 400) -> tuple[Array, Array]:
    """Return the largest error in each of `points` intervals of time, for a small figure."""
    if len(time) <= 2 * points:
        return time, error
    whole = len(time) // points * points
    shape = (points, whole // points)
    return time[:whole].reshape(shape)[:, -1], error[:whole].reshape(shape).max(axis=1)


def drift_axes(axes: Any, runs: Mapping[str, Trajectory], error: Any, title: str) -> None:
    """Draw the errors of all runs into one panel; `error` is a function of a trajectory."""
    for color, (name, run) in zip(COLORS * 4, runs.items(), strict=False):
        time, values = envelope(run.time, error(run))
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

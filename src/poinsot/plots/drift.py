"""How energy and momentum drift, one line a run, on a logarithmic scale."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.diagnostics.trajectory import Trajectory
from poinsot.model.checks import Array
from poinsot.plots.figure import COLORS, dress, new_figure, write

FLOOR = 1e-17  # below rounding: what a logarithm shows of zero


def energy_error(run: Trajectory) -> Array:
    """|E - W - E0| relative to the size of the energies."""
    total = run.kinetic + run.potential - run.work
    scale = max(float(run.kinetic.max()), abs(float(total[0])), np.finfo(float).tiny)
    return np.asarray(np.abs(total - total[0]) / scale)


def momentum_error(run: Trajectory) -> Array:
    """|L - L0| / |L0|, or its component along gravity where gravity acts."""
    L = run.angular_momentum
    scale = max(float(np.linalg.norm(L, axis=1).max()), np.finfo(float).tiny)
    weight = float(np.linalg.norm(run.mechanism.gravity))
    if weight > 0:
        return np.asarray(np.abs((L - L[0]) @ run.mechanism.gravity) / weight / scale)
    return np.asarray(np.linalg.norm(L - L[0], axis=1) / scale)


def envelope(time: Array, error: Array, points: int = 400) -> tuple[Array, Array]:
    """The largest error of each of `points` stretches of time: what is left of it in a small figure."""
    if len(time) <= 2 * points:
        return time, error
    cut = len(time) // points * points
    shape = (points, cut // points)
    return time[:cut].reshape(shape)[:, -1], error[:cut].reshape(shape).max(axis=1)


def drift_axes(axes: Any, runs: Mapping[str, Trajectory], error: Any, title: str) -> None:
    for color, (name, run) in zip(COLORS * 4, runs.items(), strict=False):
        time, values = envelope(run.time, error(run))
        axes.plot(time, np.maximum(values, FLOOR), color=color, linewidth=1.4, label=name)
    axes.set_yscale("log")
    axes.set_title(title, fontsize=11, loc="left")
    axes.set_xlabel("time [s]", fontsize=9)
    dress(axes)


def drift_figure(runs: Mapping[str, Trajectory], path: str | os.PathLike[str] | None = None) -> Any:
    """Two panels, energy and angular momentum; written to `path` if given."""
    figure = new_figure(9.0, 3.6)
    left, right = figure.subplots(1, 2)
    drift_axes(left, runs, energy_error, "energy error, relative")
    drift_axes(right, runs, momentum_error, "angular momentum error, relative")
    left.legend(frameon=False, fontsize=9)
    if path is not None:
        write(figure, path)
    return figure

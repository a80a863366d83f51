"""Kinematics of one body over time: orientation, position, both velocities, and the distance to SE(3).

The first four panels are the figures "configuration" and "velocity" of the integrator on SE(3) that the
reproductions of `crouch1993` repeat; the last one is its figure of the distance.
"""

from typing import Any

import numpy as np

from poinsot.diagnostics.group_distance import distance_to_se3
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.formats.paths import PathLike
from poinsot.model.checks import Array
from poinsot.plots.drift import FLOOR, envelope
from poinsot.plots.figure import COLORS, dress, new_figure, write

SHOWN = 20_000  # largest number of samples that are drawn
AXES = ("x", "y", "z")


def panels(run: Trajectory, name: str) -> dict[str, dict[str, Array]]:
    """Return the lines of the first four panels by title and label."""
    motion = run.motions[name]
    R = motion.rotation
    return {
        "orientation": {f"R{i + 1}{j + 1}": R[:, i, j] for i in range(3) for j in range(3)},
        "position [m]": {axis: motion.position[:, k] for k, axis in enumerate(AXES)},
        "angular velocity, body axes [rad/s]": {
            axis: motion.angular_velocity[:, k] for k, axis in enumerate(AXES)
        },
        "velocity [m/s]": {axis: motion.velocity[:, k] for k, axis in enumerate(AXES)},
    }


def kinematics_figure(run: Trajectory, name: str | None = None, path: PathLike | None = None) -> Any:
    """Draw the kinematics of a body (default: the first); write the figure to `path` if it is given."""
    name = name if name is not None else run.mechanism.names[0]
    time, far = envelope(run.time, distance_to_se3(run, name))
    run = run.thinned(SHOWN)
    figure = new_figure(9.0, 7.6)
    grid = figure.add_gridspec(3, 2, height_ratios=(2, 2, 1))
    for place, (title, lines) in enumerate(panels(run, name).items()):
        axes = figure.add_subplot(grid[place // 2, place % 2])
        for color, (label, values) in zip(COLORS * 2, lines.items(), strict=False):
            axes.plot(run.time, values, color=color, linewidth=1.1, label=label)
        axes.set_title(f"{name}: {title}", fontsize=11, loc="left")
        axes.legend(frameon=False, fontsize=8, ncols=3 if len(lines) > 3 else 1)
        dress(axes)
    axes = figure.add_subplot(grid[2, :])
    axes.semilogy(time, np.maximum(far, FLOOR), color=COLORS[1], linewidth=1.1)
    axes.set_title("distance to SE(3)", fontsize=11, loc="left")
    axes.set_xlabel("time [s]", fontsize=9)
    dress(axes)
    if path is not None:
        write(figure, path)
    return figure

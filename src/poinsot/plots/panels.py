"""Panels of quantities over time: "kinematics", "energy", "momenta", "se3", and "all" of them.

They are the five figures of the integrator on SE(3) that the reproductions of `crouch1993` repeat:
configuration and velocity (both in "kinematics"), energy, momenta, and how far a pose is from SE(3).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.diagnostics.distance import determinant, distance_to_se3
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.formats.paths import PathLike
from poinsot.model.checks import Array
from poinsot.plots.figure import COLORS, FLOOR, SHOWN, envelope, new_figure, style_axes, write

DISTANCE = "distance to SE(3)"  # drawn on a logarithmic scale
Lines = dict[str, Array]  # by label


def _components(x: Array) -> Lines:
    return {axis: x[:, k] for k, axis in enumerate("xyz")}


def kinematics(run: Trajectory, name: str) -> dict[str, Lines]:
    """Return the motion of a body."""
    motion = run.motions[name]
    R = motion.rotation
    return {
        f"{name}: orientation": {f"R{i + 1}{j + 1}": R[:, i, j] for i in range(3) for j in range(3)},
        f"{name}: position [m]": _components(motion.position),
        f"{name}: angular velocity, body axes [rad/s]": _components(motion.angular_velocity),
        f"{name}: velocity [m/s]": _components(motion.velocity),
    }


def energy(run: Trajectory, name: str) -> dict[str, Lines]:
    """Return the energies T and V and their sum, and the change of the sum, less the work of forces."""
    T, V = run.kinetic, run.potential
    kept, label = T + V - run.work, "T + V less work" if run.work.any() else "T + V"
    return {
        "energy [J]": {"kinetic T": T, "potential V": V, "T + V": T + V, label: kept},
        f"change of {label} [J]": {label: kept - kept[0]},
    }


def momenta(run: Trajectory, name: str) -> dict[str, Lines]:
    """Return the components of the momenta in space."""
    return {
        "angular momentum about the origin [kg m\u00b2/s]": _components(run.angular_momentum),
        "linear momentum [kg m/s]": _components(run.linear_momentum),
    }


def se3(run: Trajectory, name: str) -> dict[str, Lines]:
    """Return how far the poses of a body, before anything is normalized, are from SE(3)."""
    return {f"{name}: det R - 1": {"": determinant(run, name) - 1.0}, **_distance(run, name)}


def _distance(run: Trajectory, name: str) -> dict[str, Lines]:
    return {DISTANCE: {"": distance_to_se3(run, name)}}


Panels = Callable[[Trajectory, str], dict[str, Lines]]
PANELS: dict[str, tuple[Panels, ...]] = {
    "kinematics": (kinematics, _distance),
    "energy": (energy,),
    "momenta": (momenta,),
    "se3": (se3,),
    "all": (kinematics, energy, momenta, se3),
}


def panels_figure(kind: str, label: str, run: Trajectory, body: str | None, path: PathLike | None) -> Any:
    """Draw the panels of a kind, of a body (default: the first); write them to `path` if it is given."""
    name, shown = body if body is not None else run.mechanism.names[0], run.thin(SHOWN)
    panels = [one for make in PANELS[kind] for one in make(shown, name).items()]
    rows = (len(panels) + 1) // 2
    figure = new_figure(9.0, 2.7 * rows)
    grid = figure.add_gridspec(rows, 2)
    for k, (title, lines) in enumerate(panels):
        wide = k + 1 == len(panels) and k % 2 == 0
        axes = figure.add_subplot(grid[k // 2, :] if wide else grid[k // 2, k % 2])
        if title == DISTANCE:
            time, far = envelope(run.time, distance_to_se3(run, name))
            axes.semilogy(time, np.maximum(far, FLOOR), color=COLORS[1], linewidth=1.1)
        else:
            for color, (which, values) in zip(COLORS * 2, lines.items(), strict=False):
                axes.plot(shown.time, values, color=color, linewidth=1.1, label=which)
        axes.set_title(title, fontsize=11, loc="left")
        axes.set_xlabel("time [s]", fontsize=9)
        if len(lines) > 1:
            axes.legend(frameon=False, fontsize=8, ncols=3 if len(lines) > 4 else 1)
        style_axes(axes)
    if path is not None:
        write(figure, path)
    return figure

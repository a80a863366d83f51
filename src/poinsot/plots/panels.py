"""Panels of quantities over time: joints, inputs, recorded; kinematics, energy, momenta, se3, and all.

The last five are the figures of the integrator on SE(3) that the reproductions of `crouch1993` repeat:
configuration and velocity (both in "kinematics"), energy, momenta, and how far a pose is from SE(3).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from poinsot.diagnostics.distance import determinant, distance_to_se3
from poinsot.diagnostics.quantities import (
    Column,
    columns_of,
    input_columns,
    line_labels,
    panels,
    recorded_columns,
    run_columns,
    wrench_sizes,
)
from poinsot.diagnostics.system_trajectory import SystemTrajectory
from poinsot.errors import PoinsotError, ScenarioError
from poinsot.formats.paths import PathLike
from poinsot.model.checks import Array
from poinsot.plots.figure import (
    COLORS,
    FLOOR,
    SHOWN,
    envelope,
    legend_beside,
    new_figure,
    style_axes,
    styles,
    write,
)

DISTANCE = "distance to SE(3)"  # drawn on a logarithmic scale
LINES = 24  # of a panel: twelve colors, twice
SOLVED = 2000  # samples at which the forces of loops are found
Lines = dict[str, Array]  # by label


def _components(x: Array) -> Lines:
    return {axis: x[:, k] for k, axis in enumerate("xyz")}


def joints(run: Any, name: str | None) -> dict[str, Lines]:
    """Return coordinates and rates of joints, or of one, and the sizes of their forces and torques."""
    if isinstance(run.trajectory, SystemTrajectory):
        return coordinates(run, name)
    wanted = [one for one in columns_of(run.mechanism) if name in (None, one.owner)]
    known = {one: x for one, x in _reactions(run).items() if name in (None, one)}
    forces = {
        title: dict(zip(tuple(known)[:LINES], sizes.T, strict=False))
        for title, sizes in wrench_sizes(known, run.mechanism).items()
    }
    return {**_lines(run, wanted), **forces}


def coordinates(run: Any, name: str | None) -> dict[str, Lines]:
    """Return coordinates and velocities of a system, or one of them with its rate."""
    wanted = run_columns(run.trajectory)
    if name is None:
        return _lines(run, wanted)
    place = next(one.place for one in wanted if one.name == name)
    rate = run.trajectory.answer("rates")[:, place]
    return {name: {"": run.x[:, place]}, f"rate of {name}": {"": rate}}


def _reactions(run: Any) -> dict[str, Array]:
    """Return the wrenches in joints that carry something; none where the forces are not known any more."""
    try:
        loose = [link.name for link in run.mechanism.links if link.joint.kind == "free"]
        return {name: x for name, x in run.reactions.items() if name not in loose}
    except PoinsotError:
        return {}


def inputs(run: Any, name: str | None) -> dict[str, Lines]:
    """Return the inputs of the controller and the forces of drives, or those at one joint."""
    return _lines(run, [one for one in input_columns(run.trajectory) if name in (None, one.owner)])


def _lines(run: Any, columns: list[Column]) -> dict[str, Lines]:
    found = {}
    for title, some in panels(columns).items():
        shown = some[:LINES]
        values = (one.values(run.trajectory) for one in shown)
        found[title] = dict(zip(line_labels(shown), values, strict=True))
    return found


def records(run: Any, name: str | None) -> dict[str, Lines]:
    """Return what the run recorded."""
    return {
        f"{title} [{unit}]" if unit else title: dict(zip(labels[:LINES], table.T, strict=False))
        for title, (table, labels, unit) in recorded_columns(run, len(run.time)).items()
    }


def kinematics(run: Any, name: str) -> dict[str, Lines]:
    """Return the motion of a body, or that of a system."""
    if isinstance(run.trajectory, SystemTrajectory):
        return coordinates(run, name)
    motion = run.trajectory.motions[name]
    R = motion.rotation
    return {
        f"{name}: orientation": {f"R{i + 1}{j + 1}": R[:, i, j] for i in range(3) for j in range(3)},
        f"{name}: position [m]": _components(motion.position),
        f"{name}: angular velocity, body axes [rad/s]": _components(motion.angular_velocity),
        f"{name}: velocity [m/s]": _components(motion.velocity),
    }


def energy(run: Any, name: str) -> dict[str, Lines]:
    """Return the energies T and V and their sum, and the change of the sum, less the work of forces."""
    if isinstance(run.trajectory, SystemTrajectory):
        kept, label = run.trajectory.total, "energy less work" if run.work.any() else "energy"
        return {
            "energy [J]": {"energy": kept + run.work, label: kept},
            f"change of {label} [J]": {label: kept - kept[0]},
        }
    T, V = run.kinetic, run.potential
    kept, label = T + V - run.work, "T + V less work" if run.work.any() else "T + V"
    return {
        "energy [J]": {"kinetic T": T, "potential V": V, "T + V": T + V, label: kept},
        f"change of {label} [J]": {label: kept - kept[0]},
    }


def momenta(run: Any, name: str) -> dict[str, Lines]:
    """Return the components of the momenta in space."""
    return {
        "angular momentum about the origin [kg m\u00b2/s]": _components(run.angular_momentum),
        "linear momentum [kg m/s]": _components(run.linear_momentum),
    }


def se3(run: Any, name: str) -> dict[str, Lines]:
    """Return how far the poses of a body, before anything is normalized, are from SE(3)."""
    return {f"{name}: det R - 1": {"": determinant(run.trajectory, name) - 1.0}, **_distance(run, name)}


def _distance(run: Any, name: str) -> dict[str, Lines]:
    if isinstance(run.trajectory, SystemTrajectory):
        return {}
    return {DISTANCE: {"": distance_to_se3(run.trajectory, name)}}


Panels = Callable[[Any, Any], dict[str, Lines]]
PANELS: dict[str, tuple[Panels, ...]] = {
    "joints": (joints,),
    "inputs": (inputs,),
    "recorded": (records,),
    "kinematics": (kinematics, _distance),
    "energy": (energy,),
    "momenta": (momenta,),
    "se3": (se3,),
    "all": (kinematics, energy, momenta, se3),
}


EMPTY = {
    "joints": "no joint of this run moves",
    "inputs": "this run had no controller and no drive",
    "recorded": "this run recorded nothing: give simulate record={name: function}",
}
MOST = 16  # panels


def _thin(run: Any, most: int) -> Any:
    """Return a run with at most so many samples."""
    step = max(1, -(-run.trajectory.count // most))
    fewer = {name: x[::step] for name, x in run.recorded.items()} if step > 1 else run.recorded
    return replace(run, trajectory=run.trajectory.thin(most), recorded=fewer)


def panels_figure(kind: str, run: Any, body: str | None, path: PathLike | None) -> Any:
    """Draw the panels of a kind, of a body (default: the first, or all); write them to `path` if given."""
    own = isinstance(run.trajectory, SystemTrajectory)
    shown = _thin(run, SHOWN if own or kind != "joints" or not run.mechanism.loops else SOLVED)
    name = body if body is not None or kind in EMPTY or own else run.mechanism.names[0]
    found = [one for make in PANELS[kind] for one in make(shown, name).items()][:MOST]
    if not found:
        raise ScenarioError(f"plot: {EMPTY[kind]}")
    columns = 1 if len(found) == 1 else 2
    rows = -(-len(found) // columns)
    figure = new_figure(5.5 * columns, 2.7 * rows)
    grid, first = figure.add_gridspec(rows, columns), None
    for k, (title, lines) in enumerate(found):
        wide = k + 1 == len(found) and k % columns == 0
        place = grid[k // columns, :] if wide else grid[k // columns, k % columns]
        axes = figure.add_subplot(place, sharex=first)
        first = first or axes
        if title == DISTANCE:
            time, far = envelope(run.time, distance_to_se3(run.trajectory, str(name)))
            axes.semilogy(time, np.maximum(far, FLOOR), color=COLORS[1], linewidth=1.1)
        else:
            for style, (which, values) in zip(styles(), lines.items(), strict=False):
                axes.plot(shown.time, values, linewidth=1.1, label=which, **style)
        axes.set_title(title, fontsize=11, loc="left")
        axes.set_xlabel("time [s]", fontsize=9)
        if len(lines) > 1:
            legend_beside(axes, len(lines))
        style_axes(axes)
    if path is not None:
        write(figure, path)
    return figure

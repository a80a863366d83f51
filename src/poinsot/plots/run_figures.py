"""Figures of a run, by kind: drift, quantities over time (`panels`), phase portraits, polhode, mass matrix.

Phase portraits draw a coordinate of a joint against its rate; where coordinates include a quaternion, the
tilt of the body's third axis is drawn instead.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from poinsot.diagnostics.report import momentum_causes
from poinsot.diagnostics.spin import angles, herpolhode
from poinsot.diagnostics.system_trajectory import SystemTrajectory
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.errors import ModelError, ScenarioError
from poinsot.formats.paths import PathLike
from poinsot.model.checks import Array, show, suggestion
from poinsot.plots.figure import (
    COLORS,
    FLOOR,
    GRAY,
    POINTS,
    SHOWN,
    legend_beside,
    new_figure,
    style_axes,
    styles,
    write,
)
from poinsot.plots.panels import PANELS, panels_figure
from poinsot.plots.spy import mass_pattern, spy_figure

TINY = float(np.finfo(float).tiny)


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
        at, scale = 0, TINY
        time, error = np.zeros(points), np.zeros(points)
        first: Array | None = None
        for part in run.parts():
            x = self.values(part)
            first = x[0] if first is None else first
            place = (at + np.arange(len(x))) * points // n
            np.maximum.at(error, place, self.change(part, x - first))
            time[place] = part.time
            scale, at = max(scale, self.scale(part, first)), at + len(x)
        return time, error / scale


def _off_vertical(run: Trajectory, change: Array) -> Array:
    """Return the size of a change of the momentum; under gravity, that of the component along gravity."""
    weight = float(np.linalg.norm(run.mechanism.gravity))
    if weight > 0:
        return np.asarray(np.abs(change @ run.mechanism.gravity) / weight)
    return np.asarray(np.linalg.norm(change, axis=1))


def _size(run: Trajectory, first: Array) -> float:
    """Return what changes of the energy are compared with."""
    own = isinstance(run, SystemTrajectory)
    return max(float((np.abs(run.total) if own else run.kinetic).max()), abs(float(first)))


energy_error = Conserved(  # |E - W - E0| relative to the size of the energies
    lambda run: run.total, lambda run, change: np.abs(change), _size
)

momentum_error = Conserved(  # |L - L0| relative to the largest |L|
    lambda run: run.angular_momentum,
    _off_vertical,
    lambda run, first: float(np.linalg.norm(run.angular_momentum, axis=1).max()),
)


def drift_axes(axes: Any, runs: Mapping[str, Trajectory], error: Conserved, title: str) -> None:
    """Draw the errors of all runs into one panel; `error` is a conserved quantity."""
    for style, (name, run) in zip(styles(), runs.items(), strict=False):
        time, values = error.largest(run)
        axes.plot(time, np.maximum(values, FLOOR), linewidth=1.4, label=name, **style)
    axes.set_yscale("log")
    axes.set_title(title, fontsize=11, loc="left")
    axes.set_xlabel("time [s]", fontsize=9)
    style_axes(axes)


def keeps_angular_momentum(run: Trajectory) -> bool:
    """Return whether nothing but gravity changes the angular momentum, as the report says."""
    if isinstance(run, SystemTrajectory):
        return False  # it knows none
    return not {*momentum_causes(run.mechanism, run.forces, torque=True)} - {"gravity"}


def drift_figure(runs: Mapping[str, Trajectory], path: PathLike | None = None) -> Any:
    """Draw the energy and, of the runs that conserve it, the angular momentum; write the figure to `path`."""
    kept = {name: run for name, run in runs.items() if keeps_angular_momentum(run)}
    figure = new_figure(9.0, 3.6)
    left, *right = figure.subplots(1, 2 if kept else 1, sharex=True, squeeze=False)[0]
    worked = any(bool(run.work[-1:].any()) for run in runs.values())
    drift_axes(left, runs, energy_error, f"energy{' less work' if worked else ''}: error, relative")
    for axes in right:
        along = " along gravity" if any(run.mechanism.gravity.any() for run in kept.values()) else ""
        drift_axes(axes, kept, momentum_error, f"angular momentum{along}: error, relative")
    legend_beside((right or [left])[-1], len(runs))
    if path is not None:
        write(figure, path)
    return figure


MOST = 6  # portraits


def portraits(run: Trajectory, name: str) -> list[tuple[str, Array, Array]]:
    """Return label, coordinate and rate of each panel for the joint of a body."""
    nq = nv = 0
    for link in run.mechanism.links:
        if link.name == name:
            break
        nq, nv = nq + link.joint.nq, nv + link.joint.nv
    else:
        raise ModelError(f"phase portrait: unknown body {name!r}")
    if link.joint.nq == link.joint.nv:
        label = link.joint.tangents(link.joint.coordinates)
        return [(f"{name}: {label[i]}", run.q[:, nq + i], run.v[:, nv + i]) for i in range(link.joint.nq)]
    g = run.mechanism.gravity
    tilt = angles(run.motions[name].rotation, -g if g.any() else (0.0, 0.0, 1.0)).nutation
    rate = np.gradient(tilt, run.time) if len(run.time) > 1 else np.zeros(len(run.time))
    return [(f"{name}: tilt of the third axis", tilt, rate)]


def phase_figure(run: Trajectory, name: str | None = None, path: PathLike | None = None) -> Any:
    """Draw the phase portraits of one body, or of the first few; write them to `path` if it is given."""
    run = run.thin(SHOWN)
    if isinstance(run, SystemTrajectory):
        assert run.facts is not None
        names, rates = list(run.facts.coordinates), run.answer("rates")
        panels = [(one, run.q[:, i], rates[:, i]) for i, one in enumerate(names) if name in (None, one)][
            :MOST
        ]
    else:
        names = [name] if name is not None else run.mechanism.names
        panels = [panel for one in names for panel in portraits(run, one)][:MOST]
    if not panels:
        raise ModelError("phase portrait: the mechanism cannot move")
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure = new_figure(4.4 * columns, 3.8 * rows)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes, (label, q, v) in zip(grid.flat, panels, strict=False):
        axes.plot(q, v, color=COLORS[1], linewidth=0.9)
        axes.plot(q[:1], v[:1], "o", color=COLORS[0], markersize=4)
        axes.set_title(label, fontsize=11, loc="left")
        axes.set_xlabel("coordinate", fontsize=9)
        axes.set_ylabel("rate", fontsize=9)
        style_axes(axes)
    for axes in list(grid.flat)[len(panels) :]:
        axes.set_visible(False)
    if path is not None:
        write(figure, path)
    return figure


def polhode_figure(run: Trajectory, name: str, path: PathLike | None = None) -> Any:
    """Draw the polhode on the ellipsoid w.J w = 2 T of the first sample, and the herpolhode from above.
    J is that of the body with all that is welded to it, about its fixed point or center of mass."""
    run, name = run.thin(SHOWN), run.mechanism.carrier(name)
    x = run.motions[name]
    if not x.angular_velocity[0].any():
        raise ModelError(f"body '{name}' has no polhode: it does not rotate at the start")
    J = run.mechanism.rigid_links[name].about_reference[0]
    figure = new_figure(9.0, 4.4)
    left = figure.add_subplot(1, 2, 1, projection="3d")
    energy = float(x.angular_velocity[0] @ J @ x.angular_velocity[0])
    moments, axes = np.linalg.eigh(J)
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 49), np.linspace(0, np.pi, 25))
    sphere = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], axis=-1)
    surface = (sphere * np.sqrt(energy / moments)) @ axes.T
    left.plot_surface(*np.moveaxis(surface, -1, 0), color="#d6eaf8", alpha=0.35, linewidth=0)
    left.plot(*x.angular_velocity.T, color=COLORS[0], linewidth=1.2)
    left.set_title("polhode: w in the body", fontsize=11, loc="left")
    left.set_box_aspect(np.ptp(surface.reshape(-1, 3), axis=0))
    left.tick_params(labelsize=7, colors=GRAY)
    right = figure.add_subplot(1, 2, 2)
    w = herpolhode(x.rotation, x.angular_velocity)
    L = run.angular_momentum[0]
    z = L / max(float(np.linalg.norm(L)), 1e-300)
    a = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    a /= np.linalg.norm(a)
    right.plot(w @ a, w @ np.cross(z, a), color=COLORS[1], linewidth=0.9)
    right.set_aspect("equal")
    right.set_title("herpolhode: w in space, along the momentum", fontsize=11, loc="left")
    style_axes(right)
    if path is not None:
        write(figure, path)
    return figure


Figure = Callable[[Any, str | None, PathLike | None], Any]
KINDS: dict[str, Figure] = {
    "drift": lambda run, body, path: drift_figure({run.method.label: run.trajectory}, path),
    **{kind: partial(panels_figure, kind) for kind in PANELS},
    "phase": lambda run, body, path: phase_figure(run.trajectory, body, path),
    "polhode": lambda run, body, path: polhode_figure(run.trajectory, body or run.mechanism.names[0], path),
    "spy": lambda run, body, path: spy_figure(
        mass_pattern(run.mechanism), "pattern of the mass matrix", path
    ),
}


OF_SYSTEMS = ("drift", "kinematics", "joints", "inputs", "recorded", "energy", "phase")


def _check_system(kind: str, run: SystemTrajectory, name: str | None) -> None:
    """Raise an error unless a system has such a figure, and a coordinate of this name."""
    assert run.facts is not None
    known = run.facts.coordinates
    if kind not in OF_SYSTEMS:
        raise ScenarioError(
            f"plot: '{kind}' is of bodies, which a system has not: use {', '.join(OF_SYSTEMS)}"
        )
    if kind in ("drift", "energy") and not {*run.facts.widths} & {"energy", "hamiltonian"}:
        raise ScenarioError("plot: this system was written without an energy")
    if name is not None and name not in known:
        raise ModelError(f"plot: unknown coordinate {show(name)}{suggestion(name, known)}")


def figure_of(kind: str, run: Any, body: str | None, path: PathLike | None) -> Any:
    """Draw the figure of this kind; write it to `path` if it is given."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise ScenarioError(
            f"unknown figure {show(kind)}{suggestion(kind, KINDS) or ': one of ' + ', '.join(KINDS)}"
        )
    if isinstance(run.trajectory, SystemTrajectory):
        _check_system(kind, run.trajectory, body)
    elif body is not None:
        run.mechanism.link(body, "plot")
    return KINDS[kind](run, body, path)

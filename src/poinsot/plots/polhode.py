"""Polhode and herpolhode: the angular velocity in the body, on its inertia ellipsoid, and in space."""

from typing import Any

import numpy as np

from poinsot.diagnostics.spin import herpolhode
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.errors import ModelError
from poinsot.formats.paths import PathLike
from poinsot.plots.figure import COLORS, GRAY, dress, new_figure, write

SHOWN = 20_000  # largest number of samples that are drawn: more would not be visible


def polhode_figure(run: Trajectory, name: str, path: PathLike | None = None) -> Any:
    """Draw the polhode on the ellipsoid w.J w = 2 T of the first sample, and the herpolhode from above."""
    run = run.thinned(SHOWN)
    x = run.motions[name]
    if not x.angular_velocity[0].any():
        raise ModelError(f"body '{name}' has no polhode: it does not rotate at the start")
    J = run.mechanism.link(name).body.inertia
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
    dress(right)
    if path is not None:
        write(figure, path)
    return figure

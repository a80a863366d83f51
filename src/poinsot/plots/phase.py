"""Phase portraits: a coordinate of a joint against its rate, one panel per coordinate.

For joints whose coordinates include a quaternion, the tilt of the body's third axis is drawn instead.
"""

from typing import Any

import numpy as np

from poinsot.diagnostics.spin import angles
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.errors import ModelError
from poinsot.formats.paths import PathLike
from poinsot.model.checks import Array
from poinsot.plots.figure import COLORS, dress, new_figure, write

SHOWN = 20_000  # largest number of samples that are drawn
PANELS = 6


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
    run = run.thinned(SHOWN)
    names = [name] if name is not None else run.mechanism.names
    panels = [panel for one in names for panel in portraits(run, one)][:PANELS]
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
        dress(axes)
    for axes in list(grid.flat)[len(panels) :]:
        axes.set_visible(False)
    if path is not None:
        write(figure, path)
    return figure

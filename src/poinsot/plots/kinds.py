"""The figures of one run, by name: `run.plot(kind=...)`."""

from collections.abc import Callable
from typing import Any

from poinsot.diagnostics.trajectory import Trajectory
from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike
from poinsot.model.checks import show, suggestion
from poinsot.plots.drift import drift_figure
from poinsot.plots.kinematics import kinematics_figure
from poinsot.plots.phase import phase_figure
from poinsot.plots.polhode import polhode_figure
from poinsot.plots.spy import mass_pattern, spy_figure

Figure = Callable[[str, Trajectory, str | None, PathLike | None], Any]

KINDS: dict[str, Figure] = {
    "drift": lambda name, run, body, path: drift_figure({name: run}, path),
    "kinematics": lambda name, run, body, path: kinematics_figure(run, body, path),
    "phase": lambda name, run, body, path: phase_figure(run, body, path),
    "polhode": lambda name, run, body, path: polhode_figure(run, body or run.mechanism.names[0], path),
    "spy": lambda name, run, body, path: spy_figure(
        mass_pattern(run.mechanism), "pattern of the mass matrix", path
    ),
}


def figure_of(kind: str, name: str, run: Trajectory, body: str | None, path: PathLike | None) -> Any:
    """Draw the figure of this kind; write it to `path` if it is given."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise ScenarioError(
            f"unknown figure {show(kind)}{suggestion(kind, KINDS) or ': one of ' + ', '.join(KINDS)}"
        )
    if body is not None:
        run.mechanism.link(body, "plot")
    return KINDS[kind](name, run, body, path)

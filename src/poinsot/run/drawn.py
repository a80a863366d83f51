"""Drawing a run: its figures by kind.  Matplotlib is imported when it is needed."""

from typing import Any

from poinsot.core.methods.method import Method
from poinsot.formats.paths import PathLike
from poinsot.run.motion import RunMotion


class Drawn(RunMotion):
    """Mixin of runs that can be drawn."""

    method: Method

    def plot(self, path: PathLike | None = None, kind: str = "drift", body: str | None = None) -> Any:
        """Draw a figure of the run.

        Parameters
        ----------
        path : str or path-like, optional
            File to write the figure to, which ends in .svg, .png or .pdf.  Default: no file is written.
        kind : {"drift", "kinematics", "phase", "polhode", "spy"}, default "drift"
            "drift": errors of energy and angular momentum over time; "kinematics": orientation, position,
            velocities and distance to SE(3) of a body over time; "phase": coordinates of joints against
            their rates; "polhode": the axis of rotation in the body and in space; "spy": the pattern of the
            mass matrix.
        body : str, optional
            Body to draw, for "kinematics" and "polhode" (default: the first) and "phase" (default: the
            first few).

        Returns
        -------
        matplotlib.figure.Figure
            The figure.  No window is opened.

        Raises
        ------
        ScenarioError
            If there is no figure of this kind, or matplotlib is not installed.
        ModelError
            If the mechanism has no body of this name, or the body has no such figure.
        """
        from poinsot.plots.kinds import figure_of

        return figure_of(kind, self.method.label, self.trajectory, body, path)

    def polhode(self, name: str, path: PathLike | None = None) -> Any:
        """Draw the polhode and the herpolhode of a body.

        Parameters
        ----------
        name : str
            Name of the body.
        path : str or path-like, optional
            File to write the figure to, which ends in .svg, .png or .pdf.  Default: no file is written.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.  No window is opened.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name, or the body does not rotate at the start.
        """
        from poinsot.plots.polhode import polhode_figure

        self._motion(name)
        return polhode_figure(self.trajectory, name, path)

"""Drift of a quantity that should be constant: the band in which it moves, and the slope of its trend.

    band  = max x - min x,      slope = least-squares slope of x over time              (1)

A good method has a band that depends on the step and a slope of zero; rk4 has a slope.  For a vector, the
band is that of the component with the largest band, the slope that of the component with the largest slope.
"""

from dataclasses import dataclass

import numpy as np

from poinsot.model.checks import Array


@dataclass(frozen=True)
class Drift:
    """How far a quantity that should be constant moved in a run.

    Parameters
    ----------
    band : float
        Largest minus smallest value, in the unit of the quantity.
    slope : float
        Least-squares slope over time, in the unit of the quantity per second.
    scale : float
        Size of the quantity, in its unit, to which the relative figures refer.
    duration : float
        Time from the first to the last sample, in s.
    kept : bool
        True if the mechanism conserves the quantity; False if forces change it.

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("dzhanibekov")
    >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
    >>> energy = run.report().energy
    >>> energy.kept, energy.duration, energy.relative_band < 1e-13
    (True, 1.0, True)
    """

    band: float
    slope: float
    scale: float
    duration: float
    kept: bool

    @property
    def relative_band(self) -> float:
        """The band divided by the scale; 0 if the scale is 0."""
        return self.band / self.scale if self.scale > 0 else 0.0

    @property
    def trend(self) -> float:
        """The drift |slope| x duration to which the slope alone adds up."""
        return abs(self.slope) * self.duration

    @property
    def relative_trend(self) -> float:
        """The trend divided by the scale; 0 if the scale is 0."""
        return self.trend / self.scale if self.scale > 0 else 0.0


def drift(time: Array, x: Array, scale: float, kept: bool = True) -> Drift:
    """Return the drift (1) of x, of shape (n,) or (n, k)."""
    columns = x.reshape(len(time), -1) if x.size else np.zeros((len(time), 1))
    band = float(np.ptp(columns, axis=0).max()) if len(time) else 0.0
    duration = float(time[-1] - time[0]) if len(time) else 0.0
    slope = 0.0
    if duration > 0:
        t = (time - time.mean()) / duration
        slopes = t @ (columns - columns.mean(axis=0)) / (t @ t) / duration
        slope = float(slopes[np.argmax(np.abs(slopes))])
    return Drift(band, slope, scale, duration, kept)

"""Drift of something that should stay: a band it moves in, and a slope that it leaves with.

    band  = max x - min x,      slope = least-squares slope of x over time              (1)

A good method has a band that depends on the step and a slope of zero; rk4 has a slope.  Of a vector
the component with the largest band counts for the band, that with the largest slope for the slope.
"""

from dataclasses import dataclass

import numpy as np

from poinsot.model.checks import Array


@dataclass(frozen=True)
class Drift:
    """`band` and `slope` in units of the quantity; `scale` is its size, for relative figures."""

    band: float
    slope: float  # a unit of time
    scale: float
    duration: float
    kept: bool  # by nature: False where forces change the quantity

    @property
    def relative_band(self) -> float:
        return self.band / self.scale if self.scale > 0 else 0.0

    @property
    def trend(self) -> float:
        """|slope| x duration: what the slope alone adds up to."""
        return abs(self.slope) * self.duration

    @property
    def relative_trend(self) -> float:
        return self.trend / self.scale if self.scale > 0 else 0.0


def drift(time: Array, x: Array, scale: float, kept: bool = True) -> Drift:
    """(1) of x (n,) or (n, k)."""
    columns = x.reshape(len(time), -1) if x.size else np.zeros((len(time), 1))
    band = float(np.ptp(columns, axis=0).max()) if len(time) else 0.0
    duration = float(time[-1] - time[0]) if len(time) else 0.0
    slope = 0.0
    if duration > 0:
        t = (time - time.mean()) / duration
        slopes = t @ (columns - columns.mean(axis=0)) / (t @ t) / duration
        slope = float(slopes[np.argmax(np.abs(slopes))])
    return Drift(band, slope, scale, duration, kept)

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
    band : Largest minus smallest value, in the unit of the quantity.
    slope : Least-squares slope over time, in the unit of the quantity per second.
    scale : Size of the quantity, in its unit, to which the relative figures refer.
    duration : Time from the first to the last sample [s].
    kept : True if the mechanism conserves the quantity; False if forces change it.
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


class DriftMeter:
    """Measures the drift (1) of a quantity that is given part by part, in running sums."""

    def __init__(self) -> None:
        self.low = self.high = self.first = self.mean = self.moment = np.zeros(1)
        self.count, self.square, self.begin, self.duration, self.middle = 0, 0.0, 0.0, 0.0, 0.0

    def add(self, time: Array, x: Array) -> None:
        """Take more values, of shape (n,) or (n, k)."""
        columns = x.reshape(len(time), -1) if x.size else np.zeros((len(time), 1))
        n = len(time)
        if not n:
            return
        low, high = columns.min(axis=0), columns.max(axis=0)
        if not self.count:
            self.low, self.high, self.first, self.begin = low, high, columns[0].copy(), float(time[0])
            self.mean = self.moment = np.zeros(columns.shape[1])
        self.low, self.high = np.minimum(self.low, low), np.maximum(self.high, high)
        columns, time = columns - self.first, time - self.begin  # sums of differences round less
        mean, middle = columns.mean(axis=0), time.mean()
        t, ahead, more = time - middle, middle - self.middle, mean - self.mean
        both = self.count * n / (self.count + n)
        self.moment = self.moment + t @ (columns - mean) + both * ahead * more
        self.square += float(t @ t + both * ahead * ahead)
        self.count, self.duration = self.count + n, float(time[-1])
        self.middle, self.mean = self.middle + ahead * n / self.count, self.mean + more * n / self.count

    def drift(self, scale: float, kept: bool = True) -> Drift:
        """Return what was found."""
        band, slope = float((self.high - self.low).max()), 0.0
        if self.square > 0:
            slopes = self.moment / self.square
            slope = float(slopes[np.argmax(np.abs(slopes))])
        return Drift(band, slope, scale, self.duration, kept)


def drift(time: Array, x: Array, scale: float, kept: bool = True) -> Drift:
    """Return the drift (1) of x, of shape (n,) or (n, k)."""
    one = DriftMeter()
    one.add(time, x)
    return one.drift(scale, kept)

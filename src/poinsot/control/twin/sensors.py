"""Measurements of a vehicle with noise: rates and specific force at every sample, its pose seldom, late."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.lie import so3
from poinsot.model import checks
from poinsot.model.checks import Array

Triple = tuple[float, float, float]


@dataclass(frozen=True, init=False)
class Sensors:
    """Sensors of one free body: a gyroscope and an accelerometer, and a pose that arrives late.

    All noise is normal and white; numbers are standard deviations of each component.

    Parameters
    ----------
    gyro : float, default 0.0
        Noise of the angular velocity in rad/s.
    accelerometer : float, default 0.0
        Noise of the specific force in m/s².
    accelerometer_bias : array_like, shape (3,), default (0, 0, 0)
        Constant error of the accelerometer in m/s², in body axes.
    position, attitude : float, default 0.0
        Noise of the pose in metres and rad.
    period : float, default 0.1
        Time between two measurements of the pose in seconds.
    delay : float, default 0.034
        Time until a measurement of the pose arrives, in seconds.

    Raises
    ------
    ModelError
        If a number is negative, or the period is not positive.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.control.Sensors(gyro=0.01, position=5e-4).delay
    0.034
    """

    gyro: float
    accelerometer: float
    accelerometer_bias: Triple
    position: float
    attitude: float
    period: float
    delay: float

    def __init__(
        self,
        gyro: float = 0.0,
        accelerometer: float = 0.0,
        accelerometer_bias: Any = (0.0, 0.0, 0.0),
        position: float = 0.0,
        attitude: float = 0.0,
        period: float = 0.1,
        delay: float = 0.034,
    ) -> None:
        who = "sensors"
        x, y, z = checks.vector(who, "accelerometer_bias", accelerometer_bias).tolist()
        vars(self).update(
            gyro=checks.number(who, "gyro", gyro, zero=True),
            accelerometer=checks.number(who, "accelerometer", accelerometer, zero=True),
            accelerometer_bias=(x, y, z),
            position=checks.number(who, "position", position, zero=True),
            attitude=checks.number(who, "attitude", attitude, zero=True),
            period=checks.number(who, "period", period, positive=True),
            delay=checks.number(who, "delay", delay, zero=True),
        )

    def _measured(self, rng: np.random.Generator, w: Array, force: Array) -> tuple[Array, Array]:
        """Return what gyroscope and accelerometer read of w and the specific force, in body axes."""
        noise = rng.normal(size=(2, 3))
        return w + self.gyro * noise[0], force + self.accelerometer_bias + self.accelerometer * noise[1]

    def _located(self, rng: np.random.Generator, r: Array, R: Array) -> tuple[Array, Array]:
        """Return the measured pose."""
        noise = rng.normal(size=(2, 3))
        return r + self.position * noise[0], R @ np.asarray(so3.exp(self.attitude * noise[1]))

"""A satellite that the gravity gradient holds upright: small pitch libration on a circular orbit.

    T = 3 n^2 e x J e,     e = R^T (sin n t, 0, cos n t)        nadir, in the body                  (1)
    J2 a'' = -3 n^2 (J1 - J3) sin a cos a                       a the pitch from the local vertical  (2)

Axes of the body: roll 1 (along the orbit), pitch 2 (across), yaw 3 (down).  The orbit is given, not
integrated: the frame moves with the centre of mass and does not rotate, and (1) depends on time.  So there is
no potential; the work of (1) is counted.  (2) is a pendulum in 2a, of frequency n sqrt(3 (J1 - J3)/J2).
"""

from math import cos, sin, sqrt

from poinsot.gallery.scenario import Recipe
from poinsot.model.forces.applied import Torque
from poinsot.model.forces.force import Force

RATE = sqrt(3.986004418e14 / 6.878137e6**3)  # rad/s: 500 km above the equator
ROLL, PITCH, YAW = 100.0, 120.0, 40.0  # kg m^2: pitch > roll > yaw is stable; the data are ours
TILT = 0.01  # rad, at the start
LIBRATION = RATE * sqrt(3.0 * (ROLL - YAW) / PITCH)  # rad/s, for small a


def gradient(t, R, w, p, v):  # type: ignore[no-untyped-def]
    s, c = sin(RATE * t), cos(RATE * t)
    x, y, z = s * R[0][0] + c * R[2][0], s * R[0][1] + c * R[2][1], s * R[0][2] + c * R[2][2]
    k = 3.0 * RATE * RATE
    return k * (YAW - PITCH) * y * z, k * (ROLL - YAW) * z * x, k * (PITCH - ROLL) * x * y


def forces() -> list[Force]:
    """Return the torque of the gravity gradient."""
    return [Torque("satellite", gradient, frame="body")]


RECIPE = Recipe(
    title="Satellite in the gravity gradient",
    gravity=(0.0, 0.0, 0.0),
    bodies={"satellite": {"mass": 500.0, "inertia": (ROLL, PITCH, YAW), "joint": "spherical"}},
    start={
        "satellite": {
            "rotation": (cos(TILT / 2), 0.0, sin(TILT / 2), 0.0),
            "angular_velocity": (0.0, RATE, 0.0),
        }
    },
    step=20.0,
    until=60_000.0,
    forces=forces,
    notes="Ten orbits of 5677 s and thirteen librations of 0.01 rad.",
    reference={"R33 at 60000": -0.903491807184883},  # cos(n t + a), with a from (2) by Jacobi's functions
)

"""4DISP: an inverted spherical pendulum (a baton) on a cart that moves in a plane; seed 000's objective.

world - slide along x (no mass) - slide along y (the cart) - ball joint - baton.  n = R e3 points from the
joint along the baton; m its mass, l the distance of its centre of mass, I_p its inertia about the joint.
The spin of the baton about its own axis is moved by nothing and moves nothing: control leaves it out.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from poinsot.control import Regulator, lqr, sampled
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.shapes.solids import Box, Cylinder
from poinsot.model.state import State
from poinsot.run.run import Run

METHOD, STEP = "variational", 0.01
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
INPUTS = ("rail", "cart")
SPIN = ("baton.rotation[2]", "baton.angular_velocity[2]")
CONTROL = {"target": (2.0, -1.0), "period": 0.02}
Q = (4.0, 4.0, 30.0, 30.0, 1.0, 1.0, 1.0, 1.0)  # of position, tilt, and their rates
R = (0.3, 0.3)

BODIES: dict[str, dict[str, Any]] = {
    "rail": {"mass": 0.0, "inertia": (0.0, 0.0, 0.0), "joint": {"kind": "prismatic", "axis": X}},
    "cart": {
        "mass": 1.0,
        "shape": Box((0.5, 0.5, 0.15)),
        "joint": {"kind": "prismatic", "axis": Y},
        "parent": "rail",
    },
    "baton": {
        "mass": 1.0,
        "shape": Cylinder(0.02, 2.4),
        "joint": "spherical",
        "parent": "cart",
        "body_at": (0.0, 0.0, 1.2),
    },
}


def tilted(first: float, second: float) -> Array:
    """rot_x(first) rot_y(second), in degrees."""
    a, b = np.deg2rad([first, second])
    c, s = np.cos([a, b]), np.sin([a, b])
    turn_x = np.array([[1, 0, 0], [0, c[0], -s[0]], [0, s[0], c[0]]])
    turn_y = np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]])
    return np.asarray(turn_x @ turn_y)


class Motion(NamedTuple):
    """A state as control sees it."""

    x: Array  # (2,) the cart
    u: Array  # its velocity
    n: Array  # (3,) the direction of the baton
    rate: Array  # n.

    @property
    def tilt(self) -> float:
        """Angle from upright, in radians."""
        return float(np.arctan2(np.hypot(self.n[0], self.n[1]), self.n[2]))


def motion(state: State) -> Motion:
    turn = matrix(state.q[2:6])
    return Motion(state.q[:2], state.v[:2], turn[:, 2], turn @ np.cross(state.v[2:5], (0.0, 0.0, 1.0)))


def without_spin(state: State) -> State:
    """The same direction of the baton by the shortest turn from upright, and its rate, without spin."""
    n, rate = motion(state)[2:]
    q = np.array([1 + n[2], -n[1], n[0], 0.0])
    q /= np.sqrt(q @ q)
    w = matrix(q).T @ np.cross(n, rate)
    return State(state.time, np.concatenate([state.q[:2], q]), np.concatenate([state.v[:2], w]))


def upright(m: Mechanism, place: Array) -> State:
    return m.state({"rail": dict(displacement=place[0]), "cart": dict(displacement=place[1])})


def regulator(m: Mechanism, method: str, step: float, settings: Mapping[str, Any]) -> Regulator:
    """Holds the baton upright at the target: LQR from the derivative of the steps of one period."""
    target = upright(m, checks.vector("scenario", "control.target", settings["target"], 2))
    model = sampled(m, target, INPUTS, settings["period"], method, step).without(*SPIN)
    return Regulator(m, lqr(model.A, model.B, Q, R).gain, target, states=model.states)


def told(run: Run, target: Sequence[float]) -> str:
    """Where the cart and the baton are at the end, in words."""
    here, force = motion(run.final), np.abs(run.trajectory.inputs).max()
    off = float(np.hypot(*(here.x - target)))
    x, y = here.x
    return (
        f"At t = {run.final.time:g} s the cart is at ({x:.4f}, {y:.4f}), {1000 * off:.2g} mm from the target "
        f"({target[0]:g}, {target[1]:g}); the baton is {np.rad2deg(here.tilt):.2g} degrees off upright.\n"
        f"Largest force {force:.3g} N, work of the motors {run.work[-1]:.3g} J."
    )

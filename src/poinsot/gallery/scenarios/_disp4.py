"""4DISP: an inverted spherical pendulum (a baton) on a cart that moves in a plane (Beckman 2023).

world - slide along x (no mass) - slide along y (the cart) - ball joint - baton.  n = R e3 points from the
joint along the baton; m is its mass, l the distance of its centre of mass, I_p its inertia about the joint.
The spin of the baton about its own axis is decoupled from all other motion: the controllers ignore it.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.shapes.solids import Box, Cylinder
from poinsot.model.state import State
from poinsot.run.run import Run

if TYPE_CHECKING:
    from poinsot.control import Regulator

METHOD, STEP = "variational", 0.01
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
INPUTS = ("rail", "cart")
SPIN = ("baton.rotation[2]", "baton.angular_velocity[2]")
CONTROL = {"target": (2.0, -1.0), "period": 0.02}
Q = (4.0, 4.0, 30.0, 30.0, 1.0, 1.0, 1.0, 1.0)  # weights of position, tilt, and their rates
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
    """Return rot_x(first) rot_y(second) for angles in degrees."""
    a, b = np.deg2rad([first, second])
    c, s = np.cos([a, b]), np.sin([a, b])
    rot_x = np.array([[1, 0, 0], [0, c[0], -s[0]], [0, s[0], c[0]]])
    rot_y = np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]])
    return np.asarray(rot_x @ rot_y)


class Motion(NamedTuple):
    """A state in the variables of the controllers."""

    x: Array  # (2,) position of the cart
    u: Array  # its velocity
    n: Array  # (3,) direction of the baton
    rate: Array  # dn/dt

    @property
    def tilt(self) -> float:
        """Angle from upright, in radians."""
        return float(np.arctan2(np.hypot(self.n[0], self.n[1]), self.n[2]))


def motion(state: State) -> Motion:
    """Return cart and baton of a state."""
    rotation = matrix(state.q[2:6])
    rate = rotation @ np.cross(state.v[2:5], (0.0, 0.0, 1.0))
    return Motion(state.q[:2], state.v[:2], rotation[:, 2], rate)


def without_spin(state: State) -> State:
    """Return the state with the same direction of the baton, reached from upright without spin."""
    n, rate = motion(state)[2:]
    q = np.array([1 + n[2], -n[1], n[0], 0.0])
    q /= np.sqrt(q @ q)
    w = matrix(q).T @ np.cross(n, rate)
    return State(state.time, np.concatenate([state.q[:2], q]), np.concatenate([state.v[:2], w]))


def upright(m: Mechanism, place: Array) -> State:
    """Return the state at rest with the cart at `place` and the baton upright."""
    return m.state({"rail": dict(displacement=place[0]), "cart": dict(displacement=place[1])})


def regulator(m: Mechanism, method: str, step: float, settings: Mapping[str, Any]) -> "Regulator":
    """Return the LQR that holds the baton upright at the target, from the derivative of one period."""
    from poinsot.control import Regulator, lqr, sampled  # not above: the gallery is listed without them

    target = upright(m, checks.vector("scenario", "control.target", settings["target"], 2))
    model = sampled(m, target, INPUTS, settings["period"], method, step).without(*SPIN)
    return Regulator(m, lqr(model.A, model.B, Q, R).gain, target, states=model.states)


def ending(run: Run, target: Sequence[float]) -> str:
    """Describe where the cart and the baton are at the end."""
    here, force = motion(run.final), np.abs(run.trajectory.inputs).max()
    off = float(np.hypot(*(here.x - target)))
    x, y = here.x
    return (
        f"At t = {run.final.time:g} s the cart is at ({x:.4f}, {y:.4f}), {1000 * off:.2g} mm from the target "
        f"({target[0]:g}, {target[1]:g}); the baton is {np.rad2deg(here.tilt):.2g} degrees from upright.\n"
        f"The largest force was {force:.3g} N, the work of the motors {run.work[-1]:.3g} J."
    )

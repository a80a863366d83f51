"""4DISP: an inverted spherical pendulum (a baton) on a cart that moves in a plane (Beckman 2023).

world - slide along x (no mass) - slide along y (the cart) - ball joint - baton.  n = R e3 points from the
joint along the baton; m is its mass, l the distance of its centre of mass, I_p its inertia about the joint.
The spin of the baton about its own axis is decoupled from all other motion: the controllers ignore it.

Balanced, it is driven from tilts of 10 and 5 degrees to a target by discrete LQR at 50 Hz: the gain comes
from the derivative of the method's own steps over one period (`ps.control.sample_model`), the deviation from
the logarithm of the tilt.  Swung up from hanging, it is caught and driven to a target: energy shaping with
damping of the angular momentum about the vertical, in cart accelerations (horizontal parts):

    a = k_E (E - E*) n'/(1 + |n'|) + k_L L_z (-n_y, n_x) - k_x x - k_v x'                       (1)
    E = I_p |n'|^2/2 + m g l n_z,   E* = m g l,   L_z = I_p (n x n')_z                           (2)
    n'' = -|n'|^2 n - (m l/I_p) (1 - n n^T) (a + g e3)                                          (3)
    u = (M + m) a + m l n''                             partial feedback linearisation           (4)

E goes to E*, because E' = -m l a.n', and without the second term the baton circles around the top for ever.
Near the top the regulator takes over.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Controller, memory_of
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.shapes.solids import Box, Cylinder
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control import Regulator

METHOD, STEP = "variational", 0.01
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
INPUTS = ("rail", "cart")
SPIN = ("baton.rotation[2]", "baton.angular_velocity[2]")
CONTROL = {"target": (2.0, -1.0), "period": 0.02}
Q = (4.0, 4.0, 30.0, 30.0, 1.0, 1.0, 1.0, 1.0)  # weights of position, tilt, and their rates
R = (0.3, 0.3)
NEAR = 1e-3
K_E, K_L, K_X, K_V = 1.5, 3.0, 0.7, 1.0
CATCH_TILT, CATCH_RATE = 0.4, 1.5  # radians and 1/s below which the regulator takes over

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


def tilt(first: float, second: float) -> Array:
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
    from poinsot.control import Regulator, lqr, sample_model  # not above: the gallery is listed without them

    target = upright(m, checks.vector("scenario", "control.target", settings["target"], 2))
    model = sample_model(m, target, INPUTS, period=settings["period"], method=method, step=step).without(
        *SPIN
    )
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


def balance(m: Mechanism, method: str, step: float, settings: Mapping[str, Any]) -> Controller:
    """Return the controller: the regulator on the state without spin."""
    feedback = regulator(m, method, step, settings)

    def balance(t: float, state: State, memory: Any) -> Any:
        return feedback.force(without_spin(state)), memory

    return Controller(balance, settings["period"], INPUTS)


def balance_story(run: Run, settings: Mapping[str, Any]) -> str:
    """Describe the run."""
    worst = np.rad2deg(max(motion(state).tilt for state in run.trajectory.states()))
    x = np.hstack([run.joint("rail"), run.joint("cart")]) - settings["target"]
    far = np.flatnonzero(np.hypot(x[:, 0], x[:, 1]) > NEAR)
    first = int(far[-1]) + 1 if len(far) else 0
    when = (
        f"within 1 mm of the target from t = {run.time[first]:.2f} s on"
        if first < len(x)
        else "the target was not reached"
    )
    return f"The tilt was never above {worst:.3g} degrees; {when}.\n{ending(run, settings['target'])}"


BALANCE = Recipe(
    title="4DISP: balanced on its cart and driven to a target",
    bodies=BODIES,
    start={"baton": {"rotation": tilt(10.0, 5.0)}},
    step=STEP,
    until=16.0,
    method=METHOD,
    control=CONTROL,
    controller=balance,
    story=balance_story,
    notes="LQR from the derivative of the discrete step, held for 20 ms; control.target is where to go.",
)


class SwingUp:
    """The control law (1) to (4) for the masses of a mechanism."""

    def __init__(self, m: Mechanism) -> None:
        baton, self.g = m.link("baton").body, float(-m.gravity[2])
        length = float(m.link("baton").body_at[2])
        self.ml, self.inertia = baton.mass * length, float(baton.inertia[0, 0]) + baton.mass * length**2
        self.mass = m.link("cart").body.mass + baton.mass
        self.gains = np.array([K_E, K_L, K_X, K_V])

    @property
    def identity(self) -> str:
        """Identifies this law in the memory of a run (`model.identity`)."""
        return repr((self.g, self.ml, self.inertia, self.mass, self.gains.tolist()))

    def force(self, state: State) -> Array:
        """Return the force (4) on the cart."""
        x, u, n, rate = motion(state)
        k_E, k_L, k_x, k_v = self.gains
        excess = self.inertia * (rate @ rate) / 2 + self.ml * self.g * (n[2] - 1)  # (2)
        around = self.inertia * (n[0] * rate[1] - n[1] * rate[0])
        a = k_E * excess * rate[:2] / (1 + np.sqrt(rate @ rate)) - k_x * x - k_v * u  # (1)
        a = a + k_L * around * np.array([-n[1], n[0]])
        pull = np.array([a[0], a[1], self.g])
        bend = -(rate @ rate) * n - self.ml / self.inertia * (pull - (pull @ n) * n)  # (3)
        return np.asarray(self.mass * a + self.ml * bend[:2])  # (4)


def swing_up(m: Mechanism, method: str, step: float, settings: Mapping[str, Any]) -> Controller:
    """Return the controller; its memory is the time at which the baton was caught."""
    feedback, swing = regulator(m, method, step, settings), SwingUp(m)

    def swing_up(t: float, state: State, memory: float | None) -> Any:
        here = motion(state)
        if memory is None and here.tilt < CATCH_TILT and here.rate @ here.rate < CATCH_RATE**2:
            memory = t
        return swing.force(state) if memory is None else feedback.force(without_spin(state)), memory

    return Controller(swing_up, settings["period"], INPUTS, memory=None)


def swing_story(run: Run, settings: Mapping[str, Any]) -> str:
    """Describe the run."""
    caught = memory_of(run.final)
    if caught is None:
        return f"The baton was not caught.\n{ending(run, settings['target'])}"
    far = np.abs(run.trajectory.q[:, :2]).max()
    return (
        f"The baton was swung up and caught at t = {caught:.2f} s; the cart moved up to {far:.2g} m away.\n"
        f"{ending(run, settings['target'])}"
    )


SWINGUP = Recipe(
    title="4DISP: swung up from hanging, caught, driven to a target",
    bodies=BODIES,
    start={"baton": {"rotation": tilt(170.0, 0.0), "angular_velocity": (0.0, 0.6, 0.0)}},
    step=STEP,
    until=20.0,
    method=METHOD,
    control=CONTROL,
    controller=swing_up,
    story=swing_story,
    notes="Energy shaping with damping of the angular momentum, then the regulator of 4disp-balance.",
)


RECIPES = {"4disp-balance": BALANCE, "4disp-swingup": SWINGUP}

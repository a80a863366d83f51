"""A unicycle that balances: a wheel that rolls, a frame above it, and a flywheel across.

Upright at rest its linear model is two that do not know of each other, both unstable: forwards, a pole on a
wheel (input: the torque of the axle); aside, a pole that leans about the line of contact (input: the torque
of the flywheel).  A discrete linear-quadratic regulator holds it; the model is the derivative of the steps
of the method over a period, with the contact.  The heading is free: nothing acts on it, and the regulator
sees the state turned back to the heading 0, with the angle of the wheel for the way.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.model.contacts import Rolling
from poinsot.model.controller import Controller
from poinsot.model.loops import Loop
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.composite import Shapes
from poinsot.model.shapes.solids import Box, Wheel
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

RADIUS, HEIGHT, ABOVE = 0.25, 0.45, 0.7  # wheel; mass center of the frame and flywheel above the axle [m]
LEAN, PITCH = np.deg2rad([2.0, 8.0])  # at the start
ACROSS = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)  # from the axis z of a shape to x
INPUTS = ("wheel", "flywheel")
FREE = ("frame.rotation[2]", "frame.position[0]", "frame.position[1]", "frame.angular_velocity[2]")
Q = (
    100.0,
    10.0,
    0.3,
    0.1,
    10.0,
    1.0,
    1.0,
    0.01,
)  # lean, pitch, wheel, flywheel; rates, of the frame forwards
R = (0.5, 0.5)


def ground() -> list[Loop]:
    """Return the contact of the wheel."""
    return [Rolling("wheel", Wheel(RADIUS), axis=(0, 1, 0), friction=0.6, name="ground")]


def upright(m: Mechanism) -> Any:
    """Return the state at rest that is held."""
    return m.state({"frame": {"position": (0.0, 0.0, RADIUS + HEIGHT)}})


def balance(m: Mechanism, method: str, step: float, settings: Mapping[str, Any]) -> Controller:
    """Return the regulator."""
    from poinsot.control import Regulator, lqr, sample_model  # not above: the gallery is listed without them

    target, period = upright(m), settings["period"]
    model = sample_model(m, target, INPUTS, period=period, method=method, step=step).without(*FREE)
    hold = Regulator(m, lqr(model.A, model.B, Q, R).gain, target, states=model.states)

    def balance(t: float, state: State, memory: Any) -> Any:
        return hold.force(turn_back(state)), memory

    return Controller(balance, period, INPUTS)


def turn_back(state: State) -> State:
    """Return the state with the frame turned about the vertical to the heading 0."""
    w, x, y, z = state.q[3:7]
    half = np.arctan2(2 * (x * y + w * z), w * w + x * x - y * y - z * z) / 2
    c, s = np.cos(half), np.sin(half)
    q = state.q.copy()
    q[3:7] = c * w + s * z, c * x + s * y, c * y - s * x, c * z - s * w
    return State(state.time, q, state.v)


def forces() -> list[Mapping[str, Any]]:
    """Return a push aside and from behind, and the resistance of the tire against turning on the spot."""
    blow = "exp(-((t - PUSH)/0.1)*((t - PUSH)/0.1))"
    still = ["0.0", "0.0", "0.0"]
    return [
        {
            "kind": "Wrench",
            "body": "frame",
            "torque": still,
            "force": [f"FORWARDS*{blow}", f"ASIDE*{blow}", "0.0"],
            "at": (0.0, 0.0, HEIGHT),
            "frame": "body",
            "parameters": {"PUSH": 4.0, "FORWARDS": 25.0, "ASIDE": 10.0},
            "name": "push",
        },
        {
            "kind": "Torque",
            "body": "frame",
            "torque": ["0.0", "0.0", "-DRILL*(R[2, 0]*w[0] + R[2, 1]*w[1] + R[2, 2]*w[2])"],
            "parameters": {"DRILL": 0.3},
            "name": "tire",
        },
    ]


def story(run: Run, settings: Mapping[str, Any]) -> str:
    """Describe the run."""
    tilt = np.rad2deg(np.arccos(np.clip(run.rotation("frame")[:, 2, 2], -1.0, 1.0)))
    pushed = run.time > 3.5
    axle, fly = np.abs(run.trajectory.inputs).max(axis=0)
    return (
        f"It started {tilt[0]:.1f} degrees from upright; the push at 4 s tilted it by "
        f"{tilt[pushed].max():.1f} degrees, and it ends {tilt[-1]:.1g} degrees from upright. "
        f"The axle had at most {axle:.2g} N m, the flywheel {fly:.2g} N m."
    )


RECIPE = Recipe(
    title="Unicycle that balances on one wheel",
    bodies={
        "frame": {
            "mass": 4.0,
            "inertia": (0.20, 0.19, 0.03),
            "center_of_mass": (0.0, 0.0, HEIGHT),
            "shape": Box((0.06, 0.1, 0.8)),
            "joint": "free",
        },
        "wheel": {
            "mass": 1.2,
            "inertia": (0.0375, 0.075, 0.0375),
            "joint": {"kind": "revolute", "axis": (0.0, 1.0, 0.0)},
            "parent": "frame",
        },
        "flywheel": {
            "mass": 2.0,
            "inertia": (0.1, 0.05, 0.05),
            "shape": Shapes([(Wheel(0.21, 0.02), (0.0, 0.0, 0.0), ACROSS)]),
            "joint": {"kind": "revolute", "axis": (1.0, 0.0, 0.0)},
            "parent": "frame",
            "at": (0.0, 0.0, ABOVE),
        },
    },
    loops=ground,
    forces=forces,
    start={
        "frame": {
            "q": (
                0.0,
                -RADIUS * np.sin(LEAN),
                RADIUS * np.cos(LEAN),
                np.cos(LEAN / 2) * np.cos(PITCH / 2),
                np.sin(LEAN / 2) * np.cos(PITCH / 2),
                np.cos(LEAN / 2) * np.sin(PITCH / 2),
                np.sin(LEAN / 2) * np.sin(PITCH / 2),
            ),
            "v": (0.0,) * 6,
        }
    },
    step=0.005,
    until=10.0,
    method="rk4",
    control={"period": 0.01},
    controller=balance,
    story=story,
    notes="It starts tilted, and at 4 s it is pushed. One torque in the axle, one in the flywheel across.",
)
RECIPES = {"unicycle": RECIPE}

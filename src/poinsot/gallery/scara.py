"""A SCARA arm draws a line with its tool, controlled in its joints or at its tool (Konz)."""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery import tracking
from poinsot.gallery.tracking import Settings, about, oscillator, point
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Box
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control import Pair
    from poinsot.control.references.motions import Reference

L1, L2, Z = 0.3, 0.2, (0.0, 0.0, 1.0)
JOINT, TOOL = 1.0, 160.0  # kg m^2 about each joint, or kg at the tool


def tool(q: Array) -> Array:
    """Return the position of the tool from the two angles, (..., 2)."""
    a, b = q[..., 0], q[..., 0] + q[..., 1]
    return np.stack([L1 * np.cos(a) + L2 * np.cos(b), L1 * np.sin(a) + L2 * np.sin(b)], axis=-1)


def inverse(r: Array) -> tuple[Array, Array, Array]:
    """Return the angles, with a negative one at the elbow, and their derivatives from those of the tool."""
    x, y = r[0]
    elbow = -np.arccos((x * x + y * y - L1**2 - L2**2) / (2 * L1 * L2))
    first = np.arctan2(y, x) - np.arctan2(L2 * np.sin(elbow), L1 + L2 * np.cos(elbow))
    q = np.array([first, elbow])

    c1, c2, s1, s2 = (f(x) for f in (np.cos, np.sin) for x in (first, first + elbow))
    J = np.array([[-L1 * s1 - L2 * s2, -L2 * s2], [L1 * c1 + L2 * c2, L2 * c2]])
    v = np.linalg.solve(J, r[1])
    p, s = v[0], v[0] + v[1]
    curved = np.array([-L1 * c1 * p * p - L2 * c2 * s * s, -L1 * s1 * p * p - L2 * s2 * s * s])  # J' v
    return q, v, np.linalg.solve(J, r[2] - curved)


def reference() -> "Reference":
    """Return the line from (0.4, 0.2) to (-0.4, 0.2) m between 1 s and 4 s."""
    from poinsot.control.references import rest_to_rest  # the gallery is listed without it

    line = rest_to_rest([0.4, 0.2], [(1.0, 3.0, [-0.4, 0.2])], degree=5)

    def motion(t: float) -> tuple[State, Array]:
        q, v, a = inverse(line(t))
        return State(t, q, v), a

    return motion


def pairs(space: str) -> "list[Pair]":
    """Return the pairs of the template in the space of the joints or of the tool."""
    from poinsot.control import Pair  # the gallery is listed without it

    if space == "tool":
        return [Pair("forearm", "world", *(point(x, (L2, 0.0, 0.0)) for x in oscillator(TOOL, 4.0)))]
    each = [about(Z, x) for x in oscillator(JOINT, 4.0)]
    return [Pair("arm", "world", *each), Pair("forearm", "arm", *each)]


def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
    """Return the tracking law."""
    space = tracking.choose(settings, "space", "joint", "tool")
    return tracking.track(m, settings["law"], pairs(space), reference(), ["arm", "forearm"], period=period)


def story(run: Run, settings: Settings) -> str:
    """Describe the run."""
    line = reference()
    error = np.linalg.norm(
        tool(run.trajectory.q) - [tool(np.array(line(float(t))[0].q)) for t in run.time], axis=1
    )
    first, elbow = np.rad2deg(run.final.q)
    side = "second" if elbow > 0 else "first"
    return (
        f"The tool started {100 * error[0]:.0f} cm off; {tracking.arrival(run, error, 1e-3)}. "
        f"The arm ends at {first:.2f} and {elbow:.2f} degrees, in the {side} of its two positions."
    )


RECIPE = Recipe(
    title="SCARA: a line in joint space or in tool space",
    gravity=(0.0, 0.0, 0.0),
    bodies={
        "arm": {
            "mass": 1.0,
            "inertia": (1e-3, 0.0075, 0.0075),
            "center_of_mass": (L1 / 2, 0.0, 0.0),
            "shape": Box((L1, 0.05, 0.04)),
            "joint": {"kind": "revolute", "axis": Z},
        },
        "forearm": {
            "mass": 2.0,
            "inertia": (1e-3, 2.0 * L2**2 / 12, 2.0 * L2**2 / 12),
            "center_of_mass": (L2 / 2, 0.0, 0.0),
            "shape": Box((L2, 0.04, 0.03)),
            "joint": {"kind": "revolute", "axis": Z},
            "parent": "arm",
            "at": (L1, 0.0, 0.0),
        },
    },
    start={"arm": {"angle": -np.pi / 6}, "forearm": {"angle": np.pi / 2}},
    step=0.005,
    until=5.0,
    method="rk4",
    control={"period": 0.005, "law": "body", "space": "joint"},
    controller=tracking.controller_of(law),
    reference={"coordinates at 1, continuous loop": (0.647525724406, 0.117281521448)},
    story=story,
    notes="control.space is 'joint' or 'tool': in tool space the arm ends in the other of its two positions.",
)
RECIPES = {"scara": RECIPE}

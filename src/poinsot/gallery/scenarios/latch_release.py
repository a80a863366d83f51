"""A pendulum that a latch holds, releases at 0.5 s, and catches when it comes back: an event that stops."""

from collections.abc import Mapping
from math import sin
from typing import TYPE_CHECKING, Any

from poinsot.gallery.scenario import Recipe
from poinsot.model.event import Event
from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import JointTorque
from poinsot.model.shapes.solids import Capsule

if TYPE_CHECKING:
    from poinsot.run.run import Run

ANGLE, RELEASE = 1.0, 0.5
HELD = 9.81 * 0.5 * sin(ANGLE)  # N m that balance gravity: 1 kg at 0.5 m


def latch(t: float, q: Any, v: Any) -> Any:
    """Return the torque of the latch."""
    return HELD if t < RELEASE else 0.0


def forces() -> list[Force]:
    """Return the forces of the scenario."""
    return [JointTorque("arm", latch, switches=(RELEASE,))]


def events() -> list[Event]:
    """Return the events of the scenario: at rest in the latch, the rate is nothing but rounding."""
    return [
        Event("arm.angle", name="bottom"),
        Event("arm.rate if t > 0.6 else -1", direction=-1, stop=True, name="caught"),
    ]


def story(run: "Run", settings: Mapping[str, Any]) -> str:
    """Return when the pendulum passed the bottom, and when it was caught."""
    passes = ", ".join(f"{time:.4f}" for time in run.events["bottom"].times.tolist())
    caught = f"caught at {run.final.time:.4f} s" if run.stopped else "not caught yet"
    return f"released at {RELEASE} s, through the bottom at {passes} s, {caught}"


RECIPE = Recipe(
    title="Pendulum released from a latch",
    bodies={
        "arm": {
            "mass": 1.0,
            "inertia": (0.1, 0.1, 0.002),
            "center_of_mass": (0, 0, -0.5),
            "joint": {"kind": "revolute", "axis": (0, 1, 0)},
            "shape": Capsule(0.05, 0.9),
        }
    },
    start={"arm": {"angle": ANGLE}},
    step=0.01,
    until=4.0,
    forces=forces,
    events=events,
    story=story,
    notes="Its period is an elliptic integral; friction would keep it from the latch.",
    reference={  # 0.5 + T/4, 3T/4 and T, T = 4 K(sin 0.5) sqrt(I/(m g l))
        "bottom": (0.9474327304108678, 1.8422981912326033),
        "caught": (2.2897309216434714,),
    },
)

"""A pendulum that a latch holds, releases at 0.5 s, and catches when it comes back: events on a loop."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from poinsot.elementary.trigonometry import sincos
from poinsot.gallery.scenario import Recipe
from poinsot.model.event import Event
from poinsot.model.joints import Fixed
from poinsot.model.loops import Loop
from poinsot.model.shapes.solids import Capsule

if TYPE_CHECKING:
    from poinsot.run.run import Run

ANGLE, RELEASE = 1.0, 0.5


def loops() -> list[Loop]:
    """Return the latch: it holds the arm at its angle."""
    s, c = sincos(ANGLE / 2)
    return [Loop("world", "arm", Fixed(), rotation_a=(float(c), 0.0, float(s), 0.0), name="latch")]


def events() -> list[Event]:
    """Return the events of the scenario: an event that latches a loop happens while the loop is open."""
    return [
        Event(f"t - {RELEASE}", release="latch", name="released"),
        Event("arm.angle", name="bottom"),
        Event("arm.rate", direction=-1, latch="latch", name="caught"),
    ]


def story(run: "Run", settings: Mapping[str, Any]) -> str:
    """Return when the pendulum passed the bottom, and when it was caught."""
    passes = ", ".join(f"{time:.4f}" for time in run.events["bottom"].times.tolist())
    times = run.events["caught"].times.tolist()
    caught = f"caught at {times[0]:.4f} s" if times else "not caught yet"
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
    method="variational6",
    loops=loops,
    events=events,
    story=story,
    notes="Its period is an elliptic integral; friction would keep it from the latch.",
    reference={  # 0.5 + T/4, 3T/4 and T, T = 4 K(sin 0.5) sqrt(I/(m g l))
        "bottom": (0.9474327304108678, 1.8422981912326033),
        "caught": (2.2897309216434714,),
    },
)

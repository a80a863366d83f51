"""Events: a spinning ball that falls on a smooth floor and keeps four fifths of its speed (a reset), and a
pendulum that a latch holds, releases at 0.5 s, and catches when it comes back (a loop)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from poinsot.elementary.trigonometry import sincos
from poinsot.model.event import Event
from poinsot.model.joints import Fixed
from poinsot.model.loops import Loop
from poinsot.model.shapes.solids import Capsule, Sphere
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.run.run import Run

RADIUS, RESTITUTION = 0.1, 0.8
ANGLE, RELEASE = 1.0, 0.5


def bounces() -> list[Event]:
    """Return the bounce."""
    up = {"ball.velocity[2]": "-restitution * ball.velocity[2]"}
    numbers = {"radius": RADIUS, "restitution": RESTITUTION}
    return [Event("ball.position[2] - radius", direction=-1, reset=up, name="bounce", parameters=numbers)]


def bounce_story(run: "Run", settings: Mapping[str, Any]) -> str:
    """Return when the ball bounced."""
    times = run.events["bounce"].times.tolist()
    return f"the ball bounced {len(times)} times, at t = {', '.join(f'{time:.4f}' for time in times)} s"


BALL = Recipe(
    title="Bouncing ball",
    bodies={"ball": {"mass": 0.5, "inertia": (2e-3, 2e-3, 2e-3), "shape": Sphere(RADIUS), "joint": "free"}},
    start={"ball": {"position": (0, 0, 1 + RADIUS), "velocity": (0.4, 0, 0), "angular_velocity": (0, 3, 1)}},
    step=0.02,
    until=3.0,
    events=bounces,
    story=bounce_story,
    notes="Flights are parabolas: the times of the bounces are a geometric series, which ends at t = 4.06 s.",
    reference={  # sqrt(2/g) (1 + 2 sum 0.8^k)
        "bounce": (
            0.4515236409857309,
            1.1739614665629003,
            1.751911727024636,
            2.2142719353940246,
            2.5841601020895357,
            2.880070635445944,
        )
    },
)


def latch() -> list[Loop]:
    """Return the latch: it holds the arm at its angle."""
    s, c = sincos(ANGLE / 2)
    return [Loop("world", "arm", Fixed(), rotation_a=(float(c), 0.0, float(s), 0.0), name="latch")]


def catches() -> list[Event]:
    """Return the events: one that latches a loop happens while the loop is open."""
    return [
        Event(f"t - {RELEASE}", release="latch", name="released"),
        Event("arm.angle", name="bottom"),
        Event("arm.rate", direction=-1, latch="latch", name="caught"),
    ]


def latch_story(run: "Run", settings: Mapping[str, Any]) -> str:
    """Return when the pendulum passed the bottom, and when it was caught."""
    passes = ", ".join(f"{time:.4f}" for time in run.events["bottom"].times.tolist())
    times = run.events["caught"].times.tolist()
    caught = f"caught at {times[0]:.4f} s" if times else "not caught yet"
    return f"released at {RELEASE} s, through the bottom at {passes} s, {caught}"


LATCH = Recipe(
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
    loops=latch,
    events=catches,
    story=latch_story,
    notes="Its period is an elliptic integral; friction would keep it from the latch.",
    reference={  # 0.5 + T/4, 3T/4 and T, T = 4 K(sin 0.5) sqrt(I/(m g l))
        "bottom": (0.9474327304108678, 1.8422981912326033),
        "caught": (2.2897309216434714,),
    },
)

RECIPES = {"bouncing-ball": BALL, "latch-release": LATCH}

"""A spinning ball that falls on a smooth floor and keeps four fifths of its speed: an event with a reset."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from poinsot.gallery.scenario import Recipe
from poinsot.model.event import Event
from poinsot.model.shapes.solids import Sphere

if TYPE_CHECKING:
    from poinsot.run.run import Run

RADIUS, RESTITUTION = 0.1, 0.8


def events() -> list[Event]:
    """Return the events of the scenario."""
    up = {"ball.velocity[2]": "-restitution * ball.velocity[2]"}
    numbers = {"radius": RADIUS, "restitution": RESTITUTION}
    return [Event("ball.position[2] - radius", direction=-1, reset=up, name="bounce", parameters=numbers)]


def story(run: "Run", settings: Mapping[str, Any]) -> str:
    """Return when the ball bounced."""
    times = run.events["bounce"].times.tolist()
    return f"the ball bounced {len(times)} times, at t = {', '.join(f'{time:.4f}' for time in times)} s"


RECIPE = Recipe(
    title="Bouncing ball",
    bodies={"ball": {"mass": 0.5, "inertia": (2e-3, 2e-3, 2e-3), "shape": Sphere(RADIUS), "joint": "free"}},
    start={"ball": {"position": (0, 0, 1 + RADIUS), "velocity": (0.4, 0, 0), "angular_velocity": (0, 3, 1)}},
    step=0.02,
    until=3.0,
    events=events,
    story=story,
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

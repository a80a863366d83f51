"""A spinning ball that falls on a smooth floor and keeps four fifths of its speed: an event with a reset."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from poinsot.elementary.linear import product
from poinsot.gallery.scenario import Recipe
from poinsot.model.event import Event
from poinsot.model.rotations import matrix
from poinsot.model.shapes.solids import Sphere
from poinsot.model.state import State

if TYPE_CHECKING:
    from poinsot.run.run import Run

RADIUS, RESTITUTION = 0.1, 0.8


def bounced(state: State) -> State:
    """Reverse the vertical velocity; v is (angular velocity, velocity) in the axes of the body."""
    R, v = matrix(state.q[3:]), state.v.copy()
    u = product(R, v[3:])
    u[2] *= -RESTITUTION
    v[3:] = product(R.T, u)
    return State(state.time, state.q, v)


def events() -> list[Event]:
    """Return the events of the scenario."""
    return [Event(f"ball.position[2] - {RADIUS}", direction=-1, reset=bounced, name="bounce")]


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

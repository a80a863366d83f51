"""What a controller exerts on a mechanism in a run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.inputs.hold import Held

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


class Control(NamedTuple):
    """The forces of a controller: they belong to a run, and stand beside those of its mechanism."""

    forces: tuple[Held | FeedbackForce, ...] = ()  # one for each input; of a continuous controller its law
    names: tuple[str, ...] = ()  # of the inputs in a run
    place: tuple[object, ...] = ()  # where they act: forces with the same places are compiled to the same
    inside: bool = True  # they act between bodies of the mechanism only
    bounds: tuple[tuple[float, float], ...] = ()  # smallest and largest value of each input of a controller
    identity: str = ""  # of the controller
    law: FeedbackForce | None = None  # of a continuous controller

    @property
    def held(self) -> bool:
        """True if there are inputs that are held from tick to tick."""
        return bool(self.forces) and self.law is None

    def holds(self, mechanism: "Mechanism") -> list[Held]:
        """Return the forces of all inputs; those of a continuous controller as if they were held."""
        if self.law is not None:
            return [one.hold(mechanism) for one in self.law.feedback.inputs]
        return [force for force in self.forces if not isinstance(force, FeedbackForce)]


NO_CONTROL = Control()


def control_of(forces: Sequence[Held], mechanism: "Mechanism") -> Control:
    """Return the control of forces that are held."""
    return Control(
        tuple(forces),
        tuple(name for force in forces for name in force.names),
        tuple(force.place for force in forces),
        all(force.inside(mechanism) for force in forces),
    )

"""Forces that a controller holds constant over a period (zero-order hold, `Tree.hold`)."""

from poinsot.model.checks import Array
from poinsot.model.forces.force import BodyForce, Element, JointForce, Seats

HOLD_NUMBERS = 5  # numbers of an input: the value, and its derivatives along four directions


class Hold(JointForce):
    """A joint force that a controller sets."""

    components: tuple[int, ...]
    reads_velocity = False

    @property
    def label(self) -> str:
        return f"controller's force at '{self.joint}'"

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each input in a run."""
        return (self.joint,) * len(self.components)

    @property
    def place(self) -> tuple[object, ...]:
        """Where it acts: forces with the same places are compiled to the same."""
        return self.joint, self.components

    def elements(self, places: Seats) -> list[Element]:
        _, _, v = places.joints[self.joint]
        return [Element("hold", 0, v + j, [0.0] * HOLD_NUMBERS) for j in self.components]


class HoldWrench(BodyForce):
    """Wrenches fixed in a body that a controller sets: u_1 w_1 + ... + u_k w_k (`compile.functions.held`)."""

    key: str  # name of the inputs in a run
    wrenches: Array  # (k, 6), about the origin of the body frame
    reads_velocity = False

    @property
    def label(self) -> str:
        return f"controller's wrench on '{self.body}'"

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each input in a run."""
        return (self.key,) * len(self.wrenches)

    @property
    def place(self) -> tuple[object, ...]:
        """Where it acts: forces with the same places are compiled to the same."""
        return self.body, self.wrenches.tobytes()


Held = Hold | HoldWrench

"""A loop: two bodies of a mechanism that are held together by one more joint.

    m.close(ps.Loop("rod", "world", ps.Revolute((0, 1, 0)), at_a=(0, 0, -1), at_b=(1, 0, 0)))

The joint frame sits in the body frame of a at (`at_a`, `rotation_a`), the frame that it carries in that of b
at (`at_b`, `rotation_b`); "world" is a body.
"""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.closings import JOINTS, Closing, Place, Row, rows
from poinsot.model.forces.elements import Places
from poinsot.model.joint import Free, Joint
from poinsot.model.rotations import matrix


@dataclass(frozen=True, init=False, eq=False)
class Loop:
    """Closes a loop between the bodies a and b; rotations as quaternions."""

    a: str
    b: str
    joint: Joint | Closing
    at_a: Array
    at_b: Array
    rotation_a: Array
    rotation_b: Array
    name: str

    def __init__(
        self, a: str, b: str, joint: Joint | Closing,
        at_a: ArrayLike = (0.0, 0.0, 0.0), at_b: ArrayLike = (0.0, 0.0, 0.0),
        rotation_a: ArrayLike | None = None, rotation_b: ArrayLike | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        called = f"{a}-{b}" if name is None else name
        if not isinstance(called, str) or not called:
            raise ModelError(f"loop from {a!r} to {b!r}: name must be a word, got {show(name)}")
        if not called.isprintable():
            raise ModelError(f"loop {called!r}: a name has printable characters only")
        who = f"loop '{called}'"
        if a == b:
            raise ModelError(f"{who}: must lie between two bodies, got {a!r} twice")
        if isinstance(joint, Free):
            raise ModelError(f"{who}: a Free joint closes nothing")
        if not isinstance(joint, JOINTS):
            hint = ", write it with brackets" if isinstance(joint, type) else ""
            raise ModelError(f"{who}: expected a joint such as Spherical(), got {show(joint)}{hint}")
        vars(self).update(
            a=a, b=b, joint=joint, name=called,
            at_a=checks.vector(who, "at_a", at_a), at_b=checks.vector(who, "at_b", at_b),
            rotation_a=checks.rotation(who, "rotation_a", rotation_a),
            rotation_b=checks.rotation(who, "rotation_b", rotation_b),
        )  # fmt: skip

    @property
    def label(self) -> str:
        """For messages."""
        return f"loop '{self.name}'"

    def place(self, places: Places, side: str) -> Place:
        """The joint's frame on side "a" or "b", in the frame of the link there."""
        body, at, turn = (getattr(self, word) for word in (side, f"at_{side}", f"rotation_{side}"))
        seat = places.bodies[body]
        return Place(seat.R @ matrix(turn), seat.r + seat.R @ at)

    def rows(self, places: Places) -> list[Row]:
        """What is zero where the loop is closed."""
        return rows(self.joint, self.place(places, "a"), self.place(places, "b"))

    def __str__(self) -> str:
        ends = [
            f"'{body}'{f' at {show(at)}' if at.any() else ''}"
            for body, at in ((self.a, self.at_a), (self.b, self.at_b))
        ]
        return f"{self.label}: {ends[0]} to {ends[1]}, {self.joint}"

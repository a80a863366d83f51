"""Forces between two bodies; "world" is a body."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.forces.force import WORLD, Force

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


@dataclass(frozen=True, init=False, eq=False)
class Pair(Force):
    """A force between the bodies a and b."""

    a: str
    b: str

    def _set(self, a: str, b: str) -> None:
        kind = type(self).__name__.lower()
        vars(self).update(a=checks.text(kind, "a", a), b=checks.text(kind, "b", b))
        if a == b:
            raise ModelError(f"{self.label}: must lie between two bodies")

    @property
    def bodies(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the two bodies."""
        return self.a, self.b

    def inside(self, mechanism: "Mechanism") -> bool:
        return WORLD not in self.bodies

    @property
    def label(self) -> str:
        return f"{type(self).__name__.lower()} from '{self.a}' to '{self.b}'"

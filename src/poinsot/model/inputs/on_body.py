"""What the inputs that act on one body share."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.fields import Declared, field
from poinsot.model.inputs.hold import HoldWrench
from poinsot.model.inputs.input import Input

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


def _body_name(who: str, what: str, body: object) -> str:
    if not isinstance(body, str):
        raise ModelError(f"{who}: {what} must be the name of a body, got {show(body)}")
    return body


class OnBody(Input, Declared):
    """An input whose unit values are wrenches fixed in a body."""

    by_value = True
    noun: ClassVar[str]  # what it is called in messages
    body: str = field("name of the body", _body_name, "name")

    @property
    def _kind(self) -> str:
        return self.noun

    @property
    def _who(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """Name of the input for messages."""
        return f"{self.noun} on '{self.body}'"

    @property
    def key(self) -> str:
        """Name of the input in a run: its own, or that of the body."""
        return self.body if self.name is None else self.name

    @property
    @abstractmethod
    def wrenches(self) -> Array:
        """Wrench (torque, force) of each unit input about the origin of the body frame, (k, 6)."""

    def count(self, mechanism: "Mechanism") -> int:
        known = checks.mechanism(self.label, mechanism).names
        if self.body not in known:
            raise ModelError(f"{self.label}: unknown body{checks.suggestion(self.body, known)}")
        return len(self.wrenches)

    def columns(self, mechanism: "Mechanism", jacobians: Mapping[str, Array]) -> Array:
        return jacobians[self.body].T @ self.wrenches.T

    def hold(self, mechanism: "Mechanism") -> HoldWrench:
        self.count(mechanism)
        return HoldWrench(self.body, self.key, self.wrenches)

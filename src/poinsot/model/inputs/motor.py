"""A motor at a joint."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.fields import Declared, field
from poinsot.model.inputs.hold import Hold
from poinsot.model.inputs.input import Input, LimitField, check_limit

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


def _joint(who: str, what: str, joint: Any) -> str:
    if not isinstance(joint, str):
        raise ModelError(f"an actuator needs the name of a joint, got {show(joint)}")
    return joint


def _component(who: str, what: str, component: Any) -> Any:
    if not isinstance(component, int | np.integer) or component < 0:
        raise ModelError(f"{who}: component must be a whole number from 0, got {show(component)}")
    return component


class Actuator(Input, Declared):
    """A motor at a joint: an input of a `Controller`.

    >>> ps.Actuator("arm", limit=5)
    Actuator(joint='arm', component=None, limit=5.0)
    """

    by_value = True
    joint: str = field("name of the body that the joint carries", _joint, "name")
    component: int | None = field(
        "index of the one velocity of the joint that the motor drives; by default all of them",
        _component,
        "whole",
        default=None,
    )
    limit: LimitField = field(
        "largest absolute force or torque of each component, or its bounds (low, high)",
        check_limit,
        "limit",
        unit="N or N m",
        default=None,
    )

    @property
    def _who(self) -> str:
        return f"actuator at {show(self.joint)}"

    @property
    def label(self) -> str:
        """Name of the input for messages."""
        return f"actuator at '{self.joint}'"

    @property
    def key(self) -> str:
        """Name of the input in a run: that of the joint."""
        return self.joint

    def components(self, mechanism: "Mechanism") -> list[int]:
        """Return the indices of the velocities of the joint that this motor drives."""
        who = f"actuator at {show(self.joint)}"
        known = checks.mechanism(who, mechanism).names
        if self.joint not in known:
            raise ModelError(f"{who}: unknown joint{checks.suggestion(self.joint, known)}")
        n = mechanism.link(self.joint).joint.nv
        if n == 0:
            raise ModelError(f"{who}: a Fixed joint does not move")
        if self.component is None:
            return list(range(n))
        if self.component >= n:
            raise ModelError(f"{who}: component must be below {n}, got {self.component}")
        return [int(self.component)]

    def count(self, mechanism: "Mechanism") -> int:
        return len(self.components(mechanism))

    def columns(self, mechanism: "Mechanism", jacobians: Mapping[str, Array]) -> Array:
        begin = mechanism.slices(self.joint)[1].start
        return np.eye(mechanism.lengths[1])[:, [begin + j for j in self.components(mechanism)]]

    def hold(self, mechanism: "Mechanism") -> Hold:
        return Hold(self.joint, tuple(self.components(mechanism)))

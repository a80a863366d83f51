"""A motor at a joint."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.inputs.held import Hold
from poinsot.model.inputs.input import Input, Limit, checked_limit

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


@dataclass(frozen=True)
class Actuator(Input):
    """A motor at a joint: an input of a `Controller`.

    Parameters
    ----------
    joint : str
        Name of the body that the joint carries.
    component : int, optional
        Index of the one velocity of the joint that the motor drives.  Default: all of them.
    limit : float or (low, high), optional
        Largest absolute force (N) or torque (N m) of each component, or its bounds.  Default: no limit.

    Raises
    ------
    ModelError
        If `joint` is not a name, `component` is not a whole number from 0, or `limit` is not positive.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Actuator("arm", limit=5)
    Actuator(joint='arm', component=None, limit=5.0)
    """

    joint: str
    component: int | None = None
    limit: float | Limit | None = None

    def __post_init__(self) -> None:
        who = f"actuator at {show(self.joint)}"
        if not isinstance(self.joint, str):
            raise ModelError(f"an actuator needs the name of a joint, got {show(self.joint)}")
        if self.component is not None and (
            not isinstance(self.component, int | np.integer) or self.component < 0
        ):
            raise ModelError(f"{who}: component must be a whole number from 0, got {show(self.component)}")
        object.__setattr__(self, "limit", checked_limit(who, self.limit))

    @property
    def label(self) -> str:
        """Name of the input for messages."""
        return f"actuator at '{self.joint}'"

    @property
    def key(self) -> str:
        """Name of the input in a run: that of the joint."""
        return self.joint

    def components(self, mechanism: "Mechanism") -> list[int]:
        """Return the indices of the velocities of the joint that this motor drives.

        Parameters
        ----------
        mechanism : Mechanism
            Mechanism with the joint.

        Returns
        -------
        list of int
            Indices from 0.

        Raises
        ------
        ModelError
            If there is no such joint, if it is fixed, or if it has no such component.
        """
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

    def held(self, mechanism: "Mechanism", identity: str) -> Hold:
        return Hold(self.joint, tuple(self.components(mechanism)), identity)

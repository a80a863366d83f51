"""Inputs of a system of `ps.analytical`: what a controller may set."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.analytical.arguments import number, takes
from poinsot.analytical.operators import Array
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.inputs.hold import Held
from poinsot.model.inputs.input import Input, Limit, checked_limit, checked_name

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


class InputForce(Input):
    """An input of a system of `ps.analytical`: the generalized force B(t, x) u.

    Parameters
    ----------
    B : Matrix (n, k) as a function of (t, x): generalized forces of the unit inputs, whose power is ξ·B u.
    size : Number k of the inputs.
    limit : Largest absolute value, or the smallest and the largest value, of each input.  Default: no limit.
    name : Name of the input.  Default: "input".

    A pendulum that a motor at its pivot holds up:

    >>> an = ps.analytical
    >>> rod = an.levi_civita(an.spaces.minimal(1), lambda x: np.eye(1), lambda x: 9.81 * np.cos(x[0]))
    >>> motor = an.InputForce(lambda t, x: np.eye(1), limit=5.0)
    >>> def hold(t, state, memory):
    ...     return [-30 * state.q[0] - 10 * state.v[0]], memory
    >>> controller = ps.Controller(hold, period=0.02, inputs=[motor])
    >>> run = ps.simulate(rod, ps.State(0.0, [0.1], [0.0]), step=0.01, until=2.0, controller=controller)
    >>> bool(abs(run.x[-1, 0]) < 0.01), run.inputs.shape
    (True, (201, 1))
    """

    def __init__(
        self,
        B: Callable[[float, Array], Any],
        size: int = 1,
        limit: float | Limit | None = None,
        name: str | None = None,
    ) -> None:
        self.name = checked_name("input", name)
        self.B = checks.function(self.label, "B", B, ("t", "x"))
        self.size = checks.whole(self.label, "size", size, 1, 1e6)
        self.limit = checked_limit(self.label, limit)

    @property
    def label(self) -> str:
        """Name of the input for messages."""
        return f"input '{self.name}'" if self.name else "input"

    @property
    def key(self) -> str:
        """Name of the input in a run."""
        return self.name or "input"

    def count(self, mechanism: "Mechanism") -> int:
        return self.size

    def columns(self, mechanism: "Mechanism", jacobians: Mapping[str, Array]) -> Array:
        raise ModelError(f"{self.label}: an InputForce drives a system of ps.analytical, not a mechanism")

    def hold(self, mechanism: "Mechanism") -> Held:
        raise ModelError(f"{self.label}: an InputForce drives a system of ps.analytical, not a mechanism")

    @takes(t=number, x=(None,), u=("size",))
    def force(self, t: float, x: Array, u: Array) -> Array:
        """Return the generalized force (n,) of the inputs `u` (k,) at coordinates `x` and time `t` [s]."""
        found = np.asarray(self.B(t, x), dtype=float)
        if found.ndim != 2 or found.shape[1] != len(u):
            raise ModelError(f"{self.label}: B must be a matrix (n, {len(u)}), got shape {found.shape}")
        return found @ u

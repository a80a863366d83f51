"""Linear feedback on the manifold: what to hold at a state that is not where it should be.

u = u0 - K x,      x = state (-) target: logarithms of relative rotations, differences else     (1)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.mechanics.linearization import difference
from poinsot.mechanics.linearization.tangent import names
from poinsot.model import checks
from poinsot.model.checks import Array, suggestion
from poinsot.model.mechanism import Mechanism, check_state
from poinsot.model.state import State


class Regulator:
    """The function of a `Controller`: `Controller(Regulator(m, K, target), period, inputs)`.

    `states` names the coordinates that the columns of K belong to (`lin.states`; default: all), `u` is what
    holds the mechanism at the target.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        gain: ArrayLike,
        target: State,
        u: ArrayLike | None = None,
        states: Sequence[str] | None = None,
    ) -> None:
        check_state(mechanism, target)
        known = names(mechanism)
        wanted = known if states is None else tuple(states)
        for name in wanted:
            if name not in known:
                raise ModelError(f"regulator: unknown coordinate {name!r}{suggestion(str(name), known)}")
        self.mechanism = mechanism.snapshot()
        self.gain = checks.array(
            "regulator", "gain", gain, f"a matrix with {len(wanted)} columns", (None, len(wanted))
        )
        self.target, self.states = target, wanted
        self.columns = [known.index(name) for name in wanted]
        rest = np.zeros(len(self.gain)) if u is None else np.atleast_1d(u)
        self.u = checks.array("regulator", "u", rest, f"{len(self.gain)} numbers", (len(self.gain),))

    @property
    def identity(self) -> str:
        """By which a run knows this regulator again (`model.identity`)."""
        numbers = self.gain, self.u, self.target.q, self.target.v
        return repr((self.states, [x.tobytes() for x in numbers]))

    def deviation(self, state: State) -> Array:
        """x of (1)."""
        return difference(self.mechanism, state, self.target)[self.columns]

    def force(self, state: State) -> Array:
        """u of (1)."""
        return np.asarray(self.u - self.gain @ self.deviation(state))

    def __call__(self, t: float, state: State, memory: Any) -> tuple[Array, Any]:
        return self.force(state), memory

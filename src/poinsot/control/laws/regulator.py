"""Linear feedback on the manifold of states.

u = u0 - K x,      x = state (-) target: logarithms of relative rotations, differences else     (1)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.compile.functions.laws.compiled_law import CompiledLaw
from poinsot.compile.functions.laws.linear_law import linear
from poinsot.compile.kept import kept
from poinsot.control.inputs.polygon import polygon
from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.mechanics.linearization import difference
from poinsot.mechanics.linearization.tangent import names
from poinsot.model import checks
from poinsot.model.checks import Array, suggestion
from poinsot.model.inputs.input import Input
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.state import State


class Regulator:
    """Linear feedback u - K x as the function of a `Controller`.

    x is the deviation of the state from the target in tangent coordinates (`ps.control.difference`).

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism.
    gain : array_like, shape (nu, n)
        Gain K, such as `ps.control.lqr(...).gain`.
    target : State
        State to keep.
    u : array_like, shape (nu,), optional
        Input at the target, in N or N m.  Default: zero.
    states : sequence of str, optional
        Coordinates that the columns of K belong to, such as `lin.states`.  Default: all.

    Raises
    ------
    ModelError
        If the target does not fit the mechanism, a coordinate is unknown, or a matrix has the wrong shape.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> regulator = ps.control.Regulator(m, [[3.0, 1.0]], m.state())
    >>> regulator.force(m.state({"cart": dict(displacement=0.1)}))
    array([-0.3])
    >>> controller = ps.Controller(regulator, period=0.02, inputs=["cart"])
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
        given = known if states is None else checks.items("regulator", "states", states, "a list of names")
        wanted = tuple(given)
        for name in wanted:
            if not isinstance(name, str) or name not in known:
                raise ModelError(
                    f"regulator: unknown coordinate {checks.show(name)}{suggestion(name, known)}"
                )
        self.mechanism = mechanism.snapshot()
        self.gain = checks.array(
            "regulator", "gain", gain, f"a matrix with {len(wanted)} columns", (None, len(wanted))
        )
        self.target, self.states = target, wanted
        self.columns = [known.index(name) for name in wanted]
        self.u = checks.listed("regulator", "u", np.zeros(len(self.gain)) if u is None else u, len(self.gain))

    @property
    def identity(self) -> str:
        """Text that identifies the regulator: equal texts mean equal feedback (`model.identity`)."""
        numbers = self.gain, self.u, self.target.q, self.target.v
        return repr((self.states, [x.tobytes() for x in numbers]))

    def deviation(self, state: State) -> Array:
        """Return the deviation x of a state from the target, in the coordinates `states`.

        Parameters
        ----------
        state : State
            The state.

        Returns
        -------
        ndarray, shape (n,)
            Tangent coordinates.
        """
        return difference(self.mechanism, state, self.target)[self.columns]

    def force(self, state: State) -> Array:
        """Return the input u - K x at a state.

        Parameters
        ----------
        state : State
            The state.

        Returns
        -------
        ndarray, shape (nu,)
            Joint forces in N or N m.
        """
        return np.asarray(self.u - product(self.gain, self.deviation(state)))

    def _compiled_law(self, mechanism: Mechanism, inputs: Sequence[Input]) -> CompiledLaw | None:
        """Return the compiled law for the time loop of a mechanism with these inputs, or None."""
        tree, (Z, b) = kept(self.mechanism).tree(), polygon(mechanism, inputs)
        nu, nv = len(self.gain), tree.nv
        if (
            nu != Z.shape[1] or nu == 0 or type(self) is not Regulator
        ):  # a class of a user may answer otherwise
            return None
        gain = np.zeros((nu, 2 * nv))
        gain[:, self.columns] = self.gain
        parts = self.target.q, self.target.v, self.u, gain.ravel(), Z.ravel(), b
        ints = np.array([nu, len(b)], dtype=np.int64)
        return CompiledLaw(linear, tree, ints, np.concatenate(parts), nu, 1, 2 * nv)

    def __call__(self, t: float, state: State, memory: Any) -> tuple[Array, Any]:
        return self.force(state), memory

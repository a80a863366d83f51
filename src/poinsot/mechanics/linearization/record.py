"""The linear model that `linearize` returns."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import Array, show, suggestion
from poinsot.model.state import State

COUPLED = 1e-9  # relative: a smaller entry of A does not couple two coordinates


@dataclass(frozen=True, eq=False)
class Linearization:
    """A linear model about a state, with the names of its coordinates; `A, B = lin` takes it apart.

    Parameters
    ----------
    A : ndarray, shape (n, n)
        Matrix of the coordinates x = (dq, dv), n = 2 nv.
    B : ndarray, shape (n, m)
        Matrix of the inputs.
    states : tuple of str
        Names of the coordinates, such as "cart.displacement".
    inputs : tuple of str
        Names of the inputs, such as "cart" or "ball[2]".
    state : State
        State that the model is about.
    image : State, optional
        State after the steps; None for a continuous model.
    time : float, optional
        Duration of all steps in seconds; None for a continuous model.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> lin = ps.dynamics.linearize(m, m.state(), inputs=["cart"])
    >>> lin
    Linearization(continuous, states=['cart.displacement', 'cart.speed'], inputs=['cart'])
    """

    A: Array
    B: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    state: State
    image: State | None = None
    time: float | None = None

    def __iter__(self) -> Iterator[Array]:
        return iter((self.A, self.B))

    def without(self, *names: str) -> "Linearization":
        """Return the model of the other coordinates alone.

        Parameters
        ----------
        *names : str
            Coordinates to leave out; the others must not depend on them.

        Returns
        -------
        Linearization
            The smaller model.

        Raises
        ------
        ModelError
            If a name is unknown, or another coordinate depends on one that is left out.
        """
        for name in names:
            if not isinstance(name, str) or name not in self.states:
                raise ModelError(
                    f"linearization: unknown coordinate {show(name)}{suggestion(name, self.states)} "
                    f"(there are {', '.join(self.states)})"
                )
        kept = [i for i, name in enumerate(self.states) if name not in names]
        gone = [i for i, name in enumerate(self.states) if name in names]
        felt = np.abs(self.A[np.ix_(kept, gone)])
        if felt.size and felt.max() > COUPLED * max(1.0, np.abs(self.A).max()):
            i, j = np.unravel_index(np.argmax(felt), felt.shape)
            raise ModelError(
                f"linearization: '{self.states[kept[i]]}' depends on '{self.states[gone[j]]}' "
                f"(by {felt.max():.3g}): it cannot be left out"
            )
        return replace(
            self, A=self.A[np.ix_(kept, kept)], B=self.B[kept], states=tuple(self.states[i] for i in kept)
        )

    def __repr__(self) -> str:
        kind = "continuous" if self.time is None else f"over {self.time:g} s"
        return f"Linearization({kind}, states={list(self.states)}, inputs={list(self.inputs)})"

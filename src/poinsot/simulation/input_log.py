"""What a controller held at the samples of a run."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poinsot.model.checks import Array

Waiting = tuple[Array, range, Array, Array | None]  # rows, steps, inputs there and next


def held_inputs(waiting: Sequence[Waiting]) -> Array:
    """Return the inputs at rows: those that were held, and after a tick at the last row the next."""
    inputs = np.repeat([held for _, _, held, _ in waiting], [len(rows) for rows, _, _, _ in waiting], axis=0)
    last = -1
    for rows, _, _, following in waiting:
        last += len(rows)
        if following is not None:
            inputs[last] = following
    return inputs


class InputLog:
    """The inputs that a controller set, tick by tick, since the samples were last collected."""

    def __init__(self, tick: int, u: Array) -> None:
        self.first, self.rows = tick, np.array([u], dtype=float)
        self.last = tick  # the last tick that is known

    def reserve(self, tick: int) -> None:
        """Make room for the inputs up to a tick."""
        more = tick - self.first + 1 - len(self.rows)
        if more > 0:
            self.rows = np.vstack([self.rows, np.zeros((max(more, len(self.rows)), self.rows.shape[1]))])

    def note(self, tick: int, u: Array) -> None:
        """Note the inputs from a tick on."""
        self.reserve(tick)
        self.rows[tick - self.first], self.last = u, tick

    def at(self, ticks: NDArray[np.int64]) -> Array:
        """Return the inputs that act from these ticks on; a tick that is not known yet has the last ones."""
        return np.asarray(self.rows[np.minimum(ticks, self.last) - self.first])

    def forget(self) -> None:
        """Forget all but the last inputs."""
        self.rows, self.first = self.rows[self.last - self.first][None].copy(), self.last

"""Samples that are collected part by part into one block of memory per quantity, without a second copy.

`ndarray.resize` lets the operating system move a large block (mremap): growing needs no copy of it.
"""

import numpy as np

from poinsot.diagnostics.trajectory import Forces, Samples, Trajectory
from poinsot.model.mechanism import Mechanism

FIRST = 1 << 12  # samples for which there is room at first
GROWTH = 2


class GrowingSamples:
    """Samples to which parts are appended; there will be at most about `most` of them."""

    def __init__(self, first: Samples, most: int) -> None:
        self.most, self.count, self.room = most, 0, len(first.time)
        self.arrays = [np.empty(x.shape) for x in first]
        self.add(first)

    def add(self, part: Samples) -> None:
        """Append samples."""
        end = self.count + len(part.time)
        if end > self.room:
            self._resize(max(end, min(self.most, max(FIRST, GROWTH * self.room))))
        for target, source in zip(self.arrays, part, strict=True):
            target[self.count : end] = source
        self.count = end

    def _resize(self, room: int) -> None:
        for array in self.arrays:
            array.resize((room, *array.shape[1:]), refcheck=False)  # nobody else has seen it
        self.room = room

    @property
    def nbytes(self) -> int:
        """Size of the samples in memory."""
        return sum(array.nbytes for array in self.arrays)

    def last(self) -> float:
        """Return the time of the last sample."""
        return float(self.arrays[0][self.count - 1])

    def finished(self) -> Samples:
        """Return all samples, which can be extended no more: others see the arrays from now on."""
        self._resize(self.count)
        return Samples(*self.arrays)


def trajectory_of(
    samples: Samples, mechanism: Mechanism, forces: Forces, driven: tuple[str, ...]
) -> Trajectory:
    """Return samples with the mechanism that they belong to."""
    time, q, v, work, potential, inputs = samples
    return Trajectory(mechanism, time, q, v, work, potential, forces, inputs, driven)

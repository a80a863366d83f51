"""A state of a mechanism: time, coordinates, velocities, and what the last method remembers."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import Array, show


class Memory(NamedTuple):
    """The kernel's own numbers, so that a run goes on from here to the same bits.

    It counts only for the same mechanism, method and step; else the run starts from q and v.
    """

    fingerprint: str
    method: str
    step: float
    origin: float  # time of step 0
    steps: int  # since then
    cell: bytes  # float64, native order
    changed: bool = False  # the method's second loop is at work, because the first did not converge
    control: str = ""  # what a controller holds and remembers, as text (`model.plain`)


@dataclass(frozen=True, eq=False)
class State:
    """`q`, `v`: bodies in order of `add`, coordinates as in `model.joint`; read-only arrays."""

    time: float
    q: Array
    v: Array
    memory: Memory | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.time, int | float | np.number) or not math.isfinite(self.time):
            raise ModelError(f"state: time must be a finite number, got {show(self.time)}")
        for name in ("q", "v"):
            try:
                array = np.array(getattr(self, name), dtype=np.float64)
            except (TypeError, ValueError):
                array = np.empty((0, 0))
            if array.ndim != 1:
                raise ModelError(f"state: {name} must be a list of numbers, got {show(getattr(self, name))}")
            array.setflags(write=False)
            object.__setattr__(self, name, array)

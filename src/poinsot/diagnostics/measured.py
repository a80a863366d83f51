"""What the report of a run needs, measured part by part."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from poinsot.diagnostics.drift import DriftMeter
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.model.checks import Array
from poinsot.model.loop_history import ALWAYS_CLOSED, LoopHistory
from poinsot.model.mechanism import Mechanism

if TYPE_CHECKING:
    from poinsot.compile.tree import Tree


def _largest(x: Array) -> float:
    """Return the largest length of the rows."""
    return float(np.linalg.norm(x, axis=1).max(initial=0.0))


@dataclass
class Measured:
    """What is measured of a run part by part; of a momentum, only what gravity does not change drifts."""

    mechanism: Mechanism
    energy: DriftMeter
    angular: DriftMeter
    linear: DriftMeter
    orthogonality: DriftMeter
    _: KW_ONLY
    first: float = 0.0  # energy at the start
    kinetic: float = 0.0
    worked: bool = False
    angular_size: float = 0.0
    linear_size: float = 0.0
    angular_kept: float = 0.0  # largest size of what gravity does not change
    linear_kept: float = 0.0
    spins: float = 0.0  # largest sums of the sizes of the terms
    ways: float = 0.0
    gap: float | None = None
    loops: LoopHistory = ALWAYS_CLOSED  # gaps of open loops do not count

    @cached_property
    def _tree(self) -> "Tree | None":
        """The mechanism for its loops; None if there are none."""
        if not self.mechanism.loops:
            return None
        from poinsot.compile.tree import compile_tree  # only loops need it

        bare = self.mechanism.snapshot()
        bare.forces, bare.missing = [], ()  # loops do not depend on forces, which a file may not hold
        return compile_tree(bare)

    def add(self, part: Trajectory) -> None:
        """Measure some samples."""
        t, L, p = part.time, part.angular_momentum, part.linear_momentum
        total = part.kinetic + part.potential - part.work
        if not self.energy.started and len(t):
            self.first = float(total[0])
        self.worked = self.worked or bool(part.work.any())
        self._larger(kinetic=part.kinetic.max(initial=0.0), angular_size=_largest(L), linear_size=_largest(p))
        weight = float(np.linalg.norm(self.mechanism.gravity))
        if weight > 0:
            down = self.mechanism.gravity / weight
            L, p = (L @ down)[:, None], p - np.outer(p @ down, down)
        ways, spins = part.sums[:, 12:14].max(axis=0, initial=0.0)
        self._larger(angular_kept=_largest(L), linear_kept=_largest(p), spins=spins, ways=ways)
        self.energy.add(t, total)
        self.angular.add(t, L)
        self.linear.add(t, p)
        self.orthogonality.add(t, part.orthogonality)
        if self._tree is not None:
            from poinsot.mechanics.loop_constraints import closed_gaps

            self.gap = self.gap or 0.0
            self._larger(gap=closed_gaps(self._tree, t, part.q, self.loops).max(initial=0.0))

    def _larger(self, **found: float) -> None:
        """Keep the larger of each of these numbers and of what was found before; NaN stays NaN."""
        for name, x in found.items():
            setattr(self, name, float(np.maximum(getattr(self, name), x)))

"""Warnings of a run: the step rotates a body too far, the energy moves too much, a loop has opened."""

import numpy as np

from poinsot.compile.one_body import OneBody
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.tree import Tree
from poinsot.core.methods.method import Method
from poinsot.core.tree.dynamics import entries
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.errors import warn
from poinsot.mechanics.assembly import LoopWarning, scales
from poinsot.mechanics.loop_constraints import gaps_along
from poinsot.model.checks import Array
from poinsot.model.kinematics import motions
from poinsot.model.state import State
from poinsot.run.run import Run

TOO_MUCH, THINNED = 0.01, 1000  # energy that may move, relative; samples at which it is looked at
OPEN = 1e-9  # gap of a loop that did not stay closed, relative to the size of the mechanism


class StepWarning(UserWarning):
    """The step is too large for the motion."""


def top_speed(system: CompiledMechanism, q: Array, v: Array) -> float:
    """The largest angular velocity of a body at these states, in rad/s."""
    with np.errstate(over="ignore", invalid="ignore"):
        if isinstance(system, OneBody):
            return float(np.sqrt((v[:, :3] ** 2).sum(axis=1).max()))
        assert isinstance(system, Tree)
        out, Q, V = np.zeros(len(q)), np.array(q, order="C"), np.array(v, order="C")
        entries.speeds()(system.model(), len(q), Q.reshape(-1), V.reshape(-1), out)
        return float(out.max())


class Watch:
    """Warns at the start of a run, and at its end of what was not seen at the start."""

    def __init__(self, system: CompiledMechanism, method: Method, h: float, start: State) -> None:
        self.system, self.method, self.h = system, method, h
        self.first = top_speed(system, start.q[None], start.v[None]) if method.turn is not None else 0.0
        self._rotation(self.first, 0.0)

    def checked(self, run: Run) -> Run:
        """The run; warns if it shows that the step was too large, or that a loop has opened."""
        thin = run.trajectory.thinned(THINNED)
        if isinstance(self.system, Tree) and self.system.constraints:
            self._gaps(self.system, thin)
        if self.method.turn is not None:
            self._rotation(top_speed(self.system, thin.q, thin.v), self.first)
        else:
            self._energy(thin)
        return run

    def _rotation(self, speed: float, before: float) -> None:
        """When a step rotates a body too far for the method; not again if it did so `before`."""
        most = self.method.turn
        if most is not None and self.h * speed > most >= self.h * before:
            warn(
                f"{self.method.name}: the body rotates by {self.h * speed:.2g} rad in a step of {self.h:g}, "
                f"more than the {most:g} rad for which this method is good; try step={most / speed / 4:.1g}",
                StepWarning,
            )

    def _energy(self, thin: Trajectory) -> None:
        """For methods that may rotate the body as far as they like: forces are what limits their step."""
        if self.system.impulses:
            return
        total = self.system.energy(thin.q, thin.v) + thin.applied_potential - thin.work
        moving = total - self.system.energy(thin.q, 0 * thin.v) - thin.applied_potential + thin.work
        scale = max(float(moving.max()), abs(float(total[0])))  # kinetic energy
        moved = float(np.ptp(total)) / (scale or 1.0)
        if moved > TOO_MUCH:
            warn(
                f"{self.method.name}: the energy moves by {100 * moved:.2g} % with a step of "
                f"{self.h:g}, which is too large for these forces",
                StepWarning,
            )

    def _gaps(self, tree: Tree, thin: Trajectory) -> None:
        """Constraints that were taken for redundant and were not: loops that did not stay closed."""
        worst = np.abs(gaps_along(tree, thin.q)).max(axis=0)
        least = min(float(np.abs(tree.placements[:, 9:]).max()), 1.0) or 1.0
        if worst.max(initial=0.0) <= OPEN * least:  # far below all that it could be compared with
            return
        first = motions(tree.mechanism, thin.q[:1], thin.v[:1])
        sizes = scales(tree, first.values())
        if (worst / sizes).max(initial=0.0) > OPEN:
            name = tree.loop_of(worst / sizes)
            warn(f"loop '{name}' did not stay closed: it has a gap of {worst.max():.1e}", LoopWarning)

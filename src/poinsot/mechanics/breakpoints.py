"""Breakpoints: the steps of a run at which an impulse acts or a force jumps."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from poinsot.errors import ScenarioError
from poinsot.model.forces.impulse import Impulse
from poinsot.model.mechanism import Mechanism

ON_STEP = 1e-6  # largest distance of a breakpoint from a step, in steps


class OffStepError(ScenarioError):
    """A breakpoint, or the end of a run, does not lie on a step."""


class Breakpoint(NamedTuple):
    """What happens at a step: impulses act, and forces may jump."""

    impulses: list[Impulse]
    jump: tuple[float, float] | None  # first and last time at which forces jump; None: they do not

    @property
    def before(self) -> float:
        """Last time at which forces may be asked in the step before: on the near side of every jump."""
        return math.inf if self.jump is None else self.jump[0] - MARGIN * math.ulp(self.jump[0])

    @property
    def after(self) -> float:
        """First time at which forces may be asked in the step after: on the far side of every jump."""
        return -math.inf if self.jump is None else self.jump[1] + MARGIN * math.ulp(self.jump[1])


MARGIN = 16  # roundings by which the threshold in a function may differ from its switch: 0.3 is not 3 * 0.1
NO_BREAKPOINT = Breakpoint([], None)


def breakpoints_of(mechanism: Mechanism, start: float, h: float, total: int) -> dict[int, Breakpoint]:
    """Return the breakpoints of a run of `total` steps from the time `start`, by the number of the step."""
    impulses = [(force.label, force.time, force) for force in mechanism.forces if isinstance(force, Impulse)]
    jumps = [(f"switch of {force.label}", time) for force in mechanism.forces for time in force.switches]
    found: dict[int, Breakpoint] = {}
    for label, time, impulse in [*impulses, *((label, time, None) for label, time in jumps)]:
        k = (time - start) / h
        if not -ON_STEP <= k <= total + ON_STEP:
            continue
        if abs(k - round(k)) > ON_STEP:
            raise OffStepError(
                f"{label}: t = {time:g} does not lie on a step of {h:g} "
                f"(it is {k:.6g} steps after the start): choose a step that divides the time to it"
            )
        old = found.get(round(k), NO_BREAKPOINT)
        if impulse is not None:
            found[round(k)] = Breakpoint([*old.impulses, impulse], old.jump)
        else:
            first, last = old.jump or (time, time)
            found[round(k)] = old._replace(jump=(min(first, time), max(last, time)))
    return found


def jumps_ahead(
    mechanism: Mechanism, points: Mapping[int, Breakpoint], start: float, h: float, total: int
) -> list[tuple[int, float]]:
    """Return the steps at which forces jump, and the last time at which forces may be asked before.

    The last entry is the first jump after the run of `total` steps, if there is one: what a method that looks
    ahead finds does not depend on where a run ends.
    """
    found = sorted((step, point.before) for step, point in points.items() if point.jump is not None)
    times = (time for force in mechanism.forces for time in force.switches)
    later = min((time for time in times if (time - start) / h > total + ON_STEP), default=None)
    return found if later is None else [*found, (total + 1, Breakpoint([], (later, later)).before)]

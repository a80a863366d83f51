"""Breakpoints: the steps of a run at which an impulse acts or a force jumps."""

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
    jump: float | None  # time at which forces jump; None: they do not


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
        found[round(k)] = (
            old._replace(jump=time) if impulse is None else Breakpoint([*old.impulses, impulse], old.jump)
        )
    return found

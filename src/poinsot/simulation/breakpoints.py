"""Impulses and switches of forces: the steps of a run at which the motion is cut."""

from typing import NamedTuple

from poinsot.errors import ScenarioError
from poinsot.model.forces.applied import Impulse
from poinsot.model.mechanism import Mechanism

ON_STEP = 1e-6  # how far from a step an event may lie, in steps


class Cut(NamedTuple):
    """What happens at a step: impulses, and the time at which forces jump (None: they do not)."""

    impulses: list[Impulse]
    jump: float | None


NO_CUT = Cut([], None)


def cuts_of(mechanism: Mechanism, start: float, h: float, total: int) -> dict[int, Cut]:
    """The steps of a run from the time `start` at which the motion is cut."""
    events = [(force.label, force.time, force) for force in mechanism.forces if isinstance(force, Impulse)]
    jumps = [(f"switch of {force.label}", time) for force in mechanism.forces for time in force.switches]
    cuts: dict[int, Cut] = {}
    for label, time, impulse in [*events, *((label, time, None) for label, time in jumps)]:
        k = (time - start) / h
        if not -ON_STEP <= k <= total + ON_STEP:
            continue
        if abs(k - round(k)) > ON_STEP:
            raise ScenarioError(
                f"{label}: t = {time:g} does not lie on a step of {h:g} "
                f"(it is {k:.6g} steps away): choose a step that divides the time to it"
            )
        old = cuts.get(round(k), NO_CUT)
        cuts[round(k)] = (
            old._replace(jump=time) if impulse is None else Cut([*old.impulses, impulse], old.jump)
        )
    return cuts

"""Where a contact would slip or lift off: the forces of a contact against the cone of friction.

    slip = mu N - |T|,     lift = N                                                              (1)

N is the force along the normal of the surface and T that along the surface.  A contact slips, or lifts off,
where these change their sign from plus to minus; `Event("coin-contact.slip", direction=-1)` finds it.
"""

from collections.abc import Callable

import numpy as np

from poinsot.errors import ScenarioError
from poinsot.mechanics.loop_constraints import loop_constraints
from poinsot.mechanics.reactions import reactions
from poinsot.model.checks import Array
from poinsot.model.contacts import RollingContact
from poinsot.model.loops import Loop
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

QUANTITIES = ("slip", "lift")
LISTED = 3  # times of a line of the report


def cone(loop: Loop, wrenches: Array, quantity: str) -> Array:
    """Return a quantity of (1) for the wrenches (..., 6) of a contact, as `reactions` has them."""
    normal, along = wrenches[..., 5], np.hypot(wrenches[..., 3], wrenches[..., 4])
    if quantity == "lift":
        return normal
    assert isinstance(loop.joint, RollingContact), "a contact with friction"
    return (loop.joint.friction or 0.0) * normal - along


def watch(text: str, mechanism: Mechanism, who: str) -> Callable[[float, State], float] | None:
    """Return the function of an event such as "wheel.slip"; None if the text names no contact."""
    name, _, quantity = text.strip().rpartition(".")
    loop = next((one for one in mechanism.loops if one.name in (name, name.strip("'\""))), None)
    if loop is None or not loop.joint.contact or quantity not in QUANTITIES:
        return None
    if quantity == "slip" and getattr(loop.joint, "friction", None) is None:
        raise ScenarioError(f"{who}: contact '{loop.name}' has no friction: give it with friction=")

    def evaluate(t: float, state: State) -> float:
        here = reactions(mechanism, State(t, state.q, state.v))[loop.name]
        return float(cone(loop, here, quantity))

    evaluate.identity = f"{loop.name}.{quantity}"  # type: ignore[attr-defined] # for archives
    return evaluate


def remarks(mechanism: Mechanism, final: State, time: Array, wrenches: Callable[[str], Array]) -> list[str]:
    """Return lines for contacts that would slip or lift off in a run: when, and which friction they need.

    Where rows follow from others, as of a roller that lies on both ends, forces of one contact are a choice.
    """
    rows = loop_constraints(mechanism, final)
    found = []
    if rows.redundant:
        count = f"{rows.redundant} of {rows.rank + rows.redundant} rows of loops follow from the others"
        found.append(f"forces of contacts are not unique, the smallest are taken: {count}")
    for loop in mechanism.loops:
        if not isinstance(loop.joint, RollingContact) or loop.joint.friction is None:
            continue
        forces = wrenches(loop.name)
        lifts, slips = (_begins(time, cone(loop, forces, quantity)) for quantity in ("lift", "slip"))
        slips = slips[: np.searchsorted(slips, lifts[0])] if len(lifts) else slips
        if len(slips):
            need = float(np.max(np.hypot(forces[:, 3], forces[:, 4]) / np.maximum(forces[:, 5], 1e-300)))
            more = "" if len(lifts) else f", it needs a friction of {need:.3g}"
            found.append(f"contact '{loop.name}': would slip at t = {_list(slips)}{more}")
        if len(lifts):
            found.append(f"contact '{loop.name}': would lift off at t = {_list(lifts)}")
    return found


def _begins(time: Array, y: Array) -> Array:
    """Return the times from which on y is negative, between samples on a line."""
    starts = np.flatnonzero((y < 0) & np.append(True, y[:-1] >= 0))
    before = np.maximum(starts - 1, 0)
    step, fall = time[starts] - time[before], y[before] - y[starts]
    share = np.divide(y[before], fall, out=np.zeros(len(starts)), where=fall > 0)
    return np.asarray(time[before] + step * share)


def _list(times: Array) -> str:
    """Return times as text: the first few, and how many more there are."""
    more = f" and {len(times) - LISTED} more times" if len(times) > LISTED else ""
    return ", ".join(f"{t:.6g}" for t in times[:LISTED]) + f" s{more}"

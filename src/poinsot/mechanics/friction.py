"""Where a contact would slip or lift off: the forces of a contact against the cone of friction.

    slip = mu N - |T|,     lift = N                                                              (1)

N is the force along the normal of the surface and T that along the surface.  A contact slips, or lifts off,
where these change their sign from plus to minus; `Event("coin-contact.slip", direction=-1)` finds it.
"""

from collections.abc import Callable

import numpy as np

from poinsot.errors import ScenarioError
from poinsot.mechanics.reactions import reactions
from poinsot.model.checks import Array
from poinsot.model.contacts import RollingContact
from poinsot.model.loops import Loop
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

QUANTITIES = ("slip", "lift")


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


def remarks(mechanism: Mechanism, time: Array, wrenches: Callable[[str], Array]) -> list[str]:
    """Return a line for each contact that would slip or lift off in a run, with the first time of it."""
    found = []
    for loop in mechanism.loops:
        if not isinstance(loop.joint, RollingContact) or loop.joint.friction is None:
            continue
        forces = wrenches(loop.name)
        for quantity, words in (("lift", "lift off"), ("slip", "slip")):
            y = cone(loop, forces, quantity)
            under = np.flatnonzero(y < 0)
            if not len(under):
                continue
            k = int(under[0])
            t = time[k] if k == 0 else time[k - 1] + (time[k] - time[k - 1]) * y[k - 1] / (y[k - 1] - y[k])
            need = float(np.max(np.hypot(forces[:, 3], forces[:, 4]) / np.maximum(forces[:, 5], 1e-300)))
            more = f", it needs a friction of {need:.3g}" if quantity == "slip" else ""
            found.append(f"contact '{loop.name}': would {words} at t = {t:.6g} s{more}")
            break
    return found

"""Whether a run can begin: what is checked of a mechanism and of its start."""

import numpy as np

from poinsot.elementary.linear import norm
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.joints import Free
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.state import State


def check_parts(mechanism: Mechanism) -> None:
    """Raise a ModelError if the mechanism has no body or lacks forces that its file could not store."""
    if not mechanism.links:
        raise ModelError("the mechanism has no body: add one with m.add(name, body, joint)")
    if mechanism.missing:
        raise ModelError(
            f"the mechanism comes from a file, which cannot hold forces ({', '.join(mechanism.missing)}): "
            "build it again to go on"
        )
    moving = {WORLD: False}
    for link in mechanism.links:
        if moving[link.parent] and isinstance(link.joint, Free) and link.joint.armature:
            raise ModelError(f"joint '{link.name}': a Free joint with an armature needs a parent at rest")
        moving[link.name] = moving[link.parent] or link.joint.nv > 0


def check_problem(mechanism: Mechanism, start: State) -> None:
    """Raise a ModelError unless a run can begin here: `check_parts` and `check_state`."""
    if not isinstance(mechanism, Mechanism) or not isinstance(start, State):
        raise ModelError("expected a Mechanism and a State: start = m.state({...})")
    check_parts(mechanism)
    check_state(mechanism, start)


def check_state(mechanism: Mechanism, state: State) -> None:
    """Raise a ModelError unless q and v have the right lengths, are finite, and quaternions have length 1."""
    if not isinstance(mechanism, Mechanism) or not isinstance(state, State):
        raise ModelError("expected a Mechanism and a State: start = m.state({...})")
    if (len(state.q), len(state.v)) != mechanism.lengths:
        raise ModelError(
            f"the state does not belong to this mechanism: it has {len(state.q)} and {len(state.v)} numbers "
            f"in q and v, expected {mechanism.lengths[0]} and {mechanism.lengths[1]} (make it with m.state)"
        )
    for link in mechanism.links:
        at, along = mechanism.slices(link.name)
        q, v = state.q[at], state.v[along]
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            raise ModelError(f"state of '{link.name}': q and v must be finite")
        if link.joint.quaternion is not None:
            rotation = q[link.joint.quaternion : link.joint.quaternion + 4]
            length = norm(rotation)
            if abs(length - 1) > checks.UNIT:
                raise ModelError(f"state of '{link.name}': its quaternion has length {length:.9g}, not 1")

"""Whether a state that somebody made belongs to a mechanism."""

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import UNIT
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


def check_parts(mechanism: Mechanism) -> None:
    """The mechanism has bodies and knows its forces."""
    if not mechanism.links:
        raise ModelError("the mechanism has no body: add one with m.add(name, body, joint)")
    if mechanism.missing:
        raise ModelError(
            f"the mechanism comes from a file, which cannot hold forces ({', '.join(mechanism.missing)}): "
            "build it again to go on"
        )


def check_state(mechanism: Mechanism, state: State) -> None:
    """q and v have the right lengths, are finite, and quaternions are of length 1."""
    if (len(state.q), len(state.v)) != mechanism.lengths:
        raise ModelError(
            f"the state does not belong to this mechanism: it has {len(state.q)} and {len(state.v)} numbers "
            f"in q and v, expected {mechanism.lengths[0]} and {mechanism.lengths[1]} (make it with m.state)"
        )
    for link in mechanism.links:
        at, along = mechanism.slices(link.name)
        q, v = state.q[at], state.v[along]
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            raise ModelError(f"state of '{link.name}': not finite")
        if link.joint.quaternion is not None:
            turn = q[link.joint.quaternion : link.joint.quaternion + 4]
            length = float(np.sqrt(turn @ turn))
            if abs(length - 1) > UNIT:
                raise ModelError(f"state of '{link.name}': its quaternion has length {length:.9g}, not 1")

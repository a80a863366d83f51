"""How a hand takes hold of a body: a spring that is as stiff as the step allows.

With the mass that is felt at a point p of the body, m = 1 / (largest eigenvalue of J M^-1 J^T), J = dp'/dv,

    k = m w^2,   c = 2 m w,   w = min(20 / speed, 0.3 / step)                                         (1)

the point follows the pointer within a tenth of a second of the person, and a step is short against 1/w.
"""

from collections.abc import Sequence

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.live.motion import Motion, Settings, hand_in, parts_of
from poinsot.mechanics.dynamics import mass_matrix
from poinsot.model.cascade import merge
from poinsot.model.controller import Controller, memory_of
from poinsot.model.hand import PULL, PUSH, Hand, Row
from poinsot.model.kinematics import jacobians
from poinsot.model.rotations import hat

QUICK, RESOLVED = 20.0, 0.3  # of (1)


def place(motion: Motion, body: str, point: Sequence[float]) -> list[float]:
    """Return a point that is given from the center of mass in the body frame."""
    center = motion.settings.mechanism.link(body).body.center_of_mass
    return [float(x) for x in center + np.array(point)]


def pull(motion: Motion, body: str, point: Sequence[float], target: Sequence[float], speed: float) -> Row:
    """Return what a hand does that pulls a point of a body to a target (`model.hand`)."""
    m, step, at = motion.settings.mechanism, motion.settings.step, place(motion, body, point)
    state = motion.recent[-1]
    J = jacobians(m, state.q)[body]
    J = J[3:] - hat(np.array(at)) @ J[:3]
    try:
        felt = float(np.linalg.eigvalsh(J @ np.linalg.solve(mass_matrix(m, state), J.T))[-1])
    except np.linalg.LinAlgError:
        felt = 0.0
    if not 0 < felt < np.inf:
        raise ModelError(f"body '{body}' cannot be moved at this point")
    w = min(QUICK / speed, RESOLVED / step)
    return [PULL, body, at, [float(x) for x in target], w * w / felt, 2 * w / felt]  # (1)


def push(motion: Motion, body: str, point: Sequence[float], impulse: Sequence[float]) -> Row:
    """Return what a hand does that pushes a point of a body for one step."""
    return [PUSH, body, place(motion, body, point), [float(x) for x in impulse], 0.0, 0.0]


def with_hand(settings: Settings, hand: Hand) -> Settings:
    """Return settings in which a hand acts beside the controller, and no other hand."""
    return settings._replace(controller=merge([*_others(settings), hand.controller()]))


def _others(settings: Settings) -> list[Controller]:
    return [one for one in parts_of(settings.controller) if not isinstance(one.function, Hand)]  # type: ignore[misc]


def remember(motion: Motion, settings: Settings) -> Settings:
    """Return settings whose controllers go on with their memories in the motion, where they are the same."""
    known = memory_of(motion.stream.state)
    parts = parts_of(motion.settings.controller)
    memories = known if len(parts) > 1 else (known,)
    if known is None or len(memories) != len(parts):
        return settings
    by_law = {id(one.function): memory for one, memory in zip(parts, memories, strict=True)}
    made = [
        Controller(one.function, one.period, one.inputs, by_law[id(one.function)])
        if id(one.function) in by_law and isinstance(one, Controller)
        else one
        for one in parts_of(settings.controller)
    ]
    return settings._replace(controller=merge(made) if len(made) > 1 else made[0] if made else None)


def fit(motion: Motion, settings: Settings) -> Settings:
    """Return settings with a method that allows the forces of a hand: their own, else the usual one."""
    here = motion.recent[-1]
    try:
        settings.stream(here, 1)
    except PoinsotError:
        return settings._replace(method="auto")
    return settings


def pulls(motion: Motion) -> bool:
    """Return whether a hand pulls."""
    hand = hand_in(motion.settings.controller)
    row = None if hand is None else hand.next or (hand.rows[-1][1:] if hand.rows else None)
    return row is not None and row[0] == PULL

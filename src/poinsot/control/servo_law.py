"""The servos of a robot as a law that acts continuously."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import suggestion
from poinsot.model.feedback import Feedback
from poinsot.model.inputs import Actuator
from poinsot.model.inputs.servo import Servo
from poinsot.model.mechanism import Mechanism


def servos(mechanism: Mechanism, commands: Mapping[str, float] | None = None) -> Feedback:
    """Return the law of the actuators of a file: servos follow their commands, motors exert them.

    `mechanism`: one with `actuators`, such as `ps.read` returns for MJCF; `commands`: positions, velocities
    or forces by the name of the actuator, in the units of the file's joints; default: zero.  Limits are kept.

    >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    >>> m.actuators["elbow"] = ps.Servo("arm", gain=20.0, bias=(0, -20.0, -2.0))
    >>> law = ps.control.servos(m, {"elbow": 0.3})
    >>> [float(u) for u in law.function(0.0, m.state())]
    [6.0]
    """
    motors = checks.mechanism("servos", mechanism).actuators
    given = checks.numbers_by_name("servos", "commands", {} if commands is None else commands)
    for name in given:
        if name not in motors:
            raise ModelError(f"servos: unknown actuator {name!r}{suggestion(name, motors)}")
    inputs: list[Any] = [one for one in motors.values() if isinstance(one, Actuator)]
    if not inputs:
        raise ModelError("servos: the mechanism has no actuators")
    rows = []
    for name, one in motors.items():
        q, v = mechanism.slices(one.joint)
        if v.stop - v.start != 1:
            raise ModelError(f"servos: the joint of actuator '{name}' must have one coordinate")
        gain, bias = (one.gain, one.bias) if isinstance(one, Servo) else (1.0, np.zeros(3))
        rows.append((q.start, v.start, gain * given.get(name, 0.0) + bias[0], bias[1], bias[2]))
    at, along = (np.array([row[k] for row in rows]) for k in (0, 1))
    push, stiffness, damping = (np.array([row[k] for row in rows]) for k in (2, 3, 4))

    def servo(t, state):  # type: ignore[no-untyped-def]
        return push + stiffness * state.q[at] + damping * state.v[along]

    return Feedback(servo, inputs)

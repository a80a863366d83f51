"""4DISP swung up from hanging, caught and driven to a target.

Energy shaping with damping of the angular momentum about the vertical, in cart accelerations:

    a = k_E (E - E*) n'/(1 + |n'|) + k_L L_z (-n_y, n_x) - k_x x - k_v x'                       (1)
    E = I_p |n'|^2/2 + m g l n_z,   E* = m g l,   L_z = I_p (n x n')_z                           (2)
    n'' = -|n'|^2 n - (m l/I_p) (1 - n n^T) (a + g e3)                                          (3)
    u = (M + m) a + m l n''                             partial feedback linearisation           (4)

(horizontal parts).  E goes to E*, because E' = -m l a.n', and without the second term the baton circles
around the top for ever.  Near the top the regulator of `disp4_balance` takes over.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios._disp4 import (
    BODIES,
    CONTROL,
    INPUTS,
    METHOD,
    STEP,
    ending,
    motion,
    regulator,
    tilted,
    without_spin,
)
from poinsot.model.checks import Array
from poinsot.model.controller import Controller, remembered
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run.run import Run

K_E, K_L, K_X, K_V = 1.5, 3.0, 0.7, 1.0
CATCH_TILT, CATCH_RATE = 0.4, 1.5  # radians and 1/s below which the regulator takes over


class SwingUp:
    """The control law (1) to (4) for the masses of a mechanism."""

    def __init__(self, m: Mechanism) -> None:
        baton, self.g = m.link("baton").body, float(-m.gravity[2])
        length = float(m.link("baton").body_at[2])
        self.ml, self.inertia = baton.mass * length, float(baton.inertia[0, 0]) + baton.mass * length**2
        self.mass = m.link("cart").body.mass + baton.mass
        self.gains = np.array([K_E, K_L, K_X, K_V])

    @property
    def identity(self) -> str:
        """Identifies this law in the memory of a run (`model.identity`)."""
        return repr((self.g, self.ml, self.inertia, self.mass, self.gains.tolist()))

    def force(self, state: State) -> Array:
        """Return the force (4) on the cart."""
        x, u, n, rate = motion(state)
        k_E, k_L, k_x, k_v = self.gains
        excess = self.inertia * (rate @ rate) / 2 + self.ml * self.g * (n[2] - 1)  # (2)
        around = self.inertia * (n[0] * rate[1] - n[1] * rate[0])
        a = k_E * excess * rate[:2] / (1 + np.sqrt(rate @ rate)) - k_x * x - k_v * u  # (1)
        a = a + k_L * around * np.array([-n[1], n[0]])
        pull = np.array([a[0], a[1], self.g])
        bend = -(rate @ rate) * n - self.ml / self.inertia * (pull - (pull @ n) * n)  # (3)
        return np.asarray(self.mass * a + self.ml * bend[:2])  # (4)


def controller(m: Mechanism, method: str, step: float, settings: Mapping[str, Any]) -> Controller:
    """Return the controller; its memory is the time at which the baton was caught."""
    feedback, swing = regulator(m, method, step, settings), SwingUp(m)

    def swing_up(t: float, state: State, memory: float | None) -> Any:
        here = motion(state)
        if memory is None and here.tilt < CATCH_TILT and here.rate @ here.rate < CATCH_RATE**2:
            memory = t
        return swing.force(state) if memory is None else feedback.force(without_spin(state)), memory

    return Controller(swing_up, settings["period"], INPUTS, memory=None)


def story(run: Run, settings: Mapping[str, Any]) -> str:
    """Describe the run."""
    caught = remembered(run.final)
    if caught is None:
        return f"The baton was not caught.\n{ending(run, settings['target'])}"
    far = np.abs(run.trajectory.q[:, :2]).max()
    return (
        f"The baton was swung up and caught at t = {caught:.2f} s; the cart moved up to {far:.2g} m away.\n"
        f"{ending(run, settings['target'])}"
    )


RECIPE = Recipe(
    title="4DISP: swung up from hanging, caught, driven to a target",
    bodies=BODIES,
    start={"baton": {"rotation": tilted(170.0, 0.0), "angular_velocity": (0.0, 0.6, 0.0)}},
    step=STEP,
    until=20.0,
    method=METHOD,
    control=CONTROL,
    controller=controller,
    story=story,
    notes="Energy shaping with damping of the angular momentum, then the regulator of 4disp-balance.",
)

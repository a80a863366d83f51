"""4DISP balanced and driven from tilts of 10 and 5 degrees to a target, by discrete LQR at 50 Hz.

The gain comes from the derivative of the method's own steps over one period (`ps.control.sampled`), the
deviation from the logarithm of the tilt.
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
from poinsot.model.controller import Controller
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run.run import Run

NEAR = 1e-3


def controller(m: Mechanism, method: str, step: float, settings: Mapping[str, Any]) -> Controller:
    """Return the controller: the regulator on the state without spin."""
    feedback = regulator(m, method, step, settings)

    def balance(t: float, state: State, memory: Any) -> Any:
        return feedback.force(without_spin(state)), memory

    return Controller(balance, settings["period"], INPUTS)


def story(run: Run, settings: Mapping[str, Any]) -> str:
    """Describe the run."""
    worst = np.rad2deg(max(motion(state).tilt for state in run.trajectory.states()))
    x = np.hstack([run.joint("rail"), run.joint("cart")]) - settings["target"]
    far = np.flatnonzero(np.hypot(x[:, 0], x[:, 1]) > NEAR)
    first = int(far[-1]) + 1 if len(far) else 0
    when = (
        f"within 1 mm of the target from t = {run.time[first]:.2f} s on"
        if first < len(x)
        else "the target was not reached"
    )
    return f"The tilt was never above {worst:.3g} degrees; {when}.\n{ending(run, settings['target'])}"


RECIPE = Recipe(
    title="4DISP: balanced on its cart and driven to a target",
    bodies=BODIES,
    start={"baton": {"rotation": tilted(10.0, 5.0)}},
    step=STEP,
    until=16.0,
    method=METHOD,
    control=CONTROL,
    controller=controller,
    story=story,
    notes="LQR from the derivative of the discrete step, held for 20 ms; control.target is where to go.",
)

"""The noise of functions of the user: what they change by between neighbouring numbers.

A smooth function changes by some last bits if its arguments do.  One that takes differences, reads a table or
draws random numbers changes by more, and no step is short enough for it:

    noise = max_k |f(x_k) - f(x)| / max |f|,     x_k: the numbers x, up to 4 last bits off           (1)
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.compile.functions.body import as_tuple
from poinsot.core.tree.field import ALL
from poinsot.model.checks import Array
from poinsot.model.forces.applied import Applied, PairForce
from poinsot.model.forces.joint import JointTorque
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

EPS = 2.0**-52
SHIFT = 4.0  # last bits
TRIES = 8
NOISY = 1e-10  # noise that keeps an iteration, or step control, from its tolerance
GOLDEN = 0.6180339887498949


def noise(f: Callable[[Array], Any], x: Array) -> float:
    """Return the noise (1) of a function of numbers at x; 0 if it fails there."""
    places = np.arange(1, TRIES * len(x) + 1).reshape(TRIES, -1) * GOLDEN
    try:
        with np.errstate(all="ignore"):
            here = np.array(f(x), dtype=float)
            near = [np.array(f(x * (1 + SHIFT * EPS * (2 * (p % 1.0) - 1)))) - here for p in places]
            found = float(np.abs(near).max(initial=0.0) / np.abs(here).max(initial=0.0))
    except Exception:  # what it raises is named elsewhere
        return 0.0
    return found if np.isfinite(found) else 0.0


def noise_of_system(system: Any, state: State) -> str:
    """Return what is noisy about equations of `ps.analytical` at a state; an empty text if nothing is."""

    def rate(y: Array) -> Array:
        f = np.zeros(system.width + 1)
        system.evaluate(ALL, state.time, y, f)
        return f[system.size : system.width]

    found = noise(rate, np.append(system.to_core(state.q, state.v), 0.0))
    if found <= NOISY:
        return ""
    return (
        f"its accelerations are noisy: they change by {found:.0e} of their size between neighbours, "
        "and no step is short enough for that; functions that cannot take complex numbers (math.cos) are "
        "differentiated by differences: write them with NumPy (np.cos)"
    )


def noise_of_forces(mechanism: Mechanism, state: State) -> str:
    """Return which force of a mechanism is noisy at a state; an empty text if none is."""
    moving = motions(mechanism, state.q[None], state.v[None])
    for force in mechanism.forces:
        if isinstance(force, Applied | PairForce):
            parts = [part.ravel() for body in force.bodies for part in moving[body].first]

            def call(y: Array, function: Any = force.function) -> Any:
                each = (z for x in y.reshape(-1, 18) for z in (x[:9].reshape(3, 3), *np.split(x[9:], 3)))
                return function(state.time, *each)

            found = noise(call, np.concatenate(parts))
        elif isinstance(force, JointTorque):
            at, along = mechanism.slices(force.joint)
            q, v = state.q[at], state.v[along]

            def on_joint(y: Array, function: Any = force.function, n: int = len(q)) -> Any:
                return np.atleast_1d(function(state.time, as_tuple(y[:n]), as_tuple(y[n:])))

            found = noise(on_joint, np.concatenate([q, v]))
        else:
            continue
        if found > NOISY:
            return (
                f"{force.label} is noisy: it changes by {found:.0e} of its size between neighbours, "
                "and no step is short enough for that: make it smooth"
            )
    return ""

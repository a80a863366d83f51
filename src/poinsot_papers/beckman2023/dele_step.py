"""Discrete Euler-Lagrange equations with steps that vary: what happens to the energy.

    constant      h
    alternating   h/2, 3h/2, h/2, ...: the composition of two steps is one method with constant steps    (1)
    by the state  2h / (1 + |v| / 3), from the velocity at the beginning of the step: not time-symmetric (2)
    symmetric     the same of the mean of both ends, by iteration                                      (3)

The pendulum swings in the plane eta = 0, far from the poles of the chart.
"""

from collections.abc import Callable
from math import radians

import numpy as np

from poinsot_papers.beckman2023 import _pitch_cone as cone
from poinsot_papers.beckman2023._pitch_cone import Point
from poinsot_papers.claims import Claim, Measured, Verdict, envelope, short
from poinsot_papers.figures import Panel, curves

CLAIM = Claim(
    paper="beckman2023geometric",
    where="Stern-Desbrun, the discrete Lagrangian, In[334]",
    title="DELE with varying steps: energy of a pendulum in the plane",
    words="dt is a constant for now, but we might want to vary it later",
)
H, STEPS = 0.02, 20_000
SWING = Point(radians(100.0), 0.0)  # in the plane, released 80 degrees from hanging
Rule = Callable[[Point, int], float]


def speed(x: Point) -> float:
    """Return the rate of the pitch."""
    return abs(x.p_delta) / cone.A


def by_state(x: Point, k: int) -> float:
    """Return the step (2)."""
    return 2 * H / (1 + speed(x) / 3)


def constant(x: Point, k: int) -> float:
    """Return the constant step."""
    return H


def alternating(x: Point, k: int) -> float:
    """Return the steps (1)."""
    return H / 2 if k % 2 == 0 else 3 * H / 2


def moved(x: Point, h: float) -> Point:
    """Make one step."""
    found = cone.step(x, h, (x.delta + h * x.p_delta / cone.A, x.eta))
    assert found is not None
    return found


def symmetric(x: Point, k: int) -> float:
    """Return the step (3)."""
    h = by_state(x, k)
    for _ in range(30):
        h = (by_state(x, k) + by_state(moved(x, h), k)) / 2
    return h


RULES: dict[str, tuple[Rule, int]] = {
    "constant": (constant, STEPS),
    "alternating": (alternating, STEPS),
    "by the state": (by_state, STEPS),
    "symmetric": (symmetric, STEPS // 10),
}


def run() -> Measured:
    result: Measured = {}
    for name, (rule, steps) in RULES.items():
        x, time, energies = SWING, [0.0], [cone.energy(SWING)]
        for k in range(steps):
            h = rule(x, k)
            x = moved(x, h)
            time.append(time[-1] + h)
            energies.append(cone.energy(x))
        change = np.array(energies) - energies[0]
        quarter = len(change) // 4
        at, size = envelope(np.array(time), np.abs(change), 150)
        result[name] = {
            "steps": steps,
            "until": short(time[-1], 4),
            "band": short(np.ptp(change[:quarter]), 3),
            "drift": short(change[-quarter:].mean() - change[:quarter].mean(), 2),
            "time": short(at, 4),
            "energy": short(size, 3),
        }
    return result


def verdict(result: Measured) -> Verdict:
    one, two, three, four = (result[name] for name in RULES)
    because = (
        f"with a constant step of {H:g} s the energy stays in a band of {one['band']:.1e} J, whose mean "
        f"changes by {abs(one['drift']):.0e} J in {one['until']:.0f} s; with alternating steps in "
        f"{two['band']:.1e} J ({abs(two['drift']):.0e} J).  With steps that follow the speed at the "
        f"beginning of a step the mean changes by {abs(three['drift']):.1e} J, "
        f"{abs(three['drift']) / three['band']:.1f} bands, in {three['until']:.0f} s: each step is "
        "symplectic, but they are no longer steps of one map.  With steps that are symmetric in both "
        f"ends it changes by {abs(four['drift']):.0e} J in {four['until']:.0f} s.  So dt may be varied, "
        "but not by a rule that looks at one end only"
    )
    kept = all(abs(x["drift"]) < 0.05 * x["band"] for x in (one, two, four))
    assert kept, result  # else what is said above does not hold
    assert abs(three["drift"]) > 0.5 * three["band"], result
    return Verdict("remark", because)  # a plan, no claim


def plot(result: Measured) -> Panel:
    return Panel(curves(result, "time", "energy"), "time [s]", "|change of energy| [J]", log="y", floor=1e-9)

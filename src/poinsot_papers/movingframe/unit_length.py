"""Theorem 3.1.2: Gauss-Legendre methods conserve |u| = 1, also where the motion is inaccurate."""

from typing import Any

import numpy as np

from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import OUTSIDE, Panel, curves
from poinsot_papers.movingframe._chain import angle_of, chain, pendulum, start
from poinsot_papers.movingframe._gauss import integrate

CLAIM = Claim(
    paper="movingframe",
    where="section 3.1.2, theorem 3.1.2, sections 3.2.3 and 4",
    title="Single pendulum from 2 rad: errors of |u| and of the angle after 5 s, by the step",
    words="Gauss-Legendre methods integrate on the sphere of unit quaternions exactly, explicit Runge-Kutta "
    "methods do not; the length of u is a measure of the accuracy",
)
STEPS, ANGLE, UNTIL = (0.1, 0.05, 0.025, 0.0125), 2.0, 5.0


def rk4(f: Any, y: Array, h: float, steps: int) -> Array:
    """Return the end of a run with the classical Runge-Kutta method."""
    for k in range(steps):
        a = f(k * h, y)
        b = f(k * h, y + h / 2 * a)
        c = f(k * h, y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + f(k * h, y + h * c))
    return y


def run() -> Measured:
    system, exact = chain(1), pendulum(np.array([UNTIL]), ANGLE)[0]
    found: Measured = {}
    for name in ("IMR", "GL2", "GL3", "RK4"):
        ends = []
        for h in STEPS:
            steps = round(UNTIL / h)
            if name == "RK4":
                ends.append(rk4(system.field, start(1, ANGLE), h, steps))
            else:
                ends.append(integrate(system.field, start(1, ANGLE), name, h, steps).y[-1])
        off = [abs((angle_of(y[:4]) - exact + np.pi) % (2 * np.pi) - np.pi) for y in ends]
        found[name] = {
            "length": short([abs(np.linalg.norm(y[:4]) - 1) for y in ends], 2),
            "angle": short(off, 3),
        }
    return {"steps": list(STEPS), "methods": found}


def verdict(result: Measured) -> Verdict:
    methods = result["methods"]
    gauss = max(max(methods[name]["length"]) for name in ("IMR", "GL2", "GL3"))
    because = (
        f"|u| - 1 is at most {gauss:.0e} for IMR, GL2 and GL3 at every step, and "
        f"{methods['RK4']['length'][0]:.0e} for RK4 at h={STEPS[0]:g}; but there the error of the angle is "
        f"{methods['IMR']['angle'][0]:.2g} rad with IMR and {methods['GL2']['angle'][0]:.0e} with GL2: a "
        "conserved invariant says nothing about the accuracy"
    )
    return Verdict(
        "reproduced" if gauss < 1e-13 and methods["RK4"]["length"][0] > 1e-9 else "differs", because
    )


def plot(result: Measured) -> list[Panel]:
    steps, rows = result["steps"], result["methods"]
    more: dict[str, Any] = {"log": "xy", "legend": OUTSIDE, "floor": 1e-17, "ticks": steps}
    return [
        Panel(curves(rows, steps, "length", style=".-"), "step", "|u| - 1", **more),
        Panel(curves(rows, steps, "angle", "", style=".-"), "step", "error of the angle, rad", **more),
    ]

"""Section 3.2.1: the quaternion pendulum with GL3 against elliptic functions; order, length and energy."""

import numpy as np

from poinsot_papers.claims import Claim, Measured, Verdict, relative_change, short, thinned
from poinsot_papers.figures import COLORS, Curve, Panel
from poinsot_papers.movingframe._chain import (
    ANGLE,
    LENGTH,
    MASS,
    STEP,
    UNTIL,
    angle_of,
    chain,
    pendulum,
    start,
)
from poinsot_papers.movingframe._gauss import integrate

CLAIM = Claim(
    paper="movingframe",
    where="section 3.2.1, figures 3.3 and 3.6",
    title="Single pendulum: error of the angle, GL3 with h = 0.01",
    words="the angle agrees with the classical model to 1.92e-13 after 10 s, |u| to 1e-15, the energy to "
    "1e-12; order 6",
)
STEPS = {"IMR": (0.04, 0.02, 0.01), "GL2": (0.08, 0.04, 0.02), "GL3": (0.2, 0.1, 0.05)}


def run() -> Measured:
    system = chain(1)
    count = round(UNTIL / STEP)
    path = integrate(system.field, start(1), "GL3", STEP, count)
    time = STEP * np.arange(count + 1)
    reference, found = pendulum(time), angle_of(path.y[:, :4])
    energy = np.array([system.energy(y[:4], 2 * y[4:]) for y in path.y])
    by_arccos = 2 * np.arccos(np.clip(path.y[:, 0], -1, 1))
    rod = pendulum(time, inertia=MASS * LENGTH**2 / 3)
    i = thinned(len(time), 200)
    orders = {}
    for name, steps in STEPS.items():
        errors = [
            abs(
                angle_of(integrate(system.field, start(1, 1.0), name, h, round(2 / h)).y[-1, :4])
                - pendulum(np.array([2.0]), 1.0)[0]
            )
            for h in steps
        ]
        orders[name] = short(np.log2(errors[1] / errors[2]), 3)
    return {
        "angle": ANGLE,
        "time": short(time[i], 4),
        "error": short((found - reference)[i], 2),
        "largest error": short(np.abs(found - reference).max(), 2),
        "last error": short(abs(found[-1] - reference[-1]), 2),
        "length": short(np.abs(np.linalg.norm(path.y[:, :4], axis=1) - 1).max(), 2),
        "energy": short(np.abs(relative_change(energy)).max(), 2),
        "orders": orders,
        "arccos of (3.11)": short(np.abs(by_arccos - np.abs(reference)).max(), 2),
        "thin rod in (3.8)": short(np.abs(rod - reference).max(), 3),
    }


def verdict(result: Measured) -> Verdict:
    orders = result["orders"]
    fine = result["largest error"] < 1e-12 and result["length"] < 1e-13 and result["energy"] < 1e-12
    right = all(abs(orders[name] - p) < 0.15 for name, p in (("IMR", 2), ("GL2", 4), ("GL3", 6)))
    because = (
        f"the largest error is {result['largest error']:.0e} against elliptic functions (the thesis has "
        f"1.92e-13 at the end against RK45 at 1e-13), that of |u| {result['length']:.0e} and that of the "
        f"energy {result['energy']:.0e}; the orders are "
        f"{', '.join(f'{name} {p:.2f}' for name, p in orders.items())}; with 2 arccos of (3.11) the error is "
        f"{result['arccos of (3.11)']:.0e} and the sign is lost; (3.8) with m l^2/3 in place of the inertia "
        f"of the prism would have an error of {result['thin rod in (3.8)']:.1e} rad"
    )
    return Verdict("reproduced" if fine and right else "differs", because)


def plot(result: Measured) -> Panel:
    found = Curve(result["time"], np.array(result["error"]) * 1e13, color=COLORS[1])
    return Panel([found], "time", "error of the angle, 1e-13 rad")

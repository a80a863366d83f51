"""The inverted pendulum on a cart in a plane, with the methods of the notebook.

    (M + m) x'' + m l (cos a a'' - sin a a'^2) = 0,   (I + m l^2) a'' + m l cos a x'' = m g l sin a   (1)

The scheme of the notebook keeps acceleration and velocity constant over a step, which is explicit Euler; the
discrete Euler-Lagrange equations in x and a are `variational_midpoint`; NDSolve is represented by dop853.
"""

from math import cos, radians, sin

import numpy as np

import poinsot as ps
from poinsot_papers.beckman2023._cart import LENGTH, MOMENTS
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short, thinned
from poinsot_papers.figures import OUTSIDE, Line, Panel, curves

CLAIM = Claim(
    paper="beckman2023geometric",
    where="Abstract, the circular pendulum (2DICP)",
    title="Inverted pendulum on a cart in a plane: energy at h = 0.01",
    words="the planar cart-pole is easily solved by any of the methods that failed on 4DISP",
)
CART, G, STEP, UNTIL = 1.0, 9.81, 0.01, 20.0
WEIGHT = G * LENGTH  # of 1 kg
METHODS = {
    "RK4": "rk4",
    "discrete Euler-Lagrange": "variational_midpoint",
    "NDSolve (dop853)": "dop853",
}


def acceleration(a: float, rate: float) -> tuple[float, float]:
    """Return x'' and a'' by (1)."""
    c, s, inertia = cos(a), sin(a), MOMENTS[0] + LENGTH**2
    det = (CART + 1) * inertia - (LENGTH * c) ** 2
    push, weight = LENGTH * s * rate**2, WEIGHT * s
    return (inertia * push - LENGTH * c * weight) / det, ((CART + 1) * weight - LENGTH * c * push) / det


def energy(a: float, u: float, rate: float) -> float:
    """Return the energy of angle and both velocities."""
    kinetic = (CART + 1) * u * u / 2 + LENGTH * cos(a) * u * rate
    return kinetic + (MOMENTS[0] + LENGTH**2) * rate**2 / 2 + WEIGHT * cos(a)


def notebook(angle: float) -> tuple[Array, float | None]:
    """Return the energy at all steps of the scheme, and when the pole goes over the top."""
    a, x, rate, u = angle, 0.0, 0.0, 0.0
    found, over = [energy(a, u, rate)], None
    for k in range(round(UNTIL / STEP)):
        du, dw = acceleration(a, rate)
        a, x, u, rate = a + STEP * rate, x + STEP * u, u + STEP * du, rate + STEP * dw
        found.append(energy(a, u, rate))
        if over is None and abs(a) > radians(360):
            over = (k + 1) * STEP
    return np.array(found), over


def mechanism(angle: float) -> tuple[ps.Mechanism, ps.State]:
    """Return the same system for the compiled methods."""
    m = ps.Mechanism().add("cart", ps.Body(CART, (0.0, 0.0, 0.0)), ps.Prismatic((1.0, 0.0, 0.0)))
    m.add(
        "pole",
        ps.Body(1.0, MOMENTS, center_of_mass=(0.0, 0.0, LENGTH)),
        ps.Revolute((0, 1, 0)),
        parent="cart",
    )
    return m, m.state({"pole": {"angle": angle}})


def run() -> Measured:
    angle = radians(10.0)
    m, start = mechanism(angle)
    change, over = notebook(angle)
    change = change - change[0]
    at = thinned(len(change), 200)
    rows = {"scheme of the notebook": {"largest": short(np.abs(change).max(), 4), "over the top at": over}}
    curves = {"time": short(STEP * at, 4), "scheme of the notebook": short(change[at], 3)}
    for name, method in METHODS.items():
        one = ps.simulate(m, start, method, step=STEP, until=UNTIL)
        off, turned = one.energy - one.energy[0], np.abs(one.joint("pole")[:, 0])
        gone = np.flatnonzero(turned > radians(360))
        rows[name] = {
            "largest": short(np.abs(off).max(), 3),
            "over the top at": short(one.time[gone[0]], 4) if len(gone) else None,
        }
        curves[name] = short(off[at], 3)
    return {"margin": short(WEIGHT - WEIGHT * cos(angle), 6), "rows": rows, "curves": curves}


def verdict(result: Measured) -> Verdict:
    rows, margin = result["rows"], result["margin"]
    its = rows["scheme of the notebook"]
    because = (
        f"in {UNTIL:g} s at h = {STEP:g} the scheme of the notebook changes the energy by "
        f"{its['largest']:.3g} J, the margin is {margin:.3f} J: the pole goes over the top at "
        f"{its['over the top at']:.2f} s, in the plane as in space.  RK4 applied to all variables at "
        f"once changes it by {rows['RK4']['largest']:.1e} J, the discrete Euler-Lagrange equations by "
        f"{rows['discrete Euler-Lagrange']['largest']:.1e} J and dop853 by "
        f"{rows['NDSolve (dop853)']['largest']:.0e} J; these three solve it easily, and 4DISP as well "
        "(see rig, disp4 and ground-truth): what is hard is neither the space nor the number of "
        "freedoms, but explicit Euler"
    )
    solved = all(rows[name]["largest"] < margin for name in METHODS)
    return Verdict("differs" if solved and its["largest"] > margin else "reproduced", because)


def plot(result: Measured) -> Panel:
    rows = {name: np.abs(result["curves"][name]) for name in result["rows"]}
    return Panel(
        curves(rows, result["curves"]["time"], start=1),
        "time [s]",
        "|change of energy| [J]",
        log="y",
        legend=OUTSIDE,
        floor=1e-12,
        lines=[Line(result["margin"], "margin to the top")],
    )

"""4DISP in angles with a general-purpose solver, which the notebook tried and does not show.

    q = (x, y, delta, eta),   n = (sin delta, cos delta sin eta, cos delta cos eta)                 (1)
    T = (M + m)/2 (x'^2 + y'^2) + m l (x', y').n' + (I + m l^2)/2 |n'|^2,    V = m g l n_z           (2)

in Levi-Civita's form, solved by SciPy's DOP853, from 5 degrees at rest.  The spin of the baton is zero and
stays zero.  The momentum about the vertical is x p_y - y p_x of both masses.
"""

import numpy as np

import poinsot as ps
from poinsot.analytical import levi_civita, spaces
from poinsot_papers.beckman2023._cart import LENGTH, MOMENTS, baton_on_cart
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import Panel, curves

CLAIM = Claim(
    paper="beckman2023geometric",
    where="Prior Failures, Equations of Motion with Euler Angles",
    title="4DISP in pitch and cone angles, dropped from 5 degrees: change of the energy",
    words="the equations of Liu (2007) with NDSolve are plausible for a few seconds and then gain energy and "
    "angular momentum; NDSolve could not start at the north pole (neither is shown)",
)
CART, G, UNTIL, TILT = 1.0, 9.81, 20.0, (4.0, 3.0)  # 5 degrees from upright
INERTIA = MOMENTS[0] + LENGTH**2
TOLERANCES = (1e-6, 1e-8, 1e-11)


def slopes(q: Array) -> tuple[Array, Array]:
    """Return dn/d delta and dn/d eta of (1)."""
    (s, c), (t, k) = (np.sin(q[2]), np.cos(q[2])), (np.sin(q[3]), np.cos(q[3]))
    return np.array([c, -s * t, -s * k]), np.array([0 * c, c * k, -c * t])


def mass(q: Array) -> Array:
    """Return the mass matrix of (2)."""
    a, b = slopes(q)
    M = np.zeros((4, 4), dtype=q.dtype)
    M[0, 0] = M[1, 1] = CART + 1.0
    M[:2, 2] = M[2, :2] = LENGTH * a[:2]
    M[:2, 3] = M[3, :2] = LENGTH * b[:2]
    M[2, 2], M[3, 3], M[2, 3], M[3, 2] = INERTIA * a @ a, INERTIA * b @ b, INERTIA * a @ b, INERTIA * a @ b
    return M


def potential(q: Array) -> Array:
    """Return V of (2)."""
    return np.asarray(G * LENGTH * np.cos(q[2]) * np.cos(q[3]))


def momentum(y: Array) -> float:
    """Return the angular momentum about the vertical."""
    a, b = slopes(y[:4])
    n = np.array([np.sin(y[2]), np.cos(y[2]) * np.sin(y[3])])
    rate = (a * y[6] + b * y[7])[:2]
    place, v = y[:2] + LENGTH * n, y[4:6] + LENGTH * rate
    moved = CART * (y[0] * y[5] - y[1] * y[4]) + place[0] * v[1] - place[1] * v[0]
    return float(moved + MOMENTS[0] * (n[0] * rate[1] - n[1] * rate[0]))


def run() -> Measured:
    from scipy.integrate import solve_ivp

    system = levi_civita(spaces.minimal(4), mass, potential)
    start = np.concatenate([np.zeros(2), np.radians(TILT), np.zeros(4)])
    time = np.linspace(0.0, UNTIL, 101)
    m, rest = baton_on_cart(CART, TILT)
    there = ps.simulate(m, rest, "gauss4", step=0.005, until=UNTIL, every=40)
    n = there.rotation("baton")[:, :, 2]
    assert system.energy is not None
    rows: Measured = {}
    for tolerance in TOLERANCES:
        path = solve_ivp(
            system.field, (0, UNTIL), start, "DOP853", time, rtol=tolerance, atol=1e-3 * tolerance
        )
        energy = np.array([system.energy(0.0, y[:4], y[4:]) for y in path.y.T])
        ours = np.array([np.sin(path.y[2]), np.cos(path.y[2]) * np.sin(path.y[3])]).T
        rows[f"{tolerance:g}"] = {
            "energy": short(np.abs(energy - energy[0]).max(), 2),
            "momentum": short(max(abs(momentum(y)) for y in path.y.T), 2),
            "direction": short(np.abs(ours - n[:, :2]).max(), 2),
            "curve": short(np.abs(energy - energy[0]), 2),
        }
    pole = np.concatenate([np.zeros(4), [0.0, 0.0, 1e-3, 1e-3]])
    started = solve_ivp(system.field, (0, 1.0), pole, "DOP853", rtol=1e-8, atol=1e-11)
    return {
        "time": short(time, 4),
        "rows": rows,
        "north pole": {
            "condition of M": short(np.linalg.cond(mass(np.zeros(4))), 3),
            "reached [s]": short(started.t[-1], 3),
        },
    }


def verdict(result: Measured) -> Verdict:
    rows, pole = result["rows"], result["north pole"]
    coarse, usual, fine = (rows[f"{x:g}"] for x in TOLERANCES)
    because = (
        "neither the equations nor the program are shown.  With equations in pitch and cone that are "
        f"derived here, in {UNTIL:g} s from 5 degrees the energy changes by {coarse['energy']:.0e}, "
        f"{usual['energy']:.0e} and {fine['energy']:.0e} J at tolerances of 1e-6, 1e-8 and 1e-11, and "
        "the momentum about the vertical stays below "
        f"{max(row['momentum'] for row in rows.values()):.0e} kg m2/s: no gain beyond the tolerance.  "
        f"The direction of the baton agrees with that of the compiled tree to {fine['direction']:.0e}.  "
        f"A start at the north pole is possible (the condition of M is {pole['condition of M']:.0f} "
        "there)"
    )
    return Verdict("not reproducible", because)


def plot(result: Measured) -> Panel:
    found = curves(result["rows"], result["time"], "curve", "tolerance {}")
    return Panel(found, "time [s]", "|change of energy| [J]", log="y", floor=1e-16)

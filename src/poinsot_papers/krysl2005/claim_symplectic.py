"""Test whether the Newmark method is symplectic: the paper conjectures that it is, but it is not.

In the trivialisation by the body frame, with tangents (x, m) of (R, P), the canonical two-form is

    w(1, 2) = m1.x2 - m2.x1 - P.(x1 x x2)                                                 (1)

and a step F is symplectic if dF^T W(F(z)) dF = W(z).  We compute dF by central differences.
"""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import COLORS, Curve, Panel
from poinsot_papers.krysl2005._convergence import STYLE, End, Problem, end, inertia
from poinsot_papers.krysl2005._printed import hat
from poinsot_papers.krysl2005._soft_wall import corrected

CLAIM = Claim(
    paper="krysl2005explicit",
    where="discussion",
    title="Symplectic or not: defect of a step, and energy over a million steps",
    words="it would appear that the present Newmark is a symplectic integrator; a proof has not been "
    "completed yet, but the numerical evidence is very strong",
)
METHODS = ("nmb", "lp2", "lgvi")
COLOR = {**STYLE, "lgvi": COLORS[1], "lp2": COLORS[2]}
STEPS = (0.2, 0.1, 0.05, 0.025)
NUDGE = 1e-5  # displacement of the central differences: their error is 1e-10
WALL, LONG, WINDOWS = 0.02, 1_000_000, 100


def form(P: Array) -> Array:
    """Return (1) as a matrix."""
    return np.block([[-hat(P).T, -np.eye(3)], [np.eye(3), np.zeros((3, 3))]])


def moved(problem: Problem, tangent: Array) -> Problem:
    """Return the problem with its start moved along a tangent."""
    start = problem.start
    q = ps.quaternion.compose(start.q, ps.quaternion.exp(tangent[:3]))
    v = start.v + np.linalg.solve(inertia(problem.mechanism), tangent[3:])
    return Problem(problem.mechanism, ps.State(start.time, q, v))


def stepped(problem: Problem, method: str, h: float) -> End:
    """Return the state after one step."""
    found = end(problem, method, h, 1)
    assert found is not None
    return found


def defect(problem: Problem, method: str, h: float) -> float:
    """Return the largest element of dF^T W(F(z)) dF - W(z)."""
    F = stepped(problem, method, h)
    columns = []
    for k in range(6):
        up, down = (stepped(moved(problem, sign * NUDGE * np.eye(6)[k]), method, h) for sign in (1, -1))
        rotation = F.R.T @ (up.R - down.R) / (2 * NUDGE)
        columns.append(
            np.concatenate([[rotation[2, 1], rotation[0, 2], rotation[1, 0]], (up.P - down.P) / (2 * NUDGE)])
        )
    D, P0 = np.array(columns).T, inertia(problem.mechanism) @ problem.start.v
    return float(np.abs(D.T @ form(F.P) @ D - form(P0)).max())


def run() -> Measured:
    s = ps.scenario("free-body")
    problems = {"free body": Problem(s.mechanism, s.start), "soft wall": corrected()}
    defects = {
        name: {method: short([defect(problem, method, h) for h in STEPS], 5) for method in METHODS}
        for name, problem in problems.items()
    }
    wall = {}
    for method in METHODS:
        run = ps.simulate(*corrected(), method, step=WALL, steps=LONG, every=10)
        windows = np.array_split(run.energy[1:] - run.energy[0], WINDOWS)
        wall[method] = {
            "medians": short([np.median(window) for window in windows], 8),
            "means": short([window.mean() for window in windows], 8),
        }
    return {"steps": list(STEPS), "defects": defects, "soft wall, h=0.02, 1e6 steps": wall}


def wander(wall: Measured, method: str, kind: str) -> float:
    """Return the largest distance of the energy of a window from that of the start."""
    return float(np.abs(wall[method][kind]).max())


def verdict(result: Measured) -> Verdict:
    nmb, wall = result["defects"]["free body"]["nmb"], result["soft wall, h=0.02, 1e6 steps"]
    wall_nmb = result["defects"]["soft wall"]["nmb"][1]
    orders = [
        float(np.polyfit(np.log(STEPS), np.log(one["nmb"]), 1)[0]) for one in result["defects"].values()
    ]
    floor = max(max(one[method]) for one in result["defects"].values() for method in METHODS[1:])
    medians = {method: wander(wall, method, "medians") for method in METHODS}
    means = {method: wander(wall, method, "means") for method in METHODS}
    because = (
        f"one step of 0.1 of the free body changes the two-form by {nmb[1]:.0e}, with order {orders[0]:.2f} "
        f"in h (on the soft wall by {wall_nmb:.0e}, order {orders[1]:.2f}); for lp2 and lgvi the change is "
        f"{floor:.0e}, the error of the differences.  Over 1e6 steps on the soft wall the median over 10^4 "
        f"steps of the energy error reaches {medians['nmb']:.0e} with nmb (mean {means['nmb']:.0e}), "
        f"{medians['lp2']:.0e} with lp2 and {medians['lgvi']:.0e} with lgvi (means {means['lp2']:.0e} and "
        f"{means['lgvi']:.0e})"
    )
    false = nmb[1] > 1e-6 > 100 * floor and medians["nmb"] > 20 * max(medians["lp2"], medians["lgvi"])
    return Verdict("differs" if false else "reproduced", because)


def plot(result: Measured) -> list[Panel]:
    time, defects, drifts = np.arange(1, WINDOWS + 1) * LONG * WALL / WINDOWS, [], []
    for method, color in ((method, COLOR[method]) for method in METHODS):
        defect = result["defects"]["free body"][method]
        defects.append(Curve(result["steps"], defect, method, color, ".-"))
        medians = result["soft wall, h=0.02, 1e6 steps"][method]["medians"]
        drifts.append(Curve(time, medians, "", color))
    left, right = "defect of the two-form, free body", "median energy error, soft wall"
    return [
        Panel(defects, "step", "", "xy", left, "center right", ticks=result["steps"]),
        Panel(drifts, "time", title=right, ticks=(0, 10_000, 20_000)),
    ]

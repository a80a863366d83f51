"""Test whether the Newmark method is symplectic: the paper conjectures that it is, but it is not.

In the trivialisation by the body frame, with tangents (x, m) of (R, P), the canonical two-form is

    w(1, 2) = m1.x2 - m2.x1 - P.(x1 x x2)                                                 (1)

and a step F is symplectic if dF^T W(F(z)) dF = W(z).  We compute dF by central differences.
"""

import numpy as np

from poinsot.gallery.papers.krysl2005._convergence import STYLE, End, Problem, end, inertia
from poinsot.gallery.papers.krysl2005._printed import hat
from poinsot.gallery.papers.krysl2005._soft_wall import corrected
from poinsot.gallery.reproduction import Claim, Figure, Measured, Verdict
from poinsot.gallery.scenario import scenario
from poinsot.gallery.shortening import short
from poinsot.gallery.step_axis import label_steps
from poinsot.lie import quaternion
from poinsot.model.checks import Array
from poinsot.model.state import State
from poinsot.plots.figure import COLORS, dress
from poinsot.simulation.simulate import simulate

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
    q = quaternion.compose(start.q, quaternion.exp(tangent[:3]))
    v = start.v + np.linalg.solve(inertia(problem.mechanism), tangent[3:])
    return Problem(problem.mechanism, State(start.time, q, v))


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
    s = scenario("free-body")
    problems = {"free body": Problem(s.mechanism, s.start), "soft wall": corrected()}
    defects = {
        name: {method: short([defect(problem, method, h) for h in STEPS], 5) for method in METHODS}
        for name, problem in problems.items()
    }
    wall = {}
    for method in METHODS:
        run = simulate(*corrected(), method, step=WALL, steps=LONG, every=10)
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


def plot(result: Measured, figure: Figure) -> None:
    left, right = figure.subplots(1, 2)
    for method in METHODS:
        left.loglog(
            result["steps"], result["defects"]["free body"][method], ".-", color=COLOR[method], label=method
        )
        medians = result["soft wall, h=0.02, 1e6 steps"][method]["medians"]
        right.plot(
            np.arange(1, WINDOWS + 1) * LONG * WALL / WINDOWS, medians, color=COLOR[method], linewidth=1.2
        )
    left.set_title("defect of the two-form, free body", loc="left", fontsize=11)
    left.set_xlabel("step")
    label_steps(left, result["steps"])
    left.legend(frameon=False, fontsize=9, loc="center right")
    right.set_title("median energy error, soft wall", loc="left", fontsize=11)
    right.set_xlabel("time")
    right.set_xticks((0, 10_000, 20_000))
    for axes in (left, right):
        dress(axes)
    figure.suptitle(CLAIM.title, x=0.01, ha="left", fontsize=11)

"""Time symmetry: run forward, reverse the velocity, run back, and compare with the start."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import OUTSIDE, Panel, curves
from poinsot_papers.krysl2005 import _printed as printed
from poinsot_papers.krysl2005._convergence import Problem, end, inertia

CLAIM = Claim(
    paper="krysl2005explicit",
    where="discussion",
    title="Slow top: distance from the start after a run forward and back",
    words="the explicit Newmark algorithms NMB and NMS, and also the SW algorithm, are time symmetric",
)
METHODS = ("nmb", "nms", "sw", "hstagm", "rkmk4")
STEPS = (0.1, 0.05, 0.025, 0.0125)
UNTIL = 5.0
CARRIED = "sw, acceleration carried"


def returned(problem: Problem, method: str, h: float) -> float:
    """Return the attitude error after a run forward and back."""
    mechanism, start = problem
    there = ps.simulate(mechanism, start, method, step=h, until=UNTIL).final
    back = end(Problem(mechanism, ps.State(0.0, there.q.copy(), -there.v)), method, h, round(UNTIL / h))
    first = end(problem, method, h, 0)
    assert back is not None
    assert first is not None
    return float(np.abs(back.R - first.R).max())


def carried(I: Array, R: Array, w: Array, h: float) -> float:
    """Return the error of SW when the run back starts with the acceleration at the end of the run forward."""
    n, torque = round(UNTIL / h), printed.top(20.0)
    R1, w1, a1 = printed.sw(I, R, w, torque, h, n)
    R2, _, _ = printed.sw(I, R1, -w1, torque, h, n, a1)
    return float(np.abs(R2 - R).max())


def run() -> Measured:
    s = ps.scenario("slow-top")
    problem = Problem(s.mechanism, s.start)
    R, I = printed.rotation(np.array([0.05, 0.0, 0.0])), inertia(s.mechanism)
    result = {method: short([returned(problem, method, h) for h in STEPS], 6) for method in METHODS}
    result[CARRIED] = short([carried(I, R, s.start.v, h) for h in STEPS], 3)
    return {"steps": list(STEPS), "distance": result}


def verdict(result: Measured) -> Verdict:
    found = result["distance"]
    nmb, nms, sw = (max(found[method]) for method in ("nmb", "nms", CARRIED))
    because = (
        f"at all steps from {STEPS[0]:g} to {STEPS[-1]:g} nmb returns to the start within {nmb:.0e}, nms "
        f"within {nms:.0e}, and sw within {sw:.0e} if its acceleration is passed to the run back; restarted "
        f"from R and w alone, sw misses the start by {found['sw'][1]:.0e} at h=0.05, hstagm by "
        f"{found['hstagm'][1]:.0e} and rkmk4 by {found['rkmk4'][1]:.0e}"
    )
    return Verdict("reproduced" if max(nmb, nms, sw) < 1e-8 else "differs", because)


def plot(result: Measured) -> Panel:
    found, label = curves(result["distance"], result["steps"], style=".-"), "distance from the start"
    return Panel(found, "step", label, log="xy", legend=OUTSIDE, ticks=result["steps"])

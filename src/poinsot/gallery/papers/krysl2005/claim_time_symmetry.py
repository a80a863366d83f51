"""Time symmetry: run forward, reverse the velocity, run back, and compare with the start."""

import numpy as np

from poinsot.gallery.papers.krysl2005 import _printed as printed
from poinsot.gallery.papers.krysl2005._convergence import Problem, end, inertia
from poinsot.gallery.reproduction import Claim, Figure, Measured, Verdict
from poinsot.gallery.scenario import scenario
from poinsot.gallery.shortening import short
from poinsot.gallery.step_axis import label_steps
from poinsot.model.checks import Array
from poinsot.model.state import State
from poinsot.plots.figure import COLORS, dress
from poinsot.simulation.simulate import simulate

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
    there = simulate(mechanism, start, method, step=h, until=UNTIL).final
    back = end(Problem(mechanism, State(0.0, there.q.copy(), -there.v)), method, h, round(UNTIL / h))
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
    s = scenario("slow-top")
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


def plot(result: Measured, figure: Figure) -> None:
    axes = figure.subplots()
    for color, (method, values) in zip(COLORS, result["distance"].items(), strict=False):
        axes.loglog(result["steps"], values, ".-", color=color, linewidth=1.2, label=method)
    axes.set_xlabel("step")
    label_steps(axes, result["steps"])
    axes.set_ylabel("distance from the start")
    figure.legend(frameon=False, fontsize=9, loc="outside right upper")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    dress(axes)

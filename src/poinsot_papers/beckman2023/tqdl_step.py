"""One step of TQDL & RK4: the printed numbers, and the order of a scheme in two halves."""

import numpy as np

import poinsot as ps
from poinsot_papers.beckman2023 import _tqdl as tqdl
from poinsot_papers.beckman2023._printed import units
from poinsot_papers.claims import Claim, Measured, Verdict, short
from poinsot_papers.figures import Panel, curves

CLAIM = Claim(
    paper="beckman2023geometric",
    where="TQDL & RK4, unit test In[269]",
    title="TQDL & RK4: one step, and the order of the scheme",
    words="one step of 0.03 s of the Dzhanibekov body gives w_b = (6, 0.0100899, -0.00108325), a quaternion, "
    "w_s, L_b and L_s with six digits; a general-purpose RK4 integrator",
)
PRINTED = {
    "w_b": (6.0, 0.0100899, -0.00108325),
    "q": (0.920083, 0.0830369, 0.381273, -0.034395),
    "w_s": (4.2419, 0.0102823, -4.24338),
    "L_b": (0.480952, 0.000832814, -4.29862e-06),
    "L_s": (0.340086, 0.000833079, -0.340084),
}
STEPS, UNTIL = (0.02, 0.01, 0.005, 0.0025), 1.0


def one_step(h: float) -> dict[str, tuple[float, ...]]:
    """Return the quantities that the notebook prints, after one step."""
    w, q = tqdl.step(tqdl.MOMENTS, tqdl.SPIN, tqdl.ROTATION, h)
    L = tuple(a * b for a, b in zip(tqdl.MOMENTS, w, strict=True))
    return {"w_b": w, "q": q, "w_s": tqdl.rotated(q, w), "L_b": L, "L_s": tqdl.rotated(q, L)}


def run() -> Measured:
    found = one_step(0.03)
    s = ps.scenario("dzhanibekov")
    exact = ps.simulate(s.mechanism, s.start, "exact", step=UNTIL / 100, until=UNTIL)
    q_exact, w_exact = exact.quaternion("nut")[-1], exact.angular_velocity("nut")[-1]
    errors: dict[str, list[float]] = {"w, its scheme": [], "q, its scheme": [], "q, coupled": []}
    for h in STEPS:
        for name in ("its scheme", "coupled"):
            w, q = tqdl.SPIN, tqdl.ROTATION
            for _ in range(round(UNTIL / h)):
                if name == "coupled":
                    w, q = tqdl.coupled(tqdl.MOMENTS, w, q, h, lambda q: tqdl.ZERO)
                else:
                    w, q = tqdl.step(tqdl.MOMENTS, w, q, h)
            sign = np.sign(np.dot(q, q_exact))
            errors[f"q, {name}"].append(float(np.linalg.norm(sign * np.array(q) - q_exact)))
            if name == "its scheme":
                errors[f"w, {name}"].append(float(np.linalg.norm(np.array(w) - w_exact)))
    off = {name: short(units(PRINTED[name], x), 2) for name, x in found.items()}
    return {
        "found": {name: short(x) for name, x in found.items()},
        "units of the last printed digit": off,
        "step": list(STEPS),
        "errors": {name: short(one, 5) for name, one in errors.items()},
        "orders": {name: short(np.log2(one[-2] / one[-1]), 3) for name, one in errors.items()},
    }


def verdict(result: Measured) -> Verdict:
    off, orders = max(result["units of the last printed digit"].values()), result["orders"]
    because = (
        f"all sixteen printed numbers agree (to {off:.2f} of the last digit; 0.5 is the rounding).  But w "
        f"and q are stepped one after the other: on this free body w has order {orders['w, its scheme']:.2f} "
        f"and the attitude order {orders['q, its scheme']:.2f}; RK4 on both together has order "
        f"{orders['q, coupled']:.2f}"
    )
    return Verdict("reproduced" if off < 0.51 else "differs", because)


def plot(result: Measured) -> Panel:
    errors = {f"{name}: order {result['orders'][name]:.1f}": one for name, one in result["errors"].items()}
    found = curves(errors, result["step"], style="o-")
    return Panel(found, "step [s]", "error after 1 s", log="xy", legend="lower right", ticks=result["step"])

"""Rotation of the free body in one step: the steps of figure 1 are large."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, short
from poinsot_papers.figures import Panel, curves
from poinsot_papers.krysl2005._convergence import inertia

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 2",
    title="Incremental rotation of the freely spinning body",
    words="the time steps are quite large, which can be clearly seen in the magnitude of the incremental "
    "rotation vector in degrees",
)
STEPS = (4.0, 2.0, 1.0, 0.5)


def run() -> Measured:
    s = ps.scenario("free-body")
    I = inertia(s.mechanism)
    exact = ps.simulate(s.mechanism, s.start, "exact", step=0.05, until=34.85)  # one period
    speed = np.linalg.norm(exact.angular_velocity("body"), axis=1)
    result: Measured = {}
    for h in STEPS:
        run = ps.simulate(s.mechanism, s.start, "nmb", step=h, until=200.0)
        w = run.angular_velocity("body")
        a = np.cross(w @ I, w) @ np.linalg.inv(I)  # Euler's equation
        angle = np.degrees(np.linalg.norm(h * w + h**2 / 2 * a, axis=1))  # equation 30
        result[f"h={h:g}"] = {
            "time": short(run.time),
            "degrees": short(angle, 8),
            "smallest": short(angle.min()),
            "largest": short(angle.max()),
            "h |w| of the true motion": short(np.degrees(h * np.array([speed.min(), speed.max()]))),
        }
    return result


def verdict(result: Measured) -> Verdict:
    ranges = ", ".join(f"{x['smallest']:.0f}-{x['largest']:.0f} at {name}" for name, x in result.items())
    exact = result["h=4"]["h |w| of the true motion"]
    because = (
        f"the body rotates in one step by {ranges} (degrees); h |w| of the exact motion is "
        f"{exact[0]:.0f}-{exact[1]:.0f} at h=4"
    )
    return Verdict("reproduced" if result["h=4"]["largest"] > 90 else "differs", because)


def plot(result: Measured) -> Panel:
    found = curves(result, "time", "degrees", style=".-", width=0.8, size=3)
    return Panel(found, "time", "degrees per step", legend="upper right", limits=(0, 260), columns=4)

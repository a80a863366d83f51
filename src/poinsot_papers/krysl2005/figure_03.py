"""Angular velocity of the free body at very large steps, with methods that keep its character or lose it.

The exact motion is about the axis of the smallest moment: w1 keeps its sign, w2 and w3 oscillate with a
period of 34.84.  The discrete Moser-Veselov equation h hat(P) = F J - J F^T has no solution when
h |P| > sqrt(2) |J|, the largest value of its right side.
"""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Figure, Measured, Verdict, short, thinned
from poinsot_papers.figures import COLORS, style_axes
from poinsot_papers.krysl2005._convergence import inertia

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 3 and section 3.1",
    title="Angular velocity of the freely spinning body at large steps",
    words="the qualitative character is very well preserved even for large time steps; at the step 5 it is "
    "on par with the implicit midpoint rule, while all the discrete Moser-Veselov integrators fail",
)
STEPS = (5.0, 4.0, 2.0, 0.125)
LARGEST, LONG = 5.0, 4000.0
OTHERS = ("exact", "nmb", "akw", "sw", "lp2", "dmv", "dmv4", "dmv6")


def character(method: str) -> Measured:
    """Return the signs and periods that characterise the motion at the largest step."""
    s = ps.scenario("free-body")
    try:
        run = ps.simulate(s.mechanism, s.start, method, step=LARGEST, until=LONG)
    except ps.StepError as error:
        return {"fails at": error.time}
    w = run.angular_velocity("body")
    crossings = run.time[1:][np.diff(np.signbit(w[:, 2]))]  # sign changes of w3
    return {
        "w1 keeps its sign": bool((w[:, 0] > 0).all()),
        "swings of w": short(np.ptp(w, axis=0)),
        "period of w3": short(2 * np.diff(crossings).mean()),
    }


def run() -> Measured:
    s = ps.scenario("free-body")
    curves = {}
    for h in STEPS:
        run = ps.simulate(s.mechanism, s.start, "nmb", step=h, until=100.0)
        i = thinned(len(run.time), 100)
        curves[f"h={h:g}"] = {"time": short(run.time[i]), "w": short(run.angular_velocity("body")[i].T, 8)}
    I = inertia(s.mechanism)
    J = np.trace(I) / 2 * np.eye(3) - I
    size = float(np.linalg.norm(I @ s.start.v))
    return {
        "curves": curves,
        "at step 5": {method: character(method) for method in OTHERS},
        "largest step that Moser-Veselov can take": short(np.sqrt(2) * np.linalg.norm(J) / size),
    }


def kept(one: Measured, exact: Measured) -> bool:
    """Tell whether a method keeps the sign of w1, and the period within 15 %."""
    return (
        "fails at" not in one
        and one["w1 keeps its sign"]
        and abs(one["period of w3"] / exact["period of w3"] - 1) < 0.15
    )


def verdict(result: Measured) -> Verdict:
    at = result["at step 5"]
    keepers = {method for method in OTHERS if kept(at[method], at["exact"])} - {"exact"}
    lost = [method for method in ("dmv", "dmv4", "dmv6") if "fails at" in at[method]]
    periods = [at[method]["period of w3"] for method in ("nmb", "akw", "exact")]
    limit = result["largest step that Moser-Veselov can take"]
    because = (
        f"at the step 5 w1 keeps its sign, and the period is {periods[0]:.1f} with nmb and {periods[1]:.1f} "
        f"with akw (exact {periods[2]:.1f}); {', '.join(lost)} fail in the first step, since dmv has no "
        f"solution above a step of {limit:.2f}; sw (period {at['sw']['period of w3']:.0f}) and lp2 (w1 "
        "changes sign) lose the character of the motion too"
    )
    return Verdict("reproduced" if keepers == {"nmb", "akw"} and len(lost) == 3 else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    all_axes = figure.subplots(3, 1, sharex=True)
    for k, axes in enumerate(all_axes):
        for color, (name, one) in zip(COLORS, result["curves"].items(), strict=False):
            axes.plot(one["time"], one["w"][k], ".-", color=color, markersize=3, linewidth=0.8, label=name)
        axes.set_ylabel(f"w{k + 1}")
        style_axes(axes)
    all_axes[-1].set_xlabel("time")
    figure.legend(
        *all_axes[0].get_legend_handles_labels(), frameon=False, fontsize=9, loc="outside right upper"
    )
    figure.suptitle(CLAIM.title, x=0.01, ha="left", fontsize=11)

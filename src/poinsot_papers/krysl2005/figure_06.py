"""Book toss, angular velocities: Simo-Wong is unstable at the step 0.05, Newmark is not."""

import numpy as np

from poinsot_papers.claims import Claim, Figure, Measured, Verdict, short
from poinsot_papers.krysl2005._book_toss import (
    METHODS,
    PULSE,
    RELEASE,
    after_impulse,
    curves,
    draw,
    pulsed,
    toss,
)

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 6",
    title="Book toss: body-frame angular velocities",
    words="the tendency of SW to become unstable for larger time steps is clearly visible; Newmark maintains "
    "stability, and even the accuracy of the angular velocities seems quite acceptable",
)
LONG = 10.0  # eight flips


def run() -> Measured:
    exact = after_impulse(PULSE, LONG)
    result: Measured = {"curves": curves("velocity")}
    peak = np.abs(exact.angular_velocity("book")).max(axis=0)
    result["true peaks of w"] = short(peak)
    for method in METHODS:
        run = toss(method, PULSE, LONG)
        free = run.time >= RELEASE - 1e-9
        w, energy = run.angular_velocity("book")[free], run.energy[free]
        result[method] = {
            "peaks of w": short(np.abs(w).max(axis=0)),
            "error of w": short(np.abs(w - exact.angular_velocity("book")).max()),
            "largest change of energy": short(np.abs(energy / exact.energy[0] - 1).max()),
            "peak of w3 with the printed pulse": short(
                np.abs(pulsed(method).angular_velocity("book")[:, 2]).max()
            ),
            "change of energy at the step 0.001": short(
                abs(toss(method, 0.001).energy[-1] / exact.energy[0] - 1)
            ),
        }
    return result


def verdict(result: Measured) -> Verdict:
    nmb, sw, exact = result["nmb"], result["sw"], result["true peaks of w"][2]
    because = (
        f"until t = 10 at h=0.05 the energy changes by up to {100 * sw['largest change of energy']:.0f} % "
        f"with sw and {100 * nmb['largest change of energy']:.0f} % with nmb, and the peaks of w3 are "
        f"{sw['peaks of w'][2]:.1f} and {nmb['peaks of w'][2]:.1f} (exact {exact:.1f}); with the printed "
        f"pulse they are {sw['peak of w3 with the printed pulse']:.1f} and "
        f"{nmb['peak of w3 with the printed pulse']:.1f} until t = 5; the paper does not print t_d, we take 2"
    )
    good = sw["largest change of energy"] > 0.3 and nmb["largest change of energy"] < 0.1
    return Verdict("reproduced" if good else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    draw(result, figure, CLAIM.title, "w", "body-frame angular velocity")

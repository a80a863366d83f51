"""Book toss, momentum in space: it oscillates within limits with Newmark, and is constant with Simo-Wong."""

import numpy as np

from poinsot_papers.claims import Claim, Figure, Measured, Verdict, relative_change, short
from poinsot_papers.krysl2005._book_toss import METHODS, PULSE, RELEASE, curves, draw, toss

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 7",
    title="Book toss: angular momentum in space",
    words="Newmark does not conserve momenta exactly, but their oscillations are limited and seem more or "
    "less periodic; SW conserves momenta exactly, even where it is unstable",
)
LONG = 2000.0  # 2000 flips


def run() -> Measured:
    result: Measured = {"curves": curves("momentum")}
    for method in METHODS:
        run = toss(method, PULSE, LONG)
        free = run.time > RELEASE
        L = run.angular_momentum[free]
        parts = np.array_split(L, 10)
        result[method] = {
            "size": short(np.linalg.norm(L[0])),
            "band": short(np.ptp(L, axis=0).max()),
            "bands of ten parts": short([np.ptp(part, axis=0).max() for part in parts], 8),
            "largest change of energy": short(np.abs(relative_change(run.energy[free])).max()),
        }
    return result


def verdict(result: Measured) -> Verdict:
    nmb, sw = result["nmb"], result["sw"]
    parts = nmb["bands of ten parts"]
    because = (
        f"until t = {LONG:g} at h=0.05 the momentum of {nmb['size']:.0f} stays in a band of "
        f"{nmb['band']:.1f} with nmb ({min(parts):.1f} to {max(parts):.1f} in each tenth of the time) and of "
        f"{sw['band']:.0e} with sw, whose energy changes by up to {100 * sw['largest change of energy']:.0f} "
        "%"
    )
    steady = max(parts) < 1.1 * min(parts) and nmb["band"] < 0.25 * nmb["size"]
    return Verdict("reproduced" if steady and sw["band"] < 1e-9 else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    draw(result, figure, CLAIM.title, "L", "angular momentum in space")

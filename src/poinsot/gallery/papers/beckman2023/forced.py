"""Constant torques in space: a cylinder that precesses and nutates, and a rod that does neither."""

import numpy as np

from poinsot.gallery.reproduction import Claim, Figure, Measured, Verdict
from poinsot.gallery.scenario import scenario
from poinsot.gallery.scenarios.forced_cylinder import TORQUE
from poinsot.gallery.shortening import short, thinned
from poinsot.model.checks import Array
from poinsot.plots.figure import COLORS, dress
from poinsot.run.run import Run
from poinsot.simulation.simulate import simulate

CLAIM = Claim(
    paper="beckman2023geometric",
    where="Forced Motion Demos (TQDL & RK4), In[280] and In[281]",
    title="Forced cylinder: rate of precession, and angle between axis and momentum",
    words="the cylinder must show nutation and precession, which become imperceptible when the kinetic "
    "energy approaches 37; the rod must show neither",
)
NEAR = 37.0  # J


def angle(a: Array, b: Array) -> Array:
    """Return the angles between the vectors in the rows of a and b [degrees]."""
    return np.asarray(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), (a * b).sum(axis=1))))


def run_of(name: str) -> Run:
    """Run a scenario with a step of 0.01 s."""
    s = scenario(name)
    return simulate(s.mechanism, s.start, s.method, step=0.01, until=s.until)


def run() -> Measured:
    one, rod = run_of("forced-cylinder"), run_of("forced-rod")
    axis, L = one.rotation("cylinder")[:, :, 2], one.angular_momentum
    rate = np.degrees(np.linalg.norm(np.cross(L, TORQUE), axis=1) / (L * L).sum(axis=1))
    nutation = angle(axis, L)
    there = int(np.searchsorted(one.kinetic, NEAR))
    window = nutation[there - 100 : there + 100]
    i = thinned(len(nutation), 200)
    return {
        "time of 37 J": short(one.time[there], 4),
        "precession at 0": short(rate[0], 5),
        "precession at 37 J": short(rate[there], 5),
        "largest nutation": short(nutation.max(), 5),
        "nutation near 37 J": short([window.min(), window.max()], 4),
        "rod leaves its plane by": short(np.abs(rod.rotation("rod")[:, 1, 2]).max(), 1),
        "kinetic": short(one.kinetic[i], 4),
        "rate": short(rate[i], 4),
        "nutation": short(nutation[i], 4),
    }


def verdict(result: Measured) -> Verdict:
    low, high = result["nutation near 37 J"]
    because = (
        f"the cylinder precesses (at first by {result['precession at 0']:.2f} degrees per second) and "
        f"nutates (up to {result['largest nutation']:.2f} degrees from the momentum), and the rod stays in "
        f"its plane to {result['rod leaves its plane by']:.0g}.  But at 37 J ({result['time of 37 J']:.2f} "
        f"s) the precession is still {result['precession at 37 J']:.2f} degrees per second and the nutation "
        f"{low:.1f} to {high:.1f} degrees: a third and a half of the first values, which is not imperceptible"
    )
    gone = high < 0.2 and result["precession at 37 J"] < 0.2
    return Verdict("reproduced" if gone else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    axes = figure.subplots()
    axes.plot(
        result["kinetic"], result["rate"], color=COLORS[1], linewidth=1.2, label="precession [degrees/s]"
    )
    axes.plot(
        result["kinetic"], result["nutation"], color=COLORS[0], linewidth=1.2, label="nutation [degrees]"
    )
    axes.axvline(NEAR, color="black", linewidth=0.8, linestyle="--", label="37 J")
    axes.set_xlabel("kinetic energy [J]")
    axes.legend(frameon=False, fontsize=9, loc="upper right")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    dress(axes)

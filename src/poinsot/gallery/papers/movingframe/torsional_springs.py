"""Section 3.3.2: springs in the joints with moments by Euler angles have no energy; two other kinds have."""

from typing import Any

import numpy as np

from poinsot.analytical import torsion
from poinsot.analytical.moving_frame import Loads, Motion, joint_moments
from poinsot.analytical.operators import Array
from poinsot.gallery.papers.krysl2005._shortening import short
from poinsot.gallery.papers.movingframe._chain import chain
from poinsot.gallery.reproduction import Claim, Verdict
from poinsot.plots.figure import COLORS, dress

CLAIM = Claim(
    paper="movingframe",
    where="section 3.3.2, table 3.5, figure 3.14",
    title="Four links with springs in the joints: energy gained since the start",
    words="springs with moments proportional to the Euler angles of each joint; only the length of u "
    "is shown to be kept",
)
STIFFNESS = (4000.0, 3000.0, 2000.0, 1000.0)  # table 3.5, N m
UNTIL, BEND, TOLERANCE = 15.0, 0.3, 1e-5
KINDS: dict[str, Any] = {
    "Euler angles": [torsion.angle_spring(k) for k in STIFFNESS],
    "logarithm": [torsion.log_spring(k) for k in STIFFNESS],
    "potential": [torsion.potential_spring(k * np.eye(3)) for k in STIFFNESS],
}
CHAIN = chain(4)
TIME = np.linspace(0, UNTIL, 301)


def start(angle: float) -> Array:
    """Every joint turned about its first and then its second axis; at rest."""
    c, s = np.cos(angle / 2), np.sin(angle / 2)
    return np.concatenate([np.tile([c * c, c * s, c * s, s * s], 4), np.zeros(12)])


def energies(kind: str, angle: float, tolerance: float = TOLERANCE) -> Array:
    """Energy with the nominal energy of the springs, at TIME."""
    from scipy.integrate import solve_ivp

    springs = KINDS[kind]

    def force(t: float, motion: Motion) -> Loads:
        moments = np.stack([spring[0](R) for spring, R in zip(springs, motion.relative, strict=True)])
        return np.zeros((4, 3)), joint_moments(CHAIN, motion, moments)

    path = solve_ivp(
        lambda t, y: CHAIN.field(t, y, force), (0, UNTIL), start(angle), method="DOP853", t_eval=TIME,
        rtol=tolerance, atol=tolerance,
    )  # fmt: skip
    found = []
    for y in path.y.T:
        q, w = y[:16], 2 * y[16:]
        turns = CHAIN.motion(q, w).relative
        found.append(CHAIN.energy(q, w) + sum(spring[1](R) for spring, R in zip(springs, turns, strict=True)))
    return np.array(found)


def above(x: float) -> Any:
    """A number with four digits, or for small ones, which are errors, the power of ten above it."""
    return short(x, 4) if x > 1e-2 else float(f"1e{int(np.ceil(np.log10(x)))}")


def circuits() -> dict[str, Any]:
    """Curl and work of one spring of stiffness 1, at and around the turns of the thesis."""
    table: dict[str, Any] = {}
    for angle in (0.1, 0.2, 0.3, 1.0):
        R = torsion.exponential(np.array([angle, 0, 0])) @ torsion.exponential(np.array([0, angle, 0]))
        springs = {"Euler angles": torsion.angle_spring(1.0), "logarithm": torsion.log_spring(1.0),
                   "potential": torsion.potential_spring(np.eye(3))}  # fmt: skip
        table[f"{angle:g}"] = {
            name: short(np.abs(torsion.curl(moment, R)).max(), 6) for name, (moment, _) in springs.items()
        }
    around = {
        name: short(torsion.work_around(moment, np.array([0.5, 0.0, 0.5]), 0.4, 64, axis=1), 6)
        for name, (moment, _) in springs.items()
    }
    return {"curl": table, "work around a circle": around}


def run() -> dict[str, Any]:
    curves = {name: energies(name, BEND) for name in KINDS}
    coarser = energies("Euler angles", BEND, 10 * TOLERANCE)
    return {
        **circuits(),
        "time": short(TIME, 4),
        "energy at the start": {name: short(values[0], 7) for name, values in curves.items()},
        "gain": {name: (np.round(values - values[0], 2) + 0.0).tolist() for name, values in curves.items()},
        "largest gain": {name: above(np.abs(values - values[0]).max()) for name, values in curves.items()},
        "gain at the end": {name: short(values[-1] - values[0], 4) for name, values in curves.items()},
        "converged to": above(np.abs(coarser - curves["Euler angles"]).max()),
    }


def verdict(result: dict[str, Any]) -> Verdict:
    gain, curl = result["largest gain"], result["curl"]
    closed = max(one[name] for one in curl.values() for name in ("logarithm", "potential"))
    because = (
        f"moments by Euler angles are no gradient: curl {curl['0.1']['Euler angles']:.2f}, "
        f"{curl['0.2']['Euler angles']:.2f}, {curl['0.3']['Euler angles']:.2f}, "
        f"{curl['1']['Euler angles']:.2f} k at 0.1, 0.2, 0.3, 1 rad (logarithm and potential {closed:.0e}), "
        f"work {result['work around a circle']['Euler angles']:.3f} k around a circle; from {BEND:g} "
        "rad four "
        f"links change their energy by up to {gain['Euler angles']:.0f} J in {UNTIL:g} s and have "
        f"{result['gain at the end']['Euler angles']:.0f} J more at the end (the ten times coarser run is "
        f"within {result['converged to']:.1g} J), with the other springs by at most "
        f"{gain['logarithm']:.0e} and "
        f"{gain['potential']:.0e} J"
    )
    return Verdict("differs" if gain["Euler angles"] > 1000 * gain["logarithm"] else "reproduced", because)


def plot(result: dict[str, Any], figure: Any) -> None:
    axes = figure.subplots()
    for color, (name, values) in zip(COLORS, result["gain"].items(), strict=False):
        axes.plot(result["time"], values, color=color, linewidth=1.2, label=name)
    axes.set_xlabel(f"time, from {BEND:g} rad about both axes in every joint")
    axes.set_ylabel("energy gained, J")
    figure.legend(frameon=False, fontsize=9, loc="outside right upper", title="moments by")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    dress(axes)

"""Section 3.3.2: joint springs with moments by Euler angles have no energy; two other kinds have one."""

from typing import Any, Literal

import numpy as np

import poinsot as ps
from poinsot.analytical import torsion
from poinsot_papers.claims import Array, Claim, Figure, Measured, Verdict, short
from poinsot_papers.figures import COLORS, style_axes
from poinsot_papers.movingframe._chain import LENGTH, MASS, PRISM

CLAIM = Claim(
    paper="movingframe",
    where="section 3.3.2, table 3.5, figure 3.14",
    title="Four links with springs in the joints: gain of energy since the start",
    words="springs with moments proportional to the Euler angles of each joint; only the length of u is "
    "shown to be kept",
)
STIFFNESS = (4000.0, 3000.0, 2000.0, 1000.0)  # table 3.5, N m
UNTIL, BEND, STEP, EVERY, THIN = 15.0, 0.3, 0.001, 10, 5
KINDS: dict[str, Literal["euler", "log", "trace"]] = {
    "Euler angles": "euler",
    "logarithm": "log",
    "potential": "trace",
}


def chain(kind: str) -> ps.Mechanism:
    """Return four links with springs of this kind in the joints."""
    m = ps.Mechanism()
    for n, k in enumerate(STIFFNESS):
        body = ps.Body(MASS, PRISM, center_of_mass=(0, 0, -LENGTH / 2))
        m.add(
            f"link{n}", body, ps.Spherical(), f"link{n - 1}" if n else "world", at=(0, 0, -LENGTH if n else 0)
        )
        m.apply(ps.JointSpring(f"link{n}", k, form=KINDS[kind]))
    return m


def start(angle: float) -> Array:
    """Return quaternions with every joint rotated about its first and then its second axis."""
    c, s = np.cos(angle / 2), np.sin(angle / 2)
    return np.tile([c * c, c * s, c * s, s * s], 4)


def energies(kind: str, angle: float, step: float = STEP) -> tuple[Array, Array]:
    """Return time and energy, including the nominal energy of the springs."""
    m = chain(kind)
    every = round(EVERY * STEP / step)
    run = ps.simulate(
        m, ps.State(0.0, start(angle), np.zeros(12)), "gauss2", step=step, until=UNTIL, every=every
    )
    energy = run.kinetic + run.potential
    if kind == "Euler angles":  # not a gradient: the potential does not contain their nominal energy
        for n, k in enumerate(STIFFNESS):
            nominal = torsion.angle_spring(k)[1]
            energy = energy + np.array([nominal(ps.quaternion.matrix(q)) for q in run.joint(f"link{n}")])
    return run.time, energy


def above(x: float) -> Any:
    """Return a number with four digits, or the power of ten above it if it is small and thus an error."""
    return short(x, 4) if x > 1e-2 else float(f"1e{int(np.ceil(np.log10(x)))}")


def circuits() -> Measured:
    """Return curl and work around a circle of one spring of stiffness 1, at the rotations of the thesis."""
    table: Measured = {}
    for angle in (0.1, 0.2, 0.3, 1.0):
        R = torsion.exponential(np.array([angle, 0, 0])) @ torsion.exponential(np.array([0, angle, 0]))
        springs = {
            "Euler angles": torsion.angle_spring(1.0),
            "logarithm": torsion.log_spring(1.0),
            "potential": torsion.potential_spring(np.eye(3)),
        }
        table[f"{angle:g}"] = {
            name: short(np.abs(torsion.curl(moment, R)).max(), 6) for name, (moment, _) in springs.items()
        }
    around = {
        name: short(torsion.work_around(moment, np.array([0.5, 0.0, 0.5]), 0.4, 64, axis=1), 6)
        for name, (moment, _) in springs.items()
    }
    return {"curl": table, "work around a circle": around}


def run() -> Measured:
    curves = {name: energies(name, BEND)[1] for name in KINDS}
    time, coarser = energies("Euler angles", BEND, 2 * STEP)
    gains = {f"{angle:g}": energies("Euler angles", angle)[1] for angle in (0.1, 0.2)}
    return {
        **circuits(),
        "time": short(time[::THIN], 4),
        "energy at the start": {name: short(values[0], 7) for name, values in curves.items()},
        "gain": {
            name: (np.round(values[::THIN] - values[0], 1) + 0.0).tolist() for name, values in curves.items()
        },
        "largest gain": {name: above(np.abs(values - values[0]).max()) for name, values in curves.items()},
        "gain at the end": {name: short(values[-1] - values[0], 4) for name, values in curves.items()},
        "Euler angles, smaller bends": {a: above(np.abs(v - v[0]).max()) for a, v in gains.items()},
        "converged to": short(np.abs(coarser - curves["Euler angles"]).max(), 1),
    }


def verdict(result: Measured) -> Verdict:
    gain, curl, less = result["largest gain"], result["curl"], result["Euler angles, smaller bends"]
    closed = max(one[name] for one in curl.values() for name in ("logarithm", "potential"))
    because = (
        f"moments by Euler angles are not a gradient: the curl is {curl['0.1']['Euler angles']:.2f}, "
        f"{curl['0.2']['Euler angles']:.2f}, {curl['0.3']['Euler angles']:.2f}, "
        f"{curl['1']['Euler angles']:.2f} k at 0.1, 0.2, 0.3, 1 rad (logarithm and potential: {closed:.0e}), "
        f"and the work around a circle {result['work around a circle']['Euler angles']:.3f} k; four links "
        f"change their energy by up to {less['0.1']:.2g}, {less['0.2']:.2g} and {gain['Euler angles']:.0f} J "
        f"from 0.1, 0.2 and {BEND:g} rad in {UNTIL:g} s, in the last case by "
        f"{result['gain at the end']['Euler angles']:.0f} J at the end (gauss2 with twice the step agrees to "
        f"{result['converged to']:.1g} J), with the other springs by at most {gain['logarithm']:.0e} and "
        f"{gain['potential']:.0e} J"
    )
    return Verdict("differs" if gain["Euler angles"] > 1000 * gain["logarithm"] else "reproduced", because)


def plot(result: Measured, figure: Figure) -> None:
    axes = figure.subplots()
    for color, (name, values) in zip(COLORS, result["gain"].items(), strict=False):
        axes.plot(result["time"], values, color=color, linewidth=1.2, label=name)
    axes.set_xlabel(f"time, from {BEND:g} rad about both axes in every joint")
    axes.set_ylabel("energy gained, J")
    figure.legend(frameon=False, fontsize=9, loc="outside right upper", title="moments by")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    style_axes(axes)

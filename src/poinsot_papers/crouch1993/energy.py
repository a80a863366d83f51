"""Energy of the run of the repository: constant in its figure, and its error on a logarithmic scale."""

import numpy as np

from poinsot_papers.claims import Array, Claim, Measured, Verdict, envelope
from poinsot_papers.crouch1993 import _repository as repository
from poinsot_papers.figures import COLORS, Panel, curves

CLAIM = Claim(
    paper="crouch1993numerical",
    where="repository geometric_rigid_body_dynamics, Illustrative Results, energy.svg",
    title="Energy of the thrown body",
    words="Energy is conserved",
)
POINTS = 150
LINE = 2e-3  # half the width of a line relative to the height of a figure: smaller changes are invisible


def energy(moments: Array, w: Array, v: Array, height: Array) -> Array:
    """Kinetic plus potential energy of a body of 1 kg."""
    return np.asarray(0.5 * (w * w) @ moments + 0.5 * (v * v).sum(axis=1) - repository.GRAVITY[2] * height)


def run() -> Measured:
    result: Measured = {}
    for name, moments in repository.MOMENTS.items():
        mine = repository.ours(name)
        poses, twists = repository.theirs()[name]
        runs = {
            "cg4": (mine.angular_velocity("body"), mine.velocity("body"), mine.position("body")[:, 2]),
            "repository": (twists[:, :3], twists[:, 3:], poses[:, 2, 3]),
        }
        for who, (w, v, height) in runs.items():
            E = energy(moments, w, v, height)
            time, error = envelope(mine.time, np.abs(E / E[0] - 1.0), POINTS)
            result[f"{name}, {who}"] = {
                "energy": float(E[0]),
                "largest": float(np.abs(E / E[0] - 1.0).max()),
                "last over half": float(error[-1] / error[len(error) // 2]),
                "time": np.round(time, 6).tolist(),
                "error": [float(f"{x:.3e}") for x in error],
            }
    return result


def verdict(result: Measured) -> Verdict:
    cube, brick = result["cube, repository"], result["brick, repository"]
    because = (
        f"the energy of the repository's run, {cube['energy']:.4f} J, changes by {cube['largest']:.1e} of "
        f"itself in 10 s, that of a brick by {brick['largest']:.1e} ({brick['last over half']:.1f} times the "
        "change at half time); with the exact coefficients the changes are "
        f"{result['cube, cg4']['largest']:.0e} and {result['brick, cg4']['largest']:.0e}.  They are small, "
        "but the method does not conserve energy by construction: see the errata"
    )
    return Verdict("reproduced" if cube["largest"] < LINE else "differs", because)


def plot(result: Measured) -> Panel:
    found = [
        one._replace(color=COLORS[k % 2], style="-" if k < 2 else "--")
        for k, one in enumerate(curves(result, "time", "error"))
    ]
    title = f"{CLAIM.title}: relative error"
    return Panel(found, "time [s]", r"$|E/E_0 - 1|$", "y", title, "lower right", floor=1e-17)

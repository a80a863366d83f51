"""Momenta of the run of the repository: under gravity only three of the six components are conserved."""

import numpy as np

from poinsot_papers.claims import Array, Claim, Measured, Verdict
from poinsot_papers.crouch1993 import _repository as repository
from poinsot_papers.figures import Curve, Panel

CLAIM = Claim(
    paper="crouch1993numerical",
    where="repository geometric_rigid_body_dynamics, Illustrative Results, momenta.svg",
    title="Momenta in space of the thrown body",
    words="Momentum is conserved",
)
EVERY = 100  # steps between two samples of the figure
CONSERVED = ("L_z", "P_x", "P_y")


def momenta(moments: Array, R: Array, p: Array, w: Array, v: Array) -> Array:
    """Return (n, 9): L about the origin, P and the spin R I w, all in space, of a body of 1 kg."""
    spin = (R @ (moments * w)[..., None])[..., 0]
    return np.concatenate([spin + np.cross(p, v), v, spin], axis=1)


def run() -> Measured:
    result: Measured = {}
    for name, moments in repository.MOMENTS.items():
        mine = repository.ours(name)
        poses, twists = repository.theirs()[name]
        R = poses[:, :3, :3]
        runs = {
            "cg4": momenta(
                moments,
                mine.rotation("body"),
                mine.position("body"),
                mine.angular_velocity("body"),
                mine.velocity("body"),
            ),
            "repository": momenta(
                moments, R, poses[:, :3, 3], twists[:, :3], (R @ twists[:, 3:, None])[..., 0]
            ),
        }
        result[name] = {
            who: {
                "change": dict(
                    zip(("L_x", "L_y", "L_z", "P_x", "P_y", "P_z"), (x[-1] - x[0]).tolist(), strict=False)
                ),
                "spin": float(np.abs(x[:, 6:] - x[0, 6:]).max() / np.linalg.norm(x[0, 6:])),
            }
            for who, x in runs.items()
        }
        if name == "cube":
            result["time"] = np.round(mine.time[::EVERY], 6).tolist()
            result["momenta"] = np.round(runs["cg4"][::EVERY, :6], 4).tolist()
    return result


def verdict(result: Measured) -> Verdict:
    cube = {who: result["cube"][who]["change"] for who in ("cg4", "repository")}
    conserved = {who: max(abs(change[one]) for one in CONSERVED) for who, change in cube.items()}
    changed = ", ".join(f"{one} by {cube['cg4'][one]:.4g}" for one in cube["cg4"] if one not in CONSERVED)
    brick = result["brick"]
    because = (
        f"gravity acts in the run and conserves only {', '.join(CONSERVED)} of the momenta in space (to "
        f"{conserved['cg4']:.0e} with cg4, {conserved['repository']:.1e} with the repository's coefficients) "
        f"and the spin R I w (brick: to {brick['cg4']['spin']:.0e} and {brick['repository']['spin']:.0e} of "
        f"its size); in 10 s it changes {changed}, as the falling line of P_z in the repository's own figure "
        "shows"
    )
    return Verdict("reproduced" if max(abs(x) for x in cube["cg4"].values()) < 1e-3 else "differs", because)


def plot(result: Measured) -> list[Panel]:
    x = np.array(result["momenta"])
    titles = (r"angular momentum about the origin [kg m$^2$/s]", "linear momentum [kg m/s]")
    panels = []
    for k, title in enumerate(titles):
        found = []
        for i, name in enumerate(f"{'LP'[k]}_{axis}" for axis in "xyz"):
            still = name in CONSERVED
            label = f"${name}$, {'conserved' if still else 'changed by gravity'}"
            found.append(Curve(result["time"], x[:, 3 * k + i], label, style="-" if still else "--"))
        panels.append(Panel(found, "time [s]", title, legend="lower left"))
    return panels

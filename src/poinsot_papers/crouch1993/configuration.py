"""Orientation and position of the body of the repository against the closed form of its motion."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array, Claim, Figure, Measured, Verdict
from poinsot_papers.crouch1993 import _repository as repository
from poinsot_papers.figures import COLORS, style_axes

CLAIM = Claim(
    paper="crouch1993numerical",
    where="repository geometric_rigid_body_dynamics, Illustrative Results, Kinematics, configuration.svg",
    title="Configuration of a spinning body after a throw",
    words="CG4 on SE(3) gives the nine entries of the orientation and the position of the centre of mass",
)
EVERY = 50  # steps between two samples of the figure
DASHES = ("-", "--", ":")


def closed_form(time: Array) -> tuple[Array, Array]:
    """Rotation about a fixed axis and parabola of a cube: R = exp(w t), p = v t + g t^2/2."""
    w, v, g = np.array(repository.TWIST[:3]), np.array(repository.TWIST[3:]), np.array(repository.GRAVITY)
    return ps.so3.exp(time[:, None] * w), time[:, None] * v + 0.5 * time[:, None] ** 2 * g


def run() -> Measured:
    mine = repository.ours("cube")
    poses, _ = repository.theirs()["cube"]
    R, p = closed_form(mine.time)
    found = {
        "cg4": (mine.rotation("body"), mine.position("body")),
        "repository": (poses[:, :3, :3], poses[:, :3, 3]),
    }
    errors = {
        name: {"rotation": float(np.abs(a - R).max()), "position": float(np.abs(b - p).max())}
        for name, (a, b) in found.items()
    }
    return {
        "time": np.round(mine.time[::EVERY], 6).tolist(),
        "rotation": np.round(mine.rotation("body")[::EVERY], 5).tolist(),
        "position": np.round(mine.position("body")[::EVERY], 4).tolist(),
        "errors": errors,
        "clock": float(repository.RATIONAL.b.sum() - 1.0),  # by which time runs too fast, relative
        "moments": repository.MOMENTS["cube"].tolist(),
    }


def verdict(result: Measured) -> Verdict:
    mine, other = result["errors"]["cg4"], result["errors"]["repository"]
    because = (
        "the body of the figure is a cube, so that R = exp(w t) and the path is a parabola; in 10 s the "
        f"errors of cg4 are at most {mine['rotation']:.0e} in R and {mine['position']:.0e} m, those of the "
        f"repository's coefficients {other['rotation']:.1e} and {other['position']:.1e} m (their weights sum "
        f"to 1 + {result['clock']:.1e})"
    )
    return Verdict(
        "reproduced" if other["rotation"] < 1e-3 and mine["position"] < 1e-9 else "differs", because
    )


def plot(result: Measured, figure: Figure) -> None:
    left, right = figure.subplots(1, 2)
    R, p = np.array(result["rotation"]), np.array(result["position"])
    for i in range(3):
        for j in range(3):
            label = f"$R_{{{i + 1}{j + 1}}}$"
            left.plot(result["time"], R[:, i, j], DASHES[i], color=COLORS[j], linewidth=1.1, label=label)
        right.plot(result["time"], p[:, i], color=COLORS[i], linewidth=1.3, label=f"$p_{'xyz'[i]}$")
    left.set_ylabel("orientation")
    figure.legend(handles=left.get_lines(), loc="outside lower center", frameon=False, fontsize=9, ncols=9)
    right.set_ylabel("position of the centre of mass [m]")
    right.legend(frameon=False, fontsize=9)
    figure.suptitle(CLAIM.title, x=0.01, ha="left", fontsize=11)
    for axes in (left, right):
        axes.set_xlabel("time [s]")
        style_axes(axes)

"""Velocities of the body of the repository, and of a brick, whose angular velocity is not constant."""

import numpy as np

from poinsot_papers.claims import Claim, Figure, Measured, Verdict
from poinsot_papers.crouch1993 import _repository as repository
from poinsot_papers.figures import COLORS, style_axes

CLAIM = Claim(
    paper="crouch1993numerical",
    where="repository geometric_rigid_body_dynamics, Illustrative Results, Kinematics, velocity.svg",
    title="Angular velocity in the body, velocity in space",
    words="CG4 on SE(3) gives the angular velocity in the body frame and the velocity of the centre of mass",
)
EVERY = 100  # steps between two samples of the figure


def run() -> Measured:
    result: Measured = {}
    for name in repository.BODIES:
        reference, mine = repository.ours(name, "exact"), repository.ours(name)
        poses, twists = repository.theirs()[name]
        w = reference.angular_velocity("body")
        v0, g = np.array(repository.TWIST[3:]), np.array(repository.GRAVITY)
        v = v0 + reference.time[:, None] * g  # closed form
        found = {
            "cg4": (mine.angular_velocity("body"), mine.velocity("body")),
            "repository": (twists[:, :3], (poses[:, :3, :3] @ twists[:, 3:, None])[..., 0]),
        }
        result[name] = {
            "time": np.round(mine.time[::EVERY], 6).tolist(),
            "angular velocity": np.round(found["cg4"][0][::EVERY], 5).tolist(),
            "velocity": np.round(found["cg4"][1][::EVERY], 4).tolist(),
            "errors": {
                who: {"angular velocity": float(np.abs(a - w).max()), "velocity": float(np.abs(b - v).max())}
                for who, (a, b) in found.items()
            },
        }
    return result


def verdict(result: Measured) -> Verdict:
    cube, brick = (result[name]["errors"] for name in repository.BODIES)
    change = cube["repository"]["angular velocity"]
    because = (
        f"the angular velocity of the cube stays (1, 2, 3) (change {change:.1g}), since a cube has no "
        "gyroscopic torque, and v_z falls by g t; the error of the velocity is "
        f"{cube['cg4']['velocity']:.0e} m/s with cg4 and {cube['repository']['velocity']:.1e} m/s in the "
        "repository.  The angular velocity of a brick varies; its errors are "
        f"{brick['cg4']['angular velocity']:.0e} and {brick['repository']['angular velocity']:.1e} rad/s"
    )
    good = change < 1e-12 and cube["repository"]["velocity"] < 1e-3
    return Verdict("reproduced" if good else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    left, right = figure.subplots(1, 2)
    for name, style in zip(repository.BODIES, ("--", "-"), strict=True):
        one = result[name]
        w = np.array(one["angular velocity"])
        for i, axis in enumerate("xyz"):
            left.plot(
                one["time"], w[:, i], style, color=COLORS[i], linewidth=1.2, label=rf"$\omega_{axis}$ {name}"
            )
    cube = result["cube"]
    for i, axis in enumerate("xyz"):
        v = np.array(cube["velocity"])[:, i]
        right.plot(cube["time"], v, color=COLORS[i], linewidth=1.3, label=f"$v_{axis}$")
    left.set_ylabel("angular velocity in the body [rad/s]")
    figure.legend(handles=left.get_lines(), loc="outside lower center", frameon=False, fontsize=9, ncols=6)
    right.set_ylabel("velocity in space [m/s]")
    right.legend(frameon=False, fontsize=9)
    figure.suptitle(CLAIM.title, x=0.01, ha="left", fontsize=11)
    for axes in (left, right):
        axes.set_xlabel("time [s]")
        style_axes(axes)

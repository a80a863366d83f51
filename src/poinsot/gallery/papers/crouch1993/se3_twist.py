"""Straight flight of a spinning body: the body twist bends its path, the velocity in space does not."""

import numpy as np

from poinsot.gallery.papers.crouch1993 import _repository as repository
from poinsot.gallery.reproduction import Claim, Figure, Measured, Verdict
from poinsot.gallery.step_axis import label_steps
from poinsot.model.body import Body
from poinsot.model.joints import Free
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Box
from poinsot.plots.figure import COLORS, dress
from poinsot.simulation.simulate import simulate

CLAIM = Claim(
    paper="crouch1993numerical",
    where="repository geometric_rigid_body_dynamics, Algorithm for CG4 on SE(3)",
    title="Straight free flight of a spinning body",
    words="exponentials for the configuration and addition for the body twist respect the geometry of SE(3)",
)
SPIN = (10.0, -10.0, 10.0)  # from the first version of main.m in the repository
VELOCITY = (1.0, 2.0, 3.0)
END = 2.0
STEPS = (100, 200, 400, 800, 1600)
STEP = 0.01  # at which the verdict quotes the error
NO_GRAVITY = (0.0, 0.0, 0.0)


def run() -> Measured:
    target = END * np.array(VELOCITY)
    m = Mechanism(gravity=NO_GRAVITY).add("body", Body(1.0, Box(repository.BODIES["brick"])), Free())
    start = m.state({"body": {"angular_velocity": SPIN, "velocity": VELOCITY}})
    J = repository.MOMENTS["brick"]
    result: Measured = {"step": [], "twist": [], "space": [], "speed": []}
    for n in STEPS:
        h = END / n
        poses, twists = repository.twist_cg4(
            J, (*SPIN, *VELOCITY), h, n, [repository.EXACT], gravity=NO_GRAVITY
        )
        mine = simulate(m, start, "cg4", step=h, steps=n)
        result["step"].append(h)
        result["twist"].append(float(np.linalg.norm(poses[-1, 0, :3, 3] - target)))
        result["space"].append(float(np.linalg.norm(mine.position("body")[-1] - target)))
        result["speed"].append(abs(float(np.linalg.norm(twists[-1, 0, 3:]) / np.linalg.norm(VELOCITY)) - 1.0))
    result["order"] = float(np.polyfit(np.log(result["step"]), np.log(result["twist"]), 1)[0])
    screw, _ = repository.twist_cg4(
        repository.MOMENTS["cube"], repository.TWIST, STEP, 200, [repository.EXACT], gravity=NO_GRAVITY
    )
    result["screw"] = float(np.linalg.norm(screw[-1, 0, :3, 3] - 200 * STEP * np.array(repository.TWIST[3:])))
    return result


def verdict(result: Measured) -> Verdict:
    at = result["step"].index(STEP)
    because = (
        f"without any force the body twist misses the straight path by {result['twist'][at]:.1e} m after "
        f"{END:g} s at h = {STEP:g} (order {result['order']:.1f}) and changes the speed by a fraction of "
        f"{result['speed'][at]:.0e}; cg4 integrates the position with the velocity in space and misses by at "
        f"most {max(result['space']):.0e} m at any step.  The repository's start, a cube with v parallel to "
        f"w, hides the error ({result['screw']:.0e} m)"
    )
    return Verdict("reproduced" if result["twist"][at] < 1e-9 else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    axes = figure.subplots()
    curves = {
        "body twist on SE(3), exact coefficients": "twist",
        "cg4: position with the velocity in space": "space",
    }
    for color, (label, key) in zip(COLORS, curves.items(), strict=False):
        axes.loglog(
            result["step"], np.maximum(result[key], 1e-17), "o-", color=color, markersize=4, label=label
        )
    axes.set_ylim(1e-17, 1.0)
    label_steps(axes, result["step"])
    axes.set_xlabel("step [s]")
    axes.set_ylabel(f"distance from the straight path after {END:g} s [m]")
    axes.legend(frameon=False, fontsize=9, loc="center right")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    dress(axes)

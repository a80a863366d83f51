"""Straight flight of a spinning body: the body twist bends its path, the velocity in space does not."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict
from poinsot_papers.crouch1993 import _repository as repository
from poinsot_papers.figures import Panel, curves

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
    m = ps.Mechanism(gravity=NO_GRAVITY).add(
        "body", ps.Body(1.0, ps.Box(repository.BODIES["brick"])), ps.Free()
    )
    start = m.state({"body": {"angular_velocity": SPIN, "velocity": VELOCITY}})
    J = repository.MOMENTS["brick"]
    result: Measured = {"step": [], "twist": [], "space": [], "speed": []}
    for n in STEPS:
        h = END / n
        poses, twists = repository.twist_cg4(
            J, (*SPIN, *VELOCITY), h, n, [repository.EXACT], gravity=NO_GRAVITY
        )
        mine = ps.simulate(m, start, "cg4", step=h, steps=n)
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


def plot(result: Measured) -> Panel:
    rows = {
        "body twist on SE(3), exact coefficients": result["twist"],
        "cg4: position with the velocity in space": result["space"],
    }
    return Panel(
        curves(rows, result["step"], style="o-", size=4.0),
        "step [s]",
        f"distance from the straight path after {END:g} s [m]",
        log="xy",
        legend="center right",
        limits=(1e-17, 1.0),
        floor=1e-17,
        ticks=result["step"],
    )

"""Distance of the configuration from SE(3): products of matrices, of quaternions, and a naive sum."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array, Claim, Measured, Verdict, envelope
from poinsot_papers.crouch1993 import _repository as repository
from poinsot_papers.figures import Panel, curves

CLAIM = Claim(
    paper="crouch1993numerical",
    where="repository geometric_rigid_body_dynamics, Illustrative Results, SE3metrics.svg",
    title="Distance of the configuration from SE(3)",
    words="The configuration stays in SE(3): det R = 1 and the distance to SE(3) is 0; T + h dT/dt leaves it",
)
POINTS = 150


def distance(R: Array) -> Array:
    """Frobenius norm of R^T R - 1: the distance of Modern Robotics for poses with last row (0, 0, 0, 1)."""
    return np.asarray(np.linalg.norm(np.swapaxes(R, -1, -2) @ R - np.eye(3), axis=(-2, -1)))


def naive() -> Array:
    """Orientations by the naive sum T + h T [V] for the cube, whose angular velocity is constant."""
    X = np.eye(4) + repository.STEP * ps.se3.hat(repository.TWIST)
    T = [np.eye(4)]
    for _ in range(repository.STEPS):
        T.append(T[-1] @ X)
    return np.array(T)[:, :3, :3]


def run() -> Measured:
    mine = repository.ours("cube")
    runs = {
        "T + h T [V], forbidden": naive(),
        "repository: product of 4x4 matrices": repository.theirs()["cube"][0][:, :3, :3],
        "cg4: product of quaternions, polished": mine.rotation("body"),
    }
    result: Measured = {}
    for name, R in runs.items():
        far = distance(R)
        time, largest = envelope(mine.time, far, POINTS)
        result[name] = {
            "distance": float(far.max()),
            "determinant": float(np.abs(np.linalg.det(R) - 1.0).max()),
            "time": np.round(time, 6).tolist(),
            "curve": [float(f"{x:.3e}") for x in largest],
        }
    return result


def verdict(result: Measured) -> Verdict:
    naive_sum, matrices, quaternions = result.values()
    because = (
        f"in 10 s the distance of the repository's matrices from SE(3) reaches {matrices['distance']:.0e} "
        f"(det R - 1 = {matrices['determinant']:.0e}), growing with the number of steps as rounding does; "
        f"that of cg4 stays at {quaternions['distance']:.0e}; the naive sum ends at a distance of "
        f"{naive_sum['distance']:.2g} with det R - 1 = {naive_sum['determinant']:.2g}"
    )
    good = matrices["distance"] < 1e-10 and quaternions["distance"] < 1e-13 and naive_sum["distance"] > 1e-2
    return Verdict("reproduced" if good else "differs", because)


def plot(result: Measured) -> Panel:
    found, limits = curves(result, "time", "curve"), (1e-17, 1e2)
    return Panel(
        found, "time [s]", r"$|R^T R - 1|$", log="y", legend="center right", limits=limits, floor=1e-17
    )

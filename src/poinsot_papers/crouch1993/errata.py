"""Two statements of the repository that do not hold: the update T exp([V]), and the conservation laws."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, relative_change
from poinsot_papers.crouch1993 import _repository as repository
from poinsot_papers.figures import Curve, Panel

CLAIM = Claim(
    paper="crouch1993numerical",
    where="repository geometric_rigid_body_dynamics, Transformation Matrices, and Illustrative Results",
    title="CG4 on the free body: energy and momentum in space drift",
    words="T(t_k+1) = T(t_k) exp([V]) with [V] = T^-1 dT/dt; energy is conserved; momentum is conserved",
)
STEPS = (0.4, 0.2, 0.1)
SHORT, LONG = 100.0, 20_000.0
SAMPLES = 100


def printed(h: float) -> dict[str, float]:
    """Distance that a body flies straight in a second, with T exp([V]) and with T exp(h [V])."""
    V = np.array((0.0, 0.0, 0.0, *repository.TWIST[3:]))
    paths = {}
    for name, X in {"printed": ps.se3.exp(V), "with the step": ps.se3.exp(h * V)}.items():
        T = np.linalg.matrix_power(X, round(1.0 / h))
        paths[name] = float(np.linalg.norm(T[:3, 3]))
    return paths


def run() -> Measured:
    s = ps.scenario("free-body")
    result: Measured = {"path in 1 s at h = 0.001": printed(1e-3), "drift": {}}
    for h in STEPS:
        short = ps.simulate(s.mechanism, s.start, "cg4", step=h, until=SHORT).report()
        long = ps.simulate(s.mechanism, s.start, "cg4", step=h, until=LONG, every=round(LONG / h / SAMPLES))
        slow, L = long.report(), long.angular_momentum
        result["drift"][f"h={h:g}"] = {
            "step": h,
            "energy band": short.energy.relative_band,
            "momentum band": short.angular_momentum.relative_band,
            "energy slope": slow.energy.slope / slow.energy.scale,
            "momentum slope": abs(slow.angular_momentum.slope) / slow.angular_momentum.scale,
            "time": np.round(long.time, 6).tolist(),
            "energy": np.abs(relative_change(long.energy, long.kinetic.max())).tolist(),
            "momentum": (np.linalg.norm(L - L[0], axis=1) / np.linalg.norm(L[0])).tolist(),
        }
    rows = list(result["drift"].values())
    result["orders"] = {
        key: float(np.polyfit(np.log(STEPS), np.log([abs(row[key]) for row in rows]), 1)[0])
        for key in ("energy band", "momentum band", "energy slope", "momentum slope")
    }
    return result


def verdict(result: Measured) -> Verdict:
    path, order = result["path in 1 s at h = 0.001"], result["orders"]
    row = result["drift"]["h=0.2"]
    because = (
        f"T exp([V]) lacks the step: in 1 s at h = 0.001 the body moves by {path['printed']:.0f} m, with T "
        f"exp(h [V]) by {path['with the step']:.3f} m.  On the free body at h = 0.2 the energy changes by "
        f"{row['energy band']:.1e} in {SHORT:g} s (order {order['energy band']:.1f}) and the momentum in "
        f"space by {row['momentum band']:.1e} (order {order['momentum band']:.1f}); over {LONG:g} s they "
        f"drift by {row['energy slope']:.1e} and {row['momentum slope']:.1e} per second (orders "
        f"{order['energy slope']:.1f} and {order['momentum slope']:.1f})"
    )
    conserved = max(row["energy band"], row["momentum band"]) < 1e-12
    return Verdict("reproduced" if conserved else "differs", because)


def plot(result: Measured) -> list[Panel]:
    rows = {
        key: [
            Curve(np.array(one["time"][1:]) / 1000, one[key][1:], name)
            for name, one in result["drift"].items()
        ]
        for key in ("energy", "momentum")
    }
    ends = [value for row in rows.values() for one in row for value in np.asarray(one.y)]
    limits = float(min(ends) / 2), float(max(ends) * 2)
    return [
        Panel(
            row, "time [1000 s]", f"relative error of the {key}", log="y", legend="lower right", limits=limits
        )
        for key, row in rows.items()
    ]

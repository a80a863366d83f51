"""Examples 6 and 7: the tricopter with suspended load, two kinds of velocities, against another library."""

import numpy as np

from poinsot.analytical import levi_civita, spaces
from poinsot.analytical.derivatives import complex_step
from poinsot_papers.claims import Claim, Measured, Verdict
from poinsot_papers.figures import Bars, residuals
from poinsot_papers.konz2024 import _tricopter as data
from poinsot_papers.konz2024._numbers import largest

CLAIM = Claim(
    paper="konz2024energy",
    where="examples 6 and 7, (3.100)-(3.126)",
    title="Tricopter with suspended load",
    words="30 coordinates on SE(3) x SO(3) x R^3 x (S^1)^3 with relative or absolute velocities give the "
    "equations of motion",
)
BOUND = 1e-12


def run() -> Measured:
    x, xi, f = data.X, data.STATE, data.FORCE
    rel, load = data.tricopter(), data.tricopter("absolute")
    size = float(np.abs(data.ACCELERATION).max())
    other = xi.copy()
    other[6:9] += spaces.matrix(x[12:21]).T @ xi[:3]  # the load's absolute angular velocity
    k, l = rel.kinematics(x, xi), load.kinematics(x, other)
    force = f.copy()
    force[:3] -= spaces.matrix(x[12:21]) @ f[6:9]  # the same forces do the same work
    a, b = rel.acceleration(x, xi, f), load.acceleration(x, other, force)
    bodies = [
        k.J[i] @ a + k.J_rate[i] @ xi - l.J[i] @ b - l.J_rate[i] @ other for i in range(len(rel.links) + 1)
    ]
    slopes = complex_step(lambda z: np.stack(load.kinematics(z, other).J), x, l.A @ other)
    c = load.coordinates()
    size_b = np.abs(b).max()
    by_energy = levi_civita(c, load.mass, load.potential_energy, lambda t, x, v: force)
    return {
        "coordinates": rel.size,
        "degrees of freedom": c.check(x),
        "residuals": {
            "accelerations, another engine": largest((a - data.ACCELERATION) / size),
            "mass matrix": largest(np.linalg.norm(rel.mass(x)) / data.FROBENIUS - 1),
            "bias c": largest(rel.bias(x, xi) - data.BIAS),
            "weight f_G": largest(rel.gravity_force(x) - data.WEIGHT),
            "kinetic energy": largest(rel.kinetic_energy(x, xi) / data.KINETIC - 1),
            "potential energy": largest(rel.potential_energy(x) / data.POTENTIAL - 1),
            "absolute velocities, same bodies": largest(np.array(bodies) / size),
            "dJ/dt, complex step": largest(np.array(l.J_rate) - slopes),
            "from M and V alone, (3.35)": largest((by_energy.acceleration(0.0, x, other) - b) / size_b),
        },
    }


def verdict(result: Measured) -> Verdict:
    worst, n = max(result["residuals"].values()), result["degrees of freedom"]
    because = (
        f"the tricopter has {result['coordinates']} coordinates and {n} degrees of freedom (6 + 3 + 3 + 3); "
        "its accelerations agree with those of an independent library to "
        f"{result['residuals']['accelerations, another engine']:.1e}, and all checks hold to {worst:.1e}"
    )
    return Verdict("reproduced" if worst <= BOUND and n == 15 else "differs", because)


def plot(result: Measured) -> Bars:
    return residuals(result["residuals"], BOUND)

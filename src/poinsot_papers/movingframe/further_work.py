"""Chapter 4, joints with one or two axes: B restricted to their axes, against another formulation."""

import numpy as np

from poinsot.analytical import Link, MovingFrame, RigidBodies, closest_rotation, from_moments
from poinsot.analytical.operators import pose
from poinsot_papers.claims import Array, Claim, Measured, Verdict, about_origin, short
from poinsot_papers.figures import Bars, residuals

CLAIM = Claim(
    paper="movingframe",
    where="chapter 4, possible further work",
    title="A tree of nine bodies on joints with one, two and three axes",
    words="rotations may be restricted to one or two axes; the generating expressions for B should exist",
)
JOINTS = ((-1, 3), (0, 1), (0, 2), (2, 3), (1, 2), (4, 1), (3, 3), (-1, 2), (7, 3))  # parent, axes
BOUND = 1e-12


def links(rng: np.random.Generator) -> list[Link]:
    """Return random bodies on the joints of JOINTS."""
    found = []
    for parent, axes in JOINTS:
        root, v = rng.normal(size=(3, 3)), rng.normal(size=(4, 3))
        found.append(
            Link(
                parent,
                rng.uniform(0.5, 2),
                root @ root.T + np.eye(3),
                v[0],
                v[1],
                None if axes == 3 else v[2 : 2 + axes],
                closest_rotation(rng.normal(size=(3, 3))),
            )
        )
    return found


def other(parts: list[Link]) -> RigidBodies:
    """Return the same tree by Jacobians of bodies; two axes are two joints with a massless body between."""
    t = RigidBodies()
    numbers: list[int] = []
    for link in parts:
        shift = np.array(link.outboard) + (parts[link.parent].inboard if link.parent >= 0 else 0.0)
        parent, G = 0 if link.parent < 0 else numbers[link.parent], pose(link.placement, shift)
        inertia = from_moments(link.mass, link.inboard, about_origin(link.mass, link.inboard, link.inertia))
        if link.axes is None:
            numbers.append(t.add(parent, "quaternion", inertia, G))
            continue
        axes = np.atleast_2d(link.axes)
        if len(axes) == 2:
            parent, G = t.add(parent, "revolute", np.zeros((4, 4)), G, axes[0]), np.eye(4)
        numbers.append(t.add(parent, "revolute", inertia, G, axes[1 if len(axes) == 2 else 0]))
    return t


def state(system: MovingFrame, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return random coordinates and velocities."""
    q = []
    for axes in system.axes:
        z = rng.normal(size=4 if axes is None else len(axes))
        q.append(z / np.linalg.norm(z) if axes is None else z)
    return np.concatenate(q), rng.normal(size=system.freedom)


def run() -> Measured:
    rng = np.random.default_rng(3)
    parts = links(rng)
    system, tree = MovingFrame(parts), other(parts)
    worst = dict.fromkeys(("M*", "N* w against c", "acceleration", "dB/dt", "energy"), 0.0)
    for _ in range(20):
        q, w = state(system, rng)
        M, N, _ = system.reduce(q, w)
        c, a, b = tree.bias(q, w), system.acceleration(q, w), tree.acceleration(q, w)
        along = system.field(0.0, np.concatenate([q, system.halves() * w]))[: system.size]
        dB = system.matrices(q + 1e-100j * along, w)[0].imag / 1e-100
        total = float(tree.kinetic_energy(q, w) + tree.potential_energy(q))
        for name, off in {
            "M*": np.abs(M - tree.mass(q)).max() / np.abs(M).max(),
            "N* w against c": np.abs(N - c).max() / np.abs(c).max(),
            "acceleration": np.abs(a - b).max() / np.abs(b).max(),
            "dB/dt": np.abs(system.matrices(q, w)[1] - dB).max() / np.abs(dB).max(),
            "energy": abs(system.energy(q, w) - total) / abs(total),
        }.items():
            worst[name] = max(worst[name], float(off))
    return {
        "bodies": system.n,
        "coordinates": system.size,
        "degrees of freedom": system.freedom,
        "residuals": {name: short(value, 2) for name, value in worst.items()},
    }


def verdict(result: Measured) -> Verdict:
    worst = max(result["residuals"].values())
    because = (
        f"on {result['bodies']} bodies in two branches with {result['degrees of freedom']} degrees of "
        "freedom the recursions carry over with w = E dq/dt, as B E and dB E + B dE; all quantities agree "
        f"with another formulation to {worst:.0e}"
    )
    return Verdict("reproduced" if worst <= BOUND else "differs", because)


def plot(result: Measured) -> Bars:
    return residuals(result["residuals"], BOUND, "largest relative difference")

"""Chains of links that swing in a plane, computed here: pages must show many bodies before the library runs them.

    M(θ)ᵢⱼ = (n − max(i, j)) cos(θᵢ − θⱼ),   M θ̈ = −Σⱼ (n − max(i, j)) sin(θᵢ − θⱼ) θ̇ⱼ² − g (n − i) sin θᵢ     (1)

for unit masses at the ends of n links of unit length.
"""

import numpy as np

import poinsot as ps
from poinsot.model.kinematics import Motion
from poinsot.model.rotations import matrix
from poinsot.run import Run
from poinsot.trajectory import Trajectory


def chain(n, shape=None, joint=ps.Spherical):
    """n links on top of each other's ends, hanging down."""
    m = ps.Mechanism()
    body = shape.body(mass=1.0) if shape else ps.Body(1.0, (1 / 12, 1 / 12, 1e-3))
    for i in range(n):
        m.add(
            f"link{i}",
            body,
            joint(),
            parent=f"link{i - 1}" if i else "world",
            at=(0, 0, -0.5) if i else (0, 0, 0),
            body_at=(0, 0, -0.5),
        )
    return m


def swing(n, frames, step=0.02, substeps=5, start=None):
    """Angles and rates (frames, n) by the classical Runge-Kutta method on (1)."""
    weight = n - np.maximum(*np.indices((n, n))).astype(float)
    own = (n - np.arange(n)) * 9.81

    def rates(x):
        angle, rate = x
        gap = angle[:, None] - angle[None, :]
        force = -(weight * np.sin(gap)) @ rate**2 - own * np.sin(angle)
        return np.array([rate, np.linalg.solve(weight * np.cos(gap), force)])

    x = np.array([np.full(n, 1.2) if start is None else start, np.zeros(n)])
    h, rows = step / substeps, [x]
    for _ in range(frames - 1):
        for _ in range(substeps):
            a = rates(x)
            b = rates(x + h / 2 * a)
            c = rates(x + h / 2 * b)
            d = rates(x + h * c)
            x = x + h / 6 * (a + 2 * b + 2 * c + d)
        rows.append(x)
    angle, rate = np.moveaxis(np.array(rows), 1, 0)
    return angle, rate


def run_of(mechanism, angle, rate, step=0.02):
    """A Run with these angles about y: everything that a page asks of one."""
    frames, n = angle.shape
    motions, end, speed = {}, np.zeros((frames, 3)), np.zeros((frames, 3))
    for i, link in enumerate(mechanism.links):
        c, s = np.cos(angle[:, i]), np.sin(angle[:, i])
        down = np.stack([-s, 0 * s, -c], axis=1)
        moved = np.stack([-c, 0 * s, s], axis=1) * rate[:, i, None]
        q = np.stack([np.cos(angle[:, i] / 2), 0 * s, np.sin(angle[:, i] / 2), 0 * s], axis=1)
        w = np.stack([0 * s, rate[:, i], 0 * s], axis=1)
        motions[link.name] = Motion(q, matrix(q), w, end + down / 2, speed + moved / 2)
        end, speed = end + down, speed + moved
    nq, nv = (sum(getattr(link.joint, word) for link in mechanism.links) for word in ("nq", "nv"))
    q, v, nothing = np.zeros((frames, nq)), np.zeros((frames, nv)), np.zeros(frames)
    whole = Trajectory(mechanism, step * np.arange(frames), q, v, nothing, nothing.copy())
    vars(whole)["motions"] = motions
    method = next(one for one in ps.methods() if one.name == "rk4")
    final = ps.State(step * (frames - 1), q[-1] if frames else np.zeros(nq), v[-1] if frames else np.zeros(nv))
    return Run(whole, method, step, max(0, frames - 1), 1, 0, 0, 0.0, final, {"poinsot": "test"})


def pendulum(n, frames=400, shape=None):
    start = 1.2 + 0.9 * np.sin(np.arange(n) * 0.7)
    return run_of(chain(n, shape), *swing(n, frames, start=start))


def waves(n, frames):
    """Angles that are sums of waves: as hard to compress as a motion, and made at once."""
    t = 0.02 * np.arange(frames)[:, None]
    random = np.random.default_rng(1)
    angle, rate = np.zeros((frames, n)), np.zeros((frames, n))
    for _ in range(6):
        size, pulse, phase = random.uniform(0.1, 0.6, n), random.uniform(0.5, 7, n), random.uniform(0, 6, n)
        angle += size * np.sin(pulse * t + phase)
        rate += size * pulse * np.cos(pulse * t + phase)
    return run_of(chain(n), angle, rate)

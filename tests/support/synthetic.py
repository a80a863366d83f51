"""Chains of links that swing in a plane, computed here and not by the library.

    M(θ)ᵢⱼ = (n − max(i, j)) cos(θᵢ − θⱼ)
    M θ̈ = −Σⱼ (n − max(i, j)) sin(θᵢ − θⱼ) θ̇ⱼ² − g (n − i) sin θᵢ                     (1)

for unit masses at the ends of n links of unit length.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

import poinsot as ps
from poinsot.diagnostics.motions import plain_sums
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.model.kinematics import SampledMotion
from poinsot.model.rotations import matrix
from poinsot.run.run import Run


class Known(SampledMotion):
    """A motion of a body without welded parts."""

    @property
    def part(self):
        return self


class KnownMotions(dict):
    """Motions by name, as `Motions` has them; there are no frames."""

    find = dict.get


@dataclass(frozen=True, eq=False)
class Given(Trajectory):
    """A trajectory whose motions are known and not computed from q and v."""

    known: dict = field(default_factory=dict)

    @cached_property
    def motions(self):
        return KnownMotions(
            {name: Known(*(x[: len(self.time)] for x in one)) for name, one in self.known.items()}
        )

    @cached_property
    def sums(self):
        return plain_sums(self.mechanism, self.motions, len(self.time))

    @property
    def chunk(self):
        """The whole is one part: what is known is known at all samples."""
        return max(1, len(self.time))


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
    frames = len(angle)
    motions, end, speed = {}, np.zeros((frames, 3)), np.zeros((frames, 3))
    for i, link in enumerate(mechanism.links):
        c, s = np.cos(angle[:, i]), np.sin(angle[:, i])
        down = np.stack([-s, 0 * s, -c], axis=1)
        moved = np.stack([-c, 0 * s, s], axis=1) * rate[:, i, None]
        q = np.stack([np.cos(angle[:, i] / 2), 0 * s, np.sin(angle[:, i] / 2), 0 * s], axis=1)
        w = np.stack([0 * s, rate[:, i], 0 * s], axis=1)
        place = end + down / 2, speed + moved / 2  # of the centre of mass, which is the origin of the body
        motions[link.name] = SampledMotion(q, matrix(q), w, *place, *place)
        end, speed = end + down, speed + moved
    nq, nv = (sum(getattr(link.joint, word) for link in mechanism.links) for word in ("nq", "nv"))
    q, v, nothing = np.zeros((frames, nq)), np.zeros((frames, nv)), np.zeros(frames)
    whole = Given(mechanism, step * np.arange(frames), q, v, nothing, nothing.copy(), known=motions)
    method = next(one for one in ps.methods() if one.name == "rk4")
    final = ps.State(
        step * (frames - 1), q[-1] if frames else np.zeros(nq), v[-1] if frames else np.zeros(nv)
    )
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


def tetrahedron():
    corners = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]) * 0.25
    return ps.Mesh.from_arrays(corners, [(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)])


def workshop():
    """One of everything, on a row of hooks."""
    m = ps.Mechanism()
    joints = (
        ps.Revolute((0, 1, 0)),
        ps.Prismatic((0, 0, 1)),
        ps.Cylindrical((0, 0, 1)),
        ps.Universal((1, 0, 0), (0, 1, 0)),
        ps.Planar((0, 1, 0)),
        ps.Fixed(),
        ps.Spherical(),
        ps.Helical((0, 1, 0), 0.1),
    )
    shapes = (
        ps.Box((0.2, 0.3, 0.5)),
        ps.Cylinder(0.2, 0.5),
        ps.Sphere(0.25),
        ps.Capsule(0.1, 0.5),
        tetrahedron(),
        ps.Box((0.3, 0.3, 0.1)),
        None,
        ps.Cylinder(0.2, 0.1),
    )
    for i, (joint, shape) in enumerate(zip(joints, shapes, strict=True)):
        body = shape.body(mass=1.0) if shape else ps.Body(1.0, (0.02, 0.03, 0.04))
        m.add(type(joint).__name__, body, joint, at=(i - 3, 0, 0), body_at=(0, 0, -0.8))
    m.apply(ps.Spring("Revolute", "Prismatic", 1.0), ps.Damper("Universal", "world", 1.0, at_b=(0, 1, -1)))
    frames = 60
    t = 0.05 * np.arange(frames)
    run = run_of(m, 0.4 * np.sin(2 * t[:, None] + np.arange(8)), 0.8 * np.cos(2 * t[:, None] + np.arange(8)))
    still = np.tile([1.0, 0, 0, 0], (frames, 1))
    for i, name in enumerate(m.names):  # each hangs on its own hook
        x = run.trajectory.motions[name]
        place = np.array([i - 3, 0, 0]) + np.einsum("nij,j->ni", x.rotation, [0, 0, -0.8])
        moved = x._replace(position=place)
        if name in ("Prismatic", "Fixed"):
            place = np.tile([i - 3, 0, -0.8], (frames, 1))
            moved = x._replace(quaternion=still, rotation=matrix(still), position=place)
        run.trajectory.motions[name] = moved
    return run

"""The articulated matrix of Newton's method against a dense one: what it solves is what `move` computes.

A wrong entry would cost corrections, not digits: runs do not see it.  All kinds of joints, inner and outer
ones, with stiffness; the passes are called as the time loop calls them.
"""

import numpy as np
import pytest
from numba import float64

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.core.methods.variational import pivots
from poinsot.core.methods.variational.block import TwistMatrix
from poinsot.core.methods.variational.compiled import (
    APPEND,
    CLEAR,
    INERTIA,
    LOGARITHMS,
    PRODUCT,
    SE3,
    UPDATE,
    passes,
)
from poinsot.core.methods.variational.increments import JOINTS
from poinsot.core.methods.variational.tables import AFTER, BEFORE, SIZE, loop_arrays, loop_counts
from poinsot.mechanics.algorithms import mass_matrix
from poinsot.mechanics.loop_constraints import LoopConstraints

BODY = dict(mass=1.3, inertia=(0.5, 0.7, 0.6), center_of_mass=(0.2, -0.1, 0.3))
KINDS = {
    "hinge": ("world", ps.Revolute((0.3, 1.0, 0.2))),
    "ball": ("hinge", ps.Spherical()),
    "thread": ("ball", ps.Helical((0.2, -0.5, 1.0), 2.5)),
    "slide": ("thread", ps.Prismatic((1.0, 0.2, -0.4))),
    "outer": ("slide", ps.Revolute((0.1, 0.4, 1.0))),
    "knob": ("outer", ps.Spherical()),
    "drawer": ("hinge", ps.Prismatic((0.0, 1.0, 1.0))),
    "boat": ("slide", ps.Free()),
    "mast": ("boat", ps.Revolute((1.0, 0.0, 0.3))),
    "cap": ("mast", ps.Helical((0.5, 0.6, -0.2), -1.5)),
}


def tree(*loops):
    m = ps.Mechanism()
    for i, (name, (parent, joint)) in enumerate(KINDS.items()):
        m.add(name, ps.Body(**BODY), joint, parent, at=(0.3, -0.2, 0.1 * i), rotation=(0.8, 0.0, 0.6, 0.0))
    return m.close(*loops)


class Bench:
    """A step of a tree that lies open: q, increments, and the passes."""

    def __init__(self, m, size=0.4):
        random = np.random.default_rng(7)
        self.m, self.tree = m, compile_tree(m, joints=JOINTS)
        self.nq, self.nv = m.lengths
        self.model, self.workspace = self.tree.model(), np.zeros(SIZE * (self.tree.links + 1))
        self.q = np.array(ps.dynamics.move(m, m.state(), random.normal(size=2 * self.nv)).q)
        self.inc = np.zeros(self.nq)
        self("joints", self.inc, self.inc, self.inc, what=CLEAR)
        self("joints", self.inc, size * random.normal(size=self.nv), self.inc, what=UPDATE)
        self("place", self.q, BEFORE)

    def __call__(self, name, *arguments, what=None):
        found = getattr(passes(float64, True), name)
        found = getattr(found, "entry", found)
        if name == "joints":
            return found(what, self.model, *arguments)
        return found(self.model, self.workspace, *arguments)

    def momenta(self, y, product):
        """`move` at the increments exp(y) from the first ones."""
        inc, g = self.inc.copy(), np.zeros(self.nv)
        self("joints", inc, np.array(y), inc, what=UPDATE)
        assert self("displace", inc, product, g)
        return g

    def dense(self, product):
        columns = []
        for e in 1e-3 * np.eye(self.nv):
            f = [self.momenta(k * e, product) for k in (-2, -1, 1, 2)]
            columns.append((f[0] - 8 * f[1] + 8 * f[2] - f[3]) / 12e-3)
        self.momenta(np.zeros(self.nv), product)
        return np.array(columns).T

    def inverse(self, left, right):
        columns = np.eye(self.nv)
        for column in columns:
            self("solve", left, right, column)
        return columns.T

    @property
    def end(self):
        q = self.q.copy()
        self("joints", q, self.inc, self.inc, what=APPEND)
        return q


def stiffness(m, value):
    """Of each joint, at its first velocity; and what it adds to the matrix."""
    k, added = np.zeros(m.lengths[1]), np.zeros(m.lengths[1])
    for i, (name, (_, joint)) in enumerate(KINDS.items()):
        if not isinstance(joint, ps.Free):
            where = m.slices(name)[1]
            k[where.start] = added[where] = value * (1 + i)
    return k, np.diag(added)


def test_the_tree_has_every_joint_that_these_methods_know():
    assert {one.kind for _, joint in KINDS.values() for one in joint.core_joints} == set(JOINTS)


@pytest.mark.parametrize("k", [0.0, 0.7])
@pytest.mark.parametrize("what", [SE3, PRODUCT])
def test_the_matrix_is_that_of_differences(what, k):
    on = Bench(tree())
    k, added = stiffness(on.m, k)
    J = on.dense(what == PRODUCT) + added
    on("factor", what, BEFORE, AFTER, k)
    assert J @ on.inverse(BEFORE, AFTER) == pytest.approx(np.eye(on.nv), abs=1e-8)
    assert np.abs(J - J.T).max() > 0.1, "it is not symmetric"


def test_without_stiffness_the_parent_feels_exactly_nothing_along_the_joint():
    """Rounding there would be divided by the inertia of light links, and momentum would leak."""
    for seed in range(20):
        random = np.random.default_rng(seed)
        X = TwistMatrix(*(tuple(random.normal(size=9).tolist()) for _ in range(4)))
        own, pitch = np.zeros(pivots.OWN), random.normal()
        A, B, C, D = (np.reshape(x, (3, 3)) for x in pivots.revolute(X, 0.0, own))
        assert not np.concatenate([A[2], A[:, 2], B[2], C[:, 2]]).any()
        A, B, C, D = (np.reshape(x, (3, 3)) for x in pivots.prismatic(X, 0.0, own))
        assert not np.concatenate([D[2], D[:, 2], C[2], B[:, 2]]).any()
        A, B, C, D = (np.reshape(x, (3, 3)) for x in pivots.helical(X, pitch, 0.0, own))
        assert not np.concatenate([A[2] + pitch * C[2], B[2] + pitch * D[2]]).any()
        assert not np.concatenate([A[:, 2] + pitch * B[:, 2], C[:, 2] + pitch * D[:, 2]]).any()


def test_what_a_step_cannot_be():
    """A turn of a hinge or screw more, or two; half a turn of a body.  The sign of a quaternion is none."""
    on, g, other = Bench(tree(), size=0.2), *np.zeros((2, tree().lengths[1]))
    hinge, thread, ball = (on.m.slices(name)[0].start for name in ("outer", "cap", "ball"))
    assert on("displace", on.inc, False, g)
    for joint in (hinge, thread):
        for turns in (-2, -1, 1, 2):
            inc = on.inc.copy()
            inc[joint] += 2 * np.pi * turns
            assert not on("displace", inc, False, other)
    inc = on.inc.copy()
    inc[ball : ball + 4] *= -1.0
    assert on("displace", inc, False, other)
    assert other == pytest.approx(g, abs=1e-13)
    inc = on.inc.copy()
    inc[ball : ball + 4] = (0.01, 1.0, 0.0, 0.0)
    inc[0] = 0.0
    assert not on("displace", inc, False, g)


@pytest.mark.parametrize("side", [BEFORE, AFTER])
def test_the_mass_matrix_at_both_ends(side):
    on = Bench(tree())
    on.momenta(np.zeros(on.nv), False)
    on("factor", INERTIA, side, side, np.zeros(on.nv))
    M = mass_matrix(on.tree, on.q if side == BEFORE else on.end)
    assert M @ on.inverse(side, side) == pytest.approx(np.eye(on.nv), abs=1e-12)


def test_logarithms_of_increments_lead_to_the_end():
    on = Bench(tree())
    d = np.zeros(on.nv)
    on("joints", on.inc, d, d, what=LOGARITHMS)
    way = ps.dynamics.difference(on.m, ps.State(0.0, on.end, 0 * d), ps.State(0.0, on.q, 0 * d))
    assert d == pytest.approx(way[: on.nv], abs=1e-13)


LOOPS = (
    ps.Loop("knob", "drawer", ps.Spherical(), at_a=(0.1, 0.2, 0.3)),
    ps.Loop("world", "mast", ps.Distance(2.0), at_a=(0.5, 0.0, 0.2)),
    ps.Loop("knob", "mast", ps.Universal((1, 0, 0), (0, 1, 0)), at_b=(0.0, 0.3, 0.0)),
)


@pytest.mark.parametrize("k", [0.0, 0.7])
def test_corrections_with_loops_solve_the_whole_system(k):
    """J y - G(q0) dL = g and phi(q1) + G(q1)^T y = 0, with Phi = G^T from the dynamics of loops."""
    on = Bench(tree(*LOOPS))
    k, added = stiffness(on.m, k)
    m = on.tree.shape.constraints
    arrays, g = np.zeros(sum(loop_counts(m, on.nv))), np.random.default_rng(2).normal(size=on.nv)
    J = on.dense(False) + added
    before, after = LoopConstraints(on.tree, on.q), LoopConstraints(on.tree, on.end)
    on("read", arrays, BEFORE)
    on("read", arrays, AFTER)
    x = loop_arrays(arrays, m, on.nv)
    assert x.residual == pytest.approx(after.residuals, abs=1e-13)
    on("factor", SE3, BEFORE, AFTER, k)
    on("prepare", arrays, BEFORE, AFTER)
    y = g.copy()
    on("solve", BEFORE, AFTER, y)
    on("correct", arrays, AFTER, y)
    assert J @ y - before.Phi.T @ x.change == pytest.approx(g, abs=1e-7)
    assert after.Phi @ y == pytest.approx(-after.residuals, abs=1e-10)
    pushed = np.ones(on.nv)
    on("push", arrays, AFTER, x.change, pushed)
    assert pushed == pytest.approx(1 + after.Phi.T @ x.change, abs=1e-12 * np.abs(pushed).max())

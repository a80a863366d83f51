"""Loop constraints: their residuals, gradients and derivatives, for every joint that closes a loop.

The witness knows nothing of constraints: it places the two frames of the joint in space by NumPy kinematics
and says in words what the joint forbids.
"""

from itertools import pairwise

import numpy as np
import pytest
from numba import float64

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.v4d import v4d
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics.entries import moved
from poinsot.core.tree.loops import entries
from poinsot.formats.data import from_data
from poinsot.model.kinematics import motions
from poinsot.model.rotations import matrix
from support import oracle, random_trees
from support.interpreted import interpreted

N, N2 = np.array([0.48, -0.6, 0.64]), np.array([0.6, 0.8, 0.0])  # N.N2 = -0.192
JOINTS = {
    "spherical": ps.Spherical(),
    "fixed": ps.Fixed(),
    "revolute": ps.Revolute(N),
    "prismatic": ps.Prismatic(N),
    "cylindrical": ps.Cylindrical(N),
    "planar": ps.Planar(N),
    "universal": ps.Universal(N, np.cross(N, N2)),
    "skew universal": ps.Universal(N, N2),
    "distance": ps.Distance(0.7),
    "plane": ps.Plane(N),
    "axis": ps.Axis(N),
}
COUNT = {
    "spherical": 3,
    "fixed": 6,
    "revolute": 5,
    "prismatic": 5,
    "cylindrical": 4,
    "universal": 4,
    "skew universal": 4,
    "planar": 3,
    "distance": 1,
    "plane": 1,
    "axis": 2,
}


def model(seed, world=False):
    """A random tree, closed by every kind of joint between random bodies; its state."""
    data, q, v, _ = random_trees.tree(seed, kinds=random_trees.KINDS)
    random, m = np.random.default_rng(seed + 100), from_data(data)
    for name, joint in JOINTS.items():
        a, b = (str(x) for x in random.choice(m.names, 2, replace=False))
        ends = {"at_a": random.normal(size=3), "at_b": random.normal(size=3)}
        turns = {word: random_trees.quaternion(random) for word in ("rotation_a", "rotation_b")}
        m.close(ps.Loop("world" if world else a, b, joint, **ends, **turns, name=name))
    return m, data, q, v


def constraints(m, q, number=float64):
    """phi and Phi at q (nq, doubles) for a number type."""
    tree = compile_tree(m)
    width, count, n = DOUBLES[number], tree.shape.constraints, m.lengths[1]
    phi, Phi = np.full((count, width), np.nan), np.full((count, n, width), np.nan)
    flat, v = np.array(q, order="C").reshape(-1), np.zeros(n * width)
    entries.constraints(number)(tree.model(number), flat, v, phi.reshape(-1), Phi.reshape(-1))
    return phi, Phi


def expected(loop, x):
    """What the joint forbids, from the frames of its two sides in space."""
    P, Q = (
        (x[body].origin[0] + x[body].rotation[0] @ at, x[body].rotation[0] @ matrix(turn))
        for body, at, turn in ((loop.a, loop.at_a, loop.rotation_a), (loop.b, loop.at_b, loop.rotation_b))
    )
    d, apart, turn = Q[0] - P[0], P[1].T @ (Q[0] - P[0]), P[1].T @ Q[1]
    joint = loop.joint
    if isinstance(joint, ps.Distance):
        return (d @ d - joint.length**2) / (2 * joint.length)
    if isinstance(joint, ps.Plane | ps.Planar):
        apart = N @ apart
    if isinstance(joint, ps.Axis | ps.Prismatic | ps.Cylindrical):
        apart = apart - (N @ apart) * N
    off = np.zeros(0)
    if isinstance(joint, ps.Revolute | ps.Cylindrical | ps.Planar):
        off = turn @ N - (N @ turn @ N) * N
    if isinstance(joint, ps.Universal):
        off = joint.axis1 @ turn @ joint.axis2 - np.dot(joint.axis1, joint.axis2)
    return np.sqrt(np.sum(np.square(apart))), np.sqrt(np.sum(np.square(off)))


def stretches(m):
    """Where each loop has its constraints."""
    ends = np.cumsum([0, *(COUNT[loop.name] for loop in m.loops)])
    return {loop.name: slice(*pair) for loop, pair in zip(m.loops, pairwise(ends), strict=True)}


@pytest.mark.parametrize("world", [False, True])
def test_residuals_are_what_the_joint_forbids(world):
    m, _, q, v = model(3, world)
    phi, where = constraints(m, q)[0][:, 0], stretches(m)
    assert len(phi) == sum(COUNT.values())
    x = motions(m, q[None], v[None])
    for loop in m.loops:
        found, want = phi[where[loop.name]], expected(loop, x)
        if loop.name == "distance":
            assert found[0] == pytest.approx(want, rel=1e-13)  # of numbers of size 10
            continue
        n = {"plane": 1, "planar": 1, "axis": 2, "prismatic": 2, "cylindrical": 2}.get(loop.name, 3)
        size = np.sqrt(np.sum(found[:n] ** 2)), np.sqrt(np.sum(found[n:] ** 2))
        assert size[0] == pytest.approx(want[0], abs=1e-13), loop.name
        if loop.name not in ("fixed", "prismatic"):  # all axes parallel: below
            assert size[1] == pytest.approx(want[1], abs=1e-13), loop.name


@pytest.mark.parametrize("name", ["fixed", "prismatic"])
def test_a_weld_is_closed_only_where_all_axes_are_parallel(name):
    """At a small turn u the three right angles are off by the components of u to first order."""
    loop, u = ps.Loop("world", "b", JOINTS[name]), np.array([1e-6, -2e-6, 3e-6])
    m = ps.Mechanism().add("b", ps.Body(1.0, (1.0, 1.0, 1.0)), ps.Free()).close(loop)
    closed = m.state()
    assert np.abs(constraints(m, closed.q)[0]).max() < 1e-16
    turned = constraints(m, m.state({"b": dict(rotation=ps.quaternion.exp(u))}).q)[0][-3:, 0]
    assert np.sqrt(turned @ turned) == pytest.approx(np.sqrt(u @ u), rel=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_gradients_are_the_tangents_of_the_residuals(seed):
    """Dual numbers: with tangents dq/dt of four velocities in q, those of phi are Phi v."""
    m, data, q, _ = model(seed)
    V = np.random.default_rng(seed).normal(size=(4, m.lengths[1]))
    table = np.column_stack([q, *(oracle.rates(data, q, v) for v in V)])
    phi, _ = constraints(m, table, dual4)
    plain, Phi = constraints(m, q)
    assert (phi[:, 0] == plain[:, 0]).all()
    assert phi[:, 1:] == pytest.approx(Phi[:, :, 0] @ V.T, abs=1e-12)
    assert np.abs(Phi).max() > 1


def test_gradients_against_differences():
    """Richardson's: error h^4, rounding eps/h."""
    m, _, q, _ = model(7)
    tree, h = compile_tree(m), 2e-3
    _, Phi = constraints(m, q)

    def at(u):
        y = q.copy()
        moved()(tree.model(), y, u)
        return constraints(m, y)[0][:, 0]

    for j, e in enumerate(np.eye(m.lengths[1])):
        one, two = ((at(s * h * e) - at(-s * h * e)) / (2 * s * h) for s in (1, 2))
        assert (4 * one - two) / 3 == pytest.approx(Phi[:, j, 0], abs=1e-9)


def test_every_lane_has_the_bits_of_one_number():
    m, _, q, _ = model(1)
    other = np.array([q, q, q, q]).T
    tree = compile_tree(m)
    u = np.random.default_rng(5).normal(size=(4, m.lengths[1]))
    for k in range(4):
        column = other[:, k].copy()
        moved()(tree.model(), column, u[k])
        other[:, k] = column
    phi, Phi = constraints(m, other, v4d)
    for k in range(4):
        one, gradient = constraints(m, other[:, k].copy())
        assert (phi[:, k] == one[:, 0]).all()
        assert (Phi[:, :, k] == gradient[:, :, 0]).all()
    assert (phi[:, 0] != phi[:, 1]).any()


def test_the_rate_of_the_gradient_is_its_tangent():
    """dPhi/dt by dual numbers against differences of Phi along the motion."""
    m, data, q, v = model(2)
    tree, h = compile_tree(m), 2e-3
    table = np.column_stack([q, oracle.rates(data, q, v), *np.zeros((3, len(q)))])
    exact = constraints(m, table, dual4)[1][:, :, 1]

    def at(s):
        y = q.copy()
        moved()(tree.model(), y, s * h * v)
        return constraints(m, y)[1][:, :, 0]

    one, two = ((at(s) - at(-s)) / (2 * s * h) for s in (1, 2))
    assert (4 * one - two) / 3 == pytest.approx(exact, abs=1e-8)


def seconds(m, q, v, a, number=float64):
    """d2phi/dt2 at tables (n, doubles) of numbers."""
    tree = compile_tree(m)
    out = np.full((tree.shape.constraints, DOUBLES[number]), np.nan)
    flat = (np.array(x, dtype=float, order="C").reshape(-1) for x in (q, v, a))
    entries.seconds(number)(tree.model(number), *flat, out.reshape(-1))
    return out


@pytest.mark.parametrize("seed", [2, 5])
def test_second_derivatives_are_those_of_the_gradient(seed):
    """phi'' = Phi a + Phi. v, with Phi. by dual numbers; its own tangents against differences."""
    m, data, q, v = model(seed)
    tree, h, n = compile_tree(m), 2e-3, m.lengths[1]
    a, w, change = np.random.default_rng(seed).normal(size=(3, n))
    table = np.column_stack([q, oracle.rates(data, q, v), *np.zeros((3, len(q)))])
    Phi = constraints(m, table, dual4)[1]
    found = seconds(m, q, v, a)[:, 0]
    assert found == pytest.approx(Phi[:, :, 0] @ a + Phi[:, :, 1] @ v, abs=1e-13 * np.abs(found).max())

    def at(s):
        y = q.copy()
        moved()(tree.model(), y, s * h * w)
        return seconds(m, y, v + s * h * change, a)[:, 0]

    nothing = np.zeros((3, n))
    Q = np.column_stack([q, oracle.rates(data, q, w), *np.zeros((3, len(q)))])
    tangent = seconds(
        m, Q, np.column_stack([v, change, *nothing]), np.column_stack([a, 0 * a, *nothing]), dual4
    )
    one, two = ((at(s) - at(-s)) / (2 * s * h) for s in (1, 2))
    assert (4 * one - two) / 3 == pytest.approx(tangent[:, 1], abs=1e-9 * np.abs(tangent).max())


def interpretable():
    """Residuals, gradients and second derivatives, as hex digits."""
    m, _, q, v = model(4)
    parts = *constraints(m, q), seconds(m, q, v, v)
    return [float(x).hex() for part in parts for x in part.ravel()]


def test_compiled_equals_interpreted(environment):
    assert interpreted(environment, __file__, "interpretable()") == interpretable()

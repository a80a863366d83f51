"""Discrete kinetic terms against dlog as a power series, and their slopes against differences."""

import math

import numpy as np
import pytest

from poinsot.core.lie import quaternion, so3
from poinsot.core.methods.variational import kinetic
from poinsot.core.tree.inertia import Mass

BERNOULLI = [
    1.0,
    -0.5,
    1 / 6,
    0.0,
    -1 / 30,
    0.0,
    1 / 42,
    0.0,
    -1 / 30,
    0.0,
    5 / 66,
    0.0,
    -691 / 2730,
    0.0,
    7 / 6,
]
ANGLES = (1e-9, 0.01, 0.7, 1.49, 1.51, 2.9)


def hat(u):
    return np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])


def body(seed=0):
    """A mass with an offset centre, its inertia about that centre, and the 6x6 inertia about the origin."""
    random = np.random.default_rng(seed)
    m, c, I = 1.3, random.normal(size=3), np.diag([0.3, 0.5, 0.4])
    J = I + m * (c @ c * np.eye(3) - np.outer(c, c))
    G = np.block([[J, m * hat(c)], [-m * hat(c), m * np.eye(3)]])
    return Mass(m, tuple((m * c).tolist()), tuple(J[np.triu_indices(3)].tolist())), m, c, I, G


def displacement(angle, seed=1):
    random = np.random.default_rng(seed)
    w = random.normal(size=3)
    w *= angle / np.linalg.norm(w)
    return w, 0.3 * random.normal(size=3)


def motion(x):
    """exp of a twist, by the compiled core's rotations."""
    return quaternion.exp(tuple(x[:3].tolist())), so3.dexp(tuple(x[:3].tolist()), tuple(x[3:].tolist()))


def dlog(x):
    """dexp_x^-1 with dexp_x = sum ad^j / (j + 1)!, inverted as a matrix."""
    ad = np.block([[hat(x[:3]), np.zeros((3, 3))], [hat(x[3:]), hat(x[:3])]])
    total, power = np.zeros((6, 6)), np.eye(6)
    for j in range(60):
        total += power / math.factorial(j + 1)
        power = power @ ad
    return np.linalg.inv(total)


@pytest.mark.parametrize("angle", ANGLES)
def test_momenta_of_se3(angle):
    mass, *_, G = body()
    x = np.concatenate(displacement(angle))
    ends = kinetic.se3_ends(mass, *motion(x))
    assert np.concatenate(ends[:2]) == pytest.approx(dlog(x).T @ G @ x, rel=1e-13, abs=1e-14)
    assert np.concatenate(ends[2:]) == pytest.approx(dlog(-x).T @ G @ x, rel=1e-13, abs=1e-14)


def test_the_series_of_dlog_has_the_numbers_of_bernoulli():
    """The witness above, by the other formula: sum B_j/j! ad^j."""
    x = np.array([0.2, -0.3, 0.1, 0.4, 0.5, -0.6])
    ad = np.block([[hat(x[:3]), np.zeros((3, 3))], [hat(x[3:]), hat(x[:3])]])
    series = sum(b / math.factorial(j) * np.linalg.matrix_power(ad, j) for j, b in enumerate(BERNOULLI))
    assert dlog(x) == pytest.approx(series, abs=1e-13)


@pytest.mark.parametrize("angle", ANGLES)
def test_momenta_of_the_product(angle):
    """The derivatives of m |D|^2/2 + w I w/2 along the ends, by differences of the energy itself."""
    mass, m, c, I, _ = body()
    w, d = displacement(angle)
    Q0, d0 = quaternion.exp(tuple(w.tolist())), tuple(d.tolist())

    def energy(Q, d):
        w = np.array(quaternion.log(Q))
        D = np.array(d) + np.array(quaternion.apply(Q, tuple(c.tolist()))) - c
        return 0.5 * m * D @ D + 0.5 * w @ I @ w

    def at(before, after):
        """The displacement when the ends move by exp: exp(-before) (Q, d) exp(after)."""
        (Qb, pb), (Qa, pa) = motion(-before), motion(after)
        p = np.array(d0) + np.array(quaternion.apply(Q0, pa))
        return quaternion.compose(quaternion.compose(Qb, Q0), Qa), pb + np.array(
            quaternion.apply(Qb, tuple(p))
        )

    def slope(j, end):
        e = np.zeros((2, 6))
        e[end, j] = 1e-3
        f = [energy(*at(*(k * e))) for k in (-2, -1, 1, 2)]
        return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / 12e-3

    ends = kinetic.product_ends(mass, Q0, d0)
    assert -np.array([slope(j, 0) for j in range(6)]) == pytest.approx(np.concatenate(ends[:2]), abs=1e-10)
    assert np.array([slope(j, 1) for j in range(6)]) == pytest.approx(np.concatenate(ends[2:]), abs=1e-10)


@pytest.mark.parametrize("kind", ["se3", "product"])
@pytest.mark.parametrize("angle", ANGLES)
def test_slopes(kind, angle):
    mass = body()[0]
    w, d = displacement(angle)
    Q0, d0 = quaternion.exp(tuple(w.tolist())), tuple(d.tolist())
    ends = getattr(kinetic, f"{kind}_ends")

    def before(eta):
        Qa, pa = motion(eta)
        d = np.array(d0) + np.array(quaternion.apply(Q0, pa))
        return np.concatenate(ends(mass, quaternion.compose(Q0, Qa), tuple(d.tolist()))[:2])

    H = getattr(kinetic, f"{kind}_slope")(mass, Q0, d0)
    blocks = [np.array(x).reshape(3, 3) for x in H]
    whole = np.block([[blocks[0], blocks[1]], [blocks[2], blocks[3]]])
    for j in range(6):
        e = np.eye(6)[j] * 1e-3
        column = (before(-2 * e) - 8 * before(-e) + 8 * before(e) - before(2 * e)) / 12e-3
        assert whole[:, j] == pytest.approx(column, abs=2e-10), j

"""The field of a tree for lanes, for dual numbers and in plain Python: same bits, exact derivatives."""

import mpmath
import numpy as np
import pytest
from numba import float64

import poinsot as ps
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.v4d import v4d
from poinsot.formats.data import from_data, to_data
from support import oracle, random_trees, zoo
from support.driver import LANES, TANGENTS, Field, row
from support.interpreted import interpreted

TIME = 0.7
SYSTEMS = {"bare": zoo.bodies, "forced": zoo.everything}
INTERPRETED = [method for method in zoo.METHODS if method.tree.inner(float64) is float64]


def direction(data, q, random):
    """A tangent of (q, v, W): quaternions move on their sphere."""
    nv = sum(oracle.SIZE[one["joint"]["kind"]][1] for one in data["bodies"])
    return np.concatenate([oracle.rates(data, q, random.normal(size=nv)), random.normal(size=nv + 1)])


def directions(data, q, seed):
    random = np.random.default_rng(seed)
    return np.array([direction(data, q, random) for _ in range(TANGENTS)]).T


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_lane_has_the_bits_of_the_scalar_field(name):
    m = SYSTEMS[name]()
    scalar, lanes = Field(m), Field(m, v4d)
    y = np.array([row(zoo.start(m, seed)) for seed in range(LANES)]).T
    y[-1] = 1.0, 2.0, 3.0, 4.0
    together = lanes(TIME, y)
    assert not np.isnan(together).any()
    for k in range(LANES):
        assert (together[:, k] == scalar(TIME, y[:, k])[:, 0]).all(), k
    assert (together[:, 0] != together[:, 1]).any()


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_value_of_a_dual_field_has_the_bits_of_the_scalar_field(name):
    m = SYSTEMS[name]()
    y = row(zoo.start(m))
    table = np.column_stack([y, directions(to_data(m), zoo.start(m).q, 1)])
    assert (Field(m, dual4)(TIME, table)[:, 0] == Field(m)(TIME, y)[:, 0]).all()


@pytest.mark.parametrize("kind", random_trees.KINDS)
def test_tangents_against_forty_digits(kind):
    """Central differences of the oracle at a distance of 1e-12: their own error is 1e-24."""
    data, q, v, _ = random_trees.tree(3, [kind, "revolute", kind])
    y = np.concatenate([q, v, [0.0]])
    dy = directions(data, q, 2)
    D = Field(from_data(data), dual4)(0.0, np.column_stack([y, dy]))[:, 1:]
    with mpmath.workdps(40):
        step, (Q, V) = mpmath.mpf("1e-12"), (oracle.array(mpmath.mp, x) for x in (q, v))
        for k in range(TANGENTS):
            dQ, dV = (oracle.array(mpmath.mp, x) * step for x in (dy[: len(q), k], dy[len(q) : -1, k]))
            ends = [
                np.concatenate(
                    [oracle.rates(data, *x, mpmath.mp), oracle.acceleration(data, *x, numbers=mpmath.mp)]
                )
                for x in ((Q + dQ, V + dV), (Q - dQ, V - dV))
            ]
            exact = ((ends[0] - ends[1]) / (2 * step)).astype(float)
            assert D[:-1, k] == pytest.approx(exact, rel=0, abs=1e-12 * np.abs(exact).max())  # rounding
        assert (D[-1] == 0).all(), "no forces, no work"


def test_tangents_with_all_forces():
    """Richardson's combination of central differences of the scalar field: h^4 and rounding/h, 1e-10."""
    m = zoo.everything()
    scalar, state = Field(m), zoo.start(m)
    y, dy = row(state), directions(to_data(m), state.q, 3)
    D = Field(m, dual4)(TIME, np.column_stack([y, dy]))[:, 1:]

    def difference(k, h):
        """The length of a quaternion changes by h^2, which does not matter: the two signs cancel."""
        return (scalar(TIME, y + h * dy[:, k]) - scalar(TIME, y - h * dy[:, k]))[:, 0] / (2 * h)

    for k in range(TANGENTS):
        estimate = (4 * difference(k, 1e-3) - difference(k, 2e-3)) / 3
        assert D[:, k] == pytest.approx(estimate, rel=0, abs=1e-9 * np.abs(estimate).max()), k


def interpretable():
    """What the interpreted and the compiled process both compute: field and short runs, as hex digits."""
    found = {}
    for name, make in SYSTEMS.items():
        m = make()
        state = zoo.start(m)
        found[name] = [x.hex() for x in Field(m)(TIME, row(state))[:, 0]]
        for method in INTERPRETED:
            end = ps.simulate(m, state, method.name, step=0.01, steps=3).final
            found[f"{name} {method.name}"] = [float(x).hex() for x in (*end.q, *end.v)]
    return found


def test_compiled_equals_interpreted(environment):
    found, compiled = interpreted(environment, __file__, "interpretable()"), interpretable()
    assert {method.name for method in INTERPRETED} >= {"cg4", "rkmk4", "cf4", "rk4", "newmark", "dop853"}
    assert found.keys() == compiled.keys()
    for name in compiled:
        assert found[name] == compiled[name], name

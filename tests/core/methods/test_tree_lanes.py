"""Tree methods for four trajectories in lanes and for dual numbers, where their record says that they can."""

import numpy as np
import pytest
from numba import float64

from poinsot.compile.tree import compile_tree
from poinsot.core.body.time_loop import OK, Counters
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.v4d import v4d
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.time_loop import time_loop
from poinsot.formats.data import to_data
from support import oracle, zoo
from support.driver import LANES, TANGENTS, row

pytestmark = pytest.mark.slow  # twenty kernels to compile: minutes
H, STEPS = 0.02, 10
SYSTEMS = {"bare": zoo.bodies, "forced": zoo.everything}


class Steps:
    """The loop of a method for a number type: y (n, doubles) in, y after so many steps out."""

    def __init__(self, m, method, number=float64):
        kernel = method.tree if number is not v4d else method.tree.members or method.tree
        self.tree, self.kernel = compile_tree(m, joints=kernel.joints), kernel
        self.inner, self.width = kernel.inner(number), DOUBLES[number]
        self.functions, self.loop = self.tree.functions(self.inner), time_loop(kernel, number)

    def __call__(self, y, steps=STEPS):
        tree, kernel, width = self.tree, self.kernel, self.width
        n = tree.shape.n
        memory = np.zeros((n + kernel.memory(tree.shape), width))
        memory[:n] = np.reshape(y, (n, width))
        counters = np.zeros(len(Counters), dtype=np.int64)
        counters[Counters.FRESH], counters[Counters.STEPS] = 1, steps
        times = np.array([0.1, H, -np.inf, np.inf])
        workspace = np.zeros((n + kernel.workspace(tree.shape)) * width)
        status = self.loop(
            tree._field_or_passes(kernel, self.inner),
            *self.functions,
            counters,
            times,
            tree.model(self.inner),
            memory.reshape(-1),
            np.zeros(0),
            workspace,
            kernel.coefficients,
        )
        assert status == OK
        return memory[:n]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("method", [x for x in zoo.METHODS if x.lanes], ids=lambda method: method.name)
def test_each_lane_has_the_bits_of_the_scalar_run(method, name):
    """Lanes that move at very different speeds, so that they iterate differently."""
    m = SYSTEMS[name]()
    y = np.array([row(zoo.start(m, seed)) for seed in range(LANES)]).T
    y[m.lengths[0] :] *= 1.0, 0.01, 3.0, 0.3
    together, scalar = Steps(m, method, v4d)(y), Steps(m, method)
    for k in range(LANES):
        assert (together[:, k] == scalar(y[:, k])[:, 0]).all(), k


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("method", [x for x in zoo.METHODS if x.duals], ids=lambda method: method.name)
def test_derivatives_of_whole_runs(method, name):
    """The value has the bits of the scalar run, the tangents agree with differences (Richardson, h^4)."""
    m = SYSTEMS[name]()
    scalar, dual, data, start = Steps(m, method), Steps(m, method, dual4), to_data(m), zoo.start(m)
    y, random, nv = row(start), np.random.default_rng(2), m.lengths[1]
    moves = [oracle.rates(data, start.q, random.normal(size=nv)) for _ in range(TANGENTS)]
    dy = np.array([np.concatenate([move, random.normal(size=nv + 1)]) for move in moves]).T
    found = dual(np.column_stack([y, dy]))
    assert (found[:, 0] == scalar(y)[:, 0]).all()

    def difference(k, h):
        ends = []
        for s in (h, -h):
            z = y + s * dy[:, k]
            for link in m.links:
                if link.joint.quaternion is not None:
                    first = m.slices(link.name)[0].start + link.joint.quaternion
                    z[first : first + 4] /= np.linalg.norm(z[first : first + 4])
            ends.append(scalar(z)[:, 0])
        return (ends[0] - ends[1]) / (2 * h)

    for k in range(TANGENTS):
        estimate = (4 * difference(k, 1e-3) - difference(k, 2e-3)) / 3
        assert found[:, 1 + k] == pytest.approx(estimate, rel=0, abs=1e-8 * np.abs(estimate).max()), k

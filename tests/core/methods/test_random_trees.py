"""What the records of tree methods claim, on random chains of joints: nothing about them is special."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.formats.data import from_data
from poinsot.simulation.engine import Engine
from support import random_trees, zoo

SEEDS = range(5)
H = 0.002
JOINTS = [kind for kind in random_trees.KINDS if kind != "free"]


def methods(claim):
    return pytest.mark.parametrize("method", [x for x in zoo.METHODS if claim(x)], ids=lambda x: x.name)


def chain(seed, first, length=4, gravity=True):
    """A chain of random joints after the first one, with springs and dampers inside it, and a state."""
    random = np.random.default_rng(seed)
    kinds = [first, *random.choice(JOINTS, length - 1)]
    data, q, v, _ = random_trees.tree(seed, kinds)
    if not gravity:
        data["gravity"] = [0.0, 0.0, 0.0]
    m = from_data(data)
    for a, b in zip(m.links, m.links[2:], strict=False):
        at_a, at_b = 0.5 * random.normal(size=(2, 3))
        m.apply(ps.Spring(a.name, b.name, 3.0, 0.2, at_a=at_a, at_b=at_b))
    return m, ps.State(0.0, q, v)


@pytest.mark.parametrize("seed", SEEDS)
@methods(lambda method: "momentum" in method.keeps)
def test_momentum_of_trees_that_fly(method, seed):
    """Inner forces do not change it, dampers neither."""
    m, start = chain(seed, "free", gravity=False)
    m.apply(ps.Damper(m.links[0].name, m.links[-1].name, 0.3, at_a=(0.1, 0.2, 0.3)))
    run = ps.simulate(m, start, method.name, step=H, steps=200, every=20)
    P, L = run.linear_momentum, run.angular_momentum
    arm = np.abs(run.position(m.links[0].name)).max() + 1.0
    size = np.linalg.norm(L[0]) + arm * np.linalg.norm(P[0])
    assert np.abs(P - P[0]).max() < 1e-12 * size / arm
    assert np.abs(L - L[0]).max() < 1e-12 * size


def test_the_test_sees_momentum_that_is_not_kept():
    m, start = chain(0, "free", gravity=False)
    L = ps.simulate(m, start, "rk4", step=10 * H, steps=20).angular_momentum
    assert np.abs(L - L[0]).max() > 1e-9 * np.linalg.norm(L[0])


@pytest.mark.parametrize("seed", SEEDS)
@methods(lambda method: method.reversible)
def test_the_way_back(method, seed):
    """Rounding grows with the motion there and back: by as much as a start that is a little different."""
    m, start = chain(seed, "spherical")

    def there_and_back(v):
        there = ps.simulate(m, ps.State(0.0, start.q, v), method.name, step=H, steps=50).final
        return there, ps.simulate(m, ps.State(0.0, there.q, -there.v), method.name, step=H, steps=50).final

    (there, back), (other, _) = there_and_back(start.v), there_and_back(start.v * (1 + 1e-8))
    growth = max(1.0, np.abs(other.v - there.v).max() / (1e-8 * np.abs(start.v).max()))
    error = max(np.abs(back.q - start.q).max(), np.abs(back.v + start.v).max())
    assert error < 2.5e-13 * growth * max(1.0, np.abs(there.v).max())  # variational6, 900 steps: 1.1e-13


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("first", ["spherical", "free"])
@methods(lambda method: "energy" in method.keeps)
def test_energy_of_one_body(method, seed, first):
    """Without forces, and whatever its inertia; the kernel of trees, also where there is one of a body."""
    m, start = chain(seed, first, length=1, gravity=False)
    engine = Engine(compile_tree(m, joints=method.tree.joints), method, 5 * H, start)
    engine.go(500, 0)
    assert engine.status.stopped is None
    before, after = (ps.dynamics.energy(m, x).kinetic for x in (start, engine.state()))
    assert after == pytest.approx(before, rel=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
@methods(lambda method: True)
def test_all_methods_agree_on_the_motion(method, seed):
    """To the error of their order, at two steps: the difference to gauss4 falls."""
    m, start = chain(seed, "spherical", length=3)
    exact = ps.simulate(m, start, "gauss4", step=H, steps=50).final.v
    off = []
    for steps in (50, 100):
        end = ps.simulate(m, start, method.name, step=0.1 / steps, steps=steps, every=steps).final.v
        off.append(np.abs(end - exact).max() / np.abs(exact).max())
    assert off[1] < max(off[0] / 3, 1e-11)

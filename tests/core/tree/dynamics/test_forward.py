"""Forward dynamics of trees against a dense oracle, forty digits and two other engines."""

import json

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.formats.data import from_data
from poinsot.mechanics.algorithms import response
from poinsot.model.kinematics import motions
from support import oracle, random_trees
from support.data import DATA

EPS = 2.0**-52
FILE = DATA / "trees.json"
TREES = json.loads(FILE.read_text())["trees"]
ids = [f"{i}-{one['what']}" for i, one in enumerate(TREES)]


def on_links(tree, q, v, wrenches):
    """Wrenches {body: (torque, force)} at centres of mass in space, as the core takes them."""
    rows = np.zeros((tree.links + 1, 6))
    x = motions(tree.mechanism, q[None], v[None])
    for name, (torque, force) in wrenches.items():
        seat, R = tree.places.bodies[name], x[name].rotation[0]
        c = seat.r + seat.R @ tree.mechanism.link(name).body.center_of_mass
        torque, force = (seat.R @ R.T @ np.array(y) for y in (torque, force))
        rows[seat.link] += np.concatenate([torque + np.cross(c, force), force])
    return rows


def acceleration(data, q, v, tau, wrenches=None):
    """By the core."""
    tree = compile_tree(from_data(data))
    q, v, tau = (np.array(x, dtype=float) for x in (q, v, tau))
    return response(tree, q, v, tau, on_links(tree, q, v, wrenches or {}), gravity=True)


def rounding(one):
    """Bound of the error.  That of 'mixed, 10 bodies' is 110 eps rms and 320 at most where one coordinate is
    moved by up to 150 ulp, before and after the order of sums was fixed: which one is met here is chance."""
    return (400 if one["what"] == "mixed, 10 bodies" else 100) * EPS


def error(a, exact):
    return np.abs(np.array(a) - exact).max() / np.abs(exact).max()


def residual(data, q, v, tau, a, wrenches=None):
    """|M a + c - tau|, relative to |M||a| + |c| + |tau|, with M and c of the oracle."""
    M, c = oracle.equations(data, q, v, wrenches)
    size = np.abs(M).max() * np.abs(a).max() + np.abs(c).max() + np.abs(tau).max()
    return np.abs(M @ a + c - tau).max() / size


@pytest.mark.parametrize("one", TREES, ids=ids)
def test_accelerations_have_all_their_digits(one):
    """Against forty digits.  The error does not follow the condition of the mass matrix (up to 1e4), because
    no mass matrix is inverted, only the small blocks of the joints."""
    a = acceleration(one["mechanism"], one["q"], one["v"], one["tau"])
    assert error(a, one["exact"]["acceleration"]) < rounding(one)
    assert residual(one["mechanism"], one["q"], one["v"], np.array(one["tau"]), a) < 1e-14


@pytest.mark.parametrize("one", TREES, ids=ids)
@pytest.mark.parametrize("peer", ["pinocchio", "mujoco"])
def test_other_engines_find_the_same(one, peer):
    """To our error and theirs, which the file states (at most 3e-13)."""
    a = acceleration(one["mechanism"], one["q"], one["v"], one["tau"])
    theirs = one["agreement"][f"acceleration {peer}"]
    assert error(a, np.array(one[peer]["acceleration"])) < 100 * EPS + 2 * theirs


@pytest.mark.parametrize("one", [one for one in TREES if "wrenches" in one], ids=lambda one: one["what"])
def test_wrenches_on_bodies(one):
    a = acceleration(one["mechanism"], one["q"], one["v"], one["tau"], one["wrenches"])
    for who, theirs in one["with_wrenches"].items():
        slack = 0 if who == "exact" else 2 * one["agreement"][f"with_wrenches {who}"]
        assert error(a, np.array(theirs)) < rounding(one) + slack, who
    assert error(a, np.array(one["exact"]["acceleration"])) > 1e-6, "the wrenches do something"


@pytest.mark.parametrize("seed", range(200))
def test_random_trees_satisfy_the_equations_of_motion(seed):
    """Every joint, branches, welds, massless bodies, wrenches on all bodies.  Issue 4 asks for 1e-12; the
    rounding of a few sums in a row is all there is, 1e-15 at worst."""
    data, q, v, tau = random_trees.tree(seed)
    random = np.random.default_rng(1000 + seed)
    wrenches = {one["name"]: random.normal(scale=3.0, size=(2, 3)) for one in data["bodies"]}
    a = acceleration(data, q, v, tau, wrenches)
    assert residual(data, q, v, tau, a, wrenches) < 1e-14


KINDS = ("free", "spherical", "revolute", "spherical", "universal", "spherical")


@pytest.mark.parametrize("seed", range(40))
def test_armatures_of_ball_and_free_joints(seed):
    """The same with rotors at all ball joints, and at free joints on the world."""
    data, q, v, tau = random_trees.tree(seed, kinds=KINDS)
    random = np.random.default_rng(2000 + seed)
    for one in data["bodies"]:
        if one["joint"]["kind"] == "spherical" or (one["joint"]["kind"], one["parent"]) == ("free", "world"):
            one["joint"]["armature"] = float(np.exp(random.normal()))
    a = acceleration(data, q, v, tau)
    assert residual(data, q, v, tau, a) < 1e-14
    m = from_data(data)
    found = ps.dynamics.inverse_dynamics(m, ps.State(0.0, q, v), a)
    assert found == pytest.approx(tau, abs=1e-12 * np.abs(tau).max() + 1e-12 * np.abs(a).max())
    kinetic = ps.dynamics.energy(m, ps.State(0.0, q, v)).kinetic
    assert kinetic == pytest.approx(oracle.totals(data, q, v)[0], rel=1e-13)


def test_the_random_trees_are_what_they_should_be():
    """All kinds, each as root and inside, branches, welded and massless bodies that carry others."""
    trees = [random_trees.tree(seed)[0]["bodies"] for seed in range(200)]
    roots = {one["joint"]["kind"] for bodies in trees for one in bodies if one["parent"] == "world"}
    inner = {one["joint"]["kind"] for bodies in trees for one in bodies if one["parent"] != "world"}
    assert roots == inner == set(oracle.SIZE)
    parents = [[one["parent"] for one in bodies] for bodies in trees]
    assert sum(len(set(names)) < len(names) for names in parents) > 50
    carrying = [
        one for bodies, names in zip(trees, parents, strict=True) for one in bodies if one["name"] in names
    ]
    assert sum(one["mass"] == 0 for one in carrying) > 20
    assert sum(one["joint"]["kind"] == "fixed" for one in carrying) > 20


@pytest.mark.parametrize("kind", random_trees.KINDS)
def test_chains_of_one_joint(kind):
    """Five of a kind: what one joint leaves of the inertia meets the same joint again."""
    for seed in range(5):
        data, q, v, tau = random_trees.tree(seed, [kind] * 5)
        a = acceleration(data, q, v, tau)
        assert residual(data, q, v, tau, a) < 1e-14, seed


def test_without_gravity_and_at_rest_nothing_moves():
    data, q, v, tau = random_trees.tree(7)
    tree = compile_tree(from_data(data))
    a = response(tree, q, 0 * v, 0 * tau, np.zeros((tree.links + 1, 6)), gravity=False)
    assert (a == 0).all()


def test_fixed_to_the_world_is_not_felt():
    """A wrench on a body that is welded to the world changes nothing."""
    one = next(one for one in TREES if one["what"].startswith("welds: to the world"))
    name = next(
        x["name"]
        for x in one["mechanism"]["bodies"]
        if (x["parent"], x["joint"]["kind"]) == ("world", "fixed")
    )
    given = [one["mechanism"], one["q"], one["v"], one["tau"]]
    pushed = acceleration(*given, {name: ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))})
    assert (pushed == acceleration(*given)).all()

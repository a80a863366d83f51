"""What tree methods declare about themselves, measured on trees with every joint and every force."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import DOP853

import poinsot as ps
from poinsot.compile import catalogue, method_choice
from poinsot.compile.tree import compile_tree
from poinsot.core.methods.dop853 import tableau as tableau
from poinsot.model.rotations import matrix
from poinsot.simulation.engine import Engine
from support import tree_euler, zoo
from support.order import own_method

UNTIL = 0.8
FIXED = [method for method in zoo.METHODS if method.name != "dop853"]
GAUSS = [method for method in zoo.METHODS if method.name.startswith("gauss")]
COUNTS = {  # steps, by order
    1: (1280, 2560, 5120),
    2: (80, 160, 320),
    3: (80, 160, 320),
    4: (80, 160, 320),
    5: (40, 56, 80),
    6: (16, 20, 28, 40),
    7: (12, 16, 20, 28),
    8: (14, 16, 20),
}


def name(method):
    return method.name


def end(m, method, steps, until=UNTIL):
    """q, v and the work at the end of a run."""
    run = ps.simulate(m, zoo.start(m), method, step=until / steps, steps=steps, every=steps)
    return np.concatenate([run.final.q, run.final.v, run.work[-1:]])


@pytest.fixture(scope="module")
def forced():
    """Every force on every joint, and where it ends: gauss4 with 1600 steps has an error of rounding."""
    m = zoo.everything()
    return m, end(m, "gauss4", 1600)


def slope(counts, error):
    return -np.polyfit(np.log(counts), np.log(error), 1)[0]


def law(method, forced):
    """The declared order is the measured one."""
    m, exact = forced
    counts = COUNTS[method.order]
    errors = np.array([np.abs(end(m, method.name, n) - exact) for n in counts])
    assert errors.max(axis=1).min() > 1e-10, "at round-off: the fit would measure noise"
    assert slope(counts, errors.max(axis=1)) == pytest.approx(method.order, abs=0.08)
    if method.implicit:  # explicit ones are near the sign change of the error of the work
        assert slope(counts, errors[:, -1]) == pytest.approx(method.order, rel=0.05), "of the work"


@pytest.mark.parametrize("method", FIXED, ids=name)
def test_declared_order(method, forced):
    law(method, forced)


def test_a_method_of_order_one(forced, monkeypatch):
    """No method in the list has it, but one may; that it is not of order 2 would be seen."""
    euler = own_method(tree_euler)
    for module in (catalogue, method_choice):
        monkeypatch.setattr(module, "ALL", (*module.ALL, euler))
    law(euler, forced)
    with pytest.raises(AssertionError):
        law(replace(euler, order=2), forced)


def test_dop853_keeps_its_tolerance_however_it_is_sampled(forced):
    """Local errors of 1e-12 in some forty steps of its own add up to a few 1e-11."""
    m, exact = forced
    ends = [end(m, "dop853", steps) for steps in (1, 13, 400)]
    for one in ends:
        assert np.abs(one - exact)[:-1].max() < 1e-10
        assert abs(one - exact)[-1] < 1e-9, "the work is not controlled, only carried along"


def test_dop853_takes_its_own_steps(forced):
    m, _ = forced
    runs = [ps.simulate(m, zoo.start(m), "dop853", step=UNTIL / n, steps=n) for n in (10, 400)]
    assert runs[1].evaluations < 1.5 * runs[0].evaluations  # the first step is the sampling step


def test_the_coefficients_of_dop853_are_those_of_scipy():
    rows = np.zeros((12, 12))
    for i, row in enumerate(tableau.A):
        rows[i, : len(row)] = row
    extra = np.zeros((3, 16))
    for i, row in enumerate(tableau.A_EXTRA):
        extra[i, : len(row)] = row
    pairs = {
        "A": rows,
        "B": tableau.B,
        "C": tableau.C,
        "E3": tableau.E3,
        "E5": tableau.E5,
        "D": tableau.D,
        "A_EXTRA": extra,
        "C_EXTRA": tableau.C_EXTRA,
    }
    for word, ours in pairs.items():
        assert np.array_equal(getattr(DOP853, word), ours), word


@pytest.mark.parametrize("method", FIXED, ids=name)
def test_declared_reversibility(method):
    """There, with all velocities reversed, and back."""
    m, steps, h = zoo.conservative(), 60, 0.01
    start = zoo.start(m)
    there = ps.simulate(m, start, method.name, step=h, steps=steps).final
    back = ps.simulate(m, ps.State(0.0, there.q, -there.v), method.name, step=h, steps=steps).final
    error = max(np.abs(back.q - start.q).max(), np.abs(back.v + start.v).max())
    if method.reversible:
        assert error < 1e-11  # rounding, grown by the motion
    else:
        assert error > 1e-9


def lone(joint, gravity=(0, 0, 0)):
    """One asymmetric body, centre of mass off the joint."""
    m = ps.Mechanism(gravity=gravity)
    body = ps.Body(1.3, (0.5, 0.8, 1.1), center_of_mass=(0.2, -0.1, 0.3))
    return m.add("body", body, joint, rotation=(0.8, 0.0, 0.6, 0.0), at=(0.1, 0.2, 0.3))


def tossed(m):
    motion = dict(rotation=(0.6, 0.0, 0.0, 0.8), angular_velocity=(0.4, 1.0, 0.7))
    free = dict(velocity=(0.5, 0.1, -0.2)) if isinstance(m.links[0].joint, ps.Free) else {}
    return m.state({"body": motion | free})


def driven(m, method, h, steps, start=None):
    """The samples of the tree kernel, also where `simulate` would take that of one body."""
    engine = Engine(
        compile_tree(m, joints=method.tree.joints), method, h, tossed(m) if start is None else start
    )
    rows = engine.go(steps, 1)
    assert engine.status.stopped is None
    nq = m.lengths[0]
    return ps.State(0.0, rows[-1, :nq], rows[-1, nq:-1]), rows


def turning(method, position):
    """Relative errors of energy and angular momentum of a free body that turns about a point far away."""
    m = lone(ps.Free())
    h = {6: 0.3, 8: 0.6}.get(method.order, 0.1)  # where what is not kept stands out of rounding
    start = m.state({"body": dict(position=position, angular_velocity=(0.4, 1.0, 0.7))})
    _, rows = driven(m, method, h, 2000, start)
    q, w, v = rows[:, 3:7], rows[:, 7:10], rows[:, 10:13]
    J, c, mass = np.diag([0.5, 0.8, 1.1]), np.array([0.2, -0.1, 0.3]), 1.3
    u = v + np.cross(w, c)  # of the centre of mass, body frame
    E = (np.einsum("ni,ij,nj->n", w, J, w) + mass * (u**2).sum(axis=1)) / 2
    spin = np.einsum("nij,nj->ni", matrix(q), w @ J)
    return {"energy": np.ptp(E) / E[0], "momentum": np.abs(spin - spin[0]).max() / np.linalg.norm(spin[0])}


@pytest.mark.parametrize("method", FIXED, ids=name)
def test_a_free_body_keeps_what_the_method_declares(method):
    """Gauss methods keep what is quadratic in v: rounding only, measured up to 6e-14 in 2000 steps."""
    for word, error in turning(method, (0, 0, 0)).items():
        if word in method.keeps:
            assert error < 5e-13, word
        else:
            assert error > 1e-10, word


@pytest.mark.parametrize("method", GAUSS, ids=name)
def test_a_body_far_away_keeps_its_energy_too(method):
    """Nothing depends on where it is."""
    assert turning(method, (1e6, 0, 0))["energy"] < 5e-13


@pytest.mark.parametrize("method", GAUSS, ids=name)
def test_quaternions_stay_unit_without_projection(method):
    m = zoo.everything()
    run = ps.simulate(m, zoo.start(m), method.name, step=0.01, steps=1000)
    for who, first in (("ball", 0), ("boat", 3)):
        x = run.joint(who)[:, first : first + 4]
        assert np.abs(np.sqrt((x**2).sum(axis=1)) - 1).max() < 5e-15, who


def test_newmark_on_one_body_is_nmb():
    """In 200 steps of 0.02 rounding grows to 1e-13."""
    m = lone(ps.Spherical(), gravity=(0, 0, -9.81))
    newmark = next(method for method in FIXED if method.name == "newmark")
    ours, _ = driven(m, newmark, 0.02, 200)
    theirs = ps.simulate(m, tossed(m), "nmb", step=0.02, steps=200).final
    assert np.abs(ours.q - theirs.q).max() < 1e-12
    assert np.abs(ours.v - theirs.v).max() < 1e-12


BOTH = [method for method in FIXED if method.body is not None]


@pytest.mark.parametrize("method", BOTH, ids=name)
def test_kernels_of_one_body_and_of_trees_agree_about_a_fixed_point(method):
    """Momentum P = J w there, w here: Runge-Kutta methods do not see a linear change of variables."""
    m = lone(ps.Spherical(), gravity=(0, 0, -9.81))
    ours, _ = driven(m, method, 0.02, 200)
    theirs = ps.simulate(m, tossed(m), method.name, step=0.02, steps=200).final
    assert np.abs(ours.q - theirs.q).max() < 1e-12
    assert np.abs(ours.v - theirs.v).max() < 1e-12


@pytest.mark.parametrize("method", BOTH, ids=name)
def test_kernels_of_one_body_and_of_trees_differ_by_the_order_in_flight(method):
    """Momentum in space there, body velocities and SE(3) here: two methods of one order, O(h^4) apart."""
    m = lone(ps.Free(), gravity=(0, 0, -9.81))
    gaps = []
    for steps in (50, 100, 200):
        ours, _ = driven(m, method, 1.0 / steps, steps)
        theirs = ps.simulate(m, tossed(m), method.name, step=1.0 / steps, steps=steps).final
        gaps.append(max(np.abs(ours.q - theirs.q).max(), np.abs(ours.v - theirs.v).max()))
    assert gaps[0] < 1e-4
    assert slope((50, 100, 200), gaps) == pytest.approx(method.order, abs=0.2)

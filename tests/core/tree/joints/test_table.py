"""The tables lead from a kind to its file; a kind that nobody knows gives NaN, not the numbers of another.

The first tests run the Python source of the verbs with the files replaced by recorders; the others change a
kind in the arrays of a compiled model and look at what the algorithms make of it.
"""

import inspect

import numpy as np
import pytest
from numba import float64

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.core.methods import ALL
from poinsot.core.tree.dynamics import entries
from poinsot.core.tree.field import evaluation, field
from poinsot.core.tree.forces.kinds import KINDS as FORCE_KINDS
from poinsot.core.tree.forces.table import ELEMENT
from poinsot.core.tree.forces.table import HEAD as FORCES_HEAD
from poinsot.core.tree.joints import flat as plain
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import PARAMETERS, At
from poinsot.core.tree.loops import entries as loop_entries
from poinsot.core.tree.loops.kinds import KINDS as LOOP_KINDS
from poinsot.core.tree.loops.table import CONSTRAINT
from poinsot.core.tree.loops.table import HEAD as LOOPS_HEAD
from poinsot.core.tree.records import FORCE_INTS, HEAD, LOOP_INTS
from poinsot.simulation.engine import Engine
from support import zoo
from support.sample import sample

VERBS = ("motion", "column", "transmit", "accelerate")  # every file has them
OPTIONAL = ("rate", "move", "dexpinv", "dexp", "unit")  # for coordinates that are not plain numbers
SHARED = ("rate", "move")  # `flat` serves the others; they need no dexpinv, dexp and unit
FILES = {name: table.FILES[kind] for name, kind in table.KINDS.items() if name != "fixed"}
UNKNOWN = [len(table.KINDS), 99, -1]


def source(verb):
    """The Python function of a verb of the table."""
    found = getattr(table, verb)
    return getattr(found, "py_func", found)


def called(verb, kind, monkeypatch):
    """The files whose verb the table calls for a kind."""
    calls = []

    def recorder(file):
        def record(*arguments):
            calls.append(file)
            return file

        return record

    for file in (*table.FILES, plain):
        if hasattr(file, verb):
            monkeypatch.setattr(file, verb, recorder(file))
    at = At(kind, 0, 0, 1, (0.0,) * PARAMETERS)
    function = source(verb)
    result = function(at, *(None for _ in range(len(inspect.signature(function).parameters) - 1)))
    return calls, result


def test_kinds_are_numbered_as_the_files():
    assert sorted(table.KINDS.values()) == list(range(len(table.KINDS)))
    for name, kind in table.KINDS.items():
        assert getattr(table, name.upper()) == kind
        assert (table.NQ[kind], table.NV[kind]) == (
            (FILES[name].NQ, FILES[name].NV) if name in FILES else (0, 0)
        )


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", FILES)
def test_a_verb_leads_to_the_file_of_its_kind(name, verb, monkeypatch):
    file = FILES[name]
    calls, result = called(verb, table.KINDS[name], monkeypatch)
    assert calls == [file]
    assert result is file


@pytest.mark.parametrize("verb", OPTIONAL)
@pytest.mark.parametrize("name", FILES)
def test_a_verb_of_a_file_is_not_forgotten_in_the_table(name, verb, monkeypatch):
    """A file with its own verb gets the call; the others share `flat`, or there is nothing to do."""
    file = FILES[name]
    expected = [file] if hasattr(file, verb) else [plain] if verb in SHARED else []
    assert called(verb, table.KINDS[name], monkeypatch)[0] == expected


@pytest.mark.parametrize("name", FILES)
def test_files_with_a_quaternion_have_all_verbs_of_it(name):
    own = [hasattr(FILES[name], verb) for verb in OPTIONAL]
    assert all(own) if FILES[name].NQ != FILES[name].NV else not any(own)


def test_every_joint_of_users_and_of_methods_has_a_kind():
    made = {one.kind for joint in zoo.joints(np.random.default_rng(4)).values() for one in joint.core_joints}
    assert made == set(FILES)
    for method in ALL:
        if method.tree is not None and method.tree.joints is not None:
            assert set(method.tree.joints) <= set(FILES), method.name


# kinds that nobody knows


def numbers(result):
    return [x for part in result for x in (numbers(part) if isinstance(part, tuple) else [part])]


@pytest.mark.parametrize("kind", UNKNOWN)
def test_verbs_of_an_unknown_kind_are_not_a_number(kind, monkeypatch):
    calls, result = called("motion", kind, monkeypatch)
    assert not calls
    assert np.isnan(numbers(result[1:])).all(), "position, velocities and accelerations"
    calls, result = called("column", kind, monkeypatch)
    assert not calls
    assert np.isnan(numbers(result)).all()


def bodies():
    """A body of every kind of joint alone, and a chain of two hinges."""
    body = ps.Body(1.3, (0.5, 0.7, 0.6), (0.2, -0.1, 0.3))
    for name, joint in zoo.joints(np.random.default_rng(4)).items():
        if not isinstance(joint, ps.Fixed):
            yield name, ps.Mechanism().add("a", body, joint)
    chain = ps.Mechanism().add("a", body, ps.Revolute((0, 1, 0)))
    yield "chain", chain.add("b", body, ps.Revolute((1, 0, 0)), "a", at=(0, 0, -1))


BODIES = dict(bodies())


def strange(m, kind):
    """The tree with the last joint of a kind that nobody knows."""
    tree = compile_tree(m)
    tree.ints[HEAD + tree.links - 1] = kind
    return tree


def evaluated(tree, start):
    """dv/dt and the power by the compiled field."""
    y = np.concatenate([start.q, start.v, [0.0]])
    f = np.zeros(len(y))
    evaluation()(field(), *tree.functions(float64), 0.0, len(y), y, f, tree.model())
    return f[len(start.q) :]


@pytest.mark.parametrize("kind", UNKNOWN)
@pytest.mark.parametrize("name", BODIES)
def test_an_unknown_joint_has_no_acceleration(name, kind):
    m = BODIES[name]
    tree, start, n = strange(m, kind), zoo.start(m), m.lengths[1]
    own, a = m.slices(m.names[-1])[1], np.zeros(n)
    entries.forward()(tree.model(), 1, np.array(start.q), np.array(start.v), np.ones(n), a)
    assert np.isnan(a[own]).all(), "forward dynamics"
    assert np.isnan(evaluated(tree, start)[own]).all(), "the field"


@pytest.mark.parametrize("kind", UNKNOWN)
@pytest.mark.parametrize("name", BODIES)
def test_an_unknown_joint_has_no_force_mass_or_energy(name, kind):
    m = BODIES[name]
    tree, start = strange(m, kind), zoo.start(m)
    q, v, n = np.array(start.q), np.array(start.v), m.lengths[1]
    own, tau, joint = m.slices(m.names[-1])[1], np.ones(n), np.zeros(6 * (tree.links + 1))
    tree.states.inverses(np.zeros(1), q[None], v[None], np.ones((1, n)), tau[None], joint[None])
    assert np.isnan(tau[own]).all(), "inverse dynamics"
    M = np.zeros((n, n))
    tree.states.masses(q[None], M[None])
    assert np.isnan(M[own, own]).all(), "mass matrix"
    assert np.isnan(tree.states.sums(q[None], v[None])[0, :2]).all(), "energies"


ON_TREES = {one.name: one for one in ALL if one.tree}


@pytest.mark.parametrize("name", ["hinge", "thread", "chain"])
@pytest.mark.parametrize("method", sample(ON_TREES, "rk4", "gauss2", "variational"))
def test_no_method_makes_a_step_with_an_unknown_joint(method, name):
    m = BODIES[name]
    engine = Engine(strange(m, 99), ON_TREES[method], 0.01, zoo.start(m))
    engine.go(3, 1)
    assert engine.status.stopped is not None
    assert engine.clock.count == 0


@pytest.mark.parametrize("kind", [len(FORCE_KINDS), 99, -1])
@pytest.mark.parametrize("place", ["joint", "pair"])
def test_a_force_of_an_unknown_kind_is_not_a_number(place, kind):
    """In the place of a force between bodies, and of one at a joint."""
    m = ps.Mechanism().add("a", ps.Body(1.0, (0.3, 0.4, 0.2), (0.1, 0.0, -0.2)), ps.Revolute((0, 1, 0.2)))
    m.apply(ps.Spring("world", "a", 5.0, at_a=(1.0, 0.0, 0.0)), ps.JointSpring("a", 3.0))
    tree, start = compile_tree(m), zoo.start(m)
    assert np.isfinite(evaluated(tree, start)).all()
    tree.ints[tree.ints[FORCE_INTS] + FORCES_HEAD + ELEMENT * (place == "joint")] = kind
    assert np.isnan(evaluated(tree, start)).all(), "acceleration and power"


@pytest.mark.parametrize("kind", [len(LOOP_KINDS), 99, -1])
@pytest.mark.parametrize("joint", [ps.Spherical(), ps.Revolute((0, 1, 0)), ps.Distance(0.7)], ids=str)
def test_a_loop_constraint_of_an_unknown_kind_is_not_a_number(joint, kind):
    m = ps.Mechanism().add("a", ps.Body(1.0, (0.3, 0.4, 0.2)), ps.Free())
    m.close(ps.Loop("world", "a", joint, at_b=(0.1, 0.2, 0.3)))
    tree, start = compile_tree(m), zoo.start(m)
    count, n = tree.shape.constraints, m.lengths[1]
    last = tree.ints[LOOP_INTS] + LOOPS_HEAD + CONSTRAINT * (count - 1)
    tree.ints[last] = kind
    phi, Phi, wrenches = np.zeros(count), np.zeros((count, n)), np.zeros((count, 12))
    loop_entries.constraints()(tree.model(), np.array(start.q), np.zeros(n), phi, Phi.reshape(-1))
    loop_entries.wrenches()(tree.model(), np.array(start.q), np.zeros(n), wrenches.reshape(-1))
    for found in (phi, Phi, wrenches):
        assert np.isnan(found[-1]).all()
        assert np.isfinite(found[:-1]).all(), "the others are what they were"


def test_the_workspace_carries_nothing_from_call_to_call():
    """What joints keep between passes is written before it is read, by all kinds."""
    m = zoo.bodies()
    tree, start = compile_tree(m), zoo.start(m)
    q, v, n = np.array(start.q), np.array(start.v), m.lengths[1]
    first, second, model = np.zeros(n), np.zeros(n), tree.model()
    entries.forward()(model, 1, q, v, np.zeros(n), first)
    model.workspace[:] = np.nan
    tree.wrenches(model)[:] = 0.0
    entries.forward()(model, 1, q, v, np.zeros(n), second)
    assert (first == second).all()

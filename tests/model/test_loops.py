"""Loops as users write them: mistakes, names, files, print, and which methods may run them."""

import json

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.one_body import single
from poinsot.compile.tree import compile_tree
from poinsot.core.methods import ALL
from poinsot.formats.data import from_data, to_data

BODY = ps.Box((0.1, 0.1, 1.0)).body(mass=1.0)


def chain():
    m = ps.Mechanism().add("upper", BODY, ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    return m.add("lower", BODY, ps.Spherical(), parent="upper", at=(0, 0, -0.5), body_at=(0, 0, -0.5))


def weld(body, **options):
    return ps.Loop(body, "world", ps.Fixed(), **options)


BAD = [
    (lambda: ps.Loop("a", "a", ps.Spherical()), "loop 'a-a': must lie between two bodies, got 'a' twice"),
    (
        lambda: ps.Loop("a", "b", ps.Free()),
        "loop 'a-b': a Free joint has no constraint",
    ),
    (lambda: ps.Loop("a", "b", ps.Spherical), r"loop 'a-b': expected a joint .*, write it with brackets"),
    (lambda: ps.Loop("a", "b", 3), r"loop 'a-b': expected a joint such as Spherical\(\), got 3"),
    (lambda: ps.Loop("a", "b", ps.Fixed(), at_a=(1, 2)), "loop 'a-b': at_a must be 3 numbers, got"),
    (lambda: ps.Loop("a", "b", ps.Fixed(), at_b=(1, 2, np.nan)), "loop 'a-b': at_b must be finite"),
    (lambda: ps.Loop("a", "b", ps.Fixed(), rotation_a=(1, 1, 0, 0)), "loop 'a-b': rotation_a must be a quat"),
    (lambda: ps.Loop("a", "b", ps.Fixed(), rotation_b=-np.eye(3)), "loop 'a-b': rotation_b must have det"),
    (lambda: ps.Loop("a", "b", ps.Fixed(), name=""), "loop from 'a' to 'b': name must be a word"),
    (lambda: ps.Loop("a", "b", ps.Fixed(), name="x\n"), r"loop 'x\\n': a name has printable characters"),
    (lambda: ps.Distance(0.0), "Distance: length must be positive, got 0"),
    (lambda: ps.Distance("long"), "Distance: length must be a number"),
    (lambda: ps.Plane((0, 0, 0)), "Plane: normal has zero length"),
    (lambda: ps.Axis((0, 0, 0)), "Axis: direction has zero length"),
    (lambda: chain().close(ps.Distance(1.0)), r"expected Loop\(a, b, joint\), got Distance"),
    (lambda: chain().close(weld("uper")), "loop 'uper-world': unknown body 'uper', did you mean 'upper'"),
    (lambda: chain().close(weld("upper", name="lower")), "loop 'lower': the name is taken, give another"),
    (lambda: chain().close(weld("lower"), weld("lower")), "loop 'lower-world': the name is taken"),
    (lambda: tied().add("tie", BODY, ps.Free()), "body 'tie': the name is taken"),
    (lambda: chain().add("rod", BODY, ps.Distance(1.0)), "body 'rod': expected a joint"),
]


@pytest.mark.parametrize(("make", "message"), BAD, ids=range(len(BAD)))
def test_mistakes_are_named(make, message):
    with pytest.raises(ps.ModelError, match=message):
        make()


def tied(joint=None, **places):
    loop = ps.Loop("world", "lower", joint or ps.Distance(2.0), at_b=(0, 0, -0.5), name="tie", **places)
    return chain().close(loop)


def test_nothing_is_closed_if_one_loop_is_wrong():
    m = chain()
    with pytest.raises(ps.ModelError):
        m.close(ps.Loop("upper", "world", ps.Fixed()), ps.Loop("upper", "nobody", ps.Fixed()))
    assert m.loops == []


def test_a_mechanism_shows_its_loops():
    text = str(tied(at_a=(0, 0, -1)))
    assert text.endswith("\nloop 'tie': 'world' at (0, 0, -1) to 'lower' at (0, 0, -0.5), Distance 2")
    assert "loop &#x27;tie&#x27;" in tied()._repr_html_() or "loop 'tie'" in tied()._repr_html_()


JOINTS = [
    ps.Spherical(),
    ps.Fixed(),
    ps.Revolute((1, 2, 3)),
    ps.Prismatic((1, 2, 3)),
    ps.Cylindrical((1, 2, 3)),
    ps.Universal((1, 0, 0), (1, 1, 0)),
    ps.Planar((1, 2, 3)),
    ps.Distance(0.3),
    ps.Plane((1, 2, 3)),
    ps.Axis((3, 2, 1)),
]


@pytest.mark.parametrize("joint", JOINTS, ids=lambda joint: type(joint).__name__)
def test_files_keep_every_bit_of_a_loop(joint):
    m = tied(joint, at_a=(0.1, 1 / 3, 2), rotation_a=(0.6, 0.8, 0, 0), rotation_b=(0.0, 0, 0.6, 0.8))
    back = from_data(json.loads(json.dumps(to_data(m))))
    a, b = (compile_tree(one) for one in (m, back))
    assert a.fingerprint == b.fingerprint
    assert a.fingerprint != compile_tree(chain()).fingerprint
    assert a.constraints == b.constraints
    assert (a.ints.tobytes(), a.floats.tobytes()) == (b.ints.tobytes(), b.floats.tobytes())
    assert str(back) == str(m)


def test_fingerprints_know_where_a_loop_is():
    one, two = (compile_tree(tied(at_a=(0, 0, z))).fingerprint for z in (0.0, 1e-16))
    assert one != two


def test_a_body_on_a_loop_is_not_one_body():
    m = ps.Mechanism().add("top", BODY, ps.Spherical())
    assert single(m)
    assert not single(m.close(ps.Loop("top", "world", ps.Distance(1.0))))


def test_methods_that_cannot_keep_loops_closed_say_so():
    m = tied()
    for method in ("cf4", "rkmk4", "newmark"):
        with pytest.raises(ps.ScenarioError, match=f"method '{method}' cannot keep loops closed") as caught:
            ps.simulate(m, m.state(), method, step=0.01, steps=1)
        able = [one.name for one in ALL if one.loops and not one.variant]
        assert str(caught.value).endswith(", ".join(able) if able else "there is no method")
    with pytest.raises(ps.ScenarioError, match="method 'nmb' is for one body"):
        ps.simulate(m, m.state(), "nmb", step=0.01, steps=1)


def test_the_order_of_loops_and_their_rows_is_that_of_close():
    m = chain().close(*(ps.Loop("upper", "world", joint, name=type(joint).__name__) for joint in JOINTS))
    found = ps.dynamics.loop_constraints(m, m.state())
    assert list(found.residuals) == [type(joint).__name__ for joint in JOINTS]
    assert [len(x) for x in found.residuals.values()] == [3, 6, 5, 5, 4, 4, 3, 1, 1, 2]

"""A mechanism is changed by verbs with the checks of `add`, and run again."""

import numpy as np
import pytest

import poinsot as ps


def pendulum(mass=1.0):
    m = ps.Mechanism()
    m.add("a", ps.Body(mass, (0.1, 0.1, 0.1)), ps.Revolute((1, 0, 0)), body_at=(0, 0, -1))
    m.add("b", ps.Body(mass, (0.1, 0.1, 0.1)), ps.Revolute((1, 0, 0)), parent="a", at=(0, 0, -1))
    return m.apply(ps.JointDamper("b", 0.1))


def test_a_copy_is_changed_on_its_own():
    m = pendulum()
    copy = m.copy().replace("b", body=ps.Body(2.0, (0.1, 0.1, 0.1)), at=(0, 0, -2))
    assert (copy.link("b").body.mass, m.link("b").body.mass) == (2.0, 1.0)
    assert copy.link("b").parent == "a"
    assert copy.names == m.names
    assert np.array_equal(copy.link("b").at, (0, 0, -2))
    assert np.array_equal(copy.link("b").body_at, m.link("b").body_at)
    start = m.state({"a": dict(angle=1.0)})
    a, b = (ps.simulate(x, start, "rk4", step=0.01, steps=10).final.q for x in (m, copy))
    assert not np.array_equal(a, b)
    back = copy.replace("b", body=m.link("b").body, at=m.link("b").at)
    assert np.array_equal(ps.simulate(back, start, "rk4", step=0.01, steps=10).final.q, a)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("c", {}, "unknown body 'c'"),
        ("b", dict(body=5), "expected a Body"),
        ("b", dict(joint=ps.Fixed()), "Fixed joint does not move"),  # the damper would hang in the air
        ("b", dict(at=(1, 2)), "at must be 3 numbers"),
    ],
)
def test_a_wrong_change_changes_nothing(name, change, message):
    m = pendulum()
    before = list(m.links)
    with pytest.raises(ps.ModelError, match=message):
        m.replace(name, **change)
    assert m.links == before


def test_a_force_takes_the_place_of_another():
    m = pendulum()
    soft = m.forces[0]
    m.replace_force(soft, ps.JointDamper("b", 5.0))
    assert float(m.forces[0].damping) == 5.0
    with pytest.raises(ps.ModelError, match="does not act on this mechanism"):
        m.replace_force(soft, soft)
    with pytest.raises(ps.ModelError, match="unknown body 'c'"):
        m.replace_force(m.forces[0], ps.JointDamper("c", 5.0))
    assert float(m.forces[0].damping) == 5.0


@pytest.mark.parametrize("gravity", [(0, 0), 9.81, "down", (0, 0, np.nan), (0, 0, 1j), None])
def test_gravity_is_checked_when_it_is_set(gravity):
    m = pendulum()
    with pytest.raises(ps.ModelError, match="gravity"):
        m.gravity = gravity
    assert np.array_equal(m.gravity, (0, 0, -9.81))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: ps.State(0.0, np.array([1 + 9j]), [0.0]),
        lambda: ps.State(0.0, ["1.5"], [0.0]),
        lambda: ps.State("0", [1.0], [0.0]),
        lambda: ps.State(True, [1.0], [0.0]),
        lambda: ps.Body(1.0, (1, 1, 1), np.ma.array([1.0, 2, 3], mask=[0, 1, 0])),
        lambda: ps.Body(1.0, (1, 1, 1), physical="no"),
        lambda: ps.Torque("a", lambda t, R, w, p, v: (0.0, 0.0, 0.0), switches=b"abc"),
        lambda: ps.Torque("a", lambda t, R, w, p, v: (0.0, 0.0, 0.0), switches=0.5),
        lambda: ps.Torque("a", lambda t, R, w, p, v: (0.0, 0.0, 0.0), switches=None),
        lambda: ps.so3.exp(np.array([9j, 0, 0])),
        lambda: ps.so3.exp("abc"),
        lambda: ps.so3.exp((1, 2)),
        lambda: ps.so3.log(np.zeros((2, 2))),
        lambda: ps.quaternion.matrix(None),
        lambda: ps.Mesh(None),
        lambda: ps.scenario(["fast-top"]),
        lambda: ps.control.memory_of(None),
        lambda: ps.dynamics.move(pendulum(), pendulum().state(), [1.0]),
        lambda: ps.dynamics.move(pendulum(), None, np.zeros(4)),
        lambda: ps.dynamics.difference(pendulum(), pendulum().state(), None),
    ],
)
def test_what_is_no_number_is_refused_by_name(wrong):
    with pytest.raises(ps.PoinsotError):
        wrong()


@pytest.mark.parametrize("u", [np.array([1 + 9j]), ["1.5"], [10**400], [None], [np.nan]])
def test_a_controller_must_return_real_numbers(u):
    m = pendulum()
    c = ps.Controller(lambda t, state, memory: (u, memory), period=0.01, inputs=["a"])
    with pytest.raises(ps.StepError, match=r"the controller .* must return"):
        ps.simulate(m, m.state(), "rk4", step=0.01, steps=3, controller=c)

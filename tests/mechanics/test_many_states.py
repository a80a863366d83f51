"""Many states and `ps.dynamics.bind`: the bits of one state, in any number, shape and thread."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile import states
from poinsot.formats.data import from_data
from support import oracle, random_trees

COUNT = 11  # two groups of four lanes, and three states more
KINDS = ["free", "spherical", "universal", "revolute", "planar", "helical", "cylindrical", "prismatic"]


@pytest.fixture(scope="module")
def case():
    """A chain of all joints: data, mechanism, and states."""
    data, _, _, _ = random_trees.tree(5, KINDS)
    rng = np.random.default_rng(8)
    pairs = [random_trees.state(rng, data) for _ in range(COUNT)]
    q, v = (np.array(x) for x in zip(*pairs, strict=True))
    return data, from_data(data), q, v


def questions(d, v):
    """Every function of the bound object, of the coordinates and velocities of any states."""
    a = np.cos(v)
    return {
        "acceleration": lambda q, v: d.acceleration(q, v),
        "torques": lambda q, v: d.acceleration(q, v, np.sin(v)),
        "inverse": lambda q, v: d.inverse_dynamics(q, v, np.cos(v)),
        "mass": lambda q, v: d.mass_matrix(q),
        "jacobian": lambda q, v: d.jacobian(q, "b4", (0.1, 0.2, 0.3)),
        "energy": lambda q, v: np.stack(d.energy(q, v), axis=-1),
        "momentum": lambda q, v: np.stack(d.momentum(q, v), axis=-2),
        "center": lambda q, v: d.center_of_mass(q),
        "one acceleration for all": lambda q, v: d.inverse_dynamics(q, v, a[0]),
    }


NAMES = list(questions(None, np.zeros((1, 1))))


@pytest.mark.parametrize("name", NAMES)
def test_many_states_have_the_bits_of_each(case, name):
    _, m, q, v = case
    ask = questions(ps.dynamics.bind(m), v)[name]
    each = np.array([ask(*state) for state in zip(q, v, strict=True)])
    for count in (0, 1, 3, 4, 5, 8, COUNT):
        found = ask(q[:count], v[:count])
        assert found.shape == (count, *each.shape[1:])
        assert (found == each[:count]).all()
    assert (
        ask(q[:8].reshape(2, 1, 4, -1), v[:8].reshape(2, 1, 4, -1))
        == each[:8].reshape(2, 1, 4, *each.shape[1:])
    ).all()


def test_many_states_against_the_oracle(case):
    """Kane's equations with dense matrices, in space axes: M a + b = tau."""
    data, m, q, v = case
    tau = np.sin(3 * v)
    d = ps.dynamics.bind(m)
    a, M = d.acceleration(q, v, tau), d.mass_matrix(q)
    needed = d.inverse_dynamics(q, v, a)
    kinetic, potential = d.energy(q, v)
    for i in range(COUNT):
        dense, b = oracle.equations(data, q[i], v[i])
        size = (np.abs(dense) @ np.abs(a[i]) + np.abs(b)).max()
        total = oracle.totals(data, q[i], v[i])
        assert dense @ a[i] + b == pytest.approx(tau[i], abs=1e-12 * size)
        assert M[i] == pytest.approx(dense, abs=1e-13 * np.abs(dense).max())
        assert needed[i] == pytest.approx(tau[i], abs=1e-12 * size)
        assert (kinetic[i], potential[i]) == pytest.approx((total.kinetic, total.potential), rel=1e-12)
        assert d.momentum(q, v).angular[i] == pytest.approx(total.angular_momentum, rel=1e-10)
        assert d.center_of_mass(q)[i] == pytest.approx(total.center_of_mass, abs=1e-12)


def test_results_are_written_where_they_are_wanted(case):
    _, m, q, v = case
    d, n = ps.dynamics.bind(m), v.shape[1]
    one, many, M = np.zeros(n), np.zeros((COUNT, n)), np.zeros((COUNT, n, n))
    assert d.acceleration(q[0], v[0], out=one) is one
    assert d.acceleration(q, v, out=many) is many
    assert (many[0] == one).all()
    assert d.inverse_dynamics(q[0], v[0], v[0], out=one) is one
    assert (one == d.inverse_dynamics(q[0], v[0], v[0])).all()
    assert d.mass_matrix(q, out=M) is M
    assert d.mass_matrix(q[0], out=M[1]).base is not None
    assert (M[1] == M[0]).all()
    J = np.zeros((6, n))
    assert (ps.dynamics.jacobian(m, ps.State(0.0, q[0], v[0]), "b4", out=J) == d.jacobian(q[0], "b4")).all()
    inplace = v[0].copy()
    assert (d.acceleration(q[0], inplace, out=inplace) == many[0]).all(), "out may be an argument"


def test_arrays_of_any_kind_are_numbers(case):
    """Lists, whole numbers, single precision, strided and swapped arrays: as if they were plain float64."""
    _, m, q, v = case
    d = ps.dynamics.bind(m)
    whole, n = np.round(3 * v[0]), v.shape[1]
    wide = np.zeros((n, 2))
    wide[:, 0] = whole
    expected = d.acceleration(q[0], whole), d.inverse_dynamics(q[0], whole, whole)
    kinds = whole.astype(int), whole.astype(np.float32), whole.tolist(), wide[:, 0], whole.astype(">f8")
    for given in (*kinds, np.ma.array(whole)):
        assert (d.acceleration(q[0], given) == expected[0]).all()
        assert (d.acceleration(q[0].tolist(), given) == expected[0]).all()
        assert (d.inverse_dynamics(q[0], given, given) == expected[1]).all()
        assert (d.acceleration(q[0], whole, given) == d.acceleration(q[0], whole, whole)).all()


def test_forces_act_at_their_times(case):
    """A force that depends on the time: one for all states, or one for each."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("slide", ps.Body(2.0, (1, 1, 1)), ps.Prismatic((0, 0, 1)))
    m.apply(ps.JointTorque("slide", lambda t, q, v: 3.0 * t - v[0]), ps.JointSpring("slide", 8.0))
    q, v, t = np.linspace(0, 1, 9)[:, None], np.linspace(2, 1, 9)[:, None], np.linspace(0, 5, 9)
    exact, d = (3 * t[:, None] - v - 8 * q) / 2, ps.dynamics.bind(m)
    assert d.acceleration(q, v, time=t) == pytest.approx(exact, abs=1e-14)
    assert d.acceleration(q, v, time=2.0) == pytest.approx((6 - v - 8 * q) / 2, abs=1e-14)
    assert d.acceleration(q[3], v[3], time=2.0) == pytest.approx((6 - v[3] - 8 * q[3]) / 2, abs=1e-14)
    assert d.inverse_dynamics(q, v, exact, time=t) == pytest.approx(0 * q, abs=1e-14)
    assert d.energy(q, v).potential == pytest.approx(4 * q[:, 0] ** 2, abs=1e-14)
    state = ps.State(1.0, q[2], v[2])
    assert ps.dynamics.acceleration(m, state, [4.0]) == pytest.approx(
        (3 - v[2] - 8 * q[2] + 4) / 2, abs=1e-14
    )
    assert ps.dynamics.acceleration(m, state) == pytest.approx((3 - v[2] - 8 * q[2]) / 2, abs=1e-14)


def test_loops_and_point_masses_at_many_states():
    """What needs more than the compiled algorithm: state by state, the same."""
    m = ps.Mechanism().add(
        "bob", ps.Body(2.0, (0, 0, 0)), ps.Universal((1, 0, 0), (0, 1, 0)), body_at=(0, 0, -1)
    )
    q, v = np.random.default_rng(1).normal(size=(2, 5, 2)) / 3
    closed = ps.Mechanism().add("bob", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    closed.close(ps.Loop("world", "bob", ps.Distance(1.0), name="rope"))
    states = [
        closed.state({"bob": dict(position=(np.sin(s), 0, -np.cos(s)))}) for s in (0.1, 0.2, 0.3, 0.4, 0.5)
    ]
    Q, V = np.array([x.q for x in states]), np.array([x.v for x in states])
    for model, at, along in ((m, q, v), (closed, Q, V)):
        many = ps.dynamics.bind(model).acceleration(at, along)
        for i in range(5):
            state = ps.State(0.0, at[i], along[i])
            assert (many[i] == ps.dynamics.acceleration(model, state)).all()
            assert (
                ps.dynamics.bind(model).inverse_dynamics(at, along, many)[i]
                == ps.dynamics.inverse_dynamics(model, state, many[i])
            ).all()
    thin = ps.Mechanism().add("rod", ps.Body(1.0, (0, 0, 0)), ps.Revolute((0, 0, 1)))
    with pytest.raises(ps.ModelError, match="nothing resists"):
        ps.dynamics.bind(thin).acceleration(np.zeros((3, 1)), np.zeros((3, 1)))


def test_threads_share_a_bound_object(case):
    """Each has its own workspace: eight threads ask different states at once, one by one and in lists."""
    _, m, q, v = case
    d = ps.dynamics.bind(m)
    each = d.acceleration(q, v)

    def ask(k):
        i = k % COUNT
        many = d.acceleration(q[i:], v[i:])
        return (d.acceleration(q[i], v[i]) == each[i]).all() and (many == each[i:]).all()

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(400)))


def test_long_lists_are_computed_in_threads(case, monkeypatch):
    _, m, q, v = case
    d = ps.dynamics.bind(m)
    each = d.acceleration(q, v)
    monkeypatch.setattr(states, "WORTH", 1)
    monkeypatch.setattr(states, "threads", lambda: 3)
    assert (d.acceleration(q, v) == each).all()
    bad = q.copy()
    bad[9, 0] = np.nan
    with pytest.raises(ps.ModelError, match="state of 'b0': q and v must be finite"):
        d.acceleration(bad, v)


def test_mistakes_are_named(case):
    _, m, q, v = case
    d = ps.dynamics.bind(m)
    nq, nv = q.shape[1], v.shape[1]
    long = q.copy()
    long[4, 3:7] *= 1.1
    cases = {
        "expected a Mechanism": lambda: ps.dynamics.bind("m"),
        "arrays q and v": lambda: d.acceleration("q", v[0]),
        f"q has the shape \\({nq - 1},\\)": lambda: d.acceleration(q[0, 1:], v[0]),
        f"v has the shape \\({nv + 1},\\)": lambda: d.acceleration(q[0], np.zeros(nv + 1)),
        "leading axes that differ": lambda: d.acceleration(q[:3], v[:4]),
        "bind\\(mechanism\\) takes arrays": lambda: ps.dynamics.acceleration(m, q, v),
        f"torques must be {nv} numbers": lambda: d.acceleration(q, v, np.full(nv, np.nan)),
        f"acceleration must be {nv} numbers": lambda: d.inverse_dynamics(q[0], v[0], v[0, 1:]),
        "time must be finite": lambda: d.acceleration(q[0], v[0], time=np.inf),
        "its quaternion has length 1.1": lambda: d.mass_matrix(long),
        "q and v must be finite": lambda: d.energy(q[0], v[0] * np.nan),
        "out must be an array of float64 of shape": lambda: d.acceleration(q, v, out=np.zeros(nv)),
        "out must be writable": lambda: d.acceleration(q[0], v[0], out=np.zeros(2 * nv)[::2]),
        "dynamics: unknown body 'c4'": lambda: d.jacobian(q[0], "c4"),
    }
    for message, call in cases.items():
        with pytest.raises(ps.ModelError, match=message):
            call()
    frozen = np.zeros(nv)
    frozen.flags.writeable = False
    with pytest.raises(ps.ModelError, match="writable"):
        d.acceleration(q[0], v[0], out=frozen)
    assert (frozen == 0).all()
    for kind in (int, np.float32):  # would hold bits of doubles
        whole = np.zeros(nv, dtype=kind)
        with pytest.raises(ps.ModelError, match="out must be an array of float64"):
            d.acceleration(q[0], v[0], out=whole)
        assert (whole == 0).all()


def test_out_may_overlap_what_is_read():
    """With loops, and where rows were shifted, the results were wrong without a word."""
    bar, hinge = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0), ps.Revolute((0, 1, 0))
    m = ps.Mechanism().add("a", bar, hinge, body_at=(0, 0, -0.5))
    m.add("b", bar, hinge, parent="a", at=(0, 0, -0.5), body_at=(0, 0, -0.5))
    looped = m.snapshot().close(ps.Loop("b", "world", ps.Distance(1.0), at_b=(1.0, 0, -0.5)))
    rng = np.random.default_rng(3)
    for one in (m, looped):
        d = ps.dynamics.bind(one)
        for function in (d.acceleration, d.inverse_dynamics):
            numbers = rng.normal(size=(3, 9, 2))
            right = function(*numbers[:, :-1].copy())
            for which in range(3):
                for shift in (0, 1):
                    given = numbers.copy()
                    out = given[which, shift : 8 + shift]
                    assert function(*given[:, :-1], out=out) is out
                    assert out.tobytes() == right.tobytes(), (function, which, shift)
        given = np.concatenate([rng.normal(size=4), np.zeros(28)])
        M = d.mass_matrix(given[:16].reshape(8, 2).copy())
        assert d.mass_matrix(given[:16].reshape(8, 2), out=given.reshape(8, 2, 2)).tobytes() == M.tobytes()

"""What a user writes cannot read foreign memory, and fails as Python fails."""

import math

import numba
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided as strided

import poinsot as ps

TABLE = np.full(40, 0.5)


def hinge(f):
    bar = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)
    m = ps.Mechanism().add("a", bar, ps.Revolute((1, 0, 0)), body_at=(0, 0, -0.5))
    m.apply(ps.JointTorque("a", f))
    return m, m.state({"a": dict(angle=1.0)})


def top(f):
    body = ps.Cylinder(0.3, 0.1).body(mass=1.0, center_of_mass=(0, 0, 0.4))
    m = ps.Mechanism().add("top", body, ps.Spherical())
    m.apply(ps.Torque("top", f))
    return m, m.state({"top": dict(angular_velocity=(0, 0, 9))})


def looked_up(t, q, v):
    return TABLE[int(t * 100)]


def written(t, q, v):
    own = np.zeros(3)
    own[int(t * 100)] = 1.0
    return own[0]


def far_away(t, q, v):
    return TABLE[int(t * 1e12)]


@pytest.mark.parametrize("method", ["rk4", "gauss2"])
@pytest.mark.parametrize(("force", "steps"), [(looked_up, 39), (written, 2), (far_away, 0)])
def test_an_index_out_of_range_at_a_joint_is_an_error(force, steps, method):
    with pytest.raises(ps.StepError, match="IndexError") as caught:
        ps.simulate(*hinge(force), method, step=0.01, steps=50)
    assert abs(caught.value.run.steps - steps) <= 1  # stages look a little ahead
    assert len(caught.value.run.time) == caught.value.run.steps + 1


def test_an_index_out_of_range_on_a_body_is_an_error():
    def torque(t, R, w, p, v):
        return 0.0, 0.0, TABLE[int(t * 1e12)]

    with pytest.raises(ps.StepError, match="IndexError"):
        ps.simulate(*top(torque), "rk4", step=0.01, steps=50)


@pytest.mark.parametrize(
    "late",
    [
        lambda t: float(7 // int(max(0.0, min(1.0, 3.0 - 10.0 * t)))),
        lambda t: float(7 % int(max(0.0, min(1.0, 3.0 - 10.0 * t)))),
        lambda t: 1.0 / min(1.0, max(0.0, 0.3 - t)),
    ],
)
def test_a_division_by_zero_is_an_error_as_in_python(late):
    with pytest.raises(ZeroDivisionError):
        late(1.0)
    with pytest.raises(ps.StepError, match="ZeroDivisionError"):
        ps.simulate(*top(lambda t, R, w, p, v: (0.0, 0.0, late(t))), "rk4", step=0.01, steps=50)


def twice(x):
    return 2.0 * x


def four_times(x):
    return twice(twice(x))


def test_plain_helpers_are_compiled_with_the_force():
    def inner(x):
        return four_times(x) + 1.0

    with_helpers = ps.simulate(*top(lambda t, R, w, p, v: (0.0, 0.0, inner(t))), "rk4", step=0.01, steps=20)
    written_out = ps.simulate(
        *top(lambda t, R, w, p, v: (0.0, 0.0, 4.0 * t + 1.0)), "rk4", step=0.01, steps=20
    )
    assert with_helpers.final.v == pytest.approx(written_out.final.v, rel=1e-14)


def test_a_helper_that_is_changed_changes_the_force(monkeypatch):
    m, start = top(lambda t, R, w, p, v: (0.0, 0.0, twice(1.0)))
    before = ps.simulate(m, start, "rk4", step=0.01, steps=10).final.v[2]
    monkeypatch.setitem(globals(), "twice", lambda x: 4.0 * x)
    after = ps.simulate(m, start, "rk4", step=0.01, steps=10).final.v[2]
    assert after - 9.0 == pytest.approx(2 * (before - 9.0), rel=1e-9)


def test_scalar_functions_keep_their_bits():
    """Checks cost nothing that shows in the numbers: the same force as data and as a function."""

    def spring(t, q, v):
        return -3.0 * math.sin(q[0])

    a = ps.simulate(*hinge(spring), "rk4", step=0.01, steps=50).final
    b = ps.simulate(*hinge(spring), "rk4", step=0.01, steps=50).final
    assert np.array_equal(a.q, b.q)
    assert np.array_equal(a.v, b.v)


GAIN = 0.3


@numba.njit
def row(i):
    return TABLE[i]


@numba.njit
def motor(t):
    return GAIN


@pytest.mark.parametrize(
    "force",
    [
        lambda t, q, v: row(int(t * 1e4)),
        lambda t, q, v: row(int(t * 1e13)),
        lambda t, q, v: TABLE.flat[int(t * 1e4)],
        lambda t, q, v: TABLE.flat[-1 - int(t * 1e4)],
    ],
    ids=["njit", "njit far away", "flat", "flat from the end"],
)
def test_helpers_of_numba_and_flat_check_their_indices(force):
    """They read foreign memory, silently or with a crash."""
    with pytest.raises(ps.StepError, match="IndexError"):
        ps.simulate(*hinge(force), "rk4", step=0.01, steps=5)


def test_flat_counts_from_both_ends():
    a, b = (
        ps.simulate(*hinge(f), "rk4", step=0.01, steps=5).final.q[0]
        for f in (lambda t, q, v: RAMP.flat[-1] - RAMP.flat[1], lambda t, q, v: 38.0)
    )
    assert a == b


RAMP = np.arange(40.0).reshape(8, 5)


def test_a_helper_of_numba_follows_the_globals_that_it_reads(monkeypatch):
    """It had been compiled with the old value, which went to disk under the digest of the new one."""
    m, start = hinge(lambda t, q, v: motor(t))

    def push():
        return ps.dynamics.acceleration(m, start)[0]

    weak = push()
    monkeypatch.setitem(globals(), "GAIN", 60.3)
    strong = push()
    assert ps.dynamics.mass_matrix(m, start)[0, 0] * (strong - weak) == pytest.approx(60.0, rel=1e-12)


def test_functions_of_vectorize_are_refused():
    @numba.vectorize
    def twice(x):
        return x + x

    with pytest.raises(ps.ModelError, match=r"'twice' is compiled with numba\.vectorize"):
        ps.simulate(*hinge(lambda t, q, v: twice(q[0])), "rk4", step=0.01, steps=5)


def by_attribute(t, q, v):
    return np.lib.stride_tricks.as_strided(TABLE, (500,), (8,))[40] - q[0]


def by_name(t, q, v):
    return strided(TABLE, (500,), (8,))[40] - q[0]


def by_import(t, q, v):
    from numpy.lib.stride_tricks import as_strided

    return as_strided(TABLE, (500,), (8,))[40] - q[0]


def by_helper(t, q, v):
    return by_name(t, q, v)


def by_rows(t, q, v):
    return np.take_along_axis(TABLE, np.array([3 if t < 0.01 else 900]), 0)[0] - q[0]


def by_deletion(t, q, v):
    return np.delete(TABLE, np.array([3 if t < 0.01 else 900]))[0] - q[0]


@pytest.mark.parametrize("f", [by_attribute, by_name, by_import, by_helper, by_rows, by_deletion])
def test_what_reads_memory_outside_of_arrays_is_refused(f):
    """Numba does not check these, and `as_strided` NumPy neither: segmentation faults."""
    with pytest.raises(ps.ModelError, match=r"uses '(as_strided|take_along_axis|delete)', which can read"):
        ps.simulate(*hinge(f), "rk4", step=0.01, steps=5)


def test_names_of_ones_own_are_not_refused():
    def delete(x):
        return -x

    ps.simulate(*hinge(lambda t, q, v: delete(q[0])), "rk4", step=0.01, steps=5)


def test_functions_that_call_each_other_too_deeply_are_refused():
    f = lambda q: q  # noqa: E731
    for _ in range(400):
        f = (lambda g: lambda q: g(q))(f)
    with pytest.raises(ps.ModelError, match=r"cannot be compiled|too deeply"):
        ps.simulate(*hinge(lambda t, q, v: f(q[0])), "rk4", step=0.01, steps=5)


def test_what_numba_does_not_know_is_one_line():
    with pytest.raises(ps.ModelError, match="cannot be compiled") as caught:
        ps.simulate(*hinge(lambda t, q, v: RAMP.ravel("K")[0]), "rk4", step=0.01, steps=5)
    assert "\n" not in str(caught.value)


MANY = 3_000_000_000


def test_integers_that_overflow_are_refused():
    """Compiled, they are of 64 bits, and their product was negative without a word."""
    with pytest.raises(ps.ModelError, match="an integer grows beyond 64 bits"):
        ps.simulate(*hinge(lambda t, q, v: 1e-20 * (MANY * MANY * 2)), "rk4", step=0.01, steps=5)
    with pytest.raises(ps.ModelError, match="an integer grows beyond 64 bits"):
        ps.simulate(
            *top(lambda t, R, w, p, v: (0.0, 0.0, 1e-20 * MANY**2 * (MANY - MANY + 7) ** 40)),
            step=0.01,
            steps=5,
        )


def test_integers_that_do_not_overflow_are_integers():
    n = 7

    def force(t, q, v):
        return 1.0 * (MANY % n + TABLE[n // 2]) + sum([k * k for k in range(n)])

    ps.simulate(*hinge(force), "rk4", step=0.01, steps=5)

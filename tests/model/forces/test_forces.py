"""Torques and wrenches that users write: the same force in every frame, style and number.

A user's function is plain Python, so Python itself is the witness for what it returns.
"""

import math

import numpy as np
import pytest
from numba import float64
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.compile.functions import body as functions
from poinsot.compile.one_body import compile_body
from poinsot.core.jit import COMPILED, OPTIONS
from poinsot.core.numba_parts.target import njit
from poinsot.core.numbers.arrays import records
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.v4d import v4d
from poinsot.core.numbers.zero import zero_of

C = np.array([0.3, -0.1, 0.2])
BODY = ps.Body(1.5, (1.0, 1.3, 1.7), center_of_mass=C)
R = Rotation.from_rotvec([0.4, -0.8, 0.5]).as_matrix()
T, (W, P, V) = 0.75, np.random.default_rng(3).normal(size=(3, 3))
PAST, STIFFNESS = 2.0, 3.5  # globals that a function reads
compiled_only = pytest.mark.skipif(not COMPILED, reason="about compiled code")


@pytest.fixture
def random():
    return np.random.default_rng(3)


def mechanism(*forces, joint=None, gravity=(0, 0, 0)):
    return ps.Mechanism(gravity=gravity).add("link", BODY, joint or ps.Free()).apply(*forces)


def wrench(*forces):
    """(torque about the centre of mass, force), in space, at one pose."""
    y = compile_body(mechanism(*forces)).force(float64)(T, tuple(R.flat), tuple(W), tuple(P), tuple(V))
    return np.array(y[:3]), np.array(y[3:])


def six(t, R, w, p, v):
    return t * w[0], R[0][2], w[1] * w[2], p[0] + v[1], R[2][1] - t, 2.0 * p[2]


def three(t, R, w, p, v):
    return t * w[0] - p[1], R[0][2] + v[2], w[1] * w[2]


# frames


@pytest.mark.parametrize("frame", ["space", "body"])
@pytest.mark.parametrize("at", [(0.0, 0.0, 0.0), (0.5, 0.7, -0.4)])
def test_a_wrench_acts_at_its_point(frame, at):
    y = np.array(six(T, R, W, P, V))
    torque, push = (y[:3], y[3:]) if frame == "space" else (R @ y[:3], R @ y[3:])
    t, f = wrench(ps.Wrench("link", six, at=at, frame=frame))
    assert f == pytest.approx(push, rel=1e-15, abs=1e-15)
    assert t == pytest.approx(torque + np.cross(R @ (np.array(at) - C), push), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("frame", ["space", "body"])
def test_a_torque_acts_anywhere(frame):
    y = np.array(three(T, R, W, P, V))
    t, f = wrench(ps.Torque("link", three, frame=frame))
    assert t == pytest.approx(y if frame == "space" else R @ y, rel=1e-15, abs=1e-15)
    assert f.tolist() == [0, 0, 0]


def test_two_forces_add_up():
    a, b, c = (
        ps.Wrench("link", six, at=(1, 0, 2)),
        ps.Torque("link", three, frame="body"),
        ps.Torque("link", three),
    )
    parts = np.array([wrench(one) for one in (a, b, c)])
    assert np.array_equal(wrench(a, b, c), parts[0] + parts[1] + parts[2])


def test_forces_are_compiled_once():
    m = mechanism(ps.Torque("link", three), ps.Torque("link", three, frame="body"))
    assert compile_body(m).force(float64) is compile_body(m).force(float64)


def test_a_constant_wrench_changes_the_momenta_by_what_it_gives():
    """On a free body: p = p0 + t f, and about the centre of mass L = L0 + t (torque + arm x f), arm = 0."""

    def push(t, R, w, p, v):
        return 0.3, -0.2, 0.5, 1.0, 2.0, -1.0

    m = mechanism(ps.Wrench("link", push, at=C))
    run = ps.simulate(m, m.state({"link": {"angular_velocity": (1, 2, 3)}}), "srkn4", step=0.05, steps=40)
    spin = run.angular_momentum - np.cross(run.position("link"), run.linear_momentum)
    close = 1e-13  # srkn4 adds h times the torque to the momentum, and rounding
    assert run.linear_momentum[-1] == pytest.approx([2.0, 4.0, -2.0], abs=close)
    assert spin[-1] - spin[0] == pytest.approx([0.6, -0.4, 1.0], abs=close)


# styles


def rows(t, R, w, p, v):
    return 2.0 * R[0][2] - p[0], R[1][1] * w[2], math.sin(t) * v[0]


def pairs(t, R, w, p, v):
    return 2.0 * R[0, 2] - p[0], R[1, 1] * w[2], math.sin(t) * v[0]


def numpy_style(t, R, w, p, v):
    return np.array([2.0, R[1, 1], np.sin(t)]) * np.array([R[0, 2], w[2], v[0]]) - np.array([p[0], 0.0, 0.0])


def lists(t, R, w, p, v):
    return [2.0 * R[0][2] - p[0], R[1][1] * w[2], math.sin(t) * v[0]]


def test_every_style_gives_the_same_bits():
    m = [mechanism(ps.Torque("link", f), joint=ps.Spherical()) for f in (rows, pairs, numpy_style, lists)]
    start = m[0].state({"link": {"angular_velocity": (1, 2, 3)}})
    runs = [ps.simulate(one, start, "rk4", step=0.02, steps=50) for one in m]
    for run in runs[1:]:
        assert np.array_equal(run.trajectory.v, runs[0].trajectory.v)
        assert np.array_equal(run.work, runs[0].work)


def branch(t, R, w, p, v):
    x, y, z = p
    if x * y > 0.1 and t < PAST:
        return x * STIFFNESS, 1.0, -z
    return -y, (2.0 if w[0] > 0.0 else 3.0), R[2][0]


def smooth(t, R, w, p, v):
    size = math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
    return R[0][0] ** 2 - t / size, math.cos(R[1][2]) * w[0], v[1] * abs(p[0]) + math.tanh(w[1])


def closure(k):
    def pull(t, R, w, p, v):
        return sum([k[i] * R[i][2] for i in range(3)]), k[0], max(w[0], v[0])

    return pull


FUNCTIONS = {
    "branch": branch,
    "smooth": smooth,
    "closure": closure((1.0, -2.0, 0.5)),
    "short": lambda t, R, w, p, v: p,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_and_plain_python_agree(name, random):
    f = compile_body(mechanism(ps.Torque("link", FUNCTIONS[name]))).force(float64)
    for _ in range(20):
        t, w, p, v = random.uniform(0, 4), *random.normal(size=(3, 3))
        y = f(t, tuple(R.flat), tuple(w), tuple(p), tuple(v))
        assert y[:3] == pytest.approx(FUNCTIONS[name](t, R, w, p, v), rel=1e-15, abs=1e-15)


# number types


def numbers(force, number):
    """The compiled force on 19 numbers (t, R, w, p, v) of a type; a row of doubles each."""
    zero, f = zero_of(number), compile_body(mechanism(force)).force(number)

    @njit(**OPTIONS)
    def call(x, out):
        a, r = records(x, 0, 19, zero()), records(out, 0, 6, zero())
        y = f(
            a[0],
            (a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]),
            (a[10], a[11], a[12]),
            (a[13], a[14], a[15]),
            (a[16], a[17], a[18]),
        )
        for i in range(6):
            r[i] = y[i]

    def on(x):
        out = np.empty((6, x.shape[1]))
        call(np.ascontiguousarray(x).reshape(-1), out.reshape(-1))
        return out

    return on


@compiled_only
@pytest.mark.parametrize(("name", "one_by_one"), [("branch", True), ("smooth", False)])
def test_a_lane_carries_the_bits_of_the_scalar_force(name, one_by_one, monkeypatch, random):
    ways, by_lane = [], functions.by_lane
    counted = functions.ONE_BODY._replace(by_lane=lambda force: ways.append(force) or by_lane(force))
    monkeypatch.setattr(functions, "ONE_BODY", counted)
    force = ps.Torque("link", FUNCTIONS[name], frame="body")
    scalar, lanes = numbers(force, float64), numbers(force, v4d)
    assert bool(ways) == one_by_one
    for _ in range(20):
        x = random.normal(size=(19, 4))
        assert np.array_equal(lanes(x), np.hstack([scalar(x[:, k : k + 1]) for k in range(4)]))


@compiled_only
@pytest.mark.parametrize("name", ["branch", "smooth"])
def test_a_dual_carries_the_slopes_of_the_force(name, random):
    force, e = ps.Torque("link", FUNCTIONS[name], frame="body"), 1e-5
    scalar, dual = numbers(force, float64), numbers(force, dual4)
    for _ in range(20):
        x, d = random.normal(size=(19, 1)), random.normal(size=(19, 4))
        y = dual(np.hstack([x, d]))
        slopes = [
            (scalar(x + e * d[:, k : k + 1]) - scalar(x - e * d[:, k : k + 1])) / (2 * e) for k in range(4)
        ]
        assert np.array_equal(y[:, :1], scalar(x))
        assert y[:, 1:] == pytest.approx(np.hstack(slopes), rel=1e-6, abs=1e-7)  # e^2 f''', and eps f/e


def test_lists_inside_a_function_have_the_bits_of_tuples():
    """A list of registers is no array of vectors: this killed the process."""

    def with_lists(t, R, w, p, v):
        x = [R[0][i] * p[0] for i in (0, 1, 2)]
        y = [x[0] + w[1], x[1]]
        return y[0], y[1], x[2], 0.1, 0.0, 0.0

    def with_tuples(t, R, w, p, v):
        return R[0][0] * p[0] + w[1], R[0][1] * p[0], R[0][2] * p[0], 0.1, 0.0, 0.0

    ends = []
    for f in (with_lists, with_tuples):
        m = ps.Mechanism(gravity=(0, 0, 0)).add("sat", ps.Body(1.0, (1.0, 3.0, 2.5)), ps.Free())
        m.apply(ps.Wrench("sat", f))
        start = m.state({"sat": dict(position=(1, 0, 0), angular_velocity=(0.3, -0.2, 0.5))})
        ends.append(ps.simulate(m, start, "gauss3", step=0.05, until=1.0).final)
    assert np.array_equal(ends[0].q, ends[1].q)
    assert np.array_equal(ends[0].v, ends[1].v)

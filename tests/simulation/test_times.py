"""Times that differ by rounding: switches, thresholds and ends of runs."""

import numpy as np
import pytest

import poinsot as ps

T1, T2 = 0.3, 3 * 0.1  # one rounding apart


def first(t, q, v):
    return 0.0 if t < 0.3 else 2.0


def second(t, q, v):
    return 0.0 if t < 0.30000000000000004 else 5.0


def slide(*forces):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("x", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    return m.apply(*forces)


@pytest.mark.parametrize("method", ["rk4", "cf4", "newmark", "variational", "gauss3"])
@pytest.mark.parametrize("n", [10, 40])
def test_two_switches_one_rounding_apart_are_one(method, n):
    for forces in ([(first, T1), (second, T2)], [(second, T2), (first, T1)]):
        m = slide(*(ps.JointTorque("x", f, switches=(t,)) for f, t in forces))
        run = ps.simulate(m, m.state(), method, step=1.0 / n, steps=n)
        assert run.final.v[0] == pytest.approx(7.0 * 0.7, rel=1e-12)


@pytest.mark.parametrize("method", ["rk4", "cf4", "newmark", "variational", "gauss3"])
def test_a_threshold_may_differ_from_its_switch_by_rounding(method):
    m = slide(ps.JointTorque("x", first, switches=(T2,)))
    assert ps.simulate(m, m.state(), method, step=0.1, steps=10).final.v[0] == pytest.approx(1.4, rel=1e-12)
    m = slide(ps.JointTorque("x", second, switches=(T1,)))
    assert ps.simulate(m, m.state(), method, step=0.1, steps=10).final.v[0] == pytest.approx(3.5, rel=1e-12)


@pytest.mark.parametrize(
    ("begin", "until", "step", "steps"),
    [
        (100000.321, 100000.561, 0.001, 240),
        (10000.969, 10001.754, 0.001, 785),
        (1700000005.62, 1700000009.49, 0.01, 387),
        (0.0, 1.0, 0.3, 4),
        (0.0, 0.9, 0.3, 3),
    ],
)
def test_until_counts_the_steps_that_were_meant(begin, until, step, steps):
    m = slide()
    run = ps.simulate(m, m.state({"x": dict(speed=1.0)}, time=begin), "rk4", step=step, until=until)
    assert run.steps == steps


def test_random_decimal_times_never_take_one_step_too_many():
    rng = np.random.default_rng(1)
    m = slide()
    for _ in range(300):
        begin = round(float(rng.uniform(0, 10 ** rng.uniform(0, 6))), 3)
        steps = int(rng.integers(1, 900))
        until = float(f"{begin + steps * 0.001:.3f}")
        run = ps.simulate(m, m.state(time=begin), "rk4", step=0.001, until=until, every=10**6)
        assert run.steps == steps, (begin, until)

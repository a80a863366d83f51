"""Several controllers with periods, inputs and memories of their own."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.model.cascade import common_period


def arm():
    m = ps.Mechanism()
    link = ps.Box((0.5, 0.05, 0.05)).body(mass=1.0)
    m.add("upper", link, ps.Revolute((0, 1, 0)), body_at=(0.25, 0, 0))
    return m.add("fore", link, ps.Revolute((0, 1, 0)), parent="upper", at=(0.25, 0, 0), body_at=(0.25, 0, 0))


START = {"upper": dict(angle=0.3, rate=1.0), "fore": dict(angle=-0.4, rate=0.5)}


def hold_upper(t, state, memory):
    return [-4.0 * state.q[0] - state.v[0] - 0.1 * memory], memory + 1


def hold_fore(t, state, memory):
    return [-2.0 * state.q[1] + 0.01 * len(memory["times"])], {"times": [*memory["times"], t]}


def two():
    """Return two controllers with 4 and 6 steps of 0.01 s in a period."""
    return [
        ps.Controller(hold_upper, period=0.04, inputs=["upper"], memory=0),
        ps.Controller(hold_fore, period=0.06, inputs=["fore"], memory={"times": []}),
    ]


def by_hand(t, state, memory):
    """Call the two every 2 steps, the one at every second and the other at every third time."""
    k, u, one, other = memory
    if k % 2 == 0:
        (u[0],), one = hold_upper(t, state, one)
    if k % 3 == 0:
        (u[1],), other = hold_fore(t, state, other)
    return u, [k + 1, u, one, other]


def run_of(controller, start=None, until=1.0, **more):
    m = arm()
    at = m.state(START) if start is None else start
    return ps.simulate(m, at, "gauss2", step=0.01, until=until, controller=controller, **more)


def test_two_controllers_are_one_that_counts_its_ticks():
    c = ps.Controller(by_hand, 0.02, ["upper", "fore"], [0, [0.0, 0.0], 0, {"times": []}])
    expected, found = run_of(c), run_of(two())
    assert np.array_equal(found.trajectory.q, expected.trajectory.q)
    assert np.array_equal(found.input("fore"), expected.input("fore"))
    assert np.diff(found.input("upper")[:, 0]).nonzero()[0] == pytest.approx(np.arange(3, 99, 4))
    ticks, seen = ps.control.memory_of(found.final)
    assert ticks == 25
    assert seen["times"] == pytest.approx(0.06 * np.arange(17), abs=1e-12)


@pytest.mark.parametrize("middle", [0.06, 0.37, 0.5])
def test_splitting_changes_no_bit(middle):
    whole = run_of(two())
    parts = run_of(two(), run_of(two(), until=middle).final)
    assert np.array_equal(parts.final.q, whole.final.q)
    assert np.array_equal(parts.final.v, whole.final.v)
    assert ps.control.memory_of(parts.final) == ps.control.memory_of(whole.final)


def test_an_archive_is_resumed_and_replayed_to_the_same_bits(tmp_path):
    path = tmp_path / "two.poinsot"
    run_of(two(), until=0.37, archive=path)
    assert ps.replay(path, controller=two()).identical
    with pytest.raises(ps.ArchiveError, match="the run had the controller 'hold_upper, hold_fore'"):
        ps.resume(path, until=1.0)
    slow = ps.Controller(hold_fore, period=0.12, inputs=["fore"], memory={"times": []})
    with pytest.raises(ps.ArchiveError, match="is not that of the archive"):
        ps.resume(path, until=1.0, controller=[two()[0], slow])
    longer = ps.resume(path, until=1.0, controller=two())
    assert np.array_equal(longer.final.q, run_of(two()).final.q)


def test_a_saved_run_says_how_to_resume_it(tmp_path):
    """run.save keeps the end only, where the controller has not been called yet."""
    run_of(two()).save(tmp_path / "saved.poinsot")
    for given in (None, two()):
        with pytest.raises(ps.ArchiveError, match="write the run with archive= to resume it"):
            ps.resume(tmp_path / "saved.poinsot", until=2.0, controller=given)
    with pytest.raises(ps.ArchiveError, match="write the run with archive= to replay it"):
        ps.replay(tmp_path / "saved.poinsot", controller=two())
    again = ps.load(tmp_path / "saved.poinsot")
    assert np.array_equal(run_of(two(), again.final, 2.0).final.q, run_of(two(), until=2.0).final.q), (
        "a new run goes on to the same bits"
    )


def test_an_inner_loop_follows_what_the_outer_loop_decides():
    """The outer loop wants a rate of -5 times the angle; the angle decays with this rate."""

    def outer(t, state, memory):
        return None, -5.0 * state.q[0]

    def inner(t, state, memory, before):
        return [0.2 * (before[0] - state.v[0]) / 0.002], memory

    m = ps.Mechanism(gravity=(0, 0, 0)).add("wheel", ps.Body(1.0, (0.2, 0.2, 0.2)), ps.Revolute((0, 0, 1)))
    both = [ps.Controller(outer, 0.01, None), ps.Controller(inner, 0.002, ["wheel"])]
    start = m.state({"wheel": dict(angle=1.0, rate=-5.0)})
    run = ps.simulate(m, start, "rk4", step=0.001, until=1.0, controller=both)
    # dead-beat in 2 ms, and then (1 - 5 * 0.01) of the angle remains after each 10 ms but for that lag
    assert run.joint("wheel")[-1, 0] == pytest.approx(0.95**100, rel=0.05)
    assert run.rate("wheel")[995, 0] == pytest.approx(-5.0 * run.joint("wheel")[990, 0], rel=1e-9)


def test_one_in_a_list_is_that_one():
    one = ps.Controller(hold_upper, period=0.04, inputs=["upper"], memory=0)
    assert np.array_equal(run_of([one]).final.q, run_of(one).final.q)
    assert ps.control.memory_of(run_of([one]).final) == 25


@pytest.mark.parametrize(
    ("periods", "unit", "counts"),
    [
        ((0.02, 0.03), 0.01, [2, 3]),
        ((0.1, 0.1), 0.1, [1, 1]),
        ((1e-9, 2.5e-9), 0.5e-9, [2, 5]),
        ((1.0, 0.001), 0.001, [1000, 1]),
        ((0.3, 0.1, 0.2), 0.1, [3, 1, 2]),
    ],
)
def test_the_period_is_the_greatest_common_divisor(periods, unit, counts):
    found, each = common_period(periods)
    assert found == pytest.approx(unit, rel=1e-12)
    assert each == counts


def driven(t, state, memory):
    return None, memory


def one_too_many(t, state, memory):
    return [0.0, 1.0], memory


def one_too_few(t, state, memory):
    return [], memory


ONE = ps.Controller(hold_upper, 0.04, ["upper"], 0)
WRONG = {
    "must have ps.Controllers in it, got": [ONE, hold_fore],
    "component 0 of joint 'upper' is driven twice": [ONE, ONE],
    "must be multiples of one time": [ONE, ps.Controller(hold_fore, 0.04 * np.sqrt(2), ["fore"])],
    "must be a whole number of steps of 0.01": [ONE, ps.Controller(hold_fore, 0.05 / 3, ["fore"])],
    "the controller 'driven' has no inputs": [ps.Controller(driven, 0.02, None)],
    "controller is a list without inputs": [ps.Controller(driven, 0.02, None)] * 2,
    "controller is an empty list": [],
    "'one_too_many' must return 1 number as u, got": [
        ps.Controller(one_too_many, 0.04, ["upper"]),
        ps.Controller(one_too_few, 0.04, ["fore"]),
    ],
    "'<lambda>' must return": [ONE, ps.Controller(lambda t, state, memory: 3.0, 0.04, ["fore"])],
}


@pytest.mark.parametrize("message", WRONG)
def test_what_does_not_fit_is_refused(message):
    with pytest.raises(ps.PoinsotError, match=message) as caught:
        run_of(WRONG[message])
    assert "\n" not in str(caught.value)

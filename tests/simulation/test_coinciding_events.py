"""Events that happen at the same time, and zeros of higher order: an event is a change of sign."""

import itertools
import math

import numpy as np
import pytest

import poinsot as ps

PENDULUM = ps.Mechanism().add("arm", ps.Body(1.0, (1, 1, 1), (0, 0, -1)), ps.Revolute((0, 1, 0)))
CART = ps.Mechanism(gravity=(0, 0, 0)).add("cart", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
SAME = ["arm.angle", "arm.angle * (t + 1)", "sin(arm.angle)", "arm.position[0]"]  # zero at the same times


def swing(events, angle, until=6.0):
    return ps.simulate(
        PENDULUM, PENDULUM.state({"arm": {"angle": angle}}), "gauss4", step=0.05, until=until, events=events
    )


def slide(events, speed=1.0, steps=8, **options):
    start = CART.state({"cart": {"speed": speed}})
    return ps.simulate(CART, start, "rk4", step=0.125, steps=steps, events=events, **options)


@pytest.mark.parametrize("angle", [0.3, 0.5, 0.62, 0.94])
def test_events_at_the_same_time_do_not_hide_each_other(angle):
    """Each is found when it is alone: 4 times in 6 s, a half period apart."""
    run = swing([ps.Event(text, name=text) for text in SAME], angle)
    alone = swing([ps.Event(SAME[0], name="alone")], angle).events["alone"].times
    assert len(alone) == 4
    for text in SAME:
        assert run.events[text].times == pytest.approx(alone, abs=1e-14)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("angle", [0.3, 0.62])
def test_a_stop_or_a_reset_beside_other_events(angle, order):
    others = [ps.Event(SAME[0], name="a"), ps.Event(SAME[2], name="b")]
    stop = [*others, ps.Event(SAME[3], name="c", stop=True)]
    run = swing([stop[i] for i in order], angle, until=1.5)
    assert run.stopped == "c"
    assert [len(run.events[name]) for name in "abc"] == [1, 1, 1]
    assert run.final.q[0] == pytest.approx(0.0, abs=1e-14)
    on = ps.simulate(
        PENDULUM, run.final, "gauss4", step=0.05, steps=10, events=stop
    )  # what has happened does not happen again
    assert not on.stopped
    assert sum(map(len, on.events.values())) == 0
    back = [*others, ps.Event(SAME[3], name="c", reset={"arm.rate": "-arm.rate"})]
    run = swing([back[i] for i in order], angle, until=1.5)
    assert [len(run.events[name]) for name in "abc"] == [1, 1, 1]
    assert run.final.q[0] > 0  # it went back


def test_resets_act_in_the_order_of_the_list_and_the_stop_comes_last():
    """A cart at the speed 1 meets the wall 0.3: (1 * 3 - 1) or (1 - 1) * 3 is its speed after both."""
    triple = ps.Event("cart.displacement - 0.3", reset={"cart.speed": "3 * cart.speed"}, name="triple")
    less = ps.Event("2 * cart.displacement - 0.6", reset={"cart.speed": "cart.speed - 0.25"}, name="less")
    end = ps.Event("t - 0.3", stop=True, name="end")
    for events, speed in (([end, triple, less], 2.75), ([less, end, triple], 2.25)):
        run = slide(events)
        first, second = (one for one in events if one.name != "end")
        assert run.stopped == "end"
        assert run.final.v == pytest.approx([speed], abs=1e-15)
        assert run.final.time == pytest.approx(0.3, abs=1e-15)
        assert {len(run.events[one.name]) for one in events} == {1}
        assert run.events["end"].states[0].v == pytest.approx([1.0])  # located before any reset
        assert run.events[first.name].states[0].v == pytest.approx([1.0])
        left = run.events[first.name].after[0].v
        assert run.events[second.name].states[0].v == pytest.approx(left, abs=0)  # on what the first left
        assert run.events[second.name].after[0].v == pytest.approx([speed], abs=1e-15)
    run = slide([triple, less])
    assert run.final.q[0] == pytest.approx(0.3 + 0.7 * 2.75, abs=1e-14)


def test_an_event_that_a_reset_moves_away_from_still_happens():
    """Both are located before the reset; one that lies a thousandth later is on the motion after it."""
    jump = ps.Event("cart.displacement - 0.3", reset={"cart.displacement": "-5"}, name="jump")
    run = slide([jump, ps.Event("t - 0.3", name="with"), ps.Event("cart.q[0] - 0.301", name="after")])
    assert [len(run.events[name]) for name in ("jump", "with", "after")] == [1, 1, 0]


def test_a_reset_far_from_zero_leaves_the_side_where_the_state_is():
    """A sawtooth: the cart is set back from 0.25 to -0.25 each time, at t = 0.25, 0.75, ..."""
    saw = ps.Event("cart.displacement - 0.25", reset={"cart.displacement": "-0.25"}, name="saw")
    run = slide([saw], steps=18)
    assert run.events["saw"].times == pytest.approx([0.25, 0.75, 1.25, 1.75, 2.25], abs=1e-14)


@pytest.mark.parametrize("power", [1, 3, 5, 9])
@pytest.mark.parametrize("place", [0.503, 0.5, 0.5625])  # inside a step, on a step, in the middle of one
@pytest.mark.parametrize("direction", [0, 1, -1])
def test_an_odd_zero_counts_once(power, place, direction):
    event = ps.Event(f"(cart.displacement - {place})**{power}", direction=direction, name="e")
    run = slide([event])
    assert run.events["e"].times == pytest.approx([place] if direction >= 0 else [], abs=1e-15)
    again = ps.Event(f"(t - {place})**{power}", reset={"cart.speed": "2 * cart.speed"}, name="e")
    run = slide([again])
    assert run.events["e"].times == pytest.approx([place], abs=1e-15)
    assert run.final.q[0] == pytest.approx(place + 2 * (1 - place), abs=1e-14)


@pytest.mark.parametrize("power", [2, 4, 6])
@pytest.mark.parametrize("place", [0.5, 0.5625, 0.53125])  # exact: on a step, at its middle, at a quarter
def test_a_touch_is_no_event(power, place):
    touch = f"(t - {place})**{power}"
    events = [ps.Event(touch, name="up"), ps.Event(f"-{touch}", name="down")]
    events.append(ps.Event(f"{touch} * (t - 0.75)", name="then"))  # touches, and crosses later
    run = slide(events)
    assert len(run.events["up"]) == len(run.events["down"]) == 0
    assert run.events["then"].times == pytest.approx([0.75], abs=1e-15)


def test_a_function_that_is_zero_for_a_while_counts_once_when_it_leaves():
    """It changes its sign from t = 0.3 to 0.6, or comes back to the side where it was."""
    through = "0.3 - t if t < 0.3 else (0.6 - t if t > 0.6 else 0)"
    back = "0.3 - t if t < 0.3 else (t - 0.6 if t > 0.6 else 0)"
    run = slide([ps.Event(through, name="through"), ps.Event(back, name="back")])
    assert len(run.events["through"]) == 1
    assert 0.3 <= run.events["through"].times[0] <= 0.6 + 1e-12
    assert len(run.events["back"]) == 0


def test_many_levels_at_random_are_all_crossed():
    """Levels that coincide, or differ by a few roundings: each is crossed once, whatever the others do."""
    rng = np.random.default_rng(5)
    base = rng.uniform(0.05, 0.95, 6)
    levels = np.concatenate([base, base, base + 3e-17, np.nextafter(base, 2.0), base + 1e-13])
    rng.shuffle(levels)
    events = [
        ps.Event(lambda t, state, x=x: float(state.q[0]) - x, name=str(i)) for i, x in enumerate(levels)
    ]
    run = slide(events)
    for i, x in enumerate(levels):
        assert run.events[str(i)].times == pytest.approx([x], abs=2e-16)
    assert math.isclose(run.final.q[0], 1.0)

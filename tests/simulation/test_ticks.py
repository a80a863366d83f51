"""Ticks of a controller: nothing is compiled, typed or written for a tick, and no sample is lost."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.core import call
from poinsot.model import plain
from poinsot.run.archive.writer import Writer

BAR = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)

pytestmark = pytest.mark.filterwarnings("ignore:the controller .* changed what it reads")  # `counted`


def pendulum():
    m = ps.Mechanism().add("a", BAR, ps.Revolute((1, 0, 0)), body_at=(0, 0, -0.5))
    return m, m.state({"a": dict(angle=0.5)})


def clock(t, state, memory):
    """The time as input, and the number of calls as memory."""
    assert not state.q.flags.writeable
    return [t], (memory[0] + 1, *memory[1:])


CLOCK = ps.Controller(clock, period=0.02, inputs=["a"], memory=(0, [1.5]))


@pytest.mark.parametrize("method", ["rk4", "gauss2"])
def test_a_tick_makes_nothing(method, monkeypatch):
    """The calls that are prepared and the texts that are written do not grow with the number of ticks."""
    m, start = pendulum()
    made, before, text = [], call.Call.__init__, plain.write
    monkeypatch.setattr(
        call.Call, "__init__", lambda self, *a, **o: made.append("call") or before(self, *a, **o)
    )
    monkeypatch.setattr(plain, "write", lambda value: made.append("text") or text(value))
    counts = []
    for steps in (8, 8, 80):  # the first prepares what is kept of the mechanism
        made.clear()
        ps.simulate(m, start, method, step=0.01, steps=steps, controller=CLOCK)
        counts.append((made.count("call"), made.count("text")))
    assert counts[1] == counts[2]


def test_samples_have_the_inputs_that_hold_from_them_on(tmp_path):
    m, start = pendulum()
    for every in (1, 2, 3, 5):
        path = tmp_path / f"{every}.poinsot"
        run = ps.simulate(m, start, "rk4", step=0.01, steps=31, every=every, controller=CLOCK, archive=path)
        steps = np.rint(run.time / 0.01).astype(int)
        assert steps.tolist() == [*range(0, 31, every), 31]
        held = np.minimum(steps // 2 * 2, 30) * 0.01
        assert run.input("a")[:, 0] == pytest.approx(held, abs=1e-15)
        assert ps.control.memory_of(run.final) == (16, [1.5])
        again = ps.load(path)
        for one in ("time", "q", "v", "work", "inputs"):
            assert (getattr(again.trajectory, one) == getattr(run.trajectory, one)).all()


def test_samples_after_a_start_off_the_grid():
    """A period of 4 steps; one step, then 8 with every = 2: samples at 3, 5, 7, 9, between the ticks."""
    m, start = pendulum()
    law = ps.Controller(clock, period=0.04, inputs=["a"], memory=(0, [1.5]))
    whole = ps.simulate(m, start, "rk4", step=0.01, steps=9, controller=law)
    first = ps.simulate(m, start, "rk4", step=0.01, steps=1, controller=law)
    rest = ps.simulate(m, first.final, "rk4", step=0.01, steps=8, every=2, controller=law)
    for one in ("time", "q", "v", "work"):
        assert np.array_equal(getattr(rest.trajectory, one), getattr(whole.trajectory, one)[1::2])
    assert rest.input("a")[:, 0] == pytest.approx([0.0, 0.0, 0.04, 0.04, 0.08], abs=1e-15)


def test_the_archive_has_a_block_for_a_chunk_not_for_a_tick(tmp_path, monkeypatch):
    m, start = pendulum()
    blocks, before = [], Writer.samples
    monkeypatch.setattr(Writer, "samples", lambda self, *a: blocks.append(len(a[0])) or before(self, *a))
    ps.simulate(m, start, "rk4", step=0.01, steps=100, controller=CLOCK, archive=tmp_path / "x.poinsot")
    assert len(blocks) < 30, "50 ticks"


def test_a_controller_that_fails_leaves_all_samples_before():
    m, start = pendulum()

    def fails(t, state, memory):
        return ([1.0] if t < 0.095 else [float("nan")]), memory

    controller = ps.Controller(fails, period=0.02, inputs=["a"])
    with pytest.raises(ps.StepError, match="must return finite numbers as u") as caught:
        ps.simulate(m, start, "rk4", step=0.01, steps=50, controller=controller)
    assert caught.value.run.time == pytest.approx(np.arange(11) * 0.01, abs=1e-15)
    assert caught.value.step == 10


def counted():
    """A controller that notes the times at which it is called, and the list of them."""
    times = []

    def function(t, state, memory):
        times.append(t)
        return [t], memory + 1

    return ps.Controller(function, period=0.02, inputs=["a"], memory=0), times


@pytest.mark.parametrize("every", [1, 2, 3, 4, 7])
def test_no_tick_is_lost_where_newtons_method_takes_over(every):
    """The fixed point of gauss2 gives up in the first step; the rest of the chunk has all its ticks."""
    m, start = pendulum()
    m.apply(ps.JointDamper("a", 500.0))
    controller, times = counted()
    run = ps.simulate(m, start, "gauss2", step=0.01, steps=28, every=every, controller=controller)
    assert run.final.memory.changed
    assert times == pytest.approx(np.arange(14) * 0.02, abs=1e-15)
    ticks = np.minimum(np.rint(run.time / 0.01) // 2, 13)
    assert run.input("a")[:, 0] == pytest.approx(ticks * 0.02, abs=1e-15)


def test_a_force_that_raises_leaves_the_calls_as_they_were():
    """The steps before the fault are made again, without calls of the controller."""

    def breaks(t, q, v):
        return 1.0 / (0.0 if t > 0.157 else 1.0)

    m, start = pendulum()
    m.apply(ps.JointTorque("a", breaks))
    controller, times = counted()
    with pytest.raises(ps.StepError, match="ZeroDivisionError") as caught:
        ps.simulate(m, start, "rk4", step=0.01, steps=50, controller=controller)
    assert caught.value.step == 15
    assert times == pytest.approx(np.arange(8) * 0.02, abs=1e-15)
    run = caught.value.run
    assert ps.control.memory_of(run.final) == 8
    whole = ps.simulate(m, start, "rk4", step=0.01, steps=15, controller=counted()[0])
    for one in ("time", "q", "v", "inputs"):
        assert (getattr(run.trajectory, one) == getattr(whole.trajectory, one)).all()


def test_a_slow_controller_shows_its_progress(monkeypatch):
    """A call of the time loop ends after a while, whatever the controller does."""
    chunks = []
    monkeypatch.setattr("poinsot.simulation.control.ticks.LONGEST", 0.0)
    monkeypatch.setattr("poinsot.simulation.interrupts.Progress.__call__", lambda self, n: chunks.append(n))
    m, start = pendulum()
    controller, times = counted()
    run = ps.simulate(m, start, "rk4", step=0.01, steps=23, every=3, controller=controller)
    assert sum(chunks) == 23
    assert max(chunks) <= 2
    monkeypatch.undo()
    whole = ps.simulate(m, start, "rk4", step=0.01, steps=23, every=3, controller=controller)
    for one in ("time", "q", "v", "inputs"):
        assert (getattr(run.trajectory, one) == getattr(whole.trajectory, one)).all()
    assert times[:12] == times[12:]

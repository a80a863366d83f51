"""Splitting a run, sampling it otherwise or going on from a file changes no bit, by any method."""

from itertools import pairwise

import numpy as np
import pytest

import poinsot as ps
from support import zoo
from support.chunks import chunks_of

H, STEPS = 0.01, 40
COLUMNS = ("time", "q", "v", "work", "applied_potential")
GAUSS = ("gauss1", "gauss2", "gauss3", "gauss4")


def knock(t, q, v):
    return 3.0 if t < 17 * H else -1.0


def everything():
    """Every force, functions of the user, a force that jumps and an impulse."""
    return zoo.everything().apply(
        ps.JointTorque("hinge", knock, switches=(17 * H,)),
        ps.Impulse("weld", 29 * H, torque=(0.05, 0.1, 0.0), force=(0.3, 0.0, 0.1)),
    )


def grease(t, q, v):
    """A damper that hardens: h c/J reaches the limit of the fixed point on the way."""
    return -100.0 * t * t * v[0]


def hardening():
    """A light link at the end of a pendulum."""
    m = ps.Mechanism()
    m.add("arm", ps.Body(1.0, (0.1, 0.1, 0.02), (0, 0, -0.5)), ps.Spherical())
    m.add("tip", ps.Body(0.02, (1e-3, 1e-3, 1e-3), (0, 0.05, 0)), ps.Revolute((1, 0, 0.2)), "arm", (0, 0, -1))
    return m.apply(ps.JointTorque("tip", grease))


def pieces(random):
    return [0, *sorted(random.choice(np.arange(1, STEPS), size=3, replace=False).tolist()), STEPS]


def same(run, whole, every, first=0):
    """All samples of `run` are there, with the bits of `whole`, which was sampled at each step."""
    counts = sorted({*range(first, first + run.steps + 1, every), first + run.steps})
    for name in COLUMNS:
        assert np.array_equal(getattr(run.trajectory, name), getattr(whole.trajectory, name)[counts]), name


def check(m, method, start, tmp_path, rounds=2):
    """Pieces of random lengths, sampled at random, some of them through a file."""
    random = np.random.default_rng(11)
    whole = ps.simulate(m, start, method, step=H, steps=STEPS)
    for _ in range(rounds):
        state = start
        for first, last in pairwise(pieces(random)):
            every = int(random.integers(1, 12))
            run = ps.simulate(m, state, method, step=H, steps=last - first, every=every)
            same(run, whole, every, first)
            state = ps.load(run.save(tmp_path / "piece.poinsot")).final if first % 2 else run.final
        assert state.memory == whole.final.memory
    return whole


@pytest.mark.parametrize("method", zoo.METHODS, ids=lambda method: method.name)
def test_splitting_a_run_changes_no_bit(method, tmp_path):
    m = everything()
    check(m, method.name, zoo.start(m), tmp_path)


@pytest.mark.parametrize("method", ["gauss3", "newmark", "dop853"])
@pytest.mark.parametrize("steps", [1, 7])
def test_the_size_of_a_chunk_changes_no_bit(method, steps, monkeypatch):
    m = everything()
    whole = ps.simulate(m, zoo.start(m), method, step=H, steps=STEPS)
    chunks_of(monkeypatch, steps)
    for every in (1, 3, 100):
        same(ps.simulate(m, zoo.start(m), method, step=H, steps=STEPS, every=every), whole, every)


def cut(path, size):
    with path.open("r+b") as file:
        file.truncate(size)
    return ps.load(path)


@pytest.mark.parametrize("method", zoo.METHODS, ids=lambda method: method.name)
def test_an_archive_goes_on_from_its_last_checkpoint(method, tmp_path, monkeypatch):
    """The file of a run that broke off: the steps after its checkpoint are made again, to the same bits."""
    m, path = everything(), tmp_path / "run.poinsot"
    chunks_of(monkeypatch, 8)
    whole = ps.simulate(m, zoo.start(m), method.name, step=H, steps=STEPS, archive=path)
    with pytest.warns(ps.ArchiveWarning, match="cut short"):
        there = cut(path, path.stat().st_size * 2 // 3)
    assert there.interrupted
    first = len(there.time) - 1
    assert 0 < first < STEPS
    same(ps.simulate(m, there.final, method.name, step=H, steps=STEPS - first), whole, 1, first)


# the fixed point of a Gauss method fails on the way, and Newton's method goes on


def begin(m):
    turn = np.array([0.8, 0.6, 0.0, 0.0])
    return m.state({"arm": dict(rotation=turn, angular_velocity=(0.5, 0.2, 1.0)), "tip": dict(rate=4.0)})


def changes(m, method):
    """The step before which the second kernel takes over."""
    for steps in range(1, STEPS + 1):
        if ps.simulate(m, begin(m), method, step=H, steps=steps).final.memory.changed:
            return steps
    return None


@pytest.mark.parametrize("method", GAUSS)
def test_a_change_of_the_kernel_on_the_way_changes_no_bit(method, tmp_path):
    m = hardening()
    assert 3 < changes(m, method) < STEPS - 5, "the point of this test"
    whole = check(m, method, begin(m), tmp_path, rounds=4)
    assert whole.final.memory.changed
    for every in (1, 2, 3, 7, 40, 100):
        same(ps.simulate(m, begin(m), method, step=H, steps=STEPS, every=every), whole, every)


@pytest.mark.parametrize("method", GAUSS)
def test_every_border_about_the_change(method):
    """Split right before, at and after the step at which the kernel changes."""
    m = hardening()
    at = changes(m, method)
    whole = ps.simulate(m, begin(m), method, step=H, steps=STEPS)
    for border in range(at - 2, at + 3):
        half = ps.simulate(m, begin(m), method, step=H, steps=border, every=5)
        assert half.final.memory.changed == (border >= at)
        same(ps.simulate(m, half.final, method, step=H, steps=STEPS - border, every=3), whole, 3, border)


@pytest.mark.parametrize("method", GAUSS)
def test_evaluations_are_counted_through_the_change(method):
    """Also those of the step that failed: the sum does not depend on how the run is split."""
    m = hardening()
    whole = ps.simulate(m, begin(m), method, step=H, steps=STEPS)
    parts = [ps.simulate(m, begin(m), method, step=H, steps=10)]
    parts.append(ps.simulate(m, parts[0].final, method, step=H, steps=STEPS - 10))
    assert whole.evaluations == sum(part.evaluations for part in parts)
    assert whole.iterations == sum(part.iterations for part in parts)

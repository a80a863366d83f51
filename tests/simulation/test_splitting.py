"""Splitting a run, sampling it otherwise, and going on from its end change no bit; other physics does."""

import dataclasses
import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as ps
from support.chunks import chunks_of

BODY = ps.Body(1.2, (1.0, 1.3, 1.7), center_of_mass=(0.1, -0.2, 0.3))
H, STEPS = 0.02, 60
COLUMNS = ("time", "q", "v", "work", "applied_potential")


def spring(t, R, w, p, v):
    return 0.3 * math.sin(t), 0.0, 0.0, -2.0 * p[0], -p[1], 1.0 - p[2]


def tilt(t, R, w, p, v):
    return R[1][2], -R[0][2], 0.0


def heavy():
    """About a fixed point off the centre of mass, in general position: full inertia, all frames turned."""
    place = {
        "at": (1, 2, 3),
        "body_at": ((0.3, 0.1, -0.2), Rotation.from_rotvec([0.2, 0.5, -0.4]).as_matrix()),
    }
    return ps.Mechanism().add("link", BODY, ps.Spherical(), rotation=(0.8, 0.0, 0.6, 0.0), **place)


def flying():
    return ps.Mechanism().add("link", BODY, ps.Free(), rotation=(0.8, 0.0, 0.6, 0.0))


def forced():
    """A force with work, one with a potential, a switch and an impulse, on a free body."""
    return flying().apply(
        ps.Wrench("link", spring, at=(0.5, 0.0, 0.1), switches=(20 * H,)),
        ps.Torque("link", tilt, potential=lambda R, p: -R[2][2]),
        ps.Impulse("link", 41 * H, torque=(0.1, 0.2, 0.3), force=(1, 0, 0)),
    )


PROBLEMS = {"heavy": heavy(), "flying": flying(), "forced": forced()}
CASES = [
    pytest.param(problem, method.name, id=f"{problem}-{method.name}")
    for problem in PROBLEMS
    for method in ps.methods()
    if method.scope != "free" or problem == "flying"
]


def start(m, w=(1.0, 2.0, 1.5)):
    velocity = {"velocity": (1, 2, 3)} if isinstance(m.links[0].joint, ps.Free) else {}
    return m.state({"link": {"rotation": (0.6, 0.0, 0.0, 0.8), "angular_velocity": w, **velocity}}, time=0.0)


def same(run, whole, every, first=0):
    """All samples of `run` are there, with the bits of `whole`, which was sampled at each step."""
    counts = sorted({*range(first, first + run.steps + 1, every), first + run.steps})
    for name in COLUMNS:
        assert np.array_equal(getattr(run.trajectory, name), getattr(whole.trajectory, name)[counts]), name


@pytest.mark.parametrize(("problem", "method"), CASES)
def test_splitting_a_run_changes_no_bit(problem, method):
    m, random = PROBLEMS[problem], np.random.default_rng(11)
    whole = ps.simulate(m, start(m), method, step=H, steps=STEPS)
    for _ in range(2):
        state = start(m)
        borders = [0, *sorted(random.choice(np.arange(1, STEPS), size=3, replace=False)), STEPS]
        for first, last in pairwise(map(int, borders)):
            every = int(random.integers(1, 12))
            run = ps.simulate(m, state, method, step=H, steps=last - first, every=every)
            same(run, whole, every, first)
            state = run.final
        for name in ("time", "q", "v"):
            assert np.array_equal(getattr(state, name), getattr(whole.final, name)), name
        assert state.memory == whole.final.memory


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("chunk", [1, 7, 64])
def test_the_size_of_a_chunk_changes_no_bit(problem, chunk, monkeypatch):
    m = PROBLEMS[problem]
    whole = ps.simulate(m, start(m), "nmb", step=H, steps=STEPS)
    chunks_of(monkeypatch, chunk)
    for every in (1, 2, 7, 100):
        same(ps.simulate(m, start(m), "nmb", step=H, steps=STEPS, every=every), whole, every)


@pytest.mark.parametrize("every", [1, 2, 5, 60])
def test_what_is_computed_from_samples_does_not_depend_on_their_number(every):
    m = PROBLEMS["heavy"]
    whole, run = (ps.simulate(m, start(m), "nmb", step=H, steps=STEPS, every=k) for k in (1, every))
    for name in ("energy", "angular_momentum", "linear_momentum"):
        assert np.array_equal(getattr(run, name), getattr(whole, name)[::every]), name
    for name in ("position", "rotation", "velocity", "angular_velocity"):
        assert np.array_equal(getattr(run, name)("link"), getattr(whole, name)("link")[::every]), name


# memory


def plain(state):
    """The same state without what the last method remembers."""
    return ps.State(state.time, state.q.copy(), state.v.copy())


def turned(k):
    def pull(t, R, w, p, v):
        return k * R[0][2], 0.0, 0.0

    return ps.Torque("link", pull)


def sine(t, R, w, p, v):
    return math.sin(R[0][2]), 0.0, 0.0


def cosine(t, R, w, p, v):
    return math.cos(R[0][2]), 0.0, 0.0


def sines(t, R, w, p, v):
    return [math.sin(R[i][2]) for i in range(3)]


def cosines(t, R, w, p, v):
    return [math.cos(R[i][2]) for i in range(3)]


def loaded(*forces, **place):
    return ps.Mechanism().add("link", BODY, ps.Spherical(), **place).apply(*forces)


OTHER_PHYSICS = {
    "a number in a closure": (loaded(turned(1.0)), loaded(turned(5.0))),
    "another function": (loaded(ps.Torque("link", sine)), loaded(ps.Torque("link", cosine))),
    "a name in a list": (loaded(ps.Torque("link", sines)), loaded(ps.Torque("link", cosines))),
    "a force less": (loaded(turned(1.0)), loaded()),
    "gravity": (loaded(), ps.Mechanism(gravity=(0, 0, 0)).add("link", BODY, ps.Spherical())),
    "the joint's rotation": (loaded(), loaded(rotation=(0.8, 0.6, 0.0, 0.0))),
    "the joint's place": (loaded(), loaded(at=(1, 2, 3))),
    "the body's place": (loaded(), loaded(body_at=((0, 0, 0), (0.8, 0.6, 0.0, 0.0)))),
}


@pytest.mark.parametrize("change", OTHER_PHYSICS)
def test_memory_is_dropped_when_the_physics_changes(change):
    first, second = OTHER_PHYSICS[change]
    end = ps.simulate(first, start(first), "nmb", step=H, steps=10).final
    runs = [ps.simulate(second, state, "nmb", step=H, steps=10) for state in (end, plain(end))]
    assert np.array_equal(runs[0].trajectory.q, runs[1].trajectory.q)
    assert np.array_equal(runs[0].trajectory.v, runs[1].trajectory.v)


@pytest.mark.parametrize("changed", [{"method": "rk4"}, {"step": H / 2}])
def test_memory_is_dropped_when_method_or_step_changes(changed):
    """The run goes on from q and v, and stays near the run that nobody disturbed."""
    m, options = PROBLEMS["heavy"], {"method": "nmb", "step": H, **changed}
    end = ps.simulate(m, start(m), "nmb", step=H, steps=20).final
    runs = [ps.simulate(m, state, until=2.0, **options) for state in (end, plain(end))]
    assert np.array_equal(runs[0].trajectory.v, runs[1].trajectory.v)
    whole = ps.simulate(m, start(m), "nmb", step=H, until=2.0)
    assert runs[0].final.time == pytest.approx(2.0)
    assert np.abs(runs[0].final.v - whole.final.v).max() < 0.02  # nmb at H is off by 5e-3


@pytest.mark.parametrize("word", ["q", "v", "time"])
def test_a_state_that_was_changed_by_hand_counts_as_it_stands(word):
    m = PROBLEMS["heavy"]
    end = ps.simulate(m, start(m), "nmb", step=H, steps=10).final
    value = {"q": np.array([1.0, 0.0, 0.0, 0.0]), "v": np.zeros(3), "time": 7.0}[word]
    changed = dataclasses.replace(end, **{word: value})
    runs = [ps.simulate(m, state, "nmb", step=H, steps=3) for state in (changed, plain(changed))]
    for name in ("time", "q", "v"):
        assert np.array_equal(getattr(runs[0].trajectory, name), getattr(runs[1].trajectory, name)), name

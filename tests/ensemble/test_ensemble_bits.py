"""Every member has the bits of its own run: in lanes, alone, beside members that fail, in other processes."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.ensemble.conductor import Conductor

ROOT = np.random.default_rng(31)


def nut():
    m = ps.Mechanism(gravity=(0, 0, -9.81))
    return m.add("nut", ps.Body(mass=1.0, inertia=(0.08, 0.082, 0.004)), ps.Free(), at=(0.1, 0.0, 0.0))


def starts_of(m, count, speed=1.0):
    rng = np.random.default_rng(count)
    states = []
    for _ in range(count):
        given = {}
        for link in m.links:
            if isinstance(link.joint, ps.Free):
                given[link.name] = dict(
                    rotation=rng.normal(size=4) / 1.0, angular_velocity=speed * rng.normal(size=3) * 5
                )
                given[link.name]["rotation"] /= np.linalg.norm(given[link.name]["rotation"])
            else:
                given[link.name] = dict(angle=rng.uniform(-3, 3), rate=speed * rng.normal())
        states.append(m.state(given))
    return np.array([s.q for s in states]), np.array([s.v for s in states])


def same_as_alone(e, m, q, v, members, **options):
    for k in members:
        run = ps.simulate(m, ps.State(0.0, q[k], v[k]), **options)
        assert e.final_q[k].tobytes() == run.final.q.tobytes(), k
        assert e.final_v[k].tobytes() == run.final.v.tobytes(), k
        assert e.final_time[k] == run.final.time
    return run


@pytest.mark.parametrize("method", ["srkn4", "rk4"])
def test_one_body_in_lanes(method):
    m, how = nut(), dict(method=method, step=0.02, until=1.0)
    q, v = starts_of(m, 11)
    e = ps.ensemble(m, starts=(q, v), **how)
    assert e.note.startswith("11 of 11 members in lanes")
    same_as_alone(e, m, q, v, range(11), **how)


@pytest.mark.parametrize("lanes", [True, False])
def test_a_tree_and_its_samples(lanes):
    s = ps.scenario("double-pendulum")
    q, v = starts_of(s.mechanism, 9)
    how = dict(method="rk4", step=0.01, until=0.25)
    e = ps.ensemble(s.mechanism, starts=(q, v), every=10, lanes=lanes, reduce=["extrema", "flip"], **how)
    for k in range(9):
        run = e.rerun(k, every=10)
        assert e["time"][k].tolist() == run.time.tolist()
        assert e["q"][k].tobytes() == run.trajectory.q.tobytes()
        assert e["v"][k].tobytes() == run.trajectory.v.tobytes()
        whole = e.rerun(k, every=1)
        assert e["lowest_v"][k].tolist() == whole.trajectory.v.min(axis=0).tolist()
        assert e["highest_q"][k].tolist() == whole.trajectory.q.max(axis=0).tolist()
    same_as_alone(e, s.mechanism, q, v, range(9), **how)


SLOWER = ("cf4", "cg4", "rkmk4", "gauss1", "gauss3")
VARIANTS = ("midpoint", "se3", "product", "riqn")
LONG_STEPS = pytest.mark.filterwarnings("ignore::poinsot.StepWarning")  # on purpose
IMPLICIT = ("gauss1", "gauss2", "gauss3", "variational", pytest.param("newmark", marks=pytest.mark.slow))


def cart():
    """A rod on a ball joint under a cart on a spring."""
    m = ps.Mechanism().add("cart", ps.Box(0.2).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    m.add("rod", ps.Box((0.1, 0.1, 1.0)).body(mass=1.0), ps.Spherical(), parent="cart", body_at=(0, 0, -0.5))
    return m.apply(ps.JointSpring("cart", 5.0))


def cart_starts(count, speeds):
    rng = np.random.default_rng(4)
    q, v = rng.normal(size=(count, 5)), rng.normal(size=(count, 4)) * np.reshape(speeds, (-1, 1))
    q[:, 1:] /= np.linalg.norm(q[:, 1:], axis=1)[:, None]
    return q, v


@LONG_STEPS
@pytest.mark.parametrize(
    "method", [*IMPLICIT, *(pytest.param(f"variational_{x}", marks=pytest.mark.slow) for x in VARIANTS)]
)
def test_implicit_methods_in_lanes(method):
    """Members that need different numbers of sweeps, with an arm that rolls out and a sliding body."""
    m, how = cart(), dict(method=method, step=0.02, until=2.0)
    q, v = cart_starts(12, np.geomspace(0.01, 8.0, 12))
    e = ps.ensemble(m, starts=(q, v), **how)
    good = sorted({*range(12)} - set(e.failed))  # riqn fails if a step is not small
    assert int(e.note.split()[0]) >= 8
    assert len(good) == 12 or method.endswith("riqn")
    same_as_alone(e, m, q, v, good, **how)


@LONG_STEPS
@pytest.mark.parametrize("method", IMPLICIT)
def test_neighbors_of_implicit_members_change_nothing(method):
    """Beside a NaN, one that overflows, one that rests, and ones that are too fast for the step."""
    m, how = cart(), dict(method=method, step=0.1, until=1.0)
    q, v = cart_starts(16, [1, 40, 1, 0.1, 1e155, 1, 1, 1, 1, 1, 0, 12, 25, 1, 2, 3])
    v[7, 2] = np.nan
    e = ps.ensemble(m, starts=(q, v), **how)
    assert {4, 7} <= set(e.failed)
    good = sorted({*range(16)} - set(e.failed))
    assert len(good) >= 10
    same_as_alone(e, m, q, v, good, **how)
    for k in set(e.failed) - {7}:
        with pytest.raises(ps.PoinsotError):
            e.rerun(k)


def test_neighbors_that_fail_change_nothing():
    """In one register: a NaN, a state that overflows, one that does not fit, and good ones."""
    m, how = nut(), dict(method="rk4", step=0.02, until=1.0)
    q, v = starts_of(m, 8)
    v[1, 0] = np.nan
    v[2] *= 1e155
    q[5, 3:] *= 2.0
    e = ps.ensemble(m, starts=(q, v), **how)
    assert sorted(e.failed) == [1, 2, 5]
    assert "finite" in e.failed[1]
    assert "length" in e.failed[5]
    assert np.isnan(e.final_q[[1, 2, 5]]).all()
    assert np.isnan(e.final_v[[1, 2, 5]]).all()
    same_as_alone(e, m, q, v, [0, 3, 4, 6, 7], **how)
    with pytest.raises(ps.StepError), pytest.warns(ps.StepWarning):
        e.rerun(2)
    assert np.isfinite(e.mean()).all()


def test_one_body_with_other_masses_in_lanes():
    """Bodies of different inertia share a register; the start comes from the scenario."""
    vary = {"bodies.nut.inertia": [(1.0, 2.0, 2.5), (2.0, 2.0, 1.0), (1.5, 1.5, 1.5)]}
    e = ps.ensemble("dzhanibekov", vary=vary, method="srkn4", step=0.02, until=1.0)
    assert e.note.startswith("3 of 3 members in lanes")
    for k, inertia in enumerate(vary["bodies.nut.inertia"]):
        s = ps.scenario("dzhanibekov", **{"bodies.nut.inertia": inertia})
        run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
        assert e.final_q[k].tobytes() == run.final.q.tobytes()


TREES = ["rk4", "gauss2", *(pytest.param(x, marks=pytest.mark.slow) for x in SLOWER)]


@pytest.mark.parametrize("method", TREES)
def test_trees_with_other_masses_in_lanes(method):
    """Masses, inertias, places and gravity differ; one has no mass, and one step fails."""
    m = ps.Mechanism()
    m.add("car", ps.Box(0.4).body(mass=2.0), ps.Planar((0, 1, 0)))
    m.add("arm", ps.Box((0.1, 0.1, 1.0)).body(mass=1.0), ps.Spherical(), parent="car", body_at=(0, 0, -0.5))
    m.add("nut", ps.Box(0.1).body(mass=0.3), ps.Helical((1, 0, 1), 0.1), parent="arm", at=(0.1, 0, -0.4))
    start = m.state({"arm": {"angular_velocity": (1.0, 0.5, 2.0)}, "nut": {"rate": 0.5}})
    rng = np.random.default_rng(5)
    vary = {
        "bodies.car.mass": rng.uniform(1, 3, 11),
        "bodies.arm.inertia": [(0.3 + x, 0.4, 0.2) for x in rng.uniform(0, 0.1, 11)],
        "bodies.nut.at": [(x, 0.0, -0.4) for x in rng.uniform(-0.2, 0.2, 11)],
        "gravity": [(0.0, 0.0, -x) for x in rng.uniform(1, 20, 11)],
    }
    vary["bodies.car.mass"][3], vary["gravity"][6] = -1.0, (0.0, 0.0, 1e200)
    how = dict(method=method, step=0.02, until=0.6)
    e = ps.ensemble(m, start=start, vary=vary, zip=True, workers=1, **how)
    assert sorted(e.failed) == [3, 6]
    assert int(e.note.split()[0]) >= 4
    alone = ps.ensemble(m, start=start, vary=vary, zip=True, lanes=False, **how)
    assert alone.note.startswith("0 of 11")
    for k in sorted({*range(11)} - {3, 6}):
        run = e.rerun(k)
        assert e.final_q[k].tobytes() == run.final.q.tobytes() == alone.final_q[k].tobytes(), k
        assert e.final_v[k].tobytes() == run.final.v.tobytes() == alone.final_v[k].tobytes(), k


def test_a_method_without_lanes_and_auto():
    """`auto`, controllers and events run as `simulate` runs them."""
    s = ps.scenario("double-pendulum")
    q, v = starts_of(s.mechanism, 3)
    e = ps.ensemble(s, starts=(q, v), until=0.1)
    assert e.note.startswith("0 of 3")
    same_as_alone(e, s.mechanism, q, v, range(3), method="auto", step=s.step, until=0.1)
    vary = {"control.target": [[1.0, 0.0], [0.0, 1.0]]}
    e = ps.ensemble("4disp-balance", vary=vary, until=0.2, executor="threads")
    s = ps.scenario("4disp-balance", **{"control.target": [0.0, 1.0]})
    run = ps.simulate(s.mechanism, s.start, s.method, step=s.step, until=0.2, controller=s.controller)
    assert e.final_q[1].tobytes() == run.final.q.tobytes()


def test_starts_by_path_are_those_of_the_scenario():
    vary = {"start.upper.angle": [0.3, 0.7], "start.lower.rate": [0.1]}
    e = ps.ensemble("double-pendulum", vary=vary, method="rk4", step=0.01, until=0.1)
    for k, angle in enumerate((0.3, 0.7)):
        s = ps.scenario("double-pendulum", **{"start.upper.angle": angle, "start.lower.rate": 0.1})
        run = ps.simulate(s.mechanism, s.start, "rk4", step=0.01, until=0.1)
        assert e.final_q[k].tobytes() == run.final.q.tobytes()


def test_processes_have_the_same_bits():
    s = ps.scenario("double-pendulum")
    q, v = starts_of(s.mechanism, 6)
    how = dict(starts=(q, v), method="rk4", step=0.01, until=0.2, every=5)
    here = ps.ensemble(s.mechanism, **how)
    there = ps.ensemble(s.mechanism, executor="processes", workers=1, **how)
    assert there.dataset().identical(here.dataset())


def test_chunks_do_not_matter(monkeypatch):
    """Members in chunks of any size, in any order of arrival."""
    s = ps.scenario("double-pendulum")
    q, v = starts_of(s.mechanism, 13)
    how = dict(starts=(q, v), method="rk4", step=0.01, until=0.1)
    whole = ps.ensemble(s, **how)
    monkeypatch.setattr(Conductor, "_chunk", lambda self: 3)
    parts = ps.ensemble(s, workers=3, **how)
    assert parts.dataset().identical(whole.dataset())

"""What a page sees and does is what `simulate` computes, to the bit."""

import json
from importlib.resources import files

import numpy as np
import pytest

import poinsot as ps
from poinsot.cli import main
from support.live_page import Page


def bits(numbers):
    return numbers["q"].tobytes() + numbers["v"].tobytes()


def of(state):
    return state.q.tobytes() + state.v.tobytes()


def state(numbers):
    return ps.State(float(numbers["time"][0]), numbers["q"], numbers["v"])


def run_of(s, steps, start=None, method=None):
    options = {"controller": s.controller, "events": s.events or None}
    return ps.simulate(s.mechanism, start or s.start, method or s.method, step=s.step, steps=steps, **options)


@pytest.fixture
def page_of():
    """Open the page of a live scenario."""
    opened = []

    def show(name, parameters=None, **options):
        live = ps.scenario(name, **(parameters or {})).live(browser=False, **options)
        opened.append(live)
        page = Page(live)
        opened.insert(0, page.socket)
        return page

    yield show
    for one in opened:
        one.close()


@pytest.mark.parametrize("name", ["double-pendulum", "4disp-balance", "four-bar"])
def test_three_steps_are_those_of_simulate(page_of, name):
    page, s = page_of(name), ps.scenario(name)
    for count in range(1, 4):
        assert bits(page.step()) == of(run_of(s, count).final)


def test_a_mass_goes_on_with_the_bits_of_simulate(page_of):
    page = page_of("double-pendulum")
    before = page.step(5)
    page.send("set", path="bodies.lower.mass", value=3.0)
    segment = page.wait("segment")
    assert (segment["time"], segment["restart"]) == (before["time"][0], False)
    heavy = ps.scenario("double-pendulum", **{"bodies.lower.mass": 3.0})
    run = run_of(heavy, 7, state(before))
    after = page.step(7)
    assert bits(after) == of(run.final)
    assert after["energy"].tolist() == [run.kinetic[-1], run.potential[-1], run.energy[-1]]


def test_a_step_a_method_and_a_target_go_on_too(page_of):
    page = page_of("4disp-balance")
    before = page.step(4)
    page.do("target", point=[0.5, 0.25, 0.0])
    near = ps.scenario("4disp-balance", **{"control.target": (0.5, 0.25)})
    after = page.step(6)
    assert bits(after) == of(run_of(near, 6, state(before)).final)
    page.do("set", path="step", value=0.005)
    small = ps.scenario("4disp-balance", **{"control.target": (0.5, 0.25), "step": 0.005})
    assert bits(page.step(6)) == of(run_of(small, 6, state(after)).final)


def test_a_start_begins_anew_and_reset_keeps_it(page_of):
    page = page_of("double-pendulum")
    page.step(5)
    page.send("set", path="start.upper.angle", value=0.5)
    assert page.wait("segment")["restart"]
    other = ps.scenario("double-pendulum", **{"start.upper.angle": 0.5})
    assert bits(page.step(3)) == of(run_of(other, 3).final)
    assert page.do("reset")[1][0]["time"] == 0
    assert bits(page.step(2)) == of(run_of(other, 2).final)


def test_what_makes_no_mechanism_is_refused_and_the_motion_goes_on(page_of):
    page, s = page_of("double-pendulum"), ps.scenario("double-pendulum")
    page.step(2)
    for path, value in (("bodies.lower.mass", -1.0), ("step", -1.0), ("bodies.nobody.mass", 1.0)):
        page.send("set", path=path, value=value)
        assert not page.wait("error")["dead"]
    page.send("method", name="srkn5")
    assert "srkn4" in page.wait("error")["text"]
    page.send("method", name="srkn4")  # there is such a method, but not for two bodies
    assert "one body" in page.wait("error")["text"]
    assert bits(page.step(3)) == of(run_of(s, 5).final)  # not even a restart of the method


def test_numbers_are_those_of_the_run(page_of):
    page, s = page_of("dzhanibekov"), ps.scenario("dzhanibekov")
    found, run = page.step(30), run_of(s, 30)
    assert found["energy"].tolist() == [run.kinetic[-1], run.potential[-1], run.energy[-1]]
    assert found["angular-momentum"].tobytes() == run.angular_momentum[-1].tobytes()
    assert found["linear-momentum"].tobytes() == run.linear_momentum[-1].tobytes()
    R, w = run.rotation("nut")[-1], run.angular_velocity("nut")[-1]
    assert found["w-body"].tobytes() == w.tobytes()
    J = np.array(s.mechanism.link("nut").body.inertia)
    np.testing.assert_allclose(found["L-body"], J @ w, rtol=1e-15)
    np.testing.assert_allclose(found["L-space"], run.angular_momentum[-1], rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(found["w-space"], R @ w, rtol=1e-15)
    np.testing.assert_allclose(found["kinetic"], run.kinetic[-1], rtol=1e-14)
    np.testing.assert_allclose(found["L-sizes"], np.linalg.norm(run.angular_momentum[-1]), rtol=1e-13)
    np.testing.assert_allclose(ps.so3.from_euler("ZYX", found["angles"]), R, atol=1e-14)
    r = ps.dynamics.discrete_residual(s.mechanism, *run.trajectory.states()[-3:], step=s.step)
    assert found["residual"][0] == np.linalg.norm(r)
    other = page.do("apparatus", body=0, sequence="zxz")[1][0]
    np.testing.assert_allclose(ps.so3.from_euler("zxz", other["angles"]), R, atol=1e-14)


def test_dzhanibekov_at_0_03_has_the_numbers_of_the_record(page_of):
    """w and L of Beckman's unit test: an RK4 step of 0.03 s; his attitude is of first order (`tqdl-step`)."""
    text = files("poinsot_papers.beckman2023").joinpath("results", "tqdl_step.json").read_text()
    printed = json.loads(text)["measured"]["found"]
    page = page_of("dzhanibekov", {"step": 0.03, "method": "rk4"})
    found = page.step()
    np.testing.assert_allclose(found["w-body"], printed["w_b"], rtol=1e-9, atol=5e-10)
    np.testing.assert_allclose(found["L-body"], printed["L_b"], rtol=1e-9, atol=5e-10)
    np.testing.assert_allclose(found["L-sizes"][0], np.linalg.norm(printed["L_s"]), rtol=2e-6)


def test_scrubbing_back_is_exact_and_the_motion_goes_on_from_there(page_of):
    page, s = page_of("4disp-balance"), ps.scenario("4disp-balance")
    run = run_of(s, 200)
    page.step(200)
    for step in (150, 3, 199, 70):
        found = page.do("scrub", time=float(run.time[step]))[1][0]
        assert found["q"].tobytes() == run.trajectory.q[step].tobytes()
        assert found["span"][1] == run.time[-1]
    assert bits(page.step(10))[:48] == run.trajectory.q[80].tobytes()
    page.do("scrub", time=float(run.time[40]))
    page.do("set", path="bodies.cart.mass", value=2.0)
    heavy = ps.scenario("4disp-balance", **{"bodies.cart.mass": 2.0})
    there = ps.State(float(run.time[40]), run.trajectory.q[40], run.trajectory.v[40])
    assert bits(page.step(5)) == of(run_of(heavy, 5, there).final)


def test_a_second_method_gets_the_same_changes(page_of):
    page = page_of("double-pendulum")
    page.step(9)
    page.send("compare", method="rk4")
    assert [one["name"] for one in page.wait("hello")["page"]["runs"]] == ["sgauss3", "rk4"]
    _, (first, second), poses = page.do("step", count=4)
    s = ps.scenario("double-pendulum")
    assert bits(first) == of(run_of(s, 4).final)
    assert bits(second) == of(run_of(s, 4, method="rk4").final)
    assert poses.shape == (2, 2, 7)
    page.do("set", path="bodies.lower.mass", value=3.0)
    heavy = ps.scenario("double-pendulum", **{"bodies.lower.mass": 3.0})
    _, (a, b), _ = page.do("step", count=3)
    assert bits(a) == of(run_of(heavy, 3, state(first)).final)
    assert bits(b) == of(run_of(heavy, 3, state(second), "rk4").final)
    assert len(page.do("compare", method=None)[1]) == 1


@pytest.mark.parametrize("name", ["double-pendulum", "4disp-swingup"])
def test_what_was_recorded_replays_to_the_same_bits(page_of, tmp_path, name, capsys):
    page = page_of(name, folder=tmp_path)
    page.step(20)
    page.do("record", on=True)
    body = len(page.hello["page"]["runs"][0]["bodies"]) - 1
    page.step(3)
    for k in range(20):
        page.send("drag", body=body, point=[0.0, 0.0, 0.1], target=[0.5, 0.01 * k, 0.2])
        page.step()
    page.do("release")
    page.step(5)
    page.do("impulse", body=body, point=[0.0, 0.0, 0.0], impulse=[0.01, 0.0, 0.0])
    last = page.step(5)
    page.send("record", on=False)
    assert f"{name}-1.poinsot" in page.wait("notice")["text"]
    path = tmp_path / f"{name}-1.poinsot"
    run = ps.load(path)
    assert bits(last) == of(run.final)
    assert np.abs(run.input(f"hand on {run.mechanism.names[-1]}")).max() > 0
    assert ps.replay(path).identical
    with pytest.raises(SystemExit) as end:
        main(["replay", str(path)])
    assert not end.value.code
    assert "identical" in capsys.readouterr().out
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name]


def test_a_change_while_recording_begins_another_archive(page_of, tmp_path):
    page = page_of("double-pendulum", folder=tmp_path)
    page.do("record", on=True)
    page.step(5)
    page.do("set", path="bodies.lower.mass", value=3.0)
    page.step(5)
    page.send("record", on=False)
    page.wait("notice")
    first, second = (ps.load(tmp_path / f"double-pendulum-{k}.poinsot") for k in (1, 2))
    assert second.mechanism.link("lower").body.mass == 3.0
    assert first.final.q.tobytes() == second.trajectory.q[0].tobytes()
    assert all(ps.replay(tmp_path / f"double-pendulum-{k}.poinsot").identical for k in (1, 2))


def test_work_of_a_hand_is_counted(page_of):
    page = page_of("double-pendulum")
    before = page.step(10)["energy-work"][0]
    for k in range(40):
        page.send("drag", body=1, point=[0.0, 0.0, 0.0], target=[0.0, 0.5 + 0.01 * k, 0.5])
        found = page.step()
    assert abs(found["work"][0]) > 0.1
    assert abs(found["energy-work"][0] - before) < 1e-9
    after = page.do("release")[1][0]
    assert after["energy-work"][0] == pytest.approx(found["energy-work"][0], abs=1e-13)


def test_a_body_follows_the_pointer(page_of):
    page = page_of("dzhanibekov", {"start.nut.angular_velocity": (0, 0, 0)})
    page.do("drag", body=0, point=[0.0, 0.0, 0.0], target=[1.0, 2.0, 3.0])
    _, _, poses = page.do("step", count=200)
    np.testing.assert_allclose(poses[0, 0, 4:], (1.0, 2.0, 3.0), atol=1e-3)


def test_a_push_topples_the_baton_and_a_reset_catches_it_again(page_of):
    page = page_of("4disp-balance")
    page.step(10)
    page.do("impulse", body=2, point=[0.0, 0.0, 1.0], impulse=[30.0, 0.0, 0.0])
    heights = []
    for _ in range(10):
        _, _, poses = page.do("step", count=20)
        heights.append(poses[0, 2, 6] - poses[0, 1, 6])
    assert min(heights) < 0  # it fell
    page.do("reset")
    _, _, poses = page.do("step", count=900)
    assert poses[0, 2, 6] - poses[0, 1, 6] > 1.19  # upright


def test_a_quadcopter_flies_to_a_target(page_of):
    page = page_of("quadcopter-recovery", {"start.copter.rotation": (1, 0, 0, 0)})
    page.step(5)
    page.do("target", point=[0.5, -0.5, 1.0])
    for _ in range(2):
        _, (numbers,), poses = page.do("step", count=600)
    np.testing.assert_allclose(poses[0, 0, 4:], (0.5, -0.5, 1.0), atol=0.02)
    np.testing.assert_allclose(poses[0, 1, 4:], (0.5, -0.5, 1.0), atol=1e-6)  # the ghost
    assert np.abs(numbers["error"]).max() < 0.05


def test_work_and_bits_do_not_depend_on_the_samples(page_of):
    """A fast motion with a controller hands out some of its states only."""
    page, s = page_of("4disp-balance"), ps.scenario("4disp-balance")
    page.do("speed", value=60.0)
    page.do("play")
    page.wait("frame", lambda found: found[1][0]["time"] > 1.0)
    page.do("pause")
    found = page.step()
    run = run_of(s, round(found["time"][0] / s.step))
    assert bits(found) == of(run.final)
    assert found["work"][0] == run.work[-1]


def test_a_scrub_into_a_drag_lets_the_body_go(page_of):
    page = page_of("double-pendulum")
    page.step(5)
    page.send("drag", body=1, point=[0.0, 0.0, 0.0], target=[0.0, 1.0, 1.0])
    page.step(20)
    seen = page.step(20)
    there = page.do("scrub", time=float(seen["time"][0]) - 20 * 0.0025)[1][0]
    assert abs(there["work"][0]) > 0
    s = ps.scenario("double-pendulum")
    assert bits(page.step(3)) == of(run_of(s, 3, state(there)).final)


@pytest.mark.filterwarnings("ignore::poinsot.LoopWarning")
@pytest.mark.parametrize("of_file", [False, True])
def test_a_length_closes_the_loops_again(page_of, tmp_path, of_file):
    name = "four-bar"
    if of_file:
        name = str(tmp_path / "four-bar.toml")
        (tmp_path / "four-bar.toml").write_text(ps.to_toml(ps.scenario("four-bar")))
    page = page_of(name)
    before = page.step(5)
    page.do("set", path="bodies.rocker.at", index=0, value=1.05)
    after = page.step(3)
    longer = ps.scenario("four-bar", **{"bodies.rocker.at": (1.05, 0.0, 0.0)})
    assert bits(after) == of(run_of(longer, 3, state(before)).final)
    assert after["loops"][0] < 1e-14

"""Pages of what rolls and glides: the point of contact against other formulations (data/rolling.json)."""

import json

import numpy as np
import pytest

import poinsot as ps
from poinsot.view.payload import payload
from simulation.test_rolling import CASES, ball, tumbling


def test_the_page_finds_the_point_of_contact(shown):
    """Of a disc, a wheel with a round rim, an ellipsoid and a skate; the blade is where the sleigh has it."""
    runs, wanted = {}, {}
    for name in ("coin", "torus_wheel", "ellipsoid"):
        m, start, expected = tumbling(name)
        runs[name] = ps.simulate(m, start, "gauss3", step=0.01, until=expected["times"][2], every=5)
        wanted[name] = expected["contact_point"][2]
    s = ps.scenario("chaplygin-sleigh")
    runs["sleigh"] = ps.simulate(s.mechanism, s.start, step=0.01, until=2.0, every=5)
    x, y, angle = runs["sleigh"].joint("sleigh")[-1]
    wanted["sleigh"] = [x - 0.2 * np.cos(angle), y - 0.2 * np.sin(angle), -0.1]
    page = shown(runs)
    for number, (name, run) in enumerate(runs.items()):
        page(f"poinsot.seek({run.final.time})")
        found = page(f"poinsot.contact(0, {number})")
        assert found == pytest.approx(wanted[name], abs=1e-6), name  # tables of the page have 25 bits


def test_a_ball_leaves_a_sphere_and_the_page_says_when(shown):
    given, expected = CASES["ball_off_sphere"]["input"], CASES["ball_off_sphere"]["expected"]
    far, angle = given["sphere_radius"] + given["radius"], given["start_angle"]
    m = ball(radius=given["radius"], surface=ps.Sphere(given["sphere_radius"]), friction=0.5)
    start = m.state({"ball": dict(position=(far * np.sin(angle), 0, far * np.cos(angle)))})
    run = ps.simulate(m, start, "gauss3", step=0.005, until=1.3)
    flown = ps.simulate(
        m,
        start,
        "gauss3",
        step=0.005,
        until=1.3,
        events=[ps.Event("foot.lift", direction=-1, release=["foot"])],
    )
    one = payload({"flown": flown}, "").header["runs"][0]
    assert one["contacts"][0]["open"] == [[pytest.approx(expected["lift_off_time"], abs=1e-9), None]]
    assert one["joints"] == [json.loads(json.dumps(x)) for x in one["joints"] if x["kind"] == "free"]
    page = shown({"held": run, "flown": flown})
    page("poinsot.seek(0.6)")
    q = run.at(0.6).q[:3]
    assert page("poinsot.contact(0, 0)") == pytest.approx(q * given["sphere_radius"] / far, abs=1e-4)
    slip, lift = run.report().contacts
    assert slip.startswith("contact 'foot': would slip at t = 1.0177")
    assert lift.startswith(f"contact 'foot': would lift off at t = {expected['lift_off_time']:.3f}")
    lines = page("[...document.querySelectorAll('.caution')].map((x) => x.textContent)")
    assert lines[:2] == [slip, lift]
    assert lines[2].startswith(slip)  # before it flies


def test_what_rolls_is_drawn_where_it_touches():
    """The stone of a rattleback lies above its center of mass, wheels of a bicycle turn about their axles."""
    s = ps.scenario("rattleback")
    run = ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=1)
    (stone,) = payload({"run": run}, "").header["runs"][0]["bodies"]
    assert stone["shape"]["parts"][0]["at"] == [0.0, 0.0, 0.01]
    s = ps.scenario("bicycle")
    one = payload({"run": ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=1)}, "").header[
        "runs"
    ][0]
    rear = next(body for body in one["bodies"] if body["name"] == "rear")["shape"]["parts"][0]
    assert rear["shape"] == {"kind": "wheel", "radius": 0.3, "tube": 0.0}
    assert np.abs(ps.quaternion.apply(rear["rotation"], (0, 0, 1))) == pytest.approx([0, 1, 0], abs=1e-12)
    assert one["trails"] == []  # the traces of the wheels are on the ground


@pytest.mark.parametrize(
    "shape",
    [
        ps.Sphere(0.1),
        ps.Ellipsoid((1, 2, 3)),
        ps.Wheel(0.3, 0.02),
        ps.Cylinder(0.1, 0.4),
        ps.Capsule(0.1, 0.4),
    ],
)
def test_a_contact_knows_its_shape(shape):
    assert ps.Rolling("body", shape).joint.solid.to_dict() == shape.to_dict()

"""Pages of ensembles: members as glass that move with a solid one, each where its own run is."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.view.crowd import crowd
from poinsot.view.page import html_of
from poinsot.view.payload import Packer, payload
from view.conftest import Shown
from view.test_payload import unpacked


@pytest.fixture(scope="module")
def fan():
    s = ps.scenario("double-pendulum")
    angles = 2.0 + 1e-2 * np.arange(5)
    return ps.ensemble(s, vary={"start.upper.angle": angles}, method="rk4", step=0.01, until=1.0)


def test_members_move_with_the_solid_one(fan, browser, tmp_path):
    path = fan.to_html(tmp_path / "fan.html", members=[2, 0, 4])
    page = Shown(browser, 900, 700).open(f"{path.as_uri()}#frame=0")
    assert page("poinsot.runs") == ["member 2"]
    page("poinsot.seek(0.73)")
    for drawn, member in (
        ("poinsot.position(1)", 2),
        ("poinsot.member(0, 1)", 0),
        ("poinsot.member(1, 1)", 4),
    ):
        run = fan.rerun(member)
        assert page(drawn) == pytest.approx(run.position("lower")[73], abs=1e-6)
    assert page("document.getElementById('show-members').hidden") is False
    assert "As glass: members 0, 4." in page("document.querySelector('.notes').textContent")
    assert page.complaints() == []
    page.tab.close()


def test_as_many_as_are_asked_for_and_those_that_did_not_fail(fan):
    runs, look = fan._crowd(3, None, None)
    assert [*runs, *look.crowd] == ["member 0", "member 1", "member 3"]
    runs, look = fan._crowd(200, None, None)
    assert len(look.crowd) == 4
    assert "member 0" in html_of(fan.rerun(0), title="member 0")
    page = fan.view(members=2)
    assert page.path.stat().st_size > 1000


def test_members_of_other_shapes_and_times_have_their_own():
    """A member that ended early stays where it was; between its samples its body goes on a line."""
    s = ps.scenario("double-pendulum")
    short, first = s.mechanism.snapshot(), s.mechanism
    run = ps.simulate(first, s.start, "rk4", step=0.01, until=1.0)
    early = ps.simulate(first, s.start, "rk4", step=0.01, until=0.5, every=10)
    other = ps.Mechanism(gravity=first.gravity)
    for link in short.links:
        other.add(
            link.name,
            ps.Body(link.body.mass, link.body.inertia, shape=ps.Sphere(0.1)),
            link.joint,
            parent=link.parent,
            at=link.at,
            body_at=link.body_at,
        )
    ball = ps.simulate(other, s.start, "rk4", step=0.01, until=0.5)
    found = crowd({"early": early, "ball": ball}, first, run.time, Packer())
    assert [one["shapes"] is None for one in found] == [True, False]
    assert found[1]["shapes"][0][0] == {"kind": "sphere", "radius": 0.1}
    assert payload({"run": run}, "").header["runs"][0]["members"] == []
    pack = Packer()
    (one,) = crowd({"early": early}, first, run.time, pack)
    place = unpacked(pack.header[one["bodies"][1]["position"]], bytes(pack.data))
    assert place[[0, 10, 50, 100]] == pytest.approx(early.position("lower")[[0, 1, 5, 5]], abs=1e-6)
    middle = (early.position("lower")[0] + early.position("lower")[1]) / 2
    assert place[5] == pytest.approx(middle, abs=1e-6)
    turn = unpacked(pack.header[one["bodies"][1]["quaternion"]], bytes(pack.data))
    assert np.linalg.norm(turn, axis=1) == pytest.approx(1.0, abs=1e-6)


def test_what_cannot_be_shown_is_said_in_one_line(tmp_path):
    s = ps.scenario("double-pendulum")
    e = ps.ensemble(s, vary={"start.upper.rate": [0.0, 1e200]}, method="gauss2", step=0.01, until=0.1)
    assert list(e.failed) == [1]
    for members, words in (
        ([0, 1], "member 1 failed, it cannot be shown: "),
        ([0, 7], "there is no member 7: they are counted from 0 to 1"),
        (0, "members must be a whole number from 1 to 200, got 0"),
        ([], "the number of members must be a whole number from 1 to 200, got 0"),
        ("all", "members must be numbers of members, or how many, got 'all'"),
    ):
        with pytest.raises(ps.PoinsotError, match=words) as found:
            e.to_html(tmp_path / "x.html", members)
        assert "\n" not in str(found.value)

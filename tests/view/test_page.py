"""The page in a real browser: opened from a file, without a network, driven by mouse and keys."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

import poinsot as ps
from poinsot.plots.run_figures import energy_error, momentum_error
from support import synthetic

CHOOSE = """(() => {
    const select = document.querySelector("#quantity-0");
    select.value = "%s";
    select.dispatchEvent(new Event("change"));
})()"""
CLOSE = 2e-7  # quaternions are sent with 24 bits


@pytest.fixture(scope="module")
def nuts():
    s = ps.scenario("dzhanibekov")
    return {
        name: ps.simulate(s.mechanism, s.start, name, step=0.02, until=8.0)
        for name in ("rk4", "nmb", "srkn4")
    }


@pytest.fixture(scope="module")
def top():
    s = ps.scenario("fast-top")
    return ps.simulate(
        s.mechanism, s.start, "nmb", step=0.01, until=4.0, every=2, record={"height": lambda t, x: x.q[0]}
    )


def same_rotation(a, b):
    return min(np.abs(np.array(a) - b).max(), np.abs(np.array(a) + b).max()) < CLOSE


# what it shows


@pytest.mark.parametrize("frame", [0, 1, 137, 400])
def test_the_pose_of_a_frame_is_that_of_the_run(nuts, shown, frame):
    page = shown(nuts)
    assert page("poinsot.frames") == 401
    assert page("poinsot.runs") == list(nuts)
    page(f"poinsot.set({frame})")
    for i, run in enumerate(nuts.values()):
        assert same_rotation(page(f"poinsot.quaternion(0, {i})"), run.quaternion("nut")[frame])
        assert np.allclose(page(f"poinsot.position(0, {i})"), run.position("nut")[frame], atol=1e-6)
        assert np.allclose(page(f"poinsot.spin(0, {i})"), run.angular_velocity("nut")[frame], atol=1e-5)
        assert page(f"poinsot.sample({i})") == frame


def test_every_body_of_a_tree_is_where_the_run_has_it(shown):
    s = ps.scenario("pendulum-4")
    run = ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=100, every=5)
    page = shown(run)
    page("poinsot.set(13)")
    for i, name in enumerate(run.mechanism.names):
        assert same_rotation(page(f"poinsot.quaternion({i})"), run.quaternion(name)[13])
        assert np.allclose(page(f"poinsot.position({i})"), run.position(name)[13], atol=1e-6)


def test_between_frames_the_body_turns_smoothly(nuts, shown):
    page = shown(nuts["srkn4"])
    run = nuts["srkn4"]
    page("poinsot.seek(1.01)")
    a, b = run.quaternion("nut")[50:52]
    middle = (a + b) / np.linalg.norm(a + b)
    assert np.abs(np.array(page("poinsot.quaternion()")) - middle).max() < 1e-4


@pytest.mark.slow
def test_a_long_run_is_thinned_and_says_so(shown, monkeypatch):
    monkeypatch.setattr("poinsot.view.payload.MOST_FRAMES", 1000)
    s = ps.scenario("dzhanibekov")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, until=50.03)
    page = shown(run)
    assert page("poinsot.frames") == 835
    for frame, sample in ((100, 600), (834, 5003)):
        page(f"poinsot.set({frame})")
        assert page("poinsot.sample()") == sample
        assert same_rotation(page("poinsot.quaternion()"), run.quaternion("nut")[sample])
    assert "5004 samples, of which one in 6 is shown" in page("document.body.innerText")


def test_plots_follow_the_time(nuts, shown):
    page = shown(nuts)
    before = page("document.querySelector('#plot-0').toDataURL()")
    page("poinsot.set(200)")
    page.drawn()
    spins = page("poinsot.plot(0)")
    assert (spins["key"], page("poinsot.plot(1).key")) == ("spin of nut", "energy")  # what moves, and energy
    nmb, *_ = nuts.values()
    assert [one["value"] for one in spins["values"][:3]] == pytest.approx(
        nmb.angular_velocity("nut")[200], rel=1e-6
    )
    page.press("e")  # the errors, and back
    found = page("poinsot.plot(0)")
    assert found["key"] == "energy-error"
    assert found["time"] == pytest.approx(4.0, abs=1e-8)
    for one, run in zip(found["values"], nuts.values(), strict=True):
        assert one["value"] == pytest.approx(energy_error(run.trajectory)[200], rel=1e-6, abs=1e-30)
    values = [one["value"] for one in page("poinsot.plot(1)")["values"]]
    assert values == pytest.approx([momentum_error(run.trajectory)[200] for run in nuts.values()], rel=1e-6)
    assert page("document.querySelector('#plot-0').toDataURL()") != before
    page("document.querySelector('#show-errors').click()")
    assert (page("poinsot.plot(0).key"), page("poinsot.plot(1).key")) == ("spin of nut", "energy")


@pytest.mark.slow
def test_the_camera_goes_near_a_body_that_it_follows(shown):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("probe", ps.Box((1, 1, 3)).body(mass=1.0), ps.Free())
    start = m.state({"probe": dict(velocity=(7e3, 0, 0), angular_velocity=(0, 0.01, 0))})
    page = shown(ps.simulate(m, start, "rk4", step=10.0, steps=2000))
    assert page("poinsot.distance") > 1e7
    assert page("document.querySelector('#now').value").endswith(" h")
    assert page("poinsot.speed") == 1000.0  # the whole run in 20 s
    page.press("c")
    assert 1.0 < page("poinsot.distance") < 20.0
    page.press("c")
    assert page("poinsot.distance") > 1e7


@pytest.mark.slow
def test_runs_are_laid_over_each_other_and_apart_again(nuts, shown):
    page = shown(nuts)
    assert page("poinsot.fields") == 3
    apart = page("poinsot.picture()")
    page("document.querySelector('#show-overlay').click()")
    assert page("poinsot.fields") == 1
    over = page("(poinsot.set(120), poinsot.picture())")
    assert page("(poinsot.set(140), poinsot.picture())") != over
    page.press("o")
    page("poinsot.set(0)")
    assert page("poinsot.fields") == 3
    assert len(apart) > 1000
    assert page.complaints() == []


@pytest.mark.slow
def test_any_quantity_can_be_plotted(top, shown):
    page = shown(top)
    keys = page("[...document.querySelector('#quantity-0').options].map(o => o.value)")
    assert {"energy-error", "momentum-error", "energy", "spin of top", "place of top", "recorded height"} <= {
        *keys
    }
    page("poinsot.set(77)")
    page(CHOOSE % "recorded height")
    assert page("poinsot.plot(0).values")[0]["value"] == pytest.approx(top.recorded["height"][77], rel=1e-6)
    page(CHOOSE % "energy")
    values = {one["label"]: one["value"] for one in page("poinsot.plot(0).values")}
    assert values["total"] == pytest.approx(top.energy[77], rel=1e-6)
    assert page("document.querySelectorAll('.legend')[0].innerText").split() == [
        "kinetic",
        "potential",
        "total",
    ]


def test_the_report_and_the_command_are_there(nuts, shown):
    page = shown(nuts, command="poinsot demo --twice", notes="Look at the nut.")
    text = page("document.querySelector('#details').innerText")
    for run in nuts.values():
        for row in run.report().rows():
            assert all(cell in text for cell in row)
        assert run.report().cost in text
    assert "Look at the nut." in text
    assert text.count("poinsot demo --twice") == 3
    plain = shown(nuts["nmb"])("document.querySelector('.command code').innerText")
    assert plain == 'ps.simulate(mechanism, start, "nmb", step=0.02, steps=400)'


# how it is driven


@pytest.mark.slow
def test_it_plays_and_pauses(nuts, shown):
    page = shown(nuts, address="")  # without a frame it starts by itself
    page("poinsot.play()")
    page.tab.wait("poinsot.frame > 10")
    assert page("poinsot.playing")
    page.click("#play")
    frame = page("poinsot.frame")
    assert not page("poinsot.playing")
    page.tab.browser.receive(0.2)
    assert page("poinsot.frame") == frame


@pytest.mark.slow
def test_the_slider_scrubs(nuts, shown):
    page = shown(nuts)
    page.click("#time", across=0.5)
    assert page("poinsot.frame") == pytest.approx(200, abs=8)
    assert not page("poinsot.playing")
    frame = page("poinsot.frame")
    assert same_rotation(page("poinsot.quaternion()"), nuts["rk4"].quaternion("nut")[frame])


@pytest.mark.slow
def test_a_click_in_a_plot_goes_there(nuts, shown):
    page = shown(nuts)
    width = page.box("#plot-0")[2]
    page.click("#plot-0", across=(58 + 0.75 * (width - 70)) / width)
    assert page("poinsot.time") == pytest.approx(6.0, abs=0.1)


@pytest.mark.slow
def test_the_address_names_a_frame(nuts, shown):
    page = shown(nuts, address="frame=33&view=top&polhode=1&theme=dark")
    assert page("poinsot.frame") == 33
    assert not page("poinsot.playing")
    assert page("document.documentElement.dataset.theme") == "dark"
    assert page("document.querySelector('#view').value") == "top"
    assert page("document.querySelector('#show-polhode').ariaPressed") == "true"
    page("location.hash = 'frame=44'")
    page.tab.wait("poinsot.frame === 44")


def test_keys(nuts, shown):
    page = shown(nuts)
    for key, expression, value in (
        ("ArrowRight", "poinsot.frame", 1),
        ("ArrowRight", "poinsot.frame", 2),
        ("ArrowLeft", "poinsot.frame", 1),
        ("End", "poinsot.frame", 400),
        ("Home", "poinsot.frame", 0),
        ("ArrowUp", "poinsot.speed", 2),
        ("ArrowDown", "poinsot.speed", 1),
        ("l", "poinsot.loop", False),
        ("d", "document.documentElement.dataset.theme", "dark"),
        ("t", "document.querySelector('#show-trails').ariaPressed", "false"),
        ("x", "document.querySelector('#show-frames').ariaPressed", "true"),
        ("p", "document.querySelector('#show-polhode').ariaPressed", "true"),
        ("c", "document.querySelector('#show-follow').ariaPressed", "true"),
        (" ", "poinsot.playing", True),
        (" ", "poinsot.playing", False),
        ("?", "document.querySelector('#help').open", True),
        ("Escape", "document.querySelector('#help').open", False),
    ):
        page.press(key)
        assert page(expression) == value, key


@pytest.mark.slow
def test_cameras_see_different_things(nuts, shown):
    page = shown(nuts["srkn4"])
    pictures = set()
    for key in "4321":
        page.press(key)
        pictures.add(page("poinsot.picture()"))
    page("document.querySelector('#show-arrows').click()")
    pictures.add(page("poinsot.picture()"))
    assert len(pictures) == 5


@pytest.mark.slow
def test_hovering_reads_out(top, shown):
    page = shown(top, address="frame=50")
    x, y, width, height = page.box("#stage")
    found, tip = "", "(tip => tip.hidden ? '' : tip.textContent)(document.querySelector('#tip'))"
    for down in np.linspace(0.3, 0.9, 9):
        page.mouse("mouseMoved", x + width / 2, y + down * height)
        found = found or page(tip)
    assert found.startswith("top, 2.039 kg")
    assert "rad/s" in found
    page.drawn()
    before = page("document.querySelector('#plot-0').toDataURL()")
    x, y, width, height = page.box("#plot-0")
    page.mouse("mouseMoved", x + width / 3, y + height / 2)
    page.tab.wait(f"document.querySelector('#plot-0').toDataURL().length !== {len(before)}")


@pytest.mark.slow
def test_a_picture_can_be_saved_and_the_screen_filled(nuts, shown):
    page = shown(nuts)
    address = page("poinsot.picture()")
    picture = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))).convert("RGB")
    assert picture.width == 900
    assert len(picture.getcolors(1 << 24)) > 200
    page("HTMLAnchorElement.prototype.click = function () { window.saved = this.download }")
    page.click("#snapshot")
    page.tab.wait("window.saved")
    assert page("window.saved") == "poinsot-frame-0.png"
    page.click("#full")
    page.tab.wait("document.fullscreenElement !== null")


# what can be wrong


def test_names_are_text_whatever_they_say(shown):
    evil = "</title></script><script>window.hacked=1</script><img src=x onerror='window.hacked=2'>"
    m = ps.Mechanism().add(evil, ps.Sphere(0.1).body(mass=1), ps.Spherical(), body_at=(0, 0, -1))
    run = ps.simulate(m, m.state(), "nmb", step=0.1, until=1, record={f"{evil}&lt;": lambda t, x: t})
    page = shown(run, title=evil, notes=evil, command=evil, error=evil)
    assert page("window.hacked") is None
    assert page("document.title") == evil
    assert page("document.querySelector('h1').textContent") == evil
    assert page("document.querySelector('.notes').textContent") == evil
    assert page("document.querySelectorAll('img').length") == 0
    assert page("document.scripts.length") == 3


@pytest.mark.slow
def test_a_run_of_one_frame(shown):
    s = ps.scenario("fast-top")
    page = shown(ps.simulate(s.mechanism, s.start, "nmb", step=0.01, steps=0))
    assert page("poinsot.frames") == 1
    page("poinsot.play()")
    assert not page("poinsot.playing")
    for key in ("ArrowRight", "End", "Home", "p"):
        page.press(key)
    assert same_rotation(page("poinsot.quaternion()"), s.start.q)


@pytest.mark.slow
def test_an_empty_run_says_so(shown):
    page = shown(synthetic.run_of(synthetic.chain(2), np.zeros((0, 2)), np.zeros((0, 2))))
    assert page("poinsot.frames") == 0
    assert "the run holds no samples" in page("document.body.innerText")
    for key in ("ArrowRight", " ", "p", "c"):
        page.press(key)


def test_a_failed_run_is_shown_up_to_its_failure(shown):
    angle, rate = synthetic.swing(3, 60)
    angle[50:] = np.nan
    page = shown(
        synthetic.run_of(synthetic.chain(3), angle, rate),
        error="nmb: step 49: the state became infinite or NaN",
    )
    assert page("poinsot.frames") == 50
    assert "the state became infinite or NaN" in page("document.querySelector('.label').innerText")
    silent = shown(synthetic.run_of(synthetic.chain(3), angle, rate))
    assert "infinite or NaN from t = 1 on: 50 of 60 samples are shown" in silent("document.body.innerText")
    assert all(abs(x) <= 1 for x in silent("(poinsot.set(49), poinsot.quaternion(2))"))


@pytest.mark.slow
def test_runs_of_different_length_share_the_time(nuts, shown):
    short = ps.simulate(nuts["nmb"].mechanism, nuts["nmb"].at(0.0), "nmb", step=0.02, until=2.0)
    page = shown({"long": nuts["rk4"], "short": short})
    page("poinsot.set(300)")
    assert same_rotation(page("poinsot.quaternion(0, 1)"), short.quaternion("nut")[-1])
    assert same_rotation(page("poinsot.quaternion(0, 0)"), nuts["rk4"].quaternion("nut")[300])
    assert np.isnan(float(page("poinsot.plot(0).values[3].value") or "nan"))  # three of each run


def test_damaged_data_give_a_sentence(browser, tmp_path, nuts):
    from conftest import Shown

    text = nuts["nmb"].to_html(tmp_path / "good.html").read_text()
    place = text.index('id="poinsot-data">') + 2000
    broken = tmp_path / "broken.html"
    broken.write_text(text[:place] + "AAAA" + text[place + 4 :])
    page = Shown(browser, 400, 300).open(broken.as_uri(), ready=False)
    page.tab.wait("document.body?.innerText.includes('cannot be shown')")


@pytest.mark.slow
def test_a_kind_of_joint_that_the_page_does_not_know_is_drawn_all_the_same(shown):
    class Telepathic(ps.Spherical): ...

    angle, rate = synthetic.swing(2, 20)
    page = shown(synthetic.run_of(synthetic.chain(2, joint=Telepathic), angle, rate), address="frame=5")
    assert page("poinsot.ready")
    assert page("poinsot.frame") == 5


@pytest.mark.slow
def test_named_frames_are_drawn_where_they_are_and_can_be_hidden(shown, artefacts):
    m = ps.Mechanism()
    body = ps.Box((0.1, 0.1, 1.0)).body(mass=1.0)
    m.add("arm", body, ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    m.frame("tool", "arm", at=(0.0, 0.0, -0.5)).frame("desk", "world", at=(0.3, 0.1, -0.6))
    run = ps.simulate(m, m.state({"arm": dict(angle=1.0)}), "rk4", step=0.01, steps=50)
    page = shown(run, address="frame=20")
    assert np.abs(np.array(page("poinsot.mark(0)")) - run.position("tool")[20]).max() < 1e-6
    assert np.abs(np.array(page("poinsot.mark(1)")) - (0.3, 0.1, -0.6)).max() < 1e-6
    page.tab.screenshot(artefacts / "named-frames.png")
    page.press("n")
    assert page("poinsot.mark(0)") == []

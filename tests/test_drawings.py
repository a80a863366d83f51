"""The pictures of README.md and docs/explanation are what docs/pictures/draw.py draws."""

import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "docs/pictures"


@pytest.fixture(scope="module")
def drawn():
    spec = importlib.util.spec_from_file_location("draw", FOLDER / "draw.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.draw()


def test_the_pictures_are_those_that_are_drawn(drawn):
    assert sorted(drawn) == sorted(path.name for path in FOLDER.glob("*.svg"))
    for name, text in drawn.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, "run: python docs/pictures/draw.py"
        assert len(text) < 60_000, name


def test_a_symplectic_method_keeps_the_area_and_rk4_does_not(drawn):
    assert drawn["area.svg"].count("24 s: area 100 %") == 1
    assert "24 s: area 69 %" in drawn["area.svg"]

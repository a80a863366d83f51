"""The docs site without building it: every page has a place, and the generators forget nothing.

`make docs` builds it, with warnings as errors.
"""

import json
import re
import sys
from functools import cache
from math import pi
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import poinsot as ps
from poinsot.bibliography import bibliography
from poinsot.cli import COMMANDS
from poinsot.gallery.reproduction import experiments
from support.public import public

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))

from pages import api, commands, gallery, markdown, methods, picture, reproductions  # noqa: E402
from pages import bibliography as publications  # noqa: E402


@cache
def made():
    """Return the pages that are made at build, by their places."""
    modules = (api, commands, publications, reproductions, methods, gallery)
    return {place: text for module in modules for place, text in module.pages()}


@cache
def written():
    """Return the pages that people write: all that git has."""
    ignored = (api.FOLDER, methods.FOLDER, gallery.FOLDER, reproductions.FOLDER, "_ext", "figures")
    found = {path.relative_to(DOCS).as_posix(): path for path in sorted(DOCS.rglob("*.md"))}
    return {
        place: path.read_text(encoding="utf-8")
        for place, path in found.items()
        if place not in made() and not place.startswith(tuple(f"{one}/" for one in ignored))
    }


TREE = re.compile(r"```\{toctree\}\n(.*?)```", re.DOTALL)


def places(page, text):
    """Yield the pages that the toctrees of a page name."""
    for block in TREE.findall(text):
        for line in filter(None, map(str.strip, block.splitlines())):
            if line.startswith(":"):
                continue
            name = re.sub(r".*<(.*)>", r"\1", line)
            found = ((DOCS / page).parent / name).resolve().relative_to(DOCS.resolve())
            pattern = found.as_posix()
            if "*" not in pattern:
                yield pattern
                continue
            for other in {**written(), **made()}:
                if Path(other).match(f"{pattern}.md") and other != page:
                    yield other.removesuffix(".md")


def test_every_page_is_in_a_toctree_and_every_entry_is_a_page():
    named = {name for page, text in {**written(), **made()}.items() for name in places(page, text)}
    pages = {page.removesuffix(".md") for page in (*written(), *made())}
    notebooks = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.ipynb")}
    assert pages - named == {"index"}
    assert named <= pages | notebooks


def test_links_between_pages_lead_somewhere():
    for page, text in written().items():
        plain = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)", plain):
            place = (DOCS / page).parent / target
            made = place.resolve().relative_to(DOCS.resolve().parent).as_posix().removeprefix("docs/")
            assert place.exists() or made in made(), (page, target)


def test_the_reference_describes_every_public_name():
    text = "\n".join(text for page, text in made().items() if page.startswith(api.FOLDER))
    described = set(re.findall(r"\{py:(?:class|function|exception)\} ([\w.]+)", text))
    exported = {
        one.name.replace("ps.", "poinsot.", 1) for one in public() if one.kind in ("class", "function")
    }
    assert exported <= described
    for one in public():
        if one.kind in ("method", "property"):
            key = one.name.rsplit(".", 1)[1]
            assert re.search(rf"\{{py:\w+\}} {key}\b|`{key}`", text), one.name
    assert all(text.strip() for text in made().values())


def test_a_public_name_has_its_arguments_and_their_description():
    page = made()[f"{api.FOLDER}/simulation.md"]
    assert "{py:function} poinsot.simulate(mechanism: Mechanism | analytical.System" in page
    assert "- `every`: Number of steps between two samples." in page
    assert "one body          `srkn4`" in page  # a table that was aligned by hand


def test_docstrings_become_markdown():
    text = markdown.docstring("First.\n\nParameters\n----------\na, b : sizes [m],\n    *no*\n\n>>> 1 + 1\n2")
    said, _, example = text.partition("\n\n```pycon\n")
    assert said == "First.\n\n**Parameters**\n\n- `a`, `b`: sizes \\[m\\], \\*no\\*"
    assert example == ">>> 1 + 1\n2\n```"


def test_every_method_has_its_page_its_formulas_and_its_publication():
    for one in ps.methods():
        page = made()[f"{methods.FOLDER}/{one.name}.md"]
        assert f"| order | {'exact' if one.order is None else one.order} |" in page
        assert "```text\n" in page.split("## Formulas")[1], f"{one.name}: no formula"
        assert f"(#{one.reference})" in page
        assert f"({one.reference})=" in made()["reference/bibliography.md"]
    assert set(bibliography()) == set(
        re.findall(r"^\((\w+)\)=$", made()["reference/bibliography.md"], re.MULTILINE)
    )


def test_publications_are_lines_without_tex():
    lines = [publications.cite(key) for key in bibliography()]
    assert not [line for line in lines if re.search(r"[{}]|\\[a-zA-Z\"'`^]", line)]
    assert "Zdzisław Jackiewicz" in publications.cite("jackiewicz2000construction")
    assert "Jürgen Moser" in publications.cite("moser1991discrete")


def test_the_order_is_that_of_small_steps_without_rounding():
    rows = [SimpleNamespace(step=2.0**-k, error=max(1e-3 * 2.0 ** (-4 * k), 1e-13)) for k in range(9)]
    assert methods.order(rows) == pytest.approx(4.0)
    assert np.isnan(methods.order(rows[-2:]))


def test_every_scenario_command_and_experiment_has_its_place():
    for name in ps.gallery():
        assert f"{name}.view.html" in made()[f"{gallery.FOLDER}/{name}.md"]
        assert f":img-top: {name}.png" in made()[f"{gallery.FOLDER}/index.md"]
    for name in COMMANDS:
        assert f"## poinsot {name}\n" in made()["reference/command-line.md"]
    shown = "\n".join(text for page, text in made().items() if page.startswith(reproductions.FOLDER))
    assert all(f"`poinsot reproduce {name}`" in shown for name in experiments())


AREAS = {  # of what is drawn, and its share that polygons have
    "box": ({"kind": "box", "size": [1.0, 2.0, 3.0]}, 22.0),
    "sphere": ({"kind": "sphere", "radius": 1.0}, 4 * pi),
    "cylinder": ({"kind": "cylinder", "radius": 1.0, "length": 2.0}, 6 * pi),
    "capsule": ({"kind": "capsule", "radius": 1.0, "length": 2.0}, 8 * pi),
    "cone": ({"kind": "cone", "radius": 1.0, "length": 1.0}, pi * (1 + 2**0.5)),
    "torus": ({"kind": "torus", "radius": 2.0, "tube": 0.5}, 4 * pi**2),
}


@pytest.mark.parametrize("kind", AREAS)
def test_polygons_of_a_shape_have_its_area(kind):
    shape, area = AREAS[kind]
    found = 0.0
    for a, b, c, d in picture.surface(shape):
        found += float(np.linalg.norm(np.cross(c - a, d - b))) / 2
    assert found == pytest.approx(area, rel=0.06)  # twenty sides of a circle, and arcs of fifteen degrees
    assert found <= area * (1 + 1e-12)


def test_a_picture_shows_bodies_and_trails():
    s = ps.scenario("double-pendulum", until=0.2)
    figure = picture.draw(ps.simulate(s.mechanism, s.start, s.method, step=s.step, until=s.until))
    axes = figure.axes[0]
    assert len(axes.lines) == 1
    assert len(axes.collections[1].get_paths()) == 12, "two boxes"


def test_formulas_are_rendered_at_build():
    pytest.importorskip("sphinx")
    import mathematics

    if not mathematics.KATEX.is_dir():
        pytest.skip("viewer/node_modules is not installed")
    try:
        assert "<math" in mathematics.render(r"\dot R = R \hat\omega", False)["html"]
        assert 'class="math"' in mathematics.render(r"\frac12", True)["html"]
        assert "error" in mathematics.render(r"\nothing", False)
    finally:
        mathematics.katex(mathematics.os.getpid()).communicate()


def test_a_notebook_begins_with_its_title_and_has_few_others():
    for path in sorted(DOCS.rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts = ["".join(one["source"]) for one in cells if one["cell_type"] == "markdown"]
        assert re.match(r"# \w", texts[0]), path
        assert not [line for text in texts for line in text.splitlines() if re.match(r"# #|#$", line)], path

"""The notebooks of docs/notebooks: what a committed notebook may hold, and their cells, run as they stand."""

import ast
import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "docs/notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
ALWAYS = "wing_nut"  # the others are run by `make test-all`, and where the documentation is built


def cells(name, kind):
    book = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == kind]


@pytest.mark.parametrize(
    "name", [name if name == ALWAYS else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]
)
def test_the_cells_of_a_notebook_run(name, monkeypatch, tmp_path):
    """The last expression of a cell is shown, as a notebook would."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for source in cells(name, "code"):
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
            for show in ("_repr_html_", "_repr_latex_"):
                getattr(value, show, str)()


def test_there_are_five():
    assert NAMES == ["double_pendulum", "own_lagrangian", "robot_arm", "rolling", "wing_nut"]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_has_no_outputs_and_tests_what_it_says(name):
    text = (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8")
    book = json.loads(text)
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert sum("assert " in source for source in cells(name, "code")) >= 3
    assert not re.search(r"/home/|/root/|/work/|/tmp/|[A-Z]:\\\\", text)
    first = cells(name, "markdown")[0]
    assert first.startswith("# ")
    assert "## Try" in cells(name, "markdown")[-1]


@pytest.mark.parametrize("name", NAMES)
def test_the_links_of_a_notebook_lead_somewhere(name):
    for target in re.findall(r"\]\(([^)#:]+)\)", "\n".join(cells(name, "markdown"))):
        assert (FOLDER / target).is_file(), target

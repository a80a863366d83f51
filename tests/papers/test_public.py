"""The papers are user code: they use public names of poinsot only."""

import ast
from pathlib import Path

import pytest

import poinsot as ps
import poinsot_papers

FOLDER = Path(poinsot_papers.__path__[0])
FILES = sorted(FOLDER.rglob("*.py"))
EXCEPTIONS = {"movingframe/memory.py"}  # counts the bytes of a compiled run, which are not public


def is_public(module: str, name: str) -> bool:
    """Return whether `from module import name` names something public."""
    place = ps
    for part in [*module.split(".")[1:], name]:
        if part.startswith("_") or part not in place.__all__:
            return False
        place = getattr(place, part)
    return True


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_an_experiment_imports_public_names(path):
    private = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            private |= {
                one.name for one in node.names if one.name.split(".")[0] == "poinsot" and "." in one.name
            }
        elif isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "poinsot":
            private |= {
                f"{node.module}.{one.name}" for one in node.names if not is_public(node.module, one.name)
            }
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ps":
            private |= {f"ps.{node.attr}"} - {f"ps.{name}" for name in ps.__all__}
    assert not private or path.relative_to(FOLDER).as_posix() in EXCEPTIONS, private


def test_private_names_are_found():
    assert is_public("poinsot.analytical.operators", "wed")
    assert not is_public("poinsot.model.body", "Body")
    assert not is_public("poinsot", "compile")

"""The list of methods, the folder they live in, and the facts they state."""

import re
from importlib import import_module
from pathlib import Path

import pytest

import poinsot as ps
from poinsot.bibliography import bibliography
from poinsot.core import methods as folder
from poinsot.core.methods import ALL

SHARED = {"__init__", "implicit", "method", "parts", "records", "__pycache__"}  # not methods


def module_of(method):
    """The file of a method, or of its family."""
    return import_module(f"{folder.__name__}.{method.module or method.name}")


def test_the_folder_is_the_catalogue_and_names_are_unique():
    there = {path.stem for path in Path(folder.__path__[0]).iterdir()} - SHARED
    assert {module_of(method).__name__.rsplit(".", 1)[-1] for method in ALL} == there
    names = [method.name for method in ALL]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)
def test_a_method_says_where_it_comes_from(method):
    assert method.reference in bibliography()
    assert method.title
    text = module_of(method).__doc__
    source = Path(module_of(method).__file__).read_text().split('"""', 2)[2]
    numbers = set(re.findall(r"\((\d)\)", text))
    assert numbers
    assert numbers & set(re.findall(r"# .*\((\d)\)", source)), "formula numbers must stand at the code lines"


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)
def test_a_method_has_the_kernels_of_its_scope(method):
    assert (method.tree is not None) == (method.scope == "tree")
    assert method.body is not None or method.tree is not None
    assert method.citation == method.reference
    assert method.max_turn == method.turn


def test_the_public_list_is_a_copy():
    ps.methods().clear()
    assert [method.name for method in ps.methods()] == [method.name for method in ALL]


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)
def test_evaluations_are_counted(method):
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("body", ps.Body(1.0, (1.0, 2.0, 2.5)), ps.Spherical())
    run = ps.simulate(
        m, m.state({"body": dict(angular_velocity=(1, 2, 3))}), method.name, step=0.01, steps=10
    )
    assert (run.iterations > 0) == method.implicit
    asked = method.evaluations
    if asked is None:
        assert run.evaluations > 0
    else:
        assert run.evaluations == run.steps * asked.step + run.iterations * asked.iteration


def test_only_methods_with_a_tolerance_or_derivatives_leave_their_evaluations_open():
    """And an iteration asks for the forces only in a method that iterates."""
    assert [method.name for method in ALL if method.evaluations is None] == ["radau2", "radau3", "dop853"]
    assert all(method.implicit for method in ALL if method.evaluations and method.evaluations.iteration)

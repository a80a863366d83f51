"""The list of methods, the folder they live in, and the facts they state."""

import re
from importlib import import_module
from pathlib import Path

import pytest

import poinsot as ps
import poinsot.core.methods.body as folder
from poinsot.core.methods import ALL
from poinsot.references import bibliography

PARTS = {
    "__init__",
    "kick",
    "nothing",
    "moser_veselov",
    "compositions",
}  # files that are shared parts, not methods


def test_every_file_is_in_the_list_and_names_are_unique():
    files = {path.stem for path in Path(folder.__path__[0]).glob("*.py")} - PARTS
    names = [method.name for method in ALL]
    assert sorted(names) == sorted(files)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)
def test_a_method_says_where_it_comes_from(method):
    assert method.reference in bibliography()
    assert method.title
    text = import_module(f"{folder.__name__}.{method.name}").__doc__
    source = Path(import_module(f"{folder.__name__}.{method.name}").__file__).read_text().split('"""', 2)[2]
    numbers = set(re.findall(r"\((\d)\)", text))
    assert numbers
    assert numbers & set(re.findall(r"# .*\((\d)\)", source)), "formula numbers must stand at the code lines"


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
    iterated = run.iterations // 10 if method.name in ("akw", "ls") else 0
    each = {"srkn4": 6, "rk4": 4, "rk4_raw": 4, "cg3": 3, "cg4": 5, "rkmk4": 4, "cf4": 4, "hstagm": 2}
    each |= {"nmb4": 5, "exk4": 5, "nmb6": 9, "exk6": 9, "akw": iterated, "ls": iterated}
    each |= dict.fromkeys(("exact", "dmv", "dmv4", "dmv6"), 0)
    assert run.evaluations == 10 * each.get(method.name, 1)
    assert (run.iterations > 0) == method.implicit

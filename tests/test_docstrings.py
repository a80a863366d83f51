"""Every public name says what it is and what it takes, and the examples run as they stand.

Public is what `__all__` of `poinsot` and of its public modules lists (`support.public`).  The rule: the first
line is a sentence; every argument is named, with its unit in brackets ("position of the joint [m]"); types
stand in the annotations; `Raises` and `Returns` only where they are not obvious; an example needs no heading.
"""

import doctest
import inspect
import re
from collections import Counter

import numpy as np
import pytest

import poinsot as ps
from support.public import MODULES, Public, exported, public

PRINTED = {"precision": 6, "suppress": True, "linewidth": 100}

PUBLIC = list(public())
EXPORTED = list(exported())
WITH_EXAMPLES = [one for one in PUBLIC if ">>>" in (inspect.getdoc(one.value) or "")]


def _sections(doc: str) -> dict[str, str]:
    """Return the text of each section of a NumPy-style docstring by its title."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}$", doc, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _described(section: str) -> set[str]:
    """Return the names that a section of parameters describes: "a, b : Text."."""
    heads = re.findall(r"^(\S.*?)(?: :.*)?$", section, flags=re.MULTILINE)
    return {name.strip().lstrip("*") for head in heads for name in head.split(",")}


def _arguments(one: Public) -> set[str]:
    """Return the names of the arguments that a user gives."""
    if one.kind == "property":
        return set()
    own = one.kind != "class" or not issubclass(one.value, Exception) or "__init__" in vars(one.value)
    parameters = inspect.signature(one.value).parameters if own else {}
    return set(parameters) - {"self", "cls", "mechanism", "state"}  # the last two are called so everywhere


@pytest.mark.parametrize("one", PUBLIC, ids=lambda one: one.name)
def test_a_public_name_is_documented(one):
    doc = inspect.getdoc(one.value) or ""
    assert doc, "no docstring"
    first = doc.splitlines()[0]
    assert first.endswith("."), f"the first line is no sentence: {first!r}"
    assert first[0].isupper() or first[0] in "`", first
    assert " " in first, f"the first line is no sentence: {first!r}"
    sections = _sections(doc)
    named = _described(sections.get("Parameters", "") + sections.get("Attributes", ""))
    if one.kind != "class" or len(_arguments(one)) <= 2:  # they may name their arguments in sentences
        named |= set(re.findall(r"`\*{0,2}(\w+)[^`]*`", doc))
    unnamed = _arguments(one) - named
    assert not unnamed, f"arguments without a description: {sorted(unnamed)}"


@pytest.mark.parametrize("one", WITH_EXAMPLES, ids=lambda one: one.name)
def test_the_examples_run(one, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(
        inspect.getdoc(one.value), {"np": np, "ps": ps}, one.name, None, 0
    )
    said: list[str] = []
    with np.printoptions(**PRINTED):
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("place", MODULES)
def test_a_public_module_shows_its_public_names_only(place):
    module = MODULES[place]
    assert dir(module) == sorted(module.__all__)
    assert len(set(module.__all__)) == len(module.__all__)


def test_a_name_has_one_import_path():
    paths = Counter(id(one.value) for one in EXPORTED)
    twice = {one.name for one in EXPORTED if paths[id(one.value)] > 1}
    assert not twice


TYPES = re.compile(r"(array_like|ndarray|float|int|str|bool|callable|dict|tuple|list)\b")


@pytest.mark.parametrize("one", EXPORTED, ids=lambda one: one.name)
def test_types_stand_in_annotations_only(one):
    """An entry is "name : Text [unit]."; "name : float" above an indented text is the form that we left."""
    sections = _sections(inspect.getdoc(one.value) or "")
    for section in ("Parameters", "Attributes"):
        heads = re.findall(r"^\S+(?:, \S+)* : (.*)$", sections.get(section, ""), flags=re.MULTILINE)
        typed = [head for head in heads if TYPES.match(head) and not head.endswith(".")]
        assert not typed, f"types in {section}: {typed}"


def test_defaults_that_are_texts_are_in_quotes():
    assert 'default "space".' in ps.Impulse.__doc__
    assert "default (0, 0, 0)." in ps.Impulse.__doc__


def test_signatures_can_be_read():
    """`help` shows `axis: ArrayLike`: not the union that it stands for, and not in quotes."""
    assert str(inspect.signature(ps.Revolute)) == "(axis: ArrayLike, armature: float = 0.0) -> None"
    seen = 0
    for one in PUBLIC:
        if one.kind == "property" or (one.kind == "class" and issubclass(one.value, Exception)):
            continue
        text = str(inspect.signature(one.value))
        assert "numpy._typing" not in text, one.name
        assert "'ArrayLike" not in text, one.name
        seen += "ArrayLike" in text
    assert seen > 100

"""Every public name has a NumPy-style docstring, and the examples in it run as they stand."""

import doctest
import inspect
import re

import numpy as np
import pytest

from support.public import Public, public

PRINTED = {"precision": 6, "suppress": True, "linewidth": 100}

PUBLIC = list(public())
WITH_EXAMPLES = [one for one in PUBLIC if ">>>" in (inspect.getdoc(one.value) or "")]


def _sections(doc: str) -> dict[str, str]:
    """Return the text of each section of a NumPy-style docstring by its title."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}$", doc, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _described(section: str) -> set[str]:
    """Return the names that a section of parameters describes: "a, b : float"."""
    heads = re.findall(r"^(\S.*?)(?: :.*)?$", section, flags=re.MULTILINE)
    return {name.strip().lstrip("*") for head in heads for name in head.split(",")}


def _arguments(one: Public) -> set[str]:
    """Return the names of the arguments that a user gives."""
    if one.kind == "property":
        return set()
    own = one.kind != "class" or not issubclass(one.value, Exception) or "__init__" in vars(one.value)
    parameters = inspect.signature(one.value).parameters if own else {}
    return {name for name in parameters if name not in ("self", "cls")}


def _returns(one: Public) -> bool:
    """Whether a function says that it returns something."""
    if one.kind not in ("function", "method"):
        return False
    return inspect.signature(one.value).return_annotation not in (None, "None", inspect.Signature.empty)


@pytest.mark.parametrize("one", PUBLIC, ids=lambda one: one.name)
def test_a_public_name_is_documented(one):
    doc = inspect.getdoc(one.value) or ""
    assert doc, "no docstring"
    first = doc.splitlines()[0]
    assert first.endswith("."), f"the first line is no sentence: {first!r}"
    assert first[0].isupper() or first[0] in "`", first
    assert " " in first, f"the first line is no sentence: {first!r}"
    sections = _sections(doc)
    arguments = _arguments(one)
    described = _described(sections.get("Parameters", "") + sections.get("Attributes", ""))
    assert arguments <= described, f"arguments without a description: {sorted(arguments - described)}"
    if _returns(one) and (one.kind == "function" or arguments):
        assert "Returns" in sections or "Yields" in sections
    if one.kind in ("class", "function"):
        assert ">>>" in sections.get("Examples", ""), "no example"


@pytest.mark.parametrize("one", WITH_EXAMPLES, ids=lambda one: one.name)
def test_the_examples_run(one, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(one.value), {}, one.name, None, 0)
    said: list[str] = []
    with np.printoptions(**PRINTED):
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "".join(said)

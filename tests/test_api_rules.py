"""The rules of the public interface (docs/api-rules.md), over the signatures of everything public."""

import inspect
import re
from pathlib import Path

import pytest

from support.public import EXPORTED_FUNCTIONS, PUBLIC

POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD
BY_POSITION = {  # what the design gives by position, and operands: what a function acts on
    "ps.simulate": {"method"},
    "ps.stream": {"method"},
    "ps.compare": {"methods", "steps"},
    "ps.control.match_poles": {"offset"},
    "ps.control.references.free_motion": {"attitude"},
    "ps.Rolling": {"at", "axis", "on", "point", "normal"},
    "ps.Skate": {"on", "point", "normal"},
    "ps.dynamics.acceleration": {"torques"},
    "ps.dynamics.jacobian": {"at"},
    "ps.dynamics.jacobian_rate": {"at"},
    "ps.dynamics.pose": {"at"},
    "ps.dynamics.position": {"at"},
    "ps.dynamics.relative_jacobian": {"at"},
    "ps.dynamics.relative_pose": {"at"},
    "ps.dynamics.velocity": {"at"},
    "ps.dynamics.equilibrium": {"inputs"},
    "ps.dynamics.modes": {"inputs"},
    "ps.dynamics.linearize": {"inputs", "method"},
    "ps.control.servos": {"commands"},
    "ps.dynamics.reactions_along": {"inputs"},
}
OPERANDS = re.compile(r"ps\.(so3|se3|quaternion|analytical)\.")  # Ad(R, x), lagrange(c, L, force)
BRITISH = re.compile(r"colour|centre|behaviour|\w{3}ise[ds]?$|isation|modelling|neighbour|manoeuvre")
ALLOWED = re.compile(r"(rise|wise|noise|precise|exercise|raise|advise|revise|promise)$")
PAGE = Path(__file__).parents[1] / "docs" / "api-rules.md"


def parameters(one):
    try:
        return [p for p in inspect.signature(one.value).parameters.values() if p.name not in ("self", "cls")]
    except (TypeError, ValueError):  # exceptions
        return []


@pytest.mark.parametrize("one", PUBLIC, ids=lambda one: one.name)
def test_a_mechanism_is_called_so_and_comes_first(one):
    names = [p.name for p in parameters(one)]
    assert "m" not in names
    assert "mechanism" not in names[1:] or one.kind == "class" or names[0] in ("path", "run"), names


@pytest.mark.parametrize("one", EXPORTED_FUNCTIONS, ids=lambda one: one.name)
def test_options_are_keyword_only(one):
    free = {p.name for p in parameters(one) if p.default is not p.empty and p.kind is POSITIONAL}
    assert "degrees" not in free
    assert OPERANDS.match(one.name) or free <= BY_POSITION.get(one.name, set())


FUNCTION_OR_COUNT = ("ps.StepError", "ps.ConvergenceError", "ps.EventError", "ps.Method")


@pytest.mark.parametrize("one", PUBLIC, ids=lambda one: one.name)
def test_step_is_a_size_and_steps_a_number(one):
    for p in parameters(one):
        if p.name == "step" and one.name not in FUNCTION_OR_COUNT:
            assert "float" in str(p.annotation), one.name
        if p.name == "steps" and one.name != "ps.compare":
            assert "int" in str(p.annotation), one.name


@pytest.mark.parametrize("one", PUBLIC, ids=lambda one: one.name)
def test_spelling_is_american_and_names_are_words(one):
    for name in (one.name.rsplit(".", 1)[-1], *(p.name for p in parameters(one))):
        found = BRITISH.search(name.lower())
        assert not found or ALLOWED.search(name.lower()), name


def test_one_word_for_one_thing():
    """But for matrices, which have the letters of the literature and of the design."""
    matrices = ("ps.Stiffness", "ps.Damping", "ps.Drag", "ps.dynamics.Linearization")
    synonyms = {"K": "stiffness", "D": "damping", "damp": "damping", "spring_constant": "stiffness"}
    wrong = [
        (one.name, p.name)
        for one in PUBLIC
        for p in parameters(one)
        if p.name in synonyms and not one.name.startswith(("ps.analytical", *matrices))
    ]
    assert not wrong


def test_every_rule_is_on_the_page():
    text = PAGE.read_text()
    for words in ("keyword-only", "`mechanism`", "`(t, state)`", "`steps`", "American", "One import path"):
        assert words in text

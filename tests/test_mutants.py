"""The changes that `make mutants` makes are changes of meaning, one at a time, where they say they are."""

import ast
from random import Random

import pytest

from mutants import __main__ as command
from mutants.sites import mutants

SOURCE = '''"""µ: a character of two bytes before everything."""

def f(x: "A < B", y=1 + 1):
    """A text: a < b."""
    if x[0] < 3 and not y:
        raise ValueError("a" + "b")
    z = x.copy()
    g(z)
    return -x + z * 2 if x is None else h(flag=True)
'''


def test_the_changes_of_a_small_function():
    changes = {(one.line, one.before, one.after) for one in mutants("f.py", SOURCE)}
    assert changes == {
        (5, "x[0] < 3 and not y", "(x[0] < 3 or not y)"),
        (5, "x[0] < 3 and not y", "(not y)"),
        (5, "x[0] < 3", "(x[0] <= 3)"),
        (5, "0", "1"),
        (5, "not y", "(y)"),
        (7, "x.copy()", "(x)"),
        (8, "g(z)", "None"),
        (9, "-x + z * 2 if x is None else h(flag=True)", "(h(flag=True) if x is None else -x + z * 2)"),
        (9, "-x + z * 2", "(-x - z * 2)"),
        (9, "-x + z * 2", "(-x)"),
        (9, "-x", "(x)"),
        (9, "z * 2", "(z / 2)"),
        (9, "x is None", "(x is not None)"),
        (9, "True", "False"),
    }


def test_a_sample_follows_from_its_seed_and_changes_the_meaning():
    first, again = (command.sample(Random(3), 60, "run") for _ in range(2))
    assert first == again
    for one in first:
        source = (command.SOURCES / one.file).read_text()
        assert one.file.startswith("run/")
        assert ast.dump(ast.parse(one.text(source))) != ast.dump(ast.parse(source))


@pytest.mark.parametrize("wrong", [True, False])
def test_a_mutant_dies_where_a_test_looks(tmp_path, wrong):
    (tmp_path / "src" / "poinsot").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    source = "def f(x):\n    return x + 1\n"
    (tmp_path / "src" / "poinsot" / "__init__.py").write_text("")
    target = tmp_path / "src" / "poinsot" / "a.py"
    target.write_text(source)
    expected = 4 if wrong else "f(3)"
    (tmp_path / "tests" / "test_a.py").write_text(
        f"from poinsot.a import f\n\ndef test():\n    assert f(3) == {expected}\n"
    )
    mutant = next(mutants("a.py", source))
    verdict = command.try_one(tmp_path, mutant, [{"tests": "test_a.py", "seconds": 1.0}])
    assert verdict.startswith("killed" if wrong else "survived")
    assert target.read_text() == source

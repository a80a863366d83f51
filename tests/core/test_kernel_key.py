"""The key of a kernel on disk: it follows the code that an entry can reach, and nothing else."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from poinsot.core.kernel_cache import PACKAGE

SCRIPT = """
import json
import poinsot.core.jit as jit
from poinsot.core import kernel_key
keys = {{}}

def note(entry):
    keys[entry.py_func.__name__] = kernel_key.key_of(entry.py_func, entry.signature_wanted)
    return entry

note.opaque_to_kernels = True  # it is not what it stands for
jit.ready = note
{before}
from numba import float64
from poinsot.core.solve import dense
from poinsot.core.control.tracking import tracking_on_loops
from poinsot.core.tree.loops.entries import constraints
from poinsot.core.body.time_loop import time_loop as one_body
from poinsot.core.tree.field import field
from poinsot.core.tree.forces.table import forces
from poinsot.core.tree.time_loop import time_loop as tree
from poinsot.compile.catalogue import by_name

for name in ("nmb", "lp2", "rk4"):
    one_body(by_name(name).body, float64)
for name in ("rk4", "gauss2", "variational"):
    tree(by_name(name).tree, float64)
field(float64), forces(float64), constraints(float64), tracking_on_loops(), dense._kernel("solve_lower")
print(json.dumps(keys))
"""


def keys(package=PACKAGE, before=""):
    """The keys of some kernels, made by a copy of the package."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_DISABLE_JIT": "0"}
    script = SCRIPT.format(before=before)
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    place = tmp_path_factory.mktemp("copy") / "poinsot"
    return shutil.copytree(PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__", "kernels"))


@pytest.fixture(scope="module")
def found():
    return keys()


def edited(package, *changes):
    """The keys with some words of files changed, (file, old, new); the files are restored."""
    before = {name: (package / name).read_text() for name, _, _ in changes}
    try:
        for name, old, new in changes:
            text = (package / name).read_text()
            assert old in text, f"{name} has no {old!r}"
            (package / name).write_text(text.replace(old, new, 1))
        return keys(package)
    finally:
        for name, text in before.items():
            (package / name).write_text(text)


def changed(a, b):
    assert a.keys() == b.keys()
    return {name for name in a if a[name] != b[name]}


def test_the_keys_do_not_depend_on_the_place_or_on_what_was_imported_before(package, found):
    assert len(found) >= 7
    assert keys(package) == found
    before = "import poinsot.core.numbers.jet, poinsot.compile.functions.drives, poinsot.lie.so3"
    assert keys(before=before) == found


def test_an_edit_of_a_docstring_a_comment_or_an_annotation_recompiles_nothing(package, found):
    cases = [
        ("core/lie/vec3.py", '"""', '"""Another word.  '),
        ("core/methods/explicit.py", '"""', '"""Another word.  '),
        ("core/tree/records.py", "\n\n\n", "\n\n\n# a comment\n\n\n"),
        ("core/lie/vec3.py", ": Vec3", ": object"),
        ("core/numbers/dual4.py", '"""', '"""Another word.  '),
        ("core/jit.py", '    """Compile a helper', '    """Another word.  Compile a helper'),
    ]
    assert not changed(found, edited(package, *cases))


def test_an_edit_of_a_method_recompiles_that_method(package, found):
    path = package / "core/methods/nmb.py"
    line = next(one for one in path.read_text().splitlines() if " / 2" in one or "0.5" in one)
    new = line.replace(" / 2", " / 2.0000001").replace("0.5", "0.5000001")
    assert changed(found, edited(package, ("core/methods/nmb.py", line, new))) == {"time_loop_body_nmb_1"}


def test_a_reordered_record_recompiles_what_uses_it(package, found):
    text = (package / "core/tree/joints/joint.py").read_text()
    lines = text[text.index("class LinkMotion(NamedTuple)") :].splitlines()
    fields = [line for line in lines[1:12] if ": " in line and '"""' not in line]
    one, other = fields[:2]
    swapped = edited(package, ("core/tree/joints/joint.py", f"{one}\n{other}", f"{other}\n{one}"))
    different = changed(found, swapped)
    assert "tree_1" in different  # the field of trees
    assert not any(name.startswith("time_loop_body") for name in different)


def test_a_renumbered_kind_recompiles_what_compares_with_it(package, found):
    """Here both numbers occur elsewhere in the kernels: a key of distinct values would not notice."""
    swapped = ("core/tree/joints/table.py", "PLANAR, HELICAL, FREE = range", "PLANAR, FREE, HELICAL = range")
    different = changed(found, edited(package, swapped))
    assert {"tree_1", "time_loop_tree_rk4_1"} <= different
    assert not {"time_loop_body_nmb_1", "time_loop_body_lp2_1"} & different


def test_an_edit_recompiles_less_than_a_quarter_of_the_kernels():
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_DISABLE_JIT": "0"}
    script = str(PACKAGE.parents[1] / "bench" / "recompiled.py")
    done = subprocess.run([sys.executable, script, "--json"], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["entries"] > 100
    assert found["shares"]["core/lie/vec3.py"] > 0.5  # what everything uses is seen to be used
    assert found["mean"] <= 0.25  # weighted by entries: the plan of the house; 0.18 when it was written


def test_an_edit_of_a_number_type_recompiles_everything(package, found):
    different = edited(package, ("core/numbers/dual4.py", "x.value * y.value", "y.value * x.value"))
    assert changed(found, different) == set(found)

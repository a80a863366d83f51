"""The recipes of CONTRIBUTING for a method and for a force, followed in a copy of the package.

A recipe is a list of new files and of edits (file, text, what stands there afterwards).  If an edit does not
fit, the lists have changed: change the recipe here and the words in CONTRIBUTING together.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import poinsot as ps

TESTS = Path(__file__).parent
SUPPORT = TESTS / "support"  # the files of two methods of order 1, as CONTRIBUTING wants them

METHODS = "core/methods"
METHOD_FILES = {
    f"{METHODS}/lie_euler.py": (SUPPORT / "lie_euler.py").read_text(),
    f"{METHODS}/tree_euler.py": (SUPPORT / "tree_euler.py").read_text(),
}
LIE_RECORD, TREE_RECORD = re.findall(
    r"    Method\(\n.*?^    \),\n", (SUPPORT / "euler_records.py").read_text(), re.DOTALL | re.MULTILINE
)
METHOD_EDITS = [
    (f"{METHODS}/records/one_body.py", "    EXKICK,\n", f"    EXKICK,\n{LIE_RECORD}"),
    (f"{METHODS}/records/trees.py", "    *(sgauss(s,", f"{TREE_RECORD}    *(sgauss(s,"),
]

WINCH_CORE = '''"""A winch between a point of A and a point of B: a rope with the constant tension T.

    d = x_B - x_A,   force on B = -T d/|d|,   V = T |d|                                         (1)

floats: point of A, point of B, T.
"""

from typing import Any

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import Vec3, cross
from poinsot.core.numbers.functions import sqrt
from poinsot.core.numbers.rows import get3
from poinsot.core.tree.dynamics.kinematics import Frame
from poinsot.core.tree.forces.pair import point


@jit
def act(A: Frame, B: Frame, floats: Any, k: int) -> tuple[Vec3, Vec3, float]:
    p = get3(floats, k + 3)
    d = vec3.sub(point(B, p), point(A, get3(floats, k)))
    length = sqrt(vec3.dot(d, d))
    force = vec3.scale(-floats[k + 6] / length, d)  # (1)
    return cross(mat3.apply(B.R, p), force), force, 0.0 * length
'''
WINCH_MODEL = '''"""A winch between points of two bodies."""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces.elements import Element, Places
from poinsot.model.forces.force import Snapshot
from poinsot.model.forces.springs import Between, point
from poinsot.model.rotations import dot


class Winch(Between):
    """A rope with a constant tension."""

    tension: float
    conservative, reads_velocity = True, False

    def __init__(self, a: str, b: str, tension: float, at_a: ArrayLike, at_b: ArrayLike) -> None:
        self._ends(a, b, at_a, at_b)
        vars(self).update(tension=checks.number(self.label, "tension", tension, zero=True))

    def energy(self, x: Snapshot) -> Array:
        d = point(x, self.b, self.at_b) - point(x, self.a, self.at_a)
        return np.asarray(self.tension * np.sqrt(dot(d, d)))

    def elements(self, places: Places) -> list[Element]:
        a, b = places.point(self.a, self.at_a), places.point(self.b, self.at_b)
        seats = places.bodies[self.a].link, places.bodies[self.b].link
        return [Element("winch", *seats, [*a, *b, self.tension])]
'''
FORCES = "core/tree/forces"
FORCE_FILES = {f"{FORCES}/winch.py": WINCH_CORE, "model/forces/winch.py": WINCH_MODEL}
FORCE_EDITS = [
    (f"{FORCES}/table.py", "damping, hold, spring, stiffness\n", "damping, hold, spring, stiffness, winch\n"),
    (f"{FORCES}/table.py", '"stiffness", "damping")', '"stiffness", "damping", "winch")'),
    (f"{FORCES}/table.py", "STIFFNESS, DAMPING = range", "STIFFNESS, DAMPING, WINCH = range"),
    (
        f"{FORCES}/table.py",
        "            elif kind == STIFFNESS:\n",
        "            elif kind == WINCH:\n"
        "                torque, force, power = winch.act(A, B, floats, k)\n"
        "            elif kind == STIFFNESS:\n",
    ),
    (
        "formats/data.py",
        "import Damping, Drag, Stiffness\n",
        "import Damping, Drag, Stiffness\nfrom poinsot.model.forces.winch import Winch\n",
    ),
    (
        "formats/data.py",
        '    JointDamper: ("joint", "damping"),\n',
        '    JointDamper: ("joint", "damping"),\n    Winch: ("a", "b", "tension", "at_a", "at_b"),\n',
    ),
]

METHOD_SCRIPT = """
m = ps.Mechanism()
m.add("top", ps.Body(1.0, (1.0, 2.0, 2.5), center_of_mass=(0.1, 0.2, 0.3)), ps.Spherical())
start = m.state({"top": dict(angular_velocity=(0.4, 1.0, 0.7))})
run = ps.simulate(m, start, "lie_euler", step=0.01, steps=100)
assert run.method.order == 1 and run.evaluations == 100
assert abs(run.angular_momentum[:, 2] - run.angular_momentum[0, 2]).max() < 1e-13
"""
FORCE_SCRIPT = """
from poinsot.model.forces.winch import Winch

m = ps.Mechanism()
m.add("top", ps.Body(1.0, (1.0, 2.0, 2.5), center_of_mass=(0.1, 0.2, 0.3)), ps.Spherical())
m.apply(Winch("world", "top", 7.0, at_a=(0.4, 0.3, -0.9), at_b=(0.2, -0.1, 0.5)))
start = m.state({"top": dict(angular_velocity=(0.4, 1.0, 0.7))})


def band(method, steps):
    run = ps.simulate(m, start, method, step=1.0 / steps, steps=steps)
    assert np.ptp(run.kinetic) > 0.1 and not run.work.any()
    return np.ptp(run.energy)


assert band("rk4", 200) < 1e-7, band("rk4", 200)
assert abs(np.log2(band("rk4", 50) / band("rk4", 100)) - 4) < 0.5, "energy is kept to the order of rk4"
assert abs(np.log2(band("tree_euler", 1000) / band("tree_euler", 2000)) - 1) < 0.1, "and of tree_euler"

ps.simulate(m, start, "rk4", step=0.01, steps=10, archive="winch.poinsot")
old = ps.load("winch.poinsot")
assert old.mechanism.forces[0].tension == 7.0, "files hold it"
assert old.energy[-1] == ps.simulate(old.mechanism, start, "rk4", step=0.01, steps=10).energy[-1]
"""


class Copy:
    """The package in another folder, with compiled kernels of its own."""

    def __init__(self, folder):
        self.folder, self.package = folder, folder / "src" / "poinsot"
        ignored = shutil.ignore_patterns("__pycache__", "results", "bundle")
        shutil.copytree(Path(ps.__file__).parent, self.package, ignore=ignored)
        path = os.pathsep.join([str(folder / "src"), str(TESTS)])
        self.environment = {**os.environ, "PYTHONPATH": path, "POINSOT_CACHE_DIR": str(folder / "cache")}

    def follow(self, files, edits):
        for name, text in files.items():
            assert not (self.package / name).exists()
            (self.package / name).write_text(text)
        for name, old, new in edits:
            text = (self.package / name).read_text()
            assert text.count(old) == 1, f"{name} has changed: where is {old!r}?"
            (self.package / name).write_text(text.replace(old, new))

    def python(self, *arguments, cwd):
        command = [sys.executable, *arguments]
        done = subprocess.run(command, env=self.environment, cwd=cwd, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def script(self, text):
        head = "import numpy as np\nimport poinsot as ps\nprint(ps.__file__)\n"
        printed = self.python("-W", "error", "-c", head + text, cwd=self.folder)
        assert Path(printed.split()[0]).parent == self.package


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """One copy for all recipes: they share what they compile."""
    made = Copy(tmp_path_factory.mktemp("recipes"))
    made.follow(METHOD_FILES, METHOD_EDITS)
    made.follow(FORCE_FILES, FORCE_EDITS)
    return made


def test_a_method_is_one_file_and_its_record_in_the_list(copy):
    copy.script(METHOD_SCRIPT)


def test_the_laws_measure_a_new_method(copy):
    """Order, reversibility, what it keeps, and its entry in the catalogue, by the tests for all methods."""
    laws = ["order", "registry", "reversible", "invariants"]
    files = [str(TESTS / "core" / "methods" / f"test_{law}.py") for law in laws]
    options = ["-v", "-p", "no:cacheprovider", "-k", "lie_euler or catalogue"]
    printed = copy.python("-m", "pytest", *options, *files, cwd=TESTS.parent)
    passed = [line for line in printed.splitlines() if "lie_euler" in line and "PASSED" in line]
    for law in laws:
        assert any(f"test_{law}.py" in line for line in passed), law


def test_a_force_is_two_files_and_its_lines_in_the_lists(copy):
    """Energy balance under the new force, with rk4 and with the new method for trees; files hold it."""
    copy.script(FORCE_SCRIPT)

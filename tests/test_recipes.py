"""The recipes of CONTRIBUTING for a method, a force and a joint, followed in a copy of the package.

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
    (f"{METHODS}/records.py", "    EXKICK,\n", f"    EXKICK,\n{LIE_RECORD}"),
    (f"{METHODS}/records.py", "    *(sgauss(s,", f"{TREE_RECORD}    *(sgauss(s,"),
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

from poinsot.model.checks import Array
from poinsot.model.fields import ZERO, Vector, number, vector
from poinsot.model.forces.force import Snapshot
from poinsot.model.forces.springs import AT_A, AT_B, Between


class Winch(Between):
    """A rope with a constant tension."""

    tension: float = number("tension of the rope, not negative", "N", zero=True)
    at_a: Vector = vector(AT_A, "m", default=ZERO)
    at_b: Vector = vector(AT_B, "m", default=ZERO)
    conservative, reads_velocity = True, False

    def energy(self, x: Snapshot) -> Array:
        return np.asarray(self.tension * self._distance(x))

    @property
    def _numbers(self) -> list[float]:
        return [self.tension]
'''
FORCE_FILES = {"core/tree/forces/winch.py": WINCH_CORE, "model/forces/winch.py": WINCH_MODEL}
FORCE_EDITS = [("core/tree/generate.py", "damper stiffness damping", "damper stiffness damping winch")]

RACK_CORE = '''"""Rack and pinion: a rotation about z that rolls along x.

    q in R,   R = exp(q z),   r = k q x,   S = (z, g),   g = k R^T x        k the radius of the pinion   (1)
    U = I S = (J z + H g, H^T z + M g),   d = S.U,   u = (tau - z.n - g.f)/d                             (2)
    q.. = u - U.(alpha, a)/d,   I' = I - U U^T/d                                                         (3)
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, sym3, vec3
from poinsot.core.lie.vec3 import ZERO, axpy, dot
from poinsot.core.numbers.arrays import Numbers, alike
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.numbers.trigonometry import sincos
from poinsot.core.tree.inertia import Articulated, accelerated, shift
from poinsot.core.tree.joints.joint import Acceleration, At, Column, JointMotion, LinkMotion

NQ, NV = 1, 1


@jit
def motion(at: At, q: Numbers, v: Numbers, own: Numbers) -> JointMotion:
    s, c = sincos(q[at.q])
    k = at.parameters[0]
    own[7], own[8] = k * c, -k * s  # g
    R = (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
    u = (k * c * v[at.v], -k * s * v[at.v], 0.0)
    return R, (k * q[at.q], 0.0, 0.0), (0.0, 0.0, v[at.v]), u, ZERO, ZERO  # (1)


@jit
def column(at: At, q: Numbers, j: int) -> Column:
    s, c = sincos(q[at.q])
    return (0.0, 0.0, 1.0), (at.parameters[0] * c, -at.parameters[0] * s, 0.0)


@jit
def transmit(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    J, H, M, n, f = A
    z, g = (0.0, 0.0, 1.0), (own[7], own[8], 0.0)
    Uw = vec3.add(sym3.apply(J, z), mat3.apply(H, g))  # (2)
    Uv = vec3.add(mat3.apply_t(H, z), sym3.apply(M, g))
    d = 1.0 / (Uw[2] + dot(g, Uv))
    u = d * (tau[at.v] - n[2] - dot(g, f))
    put3(own, 0, vec3.scale(d, Uw))
    put3(own, 3, vec3.scale(d, Uv))
    own[6] = u
    J1, M1 = sym3.sub(J, sym3.outer(d, Uw)), sym3.sub(M, sym3.outer(d, Uv))  # (3)
    H1 = mat3.sub(H, mat3.scale(d, mat3.outer(Uw, Uv)))
    B = alike(A, Articulated(J1, H1, M1, axpy(u, Uw, n), axpy(u, Uv, f)))
    return shift(link.R, link.r, accelerated(B, link.zeta, link.beta))


@jit
def accelerate(at: At, x: Acceleration, own: Numbers, out: Numbers) -> Acceleration:
    alpha, a = x
    rate = own[6] - (dot(get3(own, 0), alpha) + dot(get3(own, 3), a))  # (3)
    out[at.v] = rate
    g = (own[7], own[8], 0.0)
    return Acceleration((alpha[0], alpha[1], alpha[2] + rate), axpy(rate, g, a))
'''
RACK_MODEL = '''"""Rack and pinion."""

from functools import cached_property

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.constraints import ConnectionFrame, Constraint
from poinsot.model.fields import number
from poinsot.model.joints.axial import OneAxis
from poinsot.model.joints.joint import CoreJoint, Poses, Twists, about
from poinsot.model.rotations import apply, inverse


class Rack(OneAxis):
    """A pinion that turns about an axis and rolls along a rack, which lies along e1 of the joint frame."""

    radius: float = number("radius of the pinion", "m")
    nq, nv = 1, 1
    coordinates, velocities = ("angle",), ("rate",)
    loop_refusal = "counts whole turns, which a loop constraint cannot do"

    def pose(self, q: Array) -> Poses:
        return about(self.axis, q[..., 0]), self.radius * q * self.frame[:, 0]

    def twist(self, q: Array, v: Array) -> Twists:
        along = self.radius * v * self.frame[:, 0]
        return v * np.asarray(self.axis), apply(inverse(about(self.axis, q[..., 0])), along)

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("rack", self.frame, (self.radius,))]

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        raise ModelError(f"a Rack joint {self.loop_refusal}")
'''
JOINT_FILES = {"core/tree/joints/rack.py": RACK_CORE, "model/joints/rack.py": RACK_MODEL}
JOINT_EDITS = [("core/tree/generate.py", "planar helical free", "planar helical rack free")]
ORACLE_EDITS = [  # the independent description
    ("oracle.py", '    "helical": (1, 1),\n', '    "helical": (1, 1),\n    "rack": (1, 1),\n'),
    (
        "oracle.py",
        '    if kind == "universal":\n',
        '    if kind == "rack":\n'
        '        way = plane(numbers, a)[0] * numbers.mpf(joint["radius"])\n'
        '        return turn(numbers, a, q[0]), way * q[0], [(TURN, a, "joint"), (SLIDE, way, "joint")]\n'
        '    if kind == "universal":\n',
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
assert "tension of the rope, not negative [N]" in Winch.__doc__

ps.simulate(m, start, "rk4", step=0.01, steps=10, archive="winch.poinsot")
old = ps.load("winch.poinsot")
assert old.mechanism.forces[0].tension == 7.0, "files hold it"
assert old.energy[-1] == ps.simulate(old.mechanism, start, "rk4", step=0.01, steps=10).energy[-1]
"""


JOINT_SCRIPT = """
from poinsot.formats.data import from_data, to_data
from poinsot.formats.scenario_file.fields import JOINTS
from poinsot.model.joints.rack import Rack
from support import oracle, random_trees

assert "rack" in random_trees.KINDS and set(JOINTS["rack"].fields) == {"axis", "radius"}, "files hold it"
assert "radius of the pinion [m]" in Rack.__doc__
for seed, kinds in enumerate((["rack"], ["rack", "revolute"], ["prismatic", "rack", "rack"])):
    data, q, v, _ = random_trees.tree(seed, kinds)
    m = from_data(data)
    exact = np.array(oracle.acceleration(data, q, v), dtype=float)
    found = ps.dynamics.acceleration(m, ps.State(0.0, q, v))
    assert abs(found - exact).max() < 1e-12 * abs(exact).max(), (kinds, found, exact)
    assert to_data(from_data(to_data(m))) == to_data(m)

m = ps.Mechanism(gravity=(-1.0, 0.5, -9.81))
m.add("pinion", ps.Body(1.0, (1.0, 2.0, 2.5), center_of_mass=(0.1, 0.2, 0.3)), Rack((0, 0, 1), radius=0.4))
run = ps.simulate(m, m.state({"pinion": dict(rate=3.0)}), "rk4", step=0.005, steps=200)
assert np.ptp(run.kinetic) > 0.1 and np.ptp(run.energy) < 1e-8
assert abs(run.position("pinion") - run.position("pinion")[0]).max() > 0.1
"""


class Copy:
    """The package in another folder; a kernel is known by its code, so that the second time it is found."""

    def __init__(self, folder):
        self.folder, self.package = folder, folder / "src" / "poinsot"
        ignored = shutil.ignore_patterns("__pycache__", "results", "bundle")
        shutil.copytree(Path(ps.__file__).parent, self.package, ignore=ignored)
        self.support = shutil.copytree(SUPPORT, folder / "tests" / "support", ignore=ignored)
        path = os.pathsep.join([str(folder / "src"), str(folder / "tests"), str(TESTS)])
        self.environment = {**os.environ, "PYTHONPATH": path}

    def follow(self, files, edits, place=None):
        for name, text in files.items():
            assert not (self.package / name).exists()
            (self.package / name).write_text(text)
        for name, old, new in edits:
            file = (place or self.package) / name
            text = file.read_text()
            assert text.count(old) == 1, f"{name} has changed: where is {old!r}?"
            file.write_text(text.replace(old, new))

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
    made.follow(JOINT_FILES, JOINT_EDITS)
    made.follow({}, ORACLE_EDITS, made.support)
    made.python("-m", "poinsot.core.tree.generate", cwd=made.folder)
    return made


@pytest.mark.slow
def test_a_method_is_one_file_and_its_record_in_the_list(copy):
    copy.script(METHOD_SCRIPT)


@pytest.mark.slow
def test_the_laws_measure_a_new_method(copy):
    """Order, reversibility, what it keeps, and its entry in the catalogue, by the tests for all methods."""
    laws = ["order", "registry", "reversible", "invariants"]
    files = [str(TESTS / "core" / "methods" / f"test_{law}.py") for law in laws]
    options = ["-v", "-p", "no:cacheprovider", "-k", "lie_euler or catalogue"]
    printed = copy.python("-m", "pytest", *options, *files, cwd=TESTS.parent)
    passed = [line for line in printed.splitlines() if "lie_euler" in line and "PASSED" in line]
    for law in laws:
        assert any(f"test_{law}.py" in line for line in passed), law


def test_a_force_is_two_files_and_its_word_in_a_list(copy):
    """Energy balance under the new force, with rk4 and with the new method for trees; files hold it."""
    copy.script(FORCE_SCRIPT)


@pytest.mark.slow
def test_a_joint_is_two_files_and_its_word_in_a_list(copy):
    """Accelerations against the oracle, energy of a run, and files."""
    copy.script(JOINT_SCRIPT)

"""Users' functions are compiled once for all processes, and never found again when anything has changed."""

import math
import subprocess
import sys
import textwrap

import pytest

SCRIPT = """
import math, sys
import poinsot as ps
from poinsot.compile.functions.body import compiled
from poinsot.core import kernel_cache
import parameters

K = {K}
TABLE = ({L}, 2.0)

def helper(x, factor={D}):
    return factor * x + parameters.M

def made(gain):
    def force(t, R, w, p, v):
        known = parameters
        return gain * math.sin(w[0]), helper(K * w[1]), {C} + known.N + TABLE[0]
    return force

force = ps.Torque("b", made({G}))
f = compiled(force, ps.Body(1.0, (1, 2, 3)).center_of_mass)
print(*f(0.0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.3, 0.4, 0.5), (0.0,) * 3, (0.0,) * 3)[:3])
print(len(kernel_cache.compiled))
"""
VALUES = {"K": 1.0, "L": 0.25, "D": 1.5, "C": 0.125, "G": 2.0, "M": 3.0, "N": 0.5}


def run(environment, folder, **changed):
    values = {**VALUES, **changed}
    (folder / "parameters.py").write_text(f"M = {values['M']}\nN = {values['N']}\n")
    (folder / "script.py").write_text(SCRIPT.format(**values))
    settings = {**environment, "POINSOT_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, str(folder / "script.py")], env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    *found, count = (float(x) for x in done.stdout.split())
    return found, int(count)


def expected(values):
    K, L, D, C, G, M, N = (values[name] for name in "KLDCGMN")
    return [G * math.sin(0.3), D * (K * 0.4) + M, C + N + L]


def test_a_function_is_found_again_by_another_process_and_never_when_it_has_changed(environment, tmp_path):
    """A closure cell, and a module attribute by another name; `tests/model/test_identity.py` has the rest."""
    found, count = run(environment, tmp_path)
    assert (found, count) == (pytest.approx(expected(VALUES), rel=1e-15), 1)
    assert run(environment, tmp_path) == (found, 0)
    for name in "GN":
        changed, count = run(environment, tmp_path, **{name: 7.0})
        assert (changed, count) == (pytest.approx(expected({**VALUES, name: 7.0}), rel=1e-15), 1), name
    assert run(environment, tmp_path) == (found, 0)


def test_a_function_that_cannot_be_kept_is_compiled_each_time(environment, tmp_path):
    script = textwrap.dedent(
        """
        import numpy as np, poinsot as ps
        from poinsot.compile.functions.body import compiled
        from poinsot.core import kernel_cache
        TABLE = np.arange(300000.0)  # too large to be part of the machine code
        def force(t, R, w, p, v):
            return TABLE[5], 0.0, 0.0
        f = compiled(ps.Torque("b", force), ps.Body(1.0, (1, 2, 3)).center_of_mass)
        print(f(0.0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.3,) * 3, (0.0,) * 3, (0.0,) * 3)[0])
        print(len(kernel_cache.compiled))
        """
    )
    settings = {**environment, "POINSOT_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-W", "error", "-c", script]
    for _ in range(2):
        done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
        assert done.stdout.split() == ["5.0", "1"], done.stderr[-2000:]


EXPRESSIONS = """
import poinsot as ps
from numba.core import event
from poinsot.compile.functions import body, potentials, tree
from poinsot.core.numbers.v4d import v4d
from poinsot.core import kernel_cache


class Compilations(event.Listener):
    count = 0

    def on_start(self, event):
        Compilations.count += 1

    def on_end(self, event):
        pass


m = ps.scenario("forces.toml").mechanism
event.register("numba:compile", Compilations())
pushed, hung, driven = m.forces
c = m.link("a").body.center_of_mass
body.compiled(pushed, c, v4d)
potentials.compiled(hung)
tree.compiled([[driven]], m, v4d)
print(Compilations.count, len(kernel_cache.compiled))
"""
FORCES = """
step = 0.1
until = 1.0
[[bodies]]
name = "a"
mass = 1
inertia = [1, 1, 1]
joint = { kind = "revolute", axis = [0, 1, 0] }
[[forces]]
kind = "Torque"
body = "a"
torque = ["w[0] if t < 1 else 0", "0", "0"]
[[forces]]
kind = "Wrench"
body = "a"
force = ["-p[0]", "0", "0"]
potential = "p[0] ** 2 / 2"
[[forces]]
kind = "JointTorque"
joint = "a"
torque = ["-q[0] if v[0] < 1 else 0"]
"""


@pytest.mark.slow
def test_expressions_of_a_file_are_compiled_once_for_all_processes(environment, tmp_path):
    """Also the ways to compile them that fail, here for lanes that would branch, are not tried again."""
    (tmp_path / "forces.toml").write_text(FORCES)
    settings = {**environment, "POINSOT_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-W", "error", "-c", EXPRESSIONS]
    counts = []
    for text in (FORCES, FORCES, FORCES.replace("-p[0]", "-2 * p[0]").replace("/ 2", "/ 1")):
        (tmp_path / "forces.toml").write_text(text)
        done = subprocess.run(
            command, env=settings, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        counts.append([int(x) for x in done.stdout.split()])
    first, second, third = counts
    assert first[0] > 10
    assert second == [0, 0]
    assert 0 < third[0] < first[0]
    assert third[1] == 1  # the potential

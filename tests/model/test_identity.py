"""A function is another one when anything that it reads is another one."""

import subprocess
import sys
import types

import numpy as np
import pytest

import poinsot as ps
from poinsot.model.identity import digest_of_callable, source_digest

config = types.ModuleType("config")
config.K, config.deep = 1.0, types.SimpleNamespace(gain=[1.0, {"a": 2.0}])


class Settings:
    def __init__(self):
        self.k = 1.0


settings = Settings()
NUMBERS = [1.0, (2.0, {"x": 3.0})]


def reads_module():
    return config.K


def reads_deeply():
    return config.deep.gain[0]


def reads_object():
    return settings.k


def reads_container():
    return NUMBERS[0]


@pytest.mark.parametrize(
    ("function", "change"),
    [
        (reads_module, lambda: setattr(config, "K", 2.0)),
        (reads_deeply, lambda: config.deep.gain[1].update(a=3.0)),
        (reads_object, lambda: setattr(settings, "k", 2.0)),
        (reads_container, lambda: NUMBERS[1][1].update(x=4.0)),
    ],
)
def test_what_a_function_reads_is_part_of_it(function, change):
    before = source_digest(function)
    assert source_digest(function) == before
    change()
    assert source_digest(function) != before


def test_what_a_function_does_not_read_is_not():
    before = source_digest(reads_object)
    settings.other = 5.0
    try:
        assert source_digest(reads_module) == source_digest(reads_module)
        assert digest_of_callable(reads_module) == digest_of_callable(reads_module)
    finally:
        del settings.other
    assert source_digest(reads_object) == before


def test_a_force_that_reads_a_module_follows_it():
    module = types.ModuleType("module")
    module.K = 1.0
    m = ps.Mechanism()
    m.add("top", ps.Cylinder(0.3, 0.1).body(mass=1.0, center_of_mass=(0, 0, 0.4)), ps.Spherical())
    m.apply(ps.Torque("top", lambda t, R, w, p, v: (0.0, 0.0, module.K)))
    start = m.state()
    one = ps.simulate(m, start, "rk4", step=0.01, steps=10).final
    module.K = 5.0
    two = ps.simulate(m, start, "rk4", step=0.01, steps=10).final
    assert two.v[2] == pytest.approx(5 * one.v[2], rel=1e-12)
    assert one.memory.fingerprint != two.memory.fingerprint


def deep(n):
    """A chain of n functions, each of which calls the next one twice."""
    names = {"f0": lambda x: x}
    for i in range(1, n):
        exec(f"def f{i}(x): return f{i - 1}(x) + f{i - 1}(x)", names)
    return names[f"f{n - 1}"]


def test_the_cost_grows_with_the_call_graph_only():
    assert source_digest(deep(60)) != source_digest(deep(61))  # 2^60 paths


@pytest.mark.parametrize(
    "library", ["scipy.optimize.minimize", "scipy.linalg.expm", "scipy.integrate.solve_ivp"]
)
def test_libraries_are_known_by_name_and_version(library):
    """In a process of its own: this ate all memory."""
    module, name = library.rsplit(".", 1)
    code = (
        f"import resource; from {module} import {name} as f\n"
        "from poinsot.model.identity import source_digest\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "def controller(t, state, memory): return [f], memory\n"
        "source_digest(controller)\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 20  # MB


def test_arrays_count_by_value_and_type():
    def of(array):
        return source_digest(lambda: array)

    a = np.arange(3.0)
    assert of(a) == of(a.copy())
    assert of(a) != of(a.astype(np.float32))
    assert of(a) != of(a[::-1].copy())


def test_attributes_of_a_module_count_under_any_name():
    """`c = cfg; c.K`, getattr(cfg, "K"), and a module inside a module."""
    inner, outer = types.ModuleType("inner"), types.ModuleType("outer")
    outer.inner = inner

    def by_another_name():
        one = outer
        other = one.inner
        return other.K

    def by_text():
        return getattr(inner, "K")  # noqa: B009

    for function in (by_another_name, by_text):
        digests = []
        for inner.K in (1.0, 2.0, 1.0):
            digests.append(source_digest(function))
        assert digests[0] == digests[2] != digests[1]


def test_a_name_of_poinsot_that_is_imported_later_is_the_same_before_and_after(environment):
    """`ps.State` is imported at its first use; the digest of a function that mentions it does not notice."""
    script = """
import poinsot as ps
from poinsot.model.identity import source_digest
def reset(state):
    return ps.State(state.time, state.q, -state.v)
assert "Advice" not in vars(ps) and "State" not in vars(ps)
before = source_digest(reset)
assert before == source_digest(reset) and vars(ps)["State"]
vars(ps).pop("State")
assert before == source_digest(reset)
"""
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

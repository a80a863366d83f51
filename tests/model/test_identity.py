"""A function is another one when anything that it reads is another one."""

import array
import collections
import copy
import dataclasses
import decimal
import enum
import functools
import random
import subprocess
import sys
import threading
import types

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import poinsot as ps
from poinsot.model import identity
from poinsot.model.identity import digest_of_callable, identity_of, library_of, source_digest

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
ps.State
assert before == source_digest(reset) and vars(ps)["State"]
"""
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@dataclasses.dataclass(slots=True)
class Slots:
    k: float


def of_class(k, **more):
    """An instance whose class, not itself, holds k."""
    body = {"k": k, "__call__": lambda self, t: self.k * t, **more}
    return type("Law", (), body)()


def keyword_only(k):
    def f(t, *, gain=k):
        return gain * t

    return f


def own_module(k):
    """A module that the function imports when it is called."""
    sys.modules.setdefault("own_module_of_a_test", types.ModuleType("own_module_of_a_test")).K = k

    def f(t):
        import own_module_of_a_test as own

        return own.K * t

    return f


def records(k):
    names = ["a", "b"] if k == 1.0 else ["b", "a"]
    return np.array([(1.0, 50.0)], dtype=[(name, "f8") for name in names])


def mechanism(k):
    return ps.Mechanism().add("a", ps.Box(1.0).body(mass=k), ps.Revolute((0, 1, 0)))


HELD = {  # what a function may hold, with a number inside
    "slots": Slots,
    "named tuple by its fields": lambda k: collections.namedtuple("P", "x y" if k == 1.0 else "y x")(
        1.0, 50.0
    ),
    "records by their fields": records,
    "layout of an array": lambda k: (
        np.arange(6.0).reshape(2, 3) if k == 1.0 else np.array(np.arange(6.0).reshape(2, 3), order="F")
    ),
    "array of objects": lambda k: np.array([k, None], dtype=object),
    "masked array": lambda k: np.ma.array([1.0, k], mask=[0, 0]),
    "deque": lambda k: collections.deque([k]),
    "ordered dict": lambda k: collections.OrderedDict(a=k),
    "default dict": lambda k: collections.defaultdict(float, a=k),
    "set": lambda k: {k, "a", (1, 2)},
    "array.array": lambda k: array.array("d", [k]),
    "decimal": decimal.Decimal,
    "subclass of float": lambda k: type("F", (float,), {})(k),
    "member of an enum": lambda k: enum.Enum("E", {"A": k}).A,
    "spline": lambda k: CubicSpline([0.0, 1.0, 2.0], [k, k, 0.0]),
    "polynomial": lambda k: np.poly1d([k, 1.0]),
    "generator": lambda k: np.random.default_rng(int(k)),
    "partial": lambda k: functools.partial(pow, k),
    "bound method": lambda k: [k].index,
    "cached function": lambda k: functools.lru_cache(lambda: k),
    "property": lambda k: of_class(0.0, g=property(lambda self: k)),
    "cached property": lambda k: of_class(0.0, g=functools.cached_property(lambda self: k)),
    "another method": lambda k: of_class(0.0, g=lambda self: k),
    "class attribute": of_class,
    "text that is called identity": lambda k: types.SimpleNamespace(identity="pd", k=k),
    "mechanism": mechanism,
    "bound mechanics": lambda k: ps.dynamics.bind(mechanism(k)),
}
FUNCTIONS = {
    **{name: lambda k, make=make: (lambda x: lambda t: x)(make(k)) for name, make in HELD.items()},
    "class attribute of the function": of_class,
    "keyword-only default": keyword_only,
    "module imported inside": own_module,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_that_read_something_else_are_different(name):
    """Each pair had equal digests before, or could have: `ps.resume` went on with another law."""
    one = identity_of(FUNCTIONS[name](1.0))
    assert one == identity_of(FUNCTIONS[name](1.0))
    other = identity_of(FUNCTIONS[name](50.0))
    assert other.digest != one.digest
    assert (one.unknown, other.unknown) == ("", "")


def test_digests_are_the_same_in_every_process(environment):
    script = (
        "import sys; sys.path[:0] = ['tests', '.']\n"
        "from model.test_identity import FUNCTIONS, identity_of\n"
        "print([identity_of(make(1.0)).digest for make in FUNCTIONS.values()])"
    )
    found = set()
    for seed in ("1", "2"):
        env = {**environment, "PYTHONHASHSEED": seed}
        found.add(
            subprocess.run(
                [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True
            ).stdout
        )
    assert len(found) == 1
    assert len(found.pop()) > 18 * len(FUNCTIONS)


LOCK, LOGGED = threading.Lock(), []


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (lambda t: LOCK, "a _thread.lock"),
        (lambda t: open("gains.txt"), "what open() reads"),  # noqa: SIM115
        (lambda t: random.gauss(0, 1), "the random numbers of the process (gauss)"),
        (lambda t: np.random.normal(), "the random numbers of the process (normal)"),  # noqa: NPY002
        (lambda t: getattr(config, str(t)), "the module 'config' as a whole"),
        (lambda t: (one for one in LOGGED), ""),
        (ps.control.regulator, ""),
    ],
)
def test_what_has_no_value_is_told(function, what):
    assert identity_of(function).unknown == what


def test_what_a_law_of_the_library_hides_is_told():
    """The identity of an object of Poinsot asks for that of a function inside it."""

    class Law:
        __module__ = "poinsot.control.test"

        @property
        def identity(self):
            return digest_of_callable(lambda t: LOCK)

    law = Law()
    assert identity_of(lambda t: law).unknown == "a _thread.lock"


def test_long_chains_and_large_lists_end(monkeypatch):
    """A closure in a closure in a closure ended with a RecursionError."""

    def nested(n, x):
        for _ in range(n):
            x = (lambda y: lambda: y)(x)
        return x

    assert digest_of_callable(nested(3000, 1.0)) != digest_of_callable(nested(3000, 2.0))
    monkeypatch.setattr(identity, "MOST", 1000)
    large = list(range(2000))
    assert identity_of(lambda: large).unknown == identity.TOO_MUCH
    with pytest.raises(ps.ModelError, match="a function reaches more than"):
        source_digest(lambda: large)


def test_a_set_that_holds_what_leads_to_it_ends():
    """A register of functions that read it, and sets in sets: both were a RecursionError."""

    def register(k):
        known = set()

        def law(t):
            return k * len(known)

        known.add(law)
        return law

    assert identity_of(register(1.0)) == identity_of(register(1.0)) != identity_of(register(2.0))
    assert not identity_of(register(1.0)).unknown
    deep = frozenset()
    for _ in range(2000):
        deep = frozenset([deep])
    assert "sets deep" in identity_of(lambda: deep).unknown


def test_libraries_are_libraries_wherever_they_are_installed(monkeypatch, tmp_path):
    """For the user, by the system, or in an environment below this one."""
    for folder, library in (("dist-packages", True), ("site-packages", True), ("packages", False)):
        place = tmp_path / folder / f"own_{folder[:4]}.py"
        place.parent.mkdir()
        place.write_text("K = 1.0")
        monkeypatch.syspath_prepend(place.parent)
        __import__(place.stem)
        assert bool(library_of(place.stem)) == library


def test_a_bound_object_is_pickled_as_its_mechanism():
    d = ps.dynamics.bind(mechanism(2.0))
    q, v = np.array([0.3]), np.array([0.1])
    assert copy.deepcopy(d).acceleration(q, v) == d.acceleration(q, v)


def test_a_part_of_a_library_that_is_imported_at_first_use_is_the_same_before_and_after(
    tmp_path, environment
):
    """`ps.so3` was none before a law called it, and a module after: its run warned of a change."""
    script = tmp_path / "first.py"
    script.write_text(
        "import sys\n"
        "import poinsot as ps\n"
        "from poinsot.model.identity import digest_of_callable\n"
        "def law(t, state, memory):\n"
        "    return ps.so3.log(ps.so3.exp(state.q)), memory\n"
        "assert 'poinsot.lie.so3' not in sys.modules\n"
        "before = digest_of_callable(law)\n"
        "from poinsot.lie import so3\n"
        "vars(ps)['so3'] = so3\n"
        "assert digest_of_callable(law) == before\n"
    )
    subprocess.run([sys.executable, str(script)], env=environment, check=True)

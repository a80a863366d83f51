"""The kernels that a user can reach, as jobs for processes that compile side by side.

A job is a line of text, "kind name", which `perform` understands in any process.  Everything is reached in
float64, and `linearize` also on dual numbers; methods whose stages are lanes use fields on v4d.  The kernels
of a stage are independent of each other.  Those of the second stage are compiled with those of the first,
which they call, at hand; the last stage makes the calls of users, and finds nearly everything compiled.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, NamedTuple

from poinsot.compile.catalogue import by_name
from poinsot.core.kernel_cache import folders
from poinsot.core.methods import ALL

if TYPE_CHECKING:
    from poinsot.core.methods.method import Method
    from poinsot.gallery.scenario import Scenario

SECONDS = {  # of one processor, measured once: the progress bar moves evenly
    "passes": 15.0,
    "shared": 6.0,
    "derivative": 8.0,
    "derivative sgauss1": 100.0,
    "tree": 6.0,
    "fallback": 6.0,
    "body": 3.0,
    "body-derivative": 6.0,
    "entry": 2.0,
    "lie": 0.5,
    "run": 0.5,
    "linearize": 0.5,
    "calls": 2.0,
}
DOUBLES = {"1": "float64", "4": "v4d", "5": "dual4"}  # of a number
FOLDERS = ("poinsot.core.tree.dynamics", "poinsot.core.tree.loops")  # with entries for Python
DERIVED = ("jacobian", "constraints")  # entries that are also called on dual numbers
FACTORIES = ("field", "forces", "no_forces", "no_functions")


class Job(NamedTuple):
    """A few kernels that one process compiles."""

    stage: int
    kind: str
    name: str

    @property
    def line(self) -> str:
        """The job as text."""
        return f"{self.kind} {self.name}"

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        return SECONDS.get(self.line) or SECONDS[self.kind]


def jobs_of(names: Iterable[str]) -> list[Job]:
    """Return the jobs of the methods of these names, for one body and for trees."""
    found: dict[str, Job] = {}
    for name in names:
        for job in _method(name, derivatives=False):
            found.setdefault(job.line, job)
    return sorted(found.values(), key=lambda job: (job.stage, -job.seconds))


def missing_bodies(names: Iterable[str]) -> list[Job]:
    """Return the jobs of methods for one body of which there is no kernel, by the names of the files.

    A kernel that is damaged or for another processor is compiled where it is needed.
    """
    files = {path.name.rsplit("-", 1)[0] for folder in folders() for path in folder.glob("*.kernel")}
    return [Job(1, "body", name) for name in names if f"time_loop_body_{name}_1" not in files]


def all_jobs() -> list[Job]:
    """Return the jobs of everything that a user can reach."""
    found: dict[str, Job] = {job.line: job for job in _shared("1", "5")}
    for method in ALL:
        for job in _method(method.name, derivatives=True):
            found.setdefault(job.line, job)
    for job in _others():
        found.setdefault(job.line, job)
    return sorted(found.values(), key=lambda job: (job.stage, -job.seconds))


def _shared(*doubles: str) -> Iterator[Job]:
    for number in doubles:
        yield from (Job(1, "shared", f"{factory}.{number}") for factory in FACTORIES)


def _method(name: str, derivatives: bool) -> Iterator[Job]:
    """Yield the jobs of a method; methods with the same kernel have the same jobs."""
    method = by_name(name)
    yield Job(3, "run", name)
    if derivatives:
        yield Job(3, "linearize", name)
    first = {one.tree.name: one.name for one in reversed(ALL) if one.tree is not None}
    if method.body is not None:
        yield Job(1, "body", name)
        if derivatives and method.duals:
            yield Job(1, "body-derivative", name)
    kernel = method.tree
    if kernel is None:
        return
    name = first[kernel.name]
    inner = "4" if kernel.stages_in_lanes else "1"
    yield from _shared(inner)
    if kernel.passes is not None:
        yield Job(1, "passes", f"{name}.{inner}")
    yield Job(2, "tree", name)
    if kernel.fallback is not None:
        yield Job(2, "fallback", name)
    if derivatives and method.duals:
        if kernel.passes is not None:
            yield Job(1, "passes", f"{name}.5")
        yield Job(2, "derivative", name)


def _others() -> Iterator[Job]:
    from poinsot.lie import quaternion, se3, so3  # noqa: F401 - they fill the list
    from poinsot.lie.batch import BATCHED

    yield from (Job(1, "lie", name) for name in BATCHED)
    for place in _entries():
        yield Job(1, "entry", f"{place}.1")
        if place.rsplit(".", 1)[-1].removeprefix("point_") in DERIVED:
            yield Job(1, "entry", f"{place}.5")
    yield Job(1, "shared", "evaluation.5")
    yield Job(1, "shared", "vector_field.1")
    yield Job(3, "calls", "dynamics")


def _entries() -> Iterator[str]:
    """Yield the places of the entries for Python that exist for each number type."""
    for folder in FOLDERS:
        for one in iter_modules(import_module(folder).__path__, f"{folder}."):
            for name, value in vars(import_module(one.name)).items():
                made = getattr(value, "__wrapped__", None)
                if made is not None and made.__qualname__.startswith("family."):
                    yield f"{one.name}.{name}"


def perform(line: str) -> None:
    """Compile the kernels of a job, or find them on disk."""
    kind, name = line.split()
    KINDS[kind](name)


def _number(doubles: str) -> Any:
    from numba import float64

    from poinsot.core.numbers.dual4 import dual4
    from poinsot.core.numbers.v4d import v4d

    return {"float64": float64, "v4d": v4d, "dual4": dual4}[DOUBLES[doubles]]


def _make_shared(name: str) -> None:
    from poinsot.core.body.field import vector_field
    from poinsot.core.tree.field import evaluation, field
    from poinsot.core.tree.forces import table

    factory, doubles = name.split(".")
    if factory == "vector_field":
        vector_field()
        return
    makers = {"field": field, "evaluation": evaluation}
    (makers.get(factory) or getattr(table, factory))(_number(doubles))


def _make_passes(name: str) -> None:
    method, doubles = name.split(".")
    kernel = by_name(method).tree
    assert kernel is not None
    assert kernel.passes is not None
    kernel.passes(_number(doubles), doubles != "5")  # mechanisms with loops have no derivative


def _make_body(name: str, doubles: str = "1") -> None:
    from poinsot.core.body.load import no_force
    from poinsot.core.body.time_loop import time_loop

    kernel = by_name(name).body
    assert kernel is not None
    no_force(_number(doubles))
    time_loop(kernel, _number(doubles))


def _make_tree(name: str, doubles: str = "1", fallback: bool = False) -> None:
    from poinsot.core.tree.time_loop import time_loop

    kernel = by_name(name).tree
    assert kernel is not None
    chosen = kernel.fallback if fallback else kernel
    assert chosen is not None
    time_loop(chosen, _number(doubles))


def _make_entry(name: str) -> None:
    place, doubles = name.rsplit(".", 1)
    module, function = place.rsplit(".", 1)
    getattr(import_module(module), function)(_number(doubles))


def _make_lie(name: str) -> None:
    from poinsot.core.jit import ready
    from poinsot.lie import quaternion, se3, so3  # noqa: F401 - they fill the list
    from poinsot.lie.batch import BATCHED

    ready(BATCHED[name])


def _examples(method: "Method | None" = None) -> "Iterator[Scenario]":
    """Yield a tree with a spring, a loop, and one body: those that the method can run."""
    import poinsot as ps

    if method is None or method.scope == "tree":
        tree = ps.scenario("double-pendulum")
        tree.mechanism.apply(ps.Spring("world", tree.mechanism.names[-1], 1.0, 0.1))
        yield tree
    if method is None or method.loops:
        yield ps.scenario("four-bar")
    if method is not None and method.body is not None:
        yield ps.scenario("free-body")


def _make_run(name: str) -> None:
    import poinsot as ps

    for s in _examples(by_name(name)):
        run = ps.simulate(s.mechanism, s.start, name, step=1e-3, steps=4)
        run.report()
        one = s.mechanism.links[0]
        if not s.mechanism.loops and one.joint.nv == 1:
            still = ps.Controller(lambda t, state, memory: ([0.0], memory), 1e-3, [one.name])
            ps.simulate(s.mechanism, s.start, name, step=1e-3, steps=4, controller=still)


def _make_linearize(name: str) -> None:
    import poinsot as ps

    for s in _examples(by_name(name)):
        if not s.mechanism.loops:
            ps.dynamics.linearize(s.mechanism, s.start, method=name, step=1e-3)


def calls() -> Iterator[Callable[[], Any]]:
    """Yield calls of all functions of `ps.dynamics`, on a tree with a spring and on a loop."""
    import poinsot as ps

    for s in _examples():
        m, state = s.mechanism, s.start
        nv = len(state.v)
        known = {
            "m": m,
            "mechanism": m,
            "state": state,
            "states": [state],
            "target": state,
            "body": m.names[0],
            "acceleration": [0.0] * nv,
            "x": [0.0] * (2 * nv),
        }
        for name in ps.dynamics.__all__:
            function = getattr(ps.dynamics, name)
            if not inspect.isfunction(function) or (m.loops and name == "linearize"):
                continue
            parameters = inspect.signature(function).parameters.values()
            wanted = [one.name for one in parameters if one.default is inspect.Parameter.empty]
            yield partial(function, **{key: known[key] for key in wanted})


def _make_calls(name: str) -> None:
    for call in calls():
        call()


KINDS: dict[str, Callable[[str], None]] = {
    "shared": _make_shared,
    "passes": _make_passes,
    "body": _make_body,
    "body-derivative": lambda name: _make_body(name, "5"),
    "tree": _make_tree,
    "fallback": lambda name: _make_tree(name, fallback=True),
    "derivative": lambda name: _make_tree(name, "5"),
    "entry": _make_entry,
    "lie": _make_lie,
    "run": _make_run,
    "linearize": _make_linearize,
    "calls": _make_calls,
}

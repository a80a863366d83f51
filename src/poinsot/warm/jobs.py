"""The kernels that a user can reach, as jobs for processes that compile side by side.

A job is a line of text, "kind name", which `makers.make` understands in any process; a number after a name
is the number of doubles in a number: 1 is float64, 4 is v4d, 5 is dual4.  Everything is reached in float64,
`linearize` also on dual numbers, and ensembles on v4d; methods whose stages are lanes use fields on v4d,
methods with tangents those on dual numbers.

The kernels of a stage are independent of each other.  Those of the second stage are
compiled with those of the first, which they call, at hand; the last stage makes the calls of users, and finds
nearly everything compiled.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from typing import NamedTuple

from poinsot.compile.catalogue import by_name
from poinsot.core.kernel_cache import folders
from poinsot.core.methods import ALL

SECONDS = {  # of one processor, measured once: the progress bar moves evenly
    "passes": 15.0,
    "shared": 6.0,
    "derivative": 8.0,
    "derivative sgauss1": 100.0,
    "tree": 6.0,
    "fallback": 6.0,
    "body": 3.0,
    "rotation": 2.0,
    "body-derivative": 6.0,
    "body-lanes": 3.0,
    "lanes": 6.0,
    "entry": 2.0,
    "dense": 1.0,
    "law": 10.0,
    "lie": 0.5,
    "run": 0.5,
    "linearize": 0.5,
    "calls": 2.0,
}
FOLDERS = ("poinsot.core.tree.dynamics", "poinsot.core.tree.loops")  # with entries for Python
LAWS = (
    "one_body.one_body",
    "one_body.one_body_lanes",
    "tracking.tracking",
    "tracking.tracking_on_loops",
    "tracking.template",
    "joint_space.joint_space",
    "linear.linear",
    "exertion.motors",
    "exertion.on_bodies",
    "least_constraint.solver",
)
DENSE = ("product", "cholesky", "solve_lower", "solve_upper", "svd", "least_squares")  # of core.solve.dense
MANY = "poinsot.core.tree.dynamics.states."  # of many states, four at a time in lanes
DERIVED = ("jacobian", "constraints", "seconds")  # entries that are also called on dual numbers
FACTORIES = ("field", "forces", "no_forces", "no_functions")


class KernelJob(NamedTuple):
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


def jobs_of(names: Iterable[str]) -> list[KernelJob]:
    """Return the jobs of the methods of these names, for one body and for trees."""
    found: dict[str, KernelJob] = {}
    for name in names:
        for job in _method(name, derivatives=False):
            found.setdefault(job.line, job)
    return sorted(found.values(), key=lambda job: (job.stage, -job.seconds))


def missing_bodies(names: Iterable[str]) -> list[KernelJob]:
    """Return the jobs of methods for one body of which there is no kernel, by the names of the files.
    A kernel that is damaged or for another processor is compiled where it is needed."""
    files = {path.name.rsplit("-", 1)[0] for folder in folders() for path in folder.glob("*.kernel")}
    return [KernelJob(1, "body", name) for name in names if f"time_loop_body_{name}_1" not in files]


def all_jobs() -> list[KernelJob]:
    """Return the jobs of everything that a user can reach."""
    found: dict[str, KernelJob] = {job.line: job for job in _shared_jobs("1", "5")}
    for method in ALL:
        for job in _method(method.name, derivatives=True):
            found.setdefault(job.line, job)
    for job in _others():
        found.setdefault(job.line, job)
    return sorted(found.values(), key=lambda job: (job.stage, -job.seconds))


def _shared_jobs(*doubles: str) -> Iterator[KernelJob]:
    for number in doubles:
        yield from (KernelJob(1, "shared", f"{factory}.{number}") for factory in FACTORIES)
        yield KernelJob(1, "shared", f"driven_field.{number}")
        yield KernelJob(1, "shared", f"closed_field.{number}")
        yield KernelJob(2, "shared", f"held_field.{number}")


def _method(name: str, derivatives: bool) -> Iterator[KernelJob]:
    """Yield the jobs of a method; methods with the same kernel have the same jobs."""
    method = by_name(name)
    yield KernelJob(3, "run", name)
    if derivatives and not (method.tree is not None and method.tree.tangents):
        yield KernelJob(3, "linearize", name)
    first = {one.tree.name: one.name for one in reversed(ALL) if one.tree is not None}
    if method.body is not None:
        yield KernelJob(1, "body", name)
        if derivatives and method.duals:
            yield KernelJob(1, "body-derivative", name)
        if derivatives and method.lanes:
            yield KernelJob(1, "body-lanes", name)
    kernel = method.tree
    if kernel is None:
        return
    name = first[kernel.name]
    inner = "4" if kernel.stages_in_lanes else "5" if kernel.tangents else "1"
    yield from _shared_jobs(inner)
    if kernel.passes is not None:
        yield KernelJob(1, "passes", f"{name}.{inner}")
    yield KernelJob(2, "tree", name)
    if kernel.fallback is not None:
        yield KernelJob(2, "fallback", name)
    if derivatives and method.duals:
        if kernel.passes is not None:
            yield KernelJob(1, "passes", f"{name}.5")
        yield KernelJob(2, "derivative", name)
    if derivatives and method.lanes:
        if kernel.passes is not None:
            yield KernelJob(1, "passes", f"{name}.4")
        yield KernelJob(2, "lanes", name)


def _others() -> Iterator[KernelJob]:
    from poinsot.core.methods.explicit import ROTATIONS
    from poinsot.lie import quaternion, se3, so3  # noqa: F401 - they fill the list
    from poinsot.lie.batch import BATCHED

    yield from (KernelJob(1, "lie", name) for name in BATCHED)
    yield from (KernelJob(1, "rotation", name) for name in ROTATIONS)
    yield from (KernelJob(1, "dense", name) for name in DENSE)
    yield from (KernelJob(1, "law", name) for name in LAWS)
    for place in _entries():
        yield KernelJob(1, "entry", f"{place}.1")
        if place.startswith(MANY):
            yield KernelJob(1, "entry", f"{place}.4")
        if place.rsplit(".", 1)[-1].removeprefix("point_") in DERIVED:
            yield KernelJob(1, "entry", f"{place}.5")
    yield KernelJob(1, "shared", "derivative.5")
    yield KernelJob(1, "shared", "displacement.5")
    yield KernelJob(1, "shared", "vector_field.1")
    yield KernelJob(1, "shared", "members_field.4")
    yield KernelJob(3, "calls", "dynamics")


def _entries() -> Iterator[str]:
    """Yield the places of the entries for Python that exist for each number type."""
    for folder in FOLDERS:
        for one in iter_modules(import_module(folder).__path__, f"{folder}."):
            for name, value in vars(import_module(one.name)).items():
                made = getattr(value, "__wrapped__", None)
                ours = made is not None and (made.__module__ == one.name or "family." in made.__qualname__)
                if ours and "number" in signature(value).parameters:
                    yield f"{one.name}.{name}"

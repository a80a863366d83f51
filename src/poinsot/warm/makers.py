"""Makers of kernels, one for each kind of job: compile them, or find them on disk."""

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.compile.catalogue import by_name

if TYPE_CHECKING:
    from poinsot.core.methods.method import Method
    from poinsot.scenario.scenario import Scenario

MANY = 8  # states in one call: two groups of lanes


def make(line: str) -> None:
    """Compile the kernels of a job, or find them on disk."""
    kind, name = line.split()
    KINDS[kind](name)


def _number(doubles: str) -> Any:
    from numba import float64

    from poinsot.core.numbers.dual4 import dual4
    from poinsot.core.numbers.v4d import v4d

    return {"1": float64, "4": v4d, "5": dual4}[doubles]


def _make_shared(name: str) -> None:
    from poinsot.core.body.field import vector_field
    from poinsot.core.tree.drives import driven_field, held_field
    from poinsot.core.tree.dynamics.derivative import derivative
    from poinsot.core.tree.field import displacement, field
    from poinsot.core.tree.forces import table
    from poinsot.core.tree.loops.field import closed_field
    from poinsot.core.tree.members import members_field

    factory, doubles = name.split(".")
    single = {"vector_field": vector_field, "derivative": derivative, "displacement": displacement}
    single["members_field"] = members_field
    if factory in single:
        single[factory]()
        return
    makers = {"field": field, "driven_field": driven_field, "held_field": held_field}
    makers["closed_field"] = closed_field
    (makers.get(factory) or getattr(table, factory))(_number(doubles))


def _make_passes(name: str) -> None:
    method, doubles = name.split(".")
    kernel = by_name(method).tree
    assert kernel is not None
    assert kernel.passes is not None
    kernel.passes(_number(doubles), doubles != "4" or kernel.stages_in_lanes)  # members have no loops


def _make_body(name: str, doubles: str = "1") -> None:
    from poinsot.core.body.load import no_force
    from poinsot.core.body.time_loop import time_loop

    kernel = by_name(name).body
    assert kernel is not None
    no_force(_number(doubles))
    time_loop(kernel, _number(doubles))


def _make_rotation(name: str) -> None:
    from poinsot.core.body.time_loop import time_loop
    from poinsot.core.methods.explicit import ROTATIONS

    time_loop(ROTATIONS[name])


def _make_tree(name: str, doubles: str = "1", fallback: bool = False) -> None:
    from poinsot.core.tree.time_loop import time_loop

    kernel = by_name(name).tree
    assert kernel is not None
    chosen = kernel.fallback if fallback else kernel.members if doubles == "4" else None
    chosen = chosen or kernel
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


def _make_dense(name: str) -> None:
    from poinsot.core.solve import dense

    function = getattr(dense, name)
    names = inspect.signature(function).parameters
    function(*(np.ones(2) if one == "b" else np.eye(2) for one in names))


def _make_law(name: str) -> None:
    from poinsot.core.call import BlockLayout
    from poinsot.core.control.tick import caller, continuous, ticks

    module, function = name.split(".")
    law = getattr(import_module(f"poinsot.core.control.{module}"), function)()
    caller(law.signature_wanted)
    for one in (law, ticks(), continuous()):
        BlockLayout(one).caller(())


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
        run.position(one.name)
        run.at(1.5e-3)
        if not s.mechanism.loops and one.joint.nv == 1:
            still = ps.Controller(lambda t, state, memory: ([0.0], memory), 1e-3, [one.name])
            ps.simulate(s.mechanism, s.start, name, step=1e-3, steps=4, controller=still)


def _make_linearize(name: str) -> None:
    import poinsot as ps

    for s in _examples(by_name(name)):
        ps.dynamics.linearize(s.mechanism, s.start, method=name, step=1e-3)


WITHOUT_LOOPS = (
    "equilibrium",
    "modes",
    "discrete_residual",
    "discrete_residual_along",
    "discrete_residual_recorder",
)


def calls() -> Iterator[Callable[[], Any]]:
    """Yield calls of all functions of `ps.dynamics`, on a tree with a spring and on a loop."""
    import poinsot as ps
    from poinsot.compile.cache import cache_of

    for s in _examples():
        m, state = s.mechanism, s.start
        nv = len(state.v)
        known = {
            "mechanism": m,
            "state": state,
            "states": [state] * 3,
            **dict.fromkeys(("before", "now", "after"), state),
            "step": s.step,
            "target": state,
            **dict.fromkeys(("body", "name", "base"), m.names[0]),
            "guess": m.state(),
            "targets": {m.names[0]: {"position": (0.0, 0.0, 0.0)}},
            "acceleration": [0.0] * nv,
            "x": [0.0] * (2 * nv),
        }
        for name in ps.dynamics.__all__:
            function = getattr(ps.dynamics, name)
            if not inspect.isfunction(function) or (m.loops and name in WITHOUT_LOOPS):
                continue
            parameters = inspect.signature(function).parameters.values()
            needed = (one for one in parameters if one.default is one.empty or one.name == "acceleration")
            given = {one.name: known[one.name] for one in needed}
            if name == "modes":
                given["state"] = ps.dynamics.equilibrium(m, m.state())
            yield partial(function, **given)
        bound, q, v = ps.dynamics.bind(m), state.q, state.v
        yield partial(cache_of(m).part(m.names[0]).numbers, q, v)
        for axes in ((), (MANY,)):  # one state, and many in one call
            Q, V = np.broadcast_to(q, (*axes, len(q))).copy(), np.broadcast_to(v, (*axes, nv)).copy()
            yield partial(bound.acceleration, Q, V)
            yield partial(bound.inverse_dynamics, Q, V, V)
            yield partial(bound.mass_matrix, Q)
            yield partial(bound.jacobian, Q, m.names[0])
            yield partial(bound.pose, Q, m.names[0])
            yield partial(bound.energy, Q, V)
        if not m.loops:
            yield partial(bound.linearize, q, v)


def _make_calls(name: str) -> None:
    for call in calls():
        call()


KINDS: dict[str, Callable[[str], None]] = {
    "shared": _make_shared,
    "passes": _make_passes,
    "body": _make_body,
    "rotation": _make_rotation,
    "body-derivative": lambda name: _make_body(name, "5"),
    "body-lanes": lambda name: _make_body(name, "4"),
    "tree": _make_tree,
    "lanes": lambda name: _make_tree(name, "4"),
    "fallback": lambda name: _make_tree(name, fallback=True),
    "derivative": lambda name: _make_tree(name, "5"),
    "entry": _make_entry,
    "lie": _make_lie,
    "dense": _make_dense,
    "law": _make_law,
    "run": _make_run,
    "linearize": _make_linearize,
    "calls": _make_calls,
}

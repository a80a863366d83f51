"""From a user's Python function to a force of the core.

The function is compiled with R as a tuple of rows (`R[0][2]` and `R[0, 2]` both work) and vectors as
tuples; if Numba cannot, once more with NumPy arrays, for float64 only.  For lanes it is compiled as
it stands; if it branches on a number, which four lanes cannot do together, its scalar version is
called lane by lane: same bits.
"""

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numba import float64

from poinsot.compile.functions import python
from poinsot.compile.functions.messages import SAMPLE, arrays, message, tuples
from poinsot.compile.functions.users import KEPT, in_python, key_of, key_with, makes_lists, user_function
from poinsot.compile.functions.ways import NoWayError, Way, first_of
from poinsot.core.body.load import force_type
from poinsot.core.jit import COMPILED, foreign, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.numbers import mathematics as mathematics  # teaches Numba `math` for lanes and duals
from poinsot.core.numbers.arrays import alike
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.v4d import from_lanes, lane, v4d
from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.forces.applied import Applied
from poinsot.model.identity import source_digest

MISFIT = (math.nan, math.inf, -math.inf)  # the mark of a function that returns too few or too many numbers


def as_tuple(x: Array) -> Any:
    """Return the numbers of an array as a flat tuple."""
    return tuple(x.ravel().tolist())


@jit
def rows(R: Any) -> Any:
    """Return nine numbers as three rows."""
    return (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])


def on_tuples(function: Any) -> Callable[..., Any]:
    """Return the function called with tuples."""

    def call(t, R, w, p, v):  # type: ignore[no-untyped-def]
        return function(t, rows(R), w, p, v)

    return call


def on_arrays(function: Any) -> Callable[..., Any]:
    """Return the function called with NumPy arrays."""

    def call(t, R, w, p, v):  # type: ignore[no-untyped-def]
        return function(t, np.array(R).reshape(3, 3), np.array(w), np.array(p), np.array(v))

    return call


def wrapped(call: Any, count: int, in_body: bool, arm: Any) -> Callable[..., Any]:
    """Return a function that gives the wrench about the centre of mass in space from the user's function."""
    if count == 3:

        @jit
        def given(y: Any, w: Any) -> Any:
            return alike(w, (y[0], y[1], y[2])), alike(w, (0.0, 0.0, 0.0))
    else:

        @jit
        def given(y: Any, w: Any) -> Any:
            return alike(w, (y[0], y[1], y[2])), alike(w, (y[3], y[4], y[5]))

    def force(t, R, w, p, v):  # type: ignore[no-untyped-def]
        y = call(t, R, w, p, v)
        if len(y) != count:  # an array: its length is known only now
            torque, push = alike(w, MISFIT), alike(w, MISFIT)
        else:
            torque, push = given(y, w)
            if in_body:
                torque, push = mat3.apply(R, torque), mat3.apply(R, push)
            torque = vec3.add(torque, vec3.cross(mat3.apply(R, arm), push))
        return torque[0], torque[1], torque[2], push[0], push[1], push[2]

    return force


def by_lane(scalar: Any) -> Callable[..., Any]:
    """Return a force on lanes that calls the scalar force once for each lane."""

    @jit
    def one(t: Any, R: Any, w: Any, p: Any, v: Any, k: int) -> Any:
        matrix = (
            lane(R[0], k),
            lane(R[1], k),
            lane(R[2], k),
            lane(R[3], k),
            lane(R[4], k),
            lane(R[5], k),
            lane(R[6], k),
            lane(R[7], k),
            lane(R[8], k),
        )
        a, b, c = (
            (lane(w[0], k), lane(w[1], k), lane(w[2], k)),
            (lane(p[0], k), lane(p[1], k), lane(p[2], k)),
            (lane(v[0], k), lane(v[1], k), lane(v[2], k)),
        )
        return scalar(lane(t, k), matrix, a, b, c)

    def force(t, R, w, p, v):  # type: ignore[no-untyped-def]
        a, b = one(t, R, w, p, v, 0), one(t, R, w, p, v, 1)
        c, d = one(t, R, w, p, v, 2), one(t, R, w, p, v, 3)
        return (
            from_lanes(a[0], b[0], c[0], d[0]),
            from_lanes(a[1], b[1], c[1], d[1]),
            from_lanes(a[2], b[2], c[2], d[2]),
            from_lanes(a[3], b[3], c[3], d[3]),
            from_lanes(a[4], b[4], c[4], d[4]),
            from_lanes(a[5], b[5], c[5], d[5]),
        )

    return force


def combined(forces: Sequence[Applied], center_of_mass: Array, number: Any) -> Any:
    """Return several forces as one; it is compiled once."""
    total = compiled(forces[0], center_of_mass, number)
    for force in forces[1:]:
        total = _sum(total, compiled(force, center_of_mass, number), number)
    return total


@lru_cache(maxsize=KEPT)
def _sum(a: Any, b: Any, number: Any) -> Any:
    def force(t, R, w, p, v):  # type: ignore[no-untyped-def]
        x, y = a(t, R, w, p, v), b(t, R, w, p, v)
        return x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3], x[4] + y[4], x[5] + y[5]

    return foreign(force, force_type(number).signature, key_with("sum", a, b))


class Interface(NamedTuple):
    """How functions are called: of the motion of one body, or of two."""

    tuples: Callable[..., Any]
    arrays: Callable[..., Any]
    by_lane: Callable[..., Any]
    wrapped: Callable[..., Any]
    python: Callable[..., Any]
    type_of: Callable[..., Any]
    sample: Callable[[], tuple[Any, ...]]  # arguments in general position


ONE_BODY = Interface(on_tuples, on_arrays, by_lane, wrapped, python.on_body, force_type, lambda: SAMPLE)


@dataclass(frozen=True)
class AppliedFunction:
    """What a compiled force depends on, besides the lever arm: equal forces are compiled once."""

    function: Callable[..., Any]
    count: int  # numbers that it returns
    frame: str
    label: str
    compiled: bool
    interface: Interface


def compiled(force: Applied, center_of_mass: Array, number: Any = float64) -> Any:
    """Return a user's force for one number type; raise a ModelError that names line and reason."""
    lever = tuple(float(x) for x in force.at - center_of_mass)
    given = AppliedFunction(force.function, force.count, force.frame, force.label, force.compiled, ONE_BODY)
    return compiled_function(given, lever, number, source_digest(force.function))


@lru_cache(maxsize=KEPT)
def compiled_function(
    force: AppliedFunction, lever: tuple[float, float, float], number: Any, digest: str
) -> Any:
    """Compile a force; `digest` is for the cache, as a global that the function reads may have changed."""
    function, by = force.function, force.interface
    arm = lever if force.count == 6 else vec3.ZERO
    signature = by.type_of(number).signature

    facts = digest, force.count, force.frame, arm

    def viewed(view: Any) -> Way:
        def make() -> Any:
            call = jit(view(user_function(function)))
            return by.wrapped(call, force.count, force.frame == "body", arm)

        return Way(make, key_of(view.__name__, *facts))

    def lanes() -> Any:
        return by.by_lane(compiled_function(force, lever, float64, digest))

    by_lanes = Way(lanes, key_of(by.by_lane.__name__, *facts))
    if not COMPILED:
        return viewed(by.arrays).make()
    if not force.compiled:
        if number is dual4:
            raise ModelError(f"{force.label} cannot be differentiated: it runs in Python")
        call, kept = by.python(function, force.count)
        make = (
            by.wrapped(call, force.count, force.frame == "body", arm)
            if number is float64
            else by_lanes.make()
        )
        found = foreign(make, signature)
        found.kept = kept  # type: ignore[attr-defined]
        return found
    arrays = _means_arrays(force, digest)
    if number is dual4 and arrays:
        raise ModelError(f"{force.label} cannot be differentiated: it is written for NumPy arrays")
    last = {float64: [viewed(by.arrays)], v4d: [by_lanes], dual4: []}[number]
    apart = arrays or (number is v4d and makes_lists(function))
    try:
        return first_of([*([] if apart else [viewed(by.tuples)]), *last], signature)
    except NoWayError as error:
        what = f"{force.label} cannot be {'differentiated' if number is dual4 else 'compiled'}"
        raise ModelError(message(what, function, force.count, by.sample(), *error.faults)) from None


@lru_cache(maxsize=KEPT)
def _means_arrays(force: AppliedFunction, digest: str) -> bool:
    """Return whether the function runs on tuples but means arrays: p + v of tuples is six numbers.

    Plain Python runs it on both at a state in general position; a function that fails there is left to the
    compiler.
    """
    results = []
    for view in (tuples, arrays):
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = in_python(force.function)(*(view(x) for x in force.interface.sample()))
                results.append(np.array([float(found[k]) for k in range(force.count)]))
        except Exception:
            return False
    with_tuples, with_arrays = results
    return not np.allclose(with_tuples, with_arrays, rtol=1e-9, atol=1e-12, equal_nan=True)

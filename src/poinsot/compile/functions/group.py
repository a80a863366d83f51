"""A user's velocity on a product of groups, as what the core integrates: for `ps.solve`.

    call(t, q, v) -> n numbers      velocities of all groups in order, then rates of all vectors

q has the quaternions (and positions) of the groups, as joints of the core have them, and v ends with the
vectors.  The function is compiled with arrays; if Numba cannot, Python is called back (`python`).  A point of
S2 is the third row of a rotation matrix R: y' = w x y is then R' = R hat(-w).
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import float64

from poinsot.compile.functions import python
from poinsot.compile.functions.tree import TAKE
from poinsot.compile.functions.users import key_of, user_function
from poinsot.compile.functions.ways import NoWayError, Way, first_of
from poinsot.core.body.load import force_type
from poinsot.core.jit import COMPILED, foreign, jit
from poinsot.core.lie import quaternion as core
from poinsot.core.numbers import mathematics as mathematics  # the same sine in the user's function
from poinsot.core.numbers.arrays import segment
from poinsot.core.numbers.rows import get4
from poinsot.core.tree.field import field_type
from poinsot.core.tree.joints.table import FREE, SPHERICAL
from poinsot.errors import ModelError
from poinsot.lie import quaternion
from poinsot.model.checks import Array
from poinsot.model.identity import source_digest


class Factor(NamedTuple):
    """One group of a product: its joint, its places among coordinates and velocities, how many these are."""

    name: str
    q: int
    v: int
    n: int

    @property
    def kind(self) -> int | None:
        """Joint of the core; None: a vector."""
        return {"SO3": SPHERICAL, "S2": SPHERICAL, "SE3": FREE}.get(self.name)

    @property
    def sign(self) -> float:
        """Sign of the velocity of the core."""
        return -1.0 if self.name == "S2" else 1.0

    def point(self, q: Array, v: Array) -> Array:
        """Return the element of the group at coordinates and velocities with leading axes."""
        if self.kind is None:
            return np.asarray(v[..., self.v : self.v + self.n])
        R = quaternion.matrix(q[..., self.q + (3 if self.kind == FREE else 0) :][..., :4])
        if self.kind != FREE:
            return R[..., 2, :] if self.name == "S2" else R
        G = np.zeros((*R.shape[:-2], 4, 4))
        G[..., :3, :3], G[..., :3, 3], G[..., 3, 3] = R, q[..., self.q : self.q + 3], 1.0
        return G


def view_of(one: Factor) -> Any:
    """Return what makes the element of a group of q and v, compiled."""
    a, b, n, name = one.q, one.v, one.n, one.name

    def rotation(q, v):  # type: ignore[no-untyped-def]
        return np.array(core.matrix(get4(q, a))).reshape(3, 3)

    def point(q, v):  # type: ignore[no-untyped-def]
        R = core.matrix(get4(q, a))
        return np.array((R[6], R[7], R[8]))

    def place(q, v):  # type: ignore[no-untyped-def]
        R, G = core.matrix(get4(q, a + 3)), np.zeros((4, 4))
        for i in range(3):
            for j in range(3):
                G[i, j] = R[3 * i + j]
            G[i, 3] = q[a + i]
        G[3, 3] = 1.0
        return G

    def vector(q, v):  # type: ignore[no-untyped-def]
        x = np.empty(n)
        for i in range(n):
            x[i] = v[b + i]
        return x

    return jit({"SO3": rotation, "S2": point, "SE3": place}.get(name, vector))


def write_of(one: Factor) -> Any:
    """Return what writes what the user's function gave for a group to `out`, compiled."""
    whole: Callable[..., Any] = lambda x, i: x  # noqa: E731
    b, n, sign, take = one.v, one.n, one.sign, jit(TAKE.get(one.n, whole))

    def write(found, out):  # type: ignore[no-untyped-def]
        if len(found) != n:
            for i in range(n):
                out[b + i] = np.nan
        else:
            x = take(found, 0)
            for i in range(n):
                out[b + i] = sign * x[i]

    return jit(write)


def views_of(factors: Sequence[Factor]) -> Any:
    """Return what makes the tuple of all elements."""
    first = view_of(factors[0])
    if len(factors) == 1:
        return jit(lambda q, v: (first(q, v),))
    others = views_of(factors[1:])
    return jit(lambda q, v: (first(q, v), *others(q, v)))


def writes_of(factors: Sequence[Factor], place: int = 0) -> Any:
    """Return what writes all results, from number `place` on."""
    first = write_of(factors[place])
    if place == len(factors) - 1:

        def last(found, out):  # type: ignore[no-untyped-def]
            first(found[place], out)

        return jit(last)
    others = writes_of(factors, place + 1)

    def write(found, out):  # type: ignore[no-untyped-def]
        first(found[place], out)
        others(found, out)

    return jit(write)


def compiled_call(fun: Callable[..., Any], factors: Sequence[Factor], one: bool) -> Any:
    """Return call(t, q, v, out) of a user's function; with `one`, it is that of one group, without tuples."""
    helper, view, write = user_function(fun), views_of(factors), writes_of(factors)

    def single(t, q, v, out):  # type: ignore[no-untyped-def]
        write((helper(t, view(q, v)[0]),), out)

    def several(t, q, v, out):  # type: ignore[no-untyped-def]
        found = helper(t, view(q, v))
        if len(found) != len(factors):
            for i in range(out.size):
                out[i] = np.nan
        else:
            write(found, out)

    return jit(single if one else several)


def in_python(fun: Callable[..., Any], factors: Sequence[Factor], one: bool) -> Callable[..., Array]:
    """Return function(t, q, v) -> n numbers of a user's function in Python; an error says what is wrong."""

    def function(t: float, q: Any, v: Any) -> Array:
        q, v = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
        points = tuple(factor.point(q, v) for factor in factors)
        found = [fun(t, points[0])] if one else list(fun(t, points))
        if len(found) != len(factors):
            raise ModelError(
                f"it must return {len(factors)} velocities, one for each group, got {len(found)}"
            )
        out = np.empty(sum(factor.n for factor in factors))
        for factor, x in zip(factors, found, strict=True):
            numbers = np.asarray(x, dtype=float)
            if numbers.shape != (factor.n,):
                shape = "a number" if numbers.shape == () else f"an array of shape {numbers.shape}"
                raise ModelError(f"it must return {factor.n} numbers for {factor.name}, got {shape}")
            out[factor.v : factor.v + factor.n] = factor.sign * numbers
        return out

    return function


class Velocity(NamedTuple):
    """A user's function for the core: of one rotation (a force of one body), or as a field of a tree."""

    function: Any
    kept: Any  # what keeps a function in Python alive; None: it is compiled


def velocity_of(fun: Callable[..., Any], factors: Sequence[Factor], one: bool, body: bool) -> Velocity:
    """Return the function for the core, compiled if it can be; `body`: for the kernels of one body."""
    nq = sum(4 if x.kind == SPHERICAL else 7 for x in factors if x.kind is not None)
    nv, groups = sum(x.n for x in factors), sum(x.n for x in factors if x.kind is not None)

    def shape(call: Any) -> Any:
        return _as_force(call) if body else _as_field(call, nq, nv, groups)

    signature = (force_type if body else field_type)(float64).signature
    if COMPILED:
        key = key_of("group", source_digest(fun), tuple(factors), one, body)
        try:
            return Velocity(
                first_of([Way(lambda: shape(compiled_call(fun, factors, one)), key)], signature), None
            )
        except (NoWayError, ModelError, TypeError, AttributeError):
            pass  # it runs in Python
    call, kept = python.on_joint(in_python(fun, factors, one), nq, nv)

    def copy(t, q, v, out):  # type: ignore[no-untyped-def]
        x = call(t, q, v)
        for i in range(nv):
            out[i] = x[i]

    return Velocity(foreign(shape(jit(copy)), signature), kept)


def _as_force(call: Any) -> Any:
    """Return the velocity of one rotation in the place of a torque (`methods.explicit.user_slope`)."""

    def force(t, R, w, p, v):  # type: ignore[no-untyped-def]
        out = np.empty(3)
        call(t, (p[0], w[0], w[1], w[2]), v, out)
        return out[0], out[1], out[2], 0.0, 0.0, 0.0

    return force


def _as_field(call: Any, nq: int, nv: int, groups: int) -> Any:
    """Return a field that puts the velocities of the groups into the state, whose methods read them there."""

    def field(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
        v, slope = segment(y, nq, nv), segment(f, nq, nv + 1)
        call(t, segment(y, 0, nq), v, slope)
        for j in range(groups):
            v[j], slope[j] = slope[j], 0.0
        slope[nv] = 0.0

    return field

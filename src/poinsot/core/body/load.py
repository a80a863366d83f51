"""Gravity and the user's forces on one body, as torque and force at its reference point.

    T = c x R^T (m g + f) + R^T t,     F = free (m g + f)

(t, f) is the wrench of the user's forces: torque about the centre of mass, and force, both in space.
The kernels call them through one function type for each number type,

    force(t, R, w, p, v) -> (t1, t2, t3, f1, f2, f3)

where R and w belong to the user's body frame, and p and v are of the centre of mass in space.  `E` converts
between the user's body frame and the principal axes.
"""

from functools import cache
from typing import NamedTuple

from numba import float64, types

from poinsot.core.body.records import BodyRecord, BodyState, BodySystem, Load
from poinsot.core.jit import Compiled, entry, jit, ready
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3, cross
from poinsot.core.numbers.arrays import alike
from poinsot.core.numbers.functions import maximum, minimum
from poinsot.core.numbers.zero import DOUBLES, zero_of


def force_type(number: types.Type) -> types.FunctionType:
    """Function type of a force for a number type."""
    three, nine = types.UniTuple(number, 3), types.UniTuple(number, 9)
    return types.FunctionType(types.UniTuple(number, 6)(number, nine, three, three, three))


@cache
def no_force(number: types.Type = float64) -> Compiled:
    """Zero force for a number type, for a body without forces of the user."""
    zero = zero_of(number)

    def nothing(t, R, w, p, v):  # type: ignore[no-untyped-def]
        o = zero()
        return o, o, o, o, o, o

    return ready(entry(f"no_force.{DOUBLES[number]}", force_type(number).signature)(nothing))


@jit
def velocity(body: BodyRecord, x: BodyState) -> Vec3:
    """Angular velocity in the body frame."""
    return vec3.times(body.a, x.P)


class Seen(NamedTuple):
    """What a user's force is given."""

    t: float
    R: Mat3
    w: Vec3
    p: Vec3
    v: Vec3


@jit
def seen(system: BodySystem, t: float, x: BodyState, R: Mat3) -> Seen:
    body = system.body
    w = velocity(body, x)
    p = vec3.add(x.r, mat3.apply(R, body.c))
    v = vec3.add(vec3.scale(body.mobility, x.p), mat3.apply(R, cross(w, body.c)))
    time = alike(x.P[0], minimum(maximum(t, system.first), system.last))
    return Seen(time, mat3.mul_t(R, body.E), mat3.apply(body.E, w), p, v)


@jit
def wrench(force: Compiled, s: Seen, body: BodyRecord, mean: Mat3, to_body: Mat3) -> tuple[Vec3, Vec3]:
    """Torque about the reference point in the body frame, and force in space, of a user's force."""
    y = force(s.t, s.R, s.w, s.p, s.v)
    torque, applied = (y[0], y[1], y[2]), (y[3], y[4], y[5])
    return vec3.add(mat3.apply(to_body, torque), cross(body.c, mat3.apply_t(mean, applied))), applied


@jit
def load_at(system: BodySystem, t: float, x: BodyState, R: Mat3, mean: Mat3, to_body: Mat3) -> Load:
    """Torque and force at the attitude R; forces go to the body frame by mean^T, torques by `to_body`."""
    body = system.body
    f = vec3.scale(body.m, body.g)
    T = cross(body.c, mat3.apply_t(mean, f))
    Tn, fn = alike(x.P, vec3.ZERO), alike(x.P, vec3.ZERO)
    if system.forced:
        here = seen(system, t, x, R)
        torque, applied = wrench(system.force, here, body, mean, to_body)
        T, f = vec3.add(T, torque), vec3.add(f, applied)
        if system.works:
            Tn, fn = wrench(system.worker, here, body, mean, to_body)
            T, f = vec3.add(T, Tn), vec3.add(f, fn)
    return Load(T, vec3.scale(body.free, f), Tn, vec3.scale(body.free, fn))


@jit
def load(system: BodySystem, t: float, x: BodyState) -> Load:
    """Torque and force at the reference point."""
    R = quaternion.matrix(x.q)
    return load_at(system, t, x, R, R, mat3.transpose(R))

"""Gravity and the user's forces on one body, as torque and force at its reference point.

    T = c x R^T (m g + f) + R^T t,     F = free (m g + f)

(t, f) is the wrench of the user's forces: torque about the centre of mass, and force, both in space.
The kernels call them through one function type for each number type,

    force(t, R, w, p, v) -> (t1, t2, t3, f1, f2, f3)

where R and w belong to the user's body frame, and p and v are of the centre of mass in space.  `E` converts
between the user's body frame and the principal axes.
"""

from functools import cache

from numba import float64, types

from poinsot.core.body.records import Body, Load, State, System
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
def velocity(body: Body, x: State) -> Vec3:
    """Angular velocity in the body frame."""
    return vec3.times(body.a, x.P)


@jit
def wrench(system: System, force: Compiled, t: float, x: State, R: Mat3) -> tuple[Vec3, Vec3]:
    """Wrench (t, f) of a user's force at the state x."""
    body = system.body
    w = velocity(body, x)
    arm = mat3.apply(R, body.c)
    p = vec3.add(x.r, arm)
    v = vec3.add(vec3.scale(body.mobility, x.p), mat3.apply(R, cross(w, body.c)))
    time = alike(x.P[0], minimum(maximum(t, system.first), system.last))
    y = force(time, mat3.mul_t(R, body.E), mat3.apply(body.E, w), p, v)
    return (y[0], y[1], y[2]), (y[3], y[4], y[5])


@jit
def load_at(system: System, t: float, x: State, R: Mat3, mean: Mat3, to_body: Mat3) -> Load:
    """Torque and force at the attitude R; forces go to the body frame by mean^T, torques by `to_body`."""
    body = system.body
    f = vec3.scale(body.m, body.g)
    T = cross(body.c, mat3.apply_t(mean, f))
    if system.forced:
        torque, applied = wrench(system, system.force, t, x, R)
        T = vec3.add(T, mat3.apply(to_body, torque))
        T = vec3.add(T, cross(body.c, mat3.apply_t(mean, applied)))
        f = vec3.add(f, applied)
    return Load(T, vec3.scale(body.free, f))


@jit
def load(system: System, t: float, x: State) -> Load:
    """Torque and force at the reference point."""
    R = quaternion.matrix(x.q)
    return load_at(system, t, x, R, R, mat3.transpose(R))


@jit
def power(system: System, force: Compiled, t: float, x: State) -> float:
    """Power of a user's force: t . (R w) + f . v."""
    body = system.body
    R = quaternion.matrix(x.q)
    w = velocity(body, x)
    torque, applied = wrench(system, force, t, x, R)
    v = vec3.add(vec3.scale(body.mobility, x.p), mat3.apply(R, cross(w, body.c)))
    return vec3.dot(torque, mat3.apply(R, w)) + vec3.dot(applied, v)

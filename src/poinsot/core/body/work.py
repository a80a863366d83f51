"""The work of forces without a potential: a method integrates it with the motion, by its own formulas.

The work W is one more component of the motion.  With (Tn, Fn) the load of the forces without a potential,

    W. = Tn.w + Fn.u,    w = a P,   u = mobility p                                            (1)

A Runge-Kutta method adds h times the mean of (1) over its stages, with the weights of the stages; a method
of kicks adds what a kick does, in which T and F are constant and P and p change evenly,

    W1 = W0 + s (Tn.a (P + s T/2) + mobility Fn.(p + s F/2))                                  (2)

and another method of order 2 adds h times the mean of the ends of its step, or the value in the middle.  So
the work has the order of the method, and no force is evaluated for it.
"""

from poinsot.core.body.records import BodyRecord, BodyState, BodySystem, Load
from poinsot.core.jit import jit
from poinsot.core.lie.vec3 import Vec3, axpy, dot, times


@jit
def rate(body: BodyRecord, P: Vec3, p: Vec3, f: Load) -> float:
    """Power (1) of a load at the momenta P and p."""
    return dot(f.Tn, times(body.a, P)) + body.mobility * dot(f.Fn, p)  # (1)


@jit
def power(system: BodySystem, x: BodyState, f: Load) -> float:
    """Power (1) at a state; zero if all forces have potentials."""
    return rate(system.body, x.P, x.p, f) if system.works else 0.0 * x.P[0]


@jit
def work_of_kick(system: BodySystem, s: float, f: Load, x: BodyState) -> float:
    """Work (2) of a kick over the time s that begins at x."""
    if system.works:
        return s * rate(system.body, axpy(0.5 * s, f.T, x.P), axpy(0.5 * s, f.F, x.p), f)  # (2)
    return 0.0 * x.P[0]


@jit
def work_of_ends(system: BodySystem, h: float, x0: BodyState, f0: Load, x1: BodyState, f1: Load) -> float:
    """Work of a step of order 2 from x0 to x1: h times the mean of the powers there."""
    return 0.5 * h * (power(system, x0, f0) + power(system, x1, f1))

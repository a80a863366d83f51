"""One body: from a mechanism to the numbers of the core, and back.

The core takes principal axes at the reference point (see `core.body.records`).  With E the columns
of those axes in the user's body frame, R_b the body frame in the joint's child frame, and R_J, at
the joint frame in space,

    q_core = q_J q q_b q_E,    P = I (E^T R_b^T w)                               Spherical   (1)
    q_core = q_J q q_E,  P = I (E^T w),  r = at + R_J o + R c,  p = m R (u + w x c)  Free     (2)

c is the centre of mass in the body frame, (o, u) position and velocity of that frame's origin.
"""

import hashlib
from functools import cached_property
from typing import Any

import numpy as np
from numba import float64

from poinsot.compile.functions import body as functions
from poinsot.compile.functions import python
from poinsot.compile.functions.body import as_tuple
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.time_loop import TimeLoop, spread
from poinsot.core.body.load import no_force
from poinsot.core.body.records import STATE, BodyRecord
from poinsot.core.body.time_loop import time_loop
from poinsot.core.kernel_cache import digest
from poinsot.core.methods.method import Method
from poinsot.core.numbers.arrays import flat
from poinsot.core.numbers.zero import DOUBLES
from poinsot.elementary.linear import det, eigh, product
from poinsot.errors import ModelError
from poinsot.model.body import EQUAL
from poinsot.model.checks import Array, quaternion, show
from poinsot.model.forces.applied import Applied
from poinsot.model.forces.impulse import Impulse
from poinsot.model.identity import source_digest
from poinsot.model.joints import Free, Spherical
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts
from poinsot.model.rotations import apply, compose, cross, dot, inverse, matrix, times, transpose

SINGULAR = 1e-15  # of the smallest moment relative to the largest: what rounding leaves of zero


class OneBody(CompiledMechanism):
    """A mechanism of one body in the numbers of the core."""

    width = len(flat(STATE))

    def __init__(self, mechanism: Mechanism) -> None:
        super().__init__(mechanism)
        self.applied = [force for force in self.forces if isinstance(force, Applied)]
        self.link = mechanism.links[0]
        self.free = isinstance(self.link.joint, Free)
        J, self.offset = self.link.about_reference
        self.moments, self.axes = principal(J)  # I, about the reference point, and E
        if self.link.body.mass == 0:
            raise ModelError(f"body '{self.link.name}': a body that moves needs mass")
        if self.moments.min() <= SINGULAR * self.moments.max():
            raise ModelError(
                f"joint '{self.link.name}': nothing resists its motion, because its body has no inertia "
                f"about an axis (moments {show(self.moments)} about the point it rotates about)"
            )

    @cached_property
    def record(self) -> BodyRecord:
        """Record that the kernels read."""
        m, free = self.link.body.mass, 1.0 if self.free else 0.0
        c = (0.0, 0.0, 0.0) if self.free else as_tuple(product(self.axes.T, self.offset))
        return BodyRecord(
            I=as_tuple(self.moments),
            a=as_tuple(1 / self.moments),
            m=m,
            free=free,
            mobility=free / m,
            c=c,
            g=as_tuple(self.mechanism.gravity),
            E=as_tuple(self.axes),
        )

    @property
    def numbers(self) -> Array:
        """The record, as its numbers lie in memory."""
        return np.array(flat(self.record))

    def energies(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Return P.w/2 + m u^2/2 and -m g.p, with the momentum and velocity of the reference point."""
        x, body = self.to_core(q, v), self.record
        kinetic = dot(x[:, 4:7], x[:, 4:7] / self.moments) / 2 + body.mobility * dot(x[:, 10:], x[:, 10:]) / 2
        center = x[:, 7:10] + times(matrix(x[:, :4]), np.array(body.c))
        return kinetic, -body.m * dot(center, self.mechanism.gravity)

    def force(self, number: Any, conservative: bool | None = None) -> Any:
        """Return forces of the user as one of the core: all, or those with or without a potential."""
        forces = [force for force in self.applied if conservative in (None, force.conservative)]
        if not forces:
            return no_force(number)
        return functions.combined(forces, self.link.body.center_of_mass, number)

    def to_core(self, q: Array, v: Array) -> Array:
        """Return the 13 numbers (q, P, r, p) of the state of the core, by (1) or (2), with leading axes."""
        link, c = self.link, self.link.body.center_of_mass
        attitude = compose(self._before, compose(q[..., 3:] if self.free else q, self._after))
        w = v[..., :3] if self.free else apply(inverse(link.body_rotation), v)
        P = self.moments * times(self.axes.T, w)
        r, p = np.broadcast_to(link.at, w.shape), np.zeros(w.shape)
        if self.free:
            R = matrix(compose(self._before, q[..., 3:]))
            r = link.at + apply(self._before, q[..., :3]) + times(R, c)
            p = link.body.mass * times(R, v[..., 3:] + cross(w, c))
        return np.concatenate([attitude, P, r, p], axis=-1)

    def from_core(self, x: Array) -> tuple[Array, Array]:
        """Return q (n, nq) and v (n, nv) of n states of the core (n, 13)."""
        link, c = self.link, self.link.body.center_of_mass
        q = compose(compose(inverse(self._before), x[:, :4]), inverse(self._after))
        w = times(self.axes, x[:, 4:7] / self.moments)
        if not self.free:
            return q, apply(link.body_rotation, w)
        R = matrix(compose(self._before, q))
        origin = x[:, 7:10] - link.at - times(R, c)
        velocity = times(transpose(R), x[:, 10:13]) / link.body.mass - cross(w, c)
        return (
            np.concatenate([apply(inverse(self._before), origin), q], axis=1),
            np.concatenate([w, velocity], axis=1),
        )

    @cached_property
    def _before(self) -> Array:
        return self.link.rotation

    @cached_property
    def _after(self) -> Array:
        axes = quaternion("body", "principal axes", self.axes)
        return axes if self.free else compose(self.link.body_rotation, axes)

    def time_loop(self, method: Method, number: Any = float64) -> TimeLoop:
        kernel = method.body
        assert kernel is not None, method.name
        return TimeLoop(
            time_loop(kernel, number),
            (self.force(number, conservative=True), self.force(number, conservative=False)),
            spread(self.numbers, DOUBLES[number]).reshape(-1),
            blank=kernel.blank,
            work=kernel.work,
            flags=(bool(self.forces), bool(self.workers)),
            raise_fault=None if all(force.compiled for force in self.applied) else python.raise_fault,
        )

    @cached_property
    def fingerprint(self) -> str:
        """Digest that changes when the physics or the kernels change."""
        link = self.link
        places = [x.tolist() for x in (link.at, link.rotation, link.body_at, link.body_rotation)]
        text = [repr((digest(), self.record, type(link.joint).__name__, places))]
        for force in self.applied:
            text.append(repr((force.frame, force.at.tolist(), force.count, force.switches)))
            text.append(source_digest(force.function))
        return hashlib.sha256("".join(text).encode()).hexdigest()[:16]


def principal(J: Array) -> tuple[Array, Array]:
    """Return moments in ascending order, equal ones first, and axes (columns, right-handed).
    One body, however written, has one order: `lp2` rotates about the axes one after the other."""
    if np.array_equal(J, np.diag(J.diagonal())):
        order = np.argsort(J.diagonal(), kind="stable")
        moments, axes = J.diagonal()[order], np.eye(3)[:, order]  # the user's own axes, renumbered
    else:
        moments, axes = eigh(J)
        for i, j in ((0, 1), (1, 2)):
            if moments[j] - moments[i] <= EQUAL * moments[2]:
                moments[j] = moments[i]
    if moments[0] != moments[1] == moments[2]:
        moments, axes = np.roll(moments, -1), np.roll(axes, -1, axis=1)
    axes[:, 2] *= np.sign(det(axes))
    return moments, axes


def single(mechanism: Mechanism) -> bool:
    """Return whether methods for one body can run this mechanism."""
    first = mechanism.links[0] if mechanism.links else None
    return (
        len(mechanism.links) == 1
        and isinstance(first.joint if first else None, Free | Spherical)
        and not getattr(first.joint if first else None, "armature", 0.0)
        and all(isinstance(force, Applied | Impulse) for force in mechanism.forces)
        and not mechanism.loops
        and not mechanism.control.forces
    )


def torque_free(mechanism: Mechanism) -> bool:
    """Return whether no torque acts on the one body of a mechanism."""
    link = mechanism.links[0]
    heavy = not isinstance(link.joint, Free) and bool(mechanism.gravity.any())
    acting = any(isinstance(force, Applied) for force in mechanism.forces)
    return not acting and not (heavy and bool(link.about_reference[1].any()))


def compile_body(mechanism: Mechanism) -> OneBody:
    """Return the one body of a mechanism; raise a ModelError if it is not `single`."""
    check_parts(mechanism)
    if not single(mechanism):
        raise ModelError(f"the mechanism is not one body on a Spherical or Free joint: {mechanism!r}")
    return OneBody(mechanism)

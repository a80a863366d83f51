"""Potentials that users write: compiled over arrays, and compared with their forces.

    t . e = -d/ds V(exp(s hat(e)) R, p),     f . e = -d/ds V(R, p + s e)                        (1)

A sign error in one of the two would make the energy of a run meaningless, so (1) is checked by
central differences where the run starts.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64, void

from poinsot.compile.functions.body import rows
from poinsot.compile.functions.messages import FAULTS, message
from poinsot.compile.functions.users import user_function
from poinsot.core.jit import COMPILED, foreign
from poinsot.core.lie import mat3, vec3
from poinsot.core.numbers.arrays import records
from poinsot.errors import ModelError
from poinsot.model.checks import Array, show
from poinsot.model.forces.applied import Applied
from poinsot.model.forces.force import Force, Snapshot
from poinsot.model.identity import source_digest
from poinsot.model.rotations import matrix

STEP = 1e-5  # of the central differences: error 1e-10 of the third derivative, 1e-11 of rounding
TOLERANCE = 1e-5  # relative to the largest component of the wrench
X = float64[::1]


def compiled(force: Applied) -> Any:
    """Return the compiled potential (R, p, out) over flat arrays of rotations (n, 9) and positions (n, 3)."""
    assert force.potential is not None
    return _compiled(force, source_digest(force.potential))


@lru_cache(maxsize=256)
def _compiled(force: Applied, digest: str) -> Any:
    label = f"potential of {force.label}"
    function = force.potential
    assert function is not None
    helper = user_function(function)

    def tuples(R, p, out):  # type: ignore[no-untyped-def]
        Rs, ps = records(R, 0, out.size, mat3.IDENTITY), records(p, 0, out.size, vec3.ZERO)
        for i in range(out.size):
            out[i] = helper(rows(Rs[i]), ps[i])

    def arrays(R, p, out):  # type: ignore[no-untyped-def]
        for i in range(out.size):
            out[i] = helper(R[9 * i : 9 * i + 9].reshape(3, 3), p[3 * i : 3 * i + 3])

    if not COMPILED:
        return arrays
    try:
        return foreign(tuples, void(X, X, X))
    except FAULTS as first:
        try:
            return foreign(arrays, void(X, X, X))
        except FAULTS as error:
            raise ModelError(message(f"{label} cannot be compiled", function, first, error)) from None


def values(force: Applied, R: Array, p: Array) -> Array:
    """Return V at rotations (n, 3, 3) and positions of the centre of mass (n, 3)."""
    out = np.empty(len(p))
    compiled(force)(np.ascontiguousarray(R).reshape(-1), np.ascontiguousarray(p).reshape(-1), out)
    return out


def check(force: Applied, wrench: Array, R: Array, p: Array) -> None:
    """Check (1) at one pose; raise a ModelError with both sides."""
    basis, scale = np.eye(3), max(1.0, float(np.abs(p).max()))
    rotated = [matrix(np.array([1.0, *(s * STEP / 2 * e)])) @ R for e in basis for s in (1.0, -1.0)]
    moved = [p + s * STEP * scale * e for e in basis for s in (1.0, -1.0)]
    V = values(force, np.array(rotated + [R] * 6), np.array([p] * 6 + moved))
    if not np.isfinite(V).all():
        raise ModelError(f"potential of {force.label}: must return a finite number, got {show(V)}")
    slope = -(V[0::2] - V[1::2]) / (2 * STEP)
    slope[3:] /= scale
    size = max(float(np.abs(slope).max()), float(np.abs(wrench).max()), float(np.abs(V).max()) * 1e-6)
    if float(np.abs(slope - wrench).max()) > TOLERANCE * size:
        raise ModelError(
            f"{force.label}: its potential does not fit the force: minus the gradient is {show(slope)}, "
            f"the force {show(wrench)} (torque first, in space)"
        )


def potential_of(force: Force, x: Snapshot) -> Array:
    """Return the potential (n,) of any force at n states."""
    if not isinstance(force, Applied) or force.potential is None:
        return force.energy(x)
    motion = x.motions[force.body]
    return values(force, motion.rotation, motion.position)

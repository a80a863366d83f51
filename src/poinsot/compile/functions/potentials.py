"""Potentials that users write: compiled over arrays, and compared with their forces.

    t . e = -d/ds V(exp(s hat(e)) R, p),     f . e = -d/ds V(R, p + s e)                        (1)

and, of a force between two bodies, the same for each of them.

An error in one of the two would make the energy of a run meaningless, so (1) is checked by central
differences where the run starts, as far as rounding allows.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numba import float64, void

from poinsot.compile.functions.body import rows
from poinsot.compile.functions.messages import SAMPLE, message
from poinsot.compile.functions.users import KEPT, key_of, user_function
from poinsot.compile.functions.ways import NoWayError, Way, first_of
from poinsot.core.jit import COMPILED
from poinsot.core.lie import mat3, vec3
from poinsot.core.numbers.arrays import records
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.forces.applied import Applied, PairForce
from poinsot.model.forces.force import WORLD, Force, Snapshot
from poinsot.model.identity import source_digest
from poinsot.model.rotations import matrix

SAFETY, ULPS = 10.0, 8.0  # of the estimated error; by which V may be wrong
ROUNDED = 1e-9  # error of the force, relative to its largest component: differences of large terms
X = float64[::1]


Bodies = Applied | PairForce
Poses = Sequence[tuple[Array, Array]]  # R, p of each body
Values = Callable[[Array, Array], Array]  # V at rotations (n, 3, 3) and positions (n, 3) of one body


def compiled(force: Bodies) -> Any:
    """Return the compiled potential (R, p, out) over flat arrays of rotations (n, 9) and positions (n, 3).
    Of a force between two bodies each has its row, a before b."""
    assert force.potential is not None
    return _compiled(force, source_digest(force.potential))


@lru_cache(maxsize=KEPT)
def _compiled(force: Bodies, digest: str) -> Any:
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

    def pair_tuples(R, p, out):  # type: ignore[no-untyped-def]
        Rs, ps = records(R, 0, 2 * out.size, mat3.IDENTITY), records(p, 0, 2 * out.size, vec3.ZERO)
        for i in range(out.size):
            out[i] = helper(rows(Rs[2 * i]), ps[2 * i], rows(Rs[2 * i + 1]), ps[2 * i + 1])

    def pair_arrays(R, p, out):  # type: ignore[no-untyped-def]
        Rs, ps = R.reshape(-1, 3, 3), p.reshape(-1, 3)
        for i in range(out.size):
            out[i] = helper(Rs[2 * i], ps[2 * i], Rs[2 * i + 1], ps[2 * i + 1])

    pair = len(force.bodies) == 2
    on_arrays = pair_arrays if pair else arrays
    if not COMPILED:
        return on_arrays
    what = "potential of a pair, of" if pair else "potential of"
    ways = [
        Way(lambda: pair_tuples if pair else tuples, key_of(f"{what} tuples", digest)),
        Way(lambda: on_arrays, key_of(f"{what} arrays", digest)),
    ]
    try:
        return first_of(ways, void(X, X, X))
    except NoWayError as error:
        pose, what = (SAMPLE[1], SAMPLE[3]) * len(force.bodies), f"{label} cannot be compiled"
        raise ModelError(message(what, function, 1, pose, *error.faults)) from None


def values(force: Bodies, *poses: tuple[Array, Array]) -> Array:
    """Return V at rotations (n, 3, 3) and positions of the centre of mass (n, 3) of each body."""
    R, p = (np.stack([pose[k] for pose in poses], axis=1) for k in (0, 1))
    out = np.empty(len(p))
    compiled(force)(R.reshape(-1), p.reshape(-1), out)
    return out


def check(force: Bodies, wrench: Array, poses: Poses) -> None:
    """Check (1) for every body at one state; `wrench` is that on the last one."""
    wrenches = [wrench]
    if len(poses) == 2:
        d = poses[1][1] - poses[0][1]
        wrenches = [-np.concatenate([wrench[:3] + np.cross(d, wrench[3:]), wrench[3:]]), wrench]
    for k, (body, (R, p)) in enumerate(zip(force.bodies, poses, strict=True)):
        if body == WORLD:
            continue

        def potential(Rs: Array, ps: Array, k: int = k) -> Array:
            n = len(ps)
            still = [(np.broadcast_to(R, (n, 3, 3)), np.broadcast_to(p, (n, 3))) for R, p in poses]
            return values(force, *still[:k], (Rs, ps), *still[k + 1 :])

        _check(force.label, potential, wrenches[k], R, p)


def _check(label: str, potential: Values, wrench: Array, R: Array, p: Array) -> None:
    """Check (1) at one pose; raise a ModelError with both sides if they differ by more than the rounding.

    A potential may vary over micrometres or over kilometres, near the origin or far from it: the steps of the
    differences go from the size of the position downwards.  That one counts from which the next differs
    least, with what V may be wrong by.
    """
    scale = max(1.0, float(np.abs(p).max()))
    found = [_slope(label, potential, R, p, 10.0**-k, scale * 10.0**-k) for k in range(2, 12)]
    errors = [float(np.abs(one - after).max()) + rounding for (one, _), (after, rounding) in pairwise(found)]
    k = int(np.argmin(errors))
    slope = found[k][0]
    size = max(float(np.abs(slope).max()), float(np.abs(wrench).max()))
    if float(np.abs(slope - wrench).max()) <= SAFETY * errors[k] + ROUNDED * size:
        return
    raise ModelError(
        f"{label}: its potential does not fit the force: minus the gradient is {show(slope)}, "
        f"the force {show(wrench)} (torque first, in space)"
    )


def _slope(
    label: str, potential: Values, R: Array, p: Array, angle: float, length: float
) -> tuple[Array, float]:
    """Return minus the gradient of the potential by central differences, and what rounding may add to it.

    The gradient is (torque, force) in space.
    """
    basis = np.eye(3)
    rotated = [matrix(np.array([1.0, *(s * angle / 2 * e)])) @ R for e in basis for s in (1.0, -1.0)]
    moved = [p + s * length * e for e in basis for s in (1.0, -1.0)]
    V = potential(np.array(rotated + [R] * 6), np.array([p] * 6 + moved))
    if not np.isfinite(V).all():
        raise ModelError(f"potential of {label}: must return a finite number, got {show(V)}")
    slope = -(V[0::2] - V[1::2]) / 2
    rounding = ULPS * checks.EPSILON * float(np.abs(V).max()) / angle
    return np.concatenate([slope[:3] / angle, slope[3:] / length]), rounding


def potential_of(force: Force, x: Snapshot) -> Array:
    """Return the potential (n,) of any force at n states."""
    if not isinstance(force, Bodies) or force.potential is None:
        return force.energy(x)
    found = [x.motions[body] for body in force.bodies]
    return values(force, *((motion.rotation, motion.position) for motion in found))

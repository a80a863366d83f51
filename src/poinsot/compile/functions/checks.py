"""Checks of the user's functions at the start of a run: finite numbers, potentials that fit their forces."""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from poinsot.compile.functions import body as functions
from poinsot.compile.functions import pair, potentials, python
from poinsot.compile.functions.body import as_tuple
from poinsot.compile.functions.messages import OTHER, complaint
from poinsot.compile.functions.users import in_python
from poinsot.errors import ModelError
from poinsot.model.checks import Array, show
from poinsot.model.forces.applied import Applied, PairForce, reads
from poinsot.model.forces.drive import Drive, check_drive
from poinsot.model.forces.gravitation import Gravitation
from poinsot.model.forces.joint import JointTorque
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

SHARES = (0.0, 0.5, 1.0, 0.21132486540518712, 0.7886751345948129)  # of the step: where methods ask for forces
Body = tuple[Array, Array, Array, Array]  # R, w, p, v


def check(mechanism: Mechanism, state: State) -> None:
    """Check all functions of a mechanism at a state; raise a ModelError that names one."""
    applied = any(isinstance(force, Applied | PairForce | Gravitation) for force in mechanism.forces)
    found = motions(mechanism, state.q[None], state.v[None]) if applied else {}
    for force in mechanism.forces:
        if isinstance(force, Applied | PairForce):
            _applied(mechanism, force, state.time, [found[body].first for body in force.bodies])
        elif isinstance(force, Gravitation):
            for a, b in combinations(force.bodies, 2):
                if np.array_equal(found[a].position, found[b].position):
                    raise ModelError(f"{force.label}: '{a}' and '{b}' are at the same place")
        elif isinstance(force, JointTorque):
            _joint(mechanism, force, state)
        elif isinstance(force, Drive):
            check_drive(force, mechanism.link(force.joint).joint, state.time)


def _wrench_of(mechanism: Mechanism, force: Applied | PairForce) -> Callable[[float, Sequence[Body]], Array]:
    """Return the compiled function of t and (R, w, p, v) of each body."""
    if isinstance(force, PairForce):
        call = pair.compiled(force)
        return lambda t, bodies: np.array(call(t, *(tuple(map(as_tuple, one)) for one in bodies), 0.0))
    call = functions.compiled(force, mechanism.rigid_links[force.body].body.center_of_mass)
    return lambda t, bodies: np.array(call(t, *map(as_tuple, bodies[0])))


def _applied(mechanism: Mechanism, force: Applied | PairForce, t: float, bodies: Sequence[Body]) -> None:
    wrench, at_rest = _wrench_of(mechanism, force), [(R, 0 * w, p, 0 * v) for R, w, p, v in bodies]
    try:
        moving, still = wrench(t, bodies), wrench(t, at_rest)
        python.raise_fault()
    except Exception as error:
        raise ModelError(f"{force.label}: fails at t = {t:g}: {error}") from None
    if np.array_equal(moving[:3], functions.MISFIT, equal_nan=True):
        raise ModelError(f"{force.label}: must return {force.count} numbers")
    if not np.isfinite(moving).all():
        raise ModelError(
            f"{force.label}: must return {force.count} finite numbers, got {show(moving)} at t = {t:g}"
        )
    fault = (
        complaint(force.function, force.count, (t, *(x for body in bodies for x in body)))
        if force.compiled
        else ""
    )
    if "OverflowError" in fault:
        raise ModelError(f"{force.label}: {fault}")
    if force.potential is not None:
        if force.reads_velocity or reads(force.function, 0):
            raise ModelError(f"{force.label}: a force with a potential cannot depend on t, w or v")
        potentials.check(force, still, [(R, p) for R, _, p, _ in bodies])
        moved = [  # nothing special about these poses
            (R @ turn, w, p + turn[0], v)
            for (R, w, p, v), turn in zip(at_rest, (OTHER, OTHER.T), strict=False)
        ]
        potentials.check(force, wrench(t, moved), [(R, p) for R, _, p, _ in moved])


def _joint(mechanism: Mechanism, force: JointTorque, state: State) -> None:
    at, along = mechanism.slices(force.joint)
    q, v = as_tuple(state.q[at]), as_tuple(state.v[along])
    try:
        function = in_python(force.function) if force.compiled else force.function
        found = np.atleast_1d(np.array(function(state.time, q, v), dtype=float))
    except Exception as error:
        raise ModelError(f"{force.label}: fails at t = {state.time:g}: {error}") from None
    if found.shape != (len(v),):
        raise ModelError(f"{force.label}: must return {len(v)} numbers, got {show(found)}")
    if not np.isfinite(found).all():
        raise ModelError(
            f"{force.label}: must return finite numbers, got {show(found)} at t = {state.time:g}"
        )


def culprit(mechanism: Mechanism, start: State, step: float) -> str:
    """Name the function that fails, or returns no finite numbers, in a step from `start`; else an empty text.

    The functions are called at several times of the step with the pose and the velocities at its start.
    """
    for share in SHARES:
        state = State(start.time + share * step, start.q, start.v)
        found = motions(mechanism, state.q[None], state.v[None])
        for force in mechanism.forces:
            if isinstance(force, Applied | PairForce):
                each = [x for body in force.bodies for x in found[body].first]
                fault = complaint(force.function, force.count, (state.time, *each))
            elif isinstance(force, JointTorque):
                at, along = mechanism.slices(force.joint)
                q, v = as_tuple(state.q[at]), as_tuple(state.v[along])
                fault = complaint(force.function, len(v), (state.time, q, v))
            elif isinstance(force, Drive):
                fault = complaint(force.function, mechanism.link(force.joint).joint.nq, (state.time,))
            else:
                continue
            if fault:
                if fault.startswith("raised"):
                    return f"a force {fault} ({force.label}, at t = {state.time:.6g})"
                return f"{force.label} {fault} at t = {state.time:.6g}"
    return ""

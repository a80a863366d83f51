"""Checks of the user's functions at the start of a run: finite numbers, potentials that fit their forces."""

import numpy as np

from poinsot.compile.functions import body as functions
from poinsot.compile.functions import potentials, python
from poinsot.compile.functions.body import as_tuple
from poinsot.compile.functions.messages import complaint
from poinsot.compile.functions.users import in_python
from poinsot.errors import ModelError
from poinsot.model.checks import show
from poinsot.model.forces.applied import Applied, reads
from poinsot.model.forces.drive import Drive, check_drive
from poinsot.model.forces.joint import JointTorque
from poinsot.model.kinematics import SampledMotion, motions
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.state import State

SHARES = (0.0, 0.5, 1.0, 0.21132486540518712, 0.7886751345948129)  # of the step: where methods ask for forces
OTHER = matrix(np.array([0.8, 0.2, -0.4, 0.4]))  # a rotation in general position


def check(mechanism: Mechanism, state: State) -> None:
    """Check all functions of a mechanism at a state; raise a ModelError that names one."""
    applied = any(isinstance(force, Applied) for force in mechanism.forces)
    found = motions(mechanism, state.q[None], state.v[None]) if applied else {}
    for force in mechanism.forces:
        if isinstance(force, Applied):
            _applied(mechanism, force, state.time, found[force.body])
        elif isinstance(force, JointTorque):
            _joint(mechanism, force, state)
        elif isinstance(force, Drive):
            check_drive(force, mechanism.link(force.joint).joint, state.time)


def _applied(mechanism: Mechanism, force: Applied, t: float, x: SampledMotion) -> None:
    R, w, p, v = x.rotation[0], x.angular_velocity[0], x.position[0], x.velocity[0]
    compiled = functions.compiled(force, mechanism.rigid_links[force.body].body.center_of_mass)
    try:
        moving, still = (
            np.array(compiled(t, as_tuple(R), a, as_tuple(p), b))
            for a, b in ((as_tuple(w), as_tuple(v)), ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
        )
        python.raise_fault()
    except Exception as error:
        raise ModelError(f"{force.label}: fails at t = {t:g}: {error}") from None
    if np.array_equal(moving[:3], functions.MISFIT, equal_nan=True):
        raise ModelError(f"{force.label}: must return {force.count} numbers")
    if not np.isfinite(moving).all():
        raise ModelError(
            f"{force.label}: must return {force.count} finite numbers, got {show(moving)} at t = {t:g}"
        )
    fault = complaint(force.function, force.count, (t, R, w, p, v)) if force.compiled else ""
    if "OverflowError" in fault:
        raise ModelError(f"{force.label}: {fault}")
    if force.potential is not None:
        if force.reads_velocity or reads(force.function, 0):
            raise ModelError(f"{force.label}: a force with a potential cannot depend on t, w or v")
        potentials.check(force, still, R, p)
        Q, moved = R @ OTHER, p + OTHER[0]  # nothing special about this pose
        other = np.array(compiled(t, as_tuple(Q), as_tuple(0 * w), as_tuple(moved), as_tuple(0 * v)))
        potentials.check(force, other, Q, moved)


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
            if isinstance(force, Applied):
                x = found[force.body]
                each = x.rotation[0], x.angular_velocity[0], x.position[0], x.velocity[0]
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

"""Breakpoints: the steps of a run at which an impulse acts or a force jumps; the state after an impulse.

one body   P += R^T torque + c x R^T force,   p += force                                       (1)
tree       v += M^-1 J^T (torque, force), then the nearest velocity that keeps loops closed     (2)
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from poinsot.compile.one_body import OneBody
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.tree import Tree
from poinsot.elementary.linear import product
from poinsot.errors import ScenarioError
from poinsot.mechanics.algorithms import response
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.model.checks import Array
from poinsot.model.forces.impulse import Impulse
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix

ON_STEP = 1e-6  # largest distance of a breakpoint from a step, in steps


class OffStepError(ScenarioError):
    """A breakpoint, or the end of a run, does not lie on a step."""


class Breakpoint(NamedTuple):
    """What happens at a step: impulses act, and forces may jump."""

    impulses: list[Impulse]
    jump: tuple[float, float] | None  # first and last time at which forces jump; None: they do not

    @property
    def before(self) -> float:
        """Last time at which forces may be asked in the step before: on the near side of every jump."""
        return math.inf if self.jump is None else self.jump[0] - MARGIN * math.ulp(self.jump[0])

    @property
    def after(self) -> float:
        """First time at which forces may be asked in the step after: on the far side of every jump."""
        return -math.inf if self.jump is None else self.jump[1] + MARGIN * math.ulp(self.jump[1])


MARGIN = 16  # roundings by which the threshold in a function may differ from its switch: 0.3 is not 3 * 0.1
NO_BREAKPOINT = Breakpoint([], None)


def breakpoints_of(mechanism: Mechanism, start: float, h: float, total: int) -> dict[int, Breakpoint]:
    """Return the breakpoints of a run of `total` steps from the time `start`, by the number of the step."""
    impulses = [(force.label, force.time, force) for force in mechanism.forces if isinstance(force, Impulse)]
    jumps = [(f"switch of {force.label}", time) for force in mechanism.forces for time in force.switches]
    found: dict[int, Breakpoint] = {}
    for label, time, impulse in [*impulses, *((label, time, None) for label, time in jumps)]:
        k = (time - start) / h
        if not -ON_STEP <= k <= total + ON_STEP:
            continue
        if abs(k - round(k)) > ON_STEP:
            raise OffStepError(
                f"{label}: t = {time:g} does not lie on a step of {h:g} "
                f"(it is {k:.6g} steps after the start): choose a step that divides the time to it"
            )
        old = found.get(round(k), NO_BREAKPOINT)
        if impulse is not None:
            found[round(k)] = Breakpoint([*old.impulses, impulse], old.jump)
        else:
            first, last = old.jump or (time, time)
            found[round(k)] = old._replace(jump=(min(first, time), max(last, time)))
    return found


def jumps_ahead(
    mechanism: Mechanism, points: Mapping[int, Breakpoint], start: float, h: float, total: int
) -> list[tuple[int, float]]:
    """Return the steps at which forces jump, and the last time at which forces may be asked before.

    The last entry is the first jump after the run of `total` steps, if there is one: what a method that looks
    ahead finds does not depend on where a run ends.
    """
    found = sorted((step, point.before) for step, point in points.items() if point.jump is not None)
    times = (time for force in mechanism.forces for time in force.switches)
    later = min((time for time in times if (time - start) / h > total + ON_STEP), default=None)
    return found if later is None else [*found, (total + 1, Breakpoint([], (later, later)).before)]


def apply_impulse(system: CompiledMechanism, impulse: Impulse, x: Array) -> Array:
    """Return the state x of the core after an impulse at the centre of mass of a body."""
    if isinstance(system, OneBody):
        return _body(system, impulse, x)
    assert isinstance(system, Tree)
    return _tree(system, impulse, x)


def _body(body: OneBody, impulse: Impulse, x: Array) -> Array:
    """Apply an impulse to one body by (1)."""
    R = matrix(x[:4])
    to_space = product(R, body.axes.T) if impulse.frame == "body" else np.eye(3)
    torque, force = product(to_space, impulse.torque), product(to_space, impulse.force)
    c = np.zeros(3) if body.free else product(body.axes.T, body.offset)
    y = x.copy()
    y[4:7] += product(R.T, torque) + np.cross(c, product(R.T, force))
    y[10:13] += body.record.free * force
    return y


def _tree(tree: Tree, impulse: Impulse, x: Array) -> Array:
    """Apply an impulse to a tree by (2)."""
    nq = tree.nq
    q, v = x[:nq], x[nq:]
    seat = tree.places.bodies[impulse.body]
    if seat.link == 0:
        return x.copy()
    R = motions(tree.mechanism, q[None], v[None])[impulse.body].rotation[0]
    to_body = np.eye(3) if impulse.frame == "body" else R.T
    torque, force = (product(seat.R, to_body, y) for y in (impulse.torque, impulse.force))
    c = seat.r + product(seat.R, tree.mechanism.rigid_links[impulse.body].body.center_of_mass)
    wrenches = np.zeros((tree.links + 1, 6))
    wrenches[seat.link] = np.concatenate([torque + np.cross(c, force), force])
    after = v + response(tree, q, 0 * v, 0 * v, wrenches, gravity=False)
    if tree.constraints or tree.drives:
        here = LoopConstraints(tree, q)
        after = here.nearest(after, np.zeros(len(here.residuals)), v[here.driven])
    return np.concatenate([q, after])

"""Impulses: the state after a sudden change of momentum.

one body   P += R^T torque + c x R^T force,   p += force                                       (1)
tree       v += M^-1 J^T (torque, force), then the nearest velocity that keeps loops closed     (2)
"""

import numpy as np

from poinsot.compile.one_body import OneBody
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.tree import Tree
from poinsot.elementary.linear import product
from poinsot.mechanics.algorithms import response
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.model.checks import Array
from poinsot.model.forces.impulse import Impulse
from poinsot.model.kinematics import motions
from poinsot.model.rotations import matrix


def struck(system: CompiledMechanism, impulse: Impulse, x: Array) -> Array:
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
    c = seat.r + product(seat.R, tree.mechanism.link(impulse.body).body.center_of_mass)
    wrenches = np.zeros((tree.links + 1, 6))
    wrenches[seat.link] = np.concatenate([torque + np.cross(c, force), force])
    after = v + response(tree, q, 0 * v, 0 * v, wrenches, gravity=False)
    if tree.constraints or tree.drives:
        here = LoopConstraints(tree, q)
        after = here.nearest(after, np.zeros(len(here.residuals)), v[here.driven])
    return np.concatenate([q, after])

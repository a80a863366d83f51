"""A mechanism as control laws see it: M dv/dt + f = B u, and the motion of its bodies, at one state.

    twist of body b:  J_b v,        rate of the twist:  J_b dv/dt + Jdot_b v                       (1)

The mechanism is compiled once; every question is answered at a state (t, q, v).
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from poinsot.compile.tree import compile_tree
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics import entries
from poinsot.mechanics import algorithms
from poinsot.model.checks import Array
from poinsot.model.controller import uncontrolled
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.state import State

NUMBERS = DOUBLES[dual4]


class Moving(NamedTuple):
    """Motion of a body at a state: pose, Jacobian of the twist in body axes, and its rate."""

    G: Array  # (4, 4)
    J: Array  # (6, nv)
    Jd: Array  # (6, nv)


class Plant:
    """Mechanics of one mechanism without controllers."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = uncontrolled(mechanism)
        self.tree = compile_tree(self.mechanism)
        self.nv = self.mechanism.lengths[1]
        self.jacobian, self.rate = entries.point_jacobian(), entries.point_jacobian(dual4)

    def mass(self, state: State) -> Array:
        """Return the mass matrix M."""
        return algorithms.mass_matrix(self.tree, state.q)

    def bias(self, state: State) -> Array:
        """Return f: Coriolis forces, gravity and all forces of the mechanism on the left side."""
        tree, n = self.tree, self.nv
        given, model = algorithms.applied(tree, state.time, state.q, state.v)
        tau, wrenches = np.zeros(n), np.zeros(6 * (tree.links + 1))
        entries.inverse()(
            model, int(bool(tree.forces)), np.array(state.q), np.array(state.v), np.zeros(n), tau, wrenches
        )
        return tau - given

    def moving(self, state: State, bodies: Iterable[str]) -> dict[str, Moving]:
        """Return the motion of some bodies."""
        n = self.nv
        poses = motions(self.mechanism, state.q[None], state.v[None])
        q = np.zeros((len(state.q), NUMBERS))
        q[:, 0], q[:, 1] = state.q, algorithms.rates(self.tree, state.q, state.v)
        model, found = self.tree.model(dual4), {}
        for name in bodies:
            G = np.eye(4)
            if name == WORLD:
                found[name] = Moving(G, np.zeros((6, n)), np.zeros((6, n)))
                continue
            G[:3, :3], G[:3, 3] = poses[name].rotation[0], poses[name].origin[0]
            seat = self.tree.places.bodies[name]
            place = np.concatenate([seat.R.ravel(), seat.r])
            J = np.zeros((6, n, NUMBERS))
            self.rate(model, seat.link, place, q.reshape(-1), np.zeros(n * NUMBERS), J.reshape(-1))
            found[name] = Moving(G, J[:, :, 0].copy(), J[:, :, 1].copy())
        return found

"""A mechanism as control laws see it: M dv/dt + f = B u, and the motion of its bodies, at one state.

    twist of body b:  J_b v,        rate of the twist:  J_b dv/dt + Jdot_b v                       (1)

The mechanism is compiled once; every question is answered at a state (t, q, v).
"""

from collections.abc import Iterable, Sequence
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
        self.rate = entries.point_jacobian(dual4)
        self._key: tuple[bytes, bytes] = (b"", b"")
        self._known: dict[str, Moving] = {}  # at the last state

    @property
    def identity(self) -> str:
        """Digest of the mechanism."""
        return self.tree.fingerprint

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

    def coriolis(self, state: State) -> Array:
        """Return the part of f that is quadratic in the velocities: without gravity and forces."""
        still = State(state.time, state.q, np.zeros(self.nv))
        n, tree = self.nv, self.tree
        found = []
        for one in (state, still):
            tau = np.zeros(n)
            space = np.zeros(6 * (tree.links + 1))
            entries.inverse()(tree.model(), 0, np.array(one.q), np.array(one.v), np.zeros(n), tau, space)
            found.append(tau)
        return np.asarray(found[0] - found[1])

    def last_velocities(self, q: Array) -> Array:
        """Return the velocities of the last state if it had these coordinates, else zero."""
        same = q.tobytes() == self._key[0]
        return np.frombuffer(self._key[1]) if same else np.zeros(self.nv)

    def moving(self, state: State, bodies: Sequence[str]) -> dict[str, Moving]:
        """Return the motion of some bodies; that of the last state is kept."""
        key = state.q.tobytes(), state.v.tobytes()
        if key != self._key:
            self._key, self._known = key, {}
        missing = [name for name in bodies if name not in self._known]
        if missing:
            self._known.update(self._moving(state, missing))
        return self._known

    def _moving(self, state: State, bodies: Iterable[str]) -> dict[str, Moving]:
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

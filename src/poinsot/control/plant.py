"""A mechanism as control laws see it: M dv/dt + f = B u, and the motion of its bodies, at one state.

    twist of body b:  J_b v,        rate of the twist:  J_b dv/dt + Jdot_b v                       (1)

The mechanism is compiled once; every question is answered at a state (t, q, v).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from poinsot.compile.tree import compile_tree
from poinsot.control.matrices import Vee, ad, moments
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics import entries
from poinsot.mechanics import algorithms
from poinsot.model.checks import Array
from poinsot.model.controller import uncontrolled
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.state import State

NUMBERS = DOUBLES[dual4]
ROTATION, ORIGIN = slice(0, 9), slice(18, 21)  # in `core.tree.dynamics.bodies.BodyMotion`
KEPT = 2  # states whose motions are kept: the state and its reference


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
        self.dual = self.tree.model(dual4)
        seats = [self.tree.places.bodies[name] for name in self.mechanism.names]
        self._links = np.array([seat.link for seat in seats], dtype=np.int64)
        self._seats = np.array([[*seat.R.ravel(), *seat.r, 0.0, 0.0, 0.0] for seat in seats]).reshape(-1)
        self._order = {name: i for i, name in enumerate(self.mechanism.names)}
        self._known: dict[tuple[bytes, bytes], dict[str, Moving]] = {}  # at the last states

    @property
    def identity(self) -> str:
        """Digest of the mechanism."""
        return self.tree.fingerprint

    def mass(self, state: State) -> Array:
        """Return the mass matrix M."""
        return algorithms.mass_matrix(self.tree, state.q)

    def bias(self, state: State) -> Array:
        """Return f: Coriolis forces, gravity and all forces of the mechanism on the left side."""
        tau = np.zeros((1, self.nv))
        time, zero = np.array([state.time]), np.zeros((1, self.nv))
        self.tree.states.inverses(time, np.array(state.q)[None], np.array(state.v)[None], zero, tau)
        return np.asarray(tau[0])

    def coriolis(self, state: State) -> Array:
        """Return the part of f that is quadratic in the velocities: sum of J^T (M J' v - ad^T M J v)."""
        moving, out = self.moving(state, self.mechanism.names), np.zeros(self.nv)
        for link in self.mechanism.links:
            body, x = link.body, moving[link.name]
            M, twist = Vee(moments(body.mass, body.center_of_mass, body.inertia)), x.J @ state.v
            out += x.J.T @ (M @ (x.Jd @ state.v) - ad(twist).T @ (M @ twist))
        return out

    def last_velocities(self, q: Array) -> Array:
        """Return the velocities of the last state if it had these coordinates, else zero."""
        same = [key[1] for key in self._known if key[0] == q.tobytes()]
        return np.frombuffer(same[-1]) if same else np.zeros(self.nv)

    def moving(self, state: State, bodies: Sequence[str]) -> dict[str, Moving]:
        """Return the motion of some bodies; those of the last states are kept."""
        key = state.q.tobytes(), state.v.tobytes()
        known = self._known.pop(key, {})
        missing = [name for name in bodies if name not in known]
        if missing:
            known.update(self._moving(state, missing))
        self._known[key] = known
        while len(self._known) > KEPT:
            self._known.pop(next(iter(self._known)))
        return known

    def _moving(self, state: State, bodies: Sequence[str]) -> dict[str, Moving]:
        n, tree = self.nv, self.tree
        q, v = np.array(state.q), np.array(state.v)
        poses = tree.states.motions(self._links, self._seats, q[None], v[None])[0]
        table = np.zeros((len(q), NUMBERS))
        table[:, 0], table[:, 1] = q, algorithms.rates(tree, q, v)
        found = {}
        for name in bodies:
            G, J = np.eye(4), np.zeros((6, n, NUMBERS))
            if name != WORLD:
                seat, pose = tree.places.bodies[name], poses[self._order[name]]
                G[:3, :3], G[:3, 3] = pose[ROTATION].reshape(3, 3), pose[ORIGIN]
                place = np.concatenate([seat.R.ravel(), seat.r])
                self.rate(
                    self.dual, seat.link, place, table.reshape(-1), np.zeros(n * NUMBERS), J.reshape(-1)
                )
            found[name] = Moving(G, J[:, :, 0], J[:, :, 1])
        return found

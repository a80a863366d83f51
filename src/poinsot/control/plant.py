"""A mechanism as control laws see it: M dv/dt + f = B u, and the motion of its bodies, at one state.

    twist of body b:  J_b v,        rate of the twist:  J_b dv/dt + Jdot_b v                       (1)

The mechanism is compiled once; every question is answered at a state (t, q, v).  `with_plant` has the data of
a compiled law in the order in which `core.control` unpacks them.
"""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from poinsot.compile.cache import tree_for
from poinsot.compile.laws import CompiledLaw
from poinsot.compile.tree import Tree
from poinsot.core.control.records import workspace_size
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics import entries
from poinsot.core.tree.joints.table import NV
from poinsot.mechanics import algorithms
from poinsot.mechanics.assembly import scales
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.model.checks import Array
from poinsot.model.controller import without_control
from poinsot.model.inputs.input import Input
from poinsot.model.inputs.on_body import OnBody
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import Ad, ad, hat, pose_inverse
from poinsot.model.state import State

if TYPE_CHECKING:
    from poinsot.control.templates import Pair

NUMBERS = DOUBLES[dual4]
ROTATION, ORIGIN = slice(0, 9), slice(18, 21)  # in `core.tree.dynamics.kinematics.SeatMotion`
RECENT = 2  # states whose motions are remembered


class Moving(NamedTuple):
    """Motion of a body at a state: pose, Jacobian of the twist in body axes, and its rate."""

    G: Array  # (4, 4)
    J: Array  # (6, nv)
    Jd: Array  # (6, nv)


class Reduction(NamedTuple):
    """Accelerations a = N z + a0 that loops and driven joints allow at a state (`core.control.freedom`)."""

    N: Array  # (nv, n)
    a0: Array

    def squares(self, *matrices: Array) -> list[Array]:
        """Return N^T A N of matrices A."""
        return [np.asarray(self.N.T @ A @ self.N) for A in matrices]


class Plant:
    """Mechanics of one mechanism without controllers."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = without_control(mechanism)
        self.tree = tree_for(self.mechanism)
        self.nv = self.mechanism.lengths[1]
        self.rate = entries.point_jacobian(dual4)
        self.dual = self.tree.model(dual4)
        seats = [self.tree.places.bodies[name] for name in self.mechanism.names]
        self._links = np.array([seat.link for seat in seats], dtype=np.int64)
        self._seats = np.array([[*seat.R.ravel(), *seat.r, 0.0, 0.0, 0.0] for seat in seats]).reshape(-1)
        self._order = {name: i for i, name in enumerate(self.mechanism.names)}
        self._known = threading.local()  # motions at the last states of a thread

    @property
    def identity(self) -> str:
        """Digest of the mechanism."""
        return self.tree.fingerprint

    def sizes(self, state: State) -> Array:
        """Return 1 for velocities that turn, for others a length: the radius of gyration of the bodies."""
        bodies = [link.body for link in self.mechanism.links]
        length = np.sqrt(sum(np.trace(one.inertia) for one in bodies) / sum(one.mass for one in bodies))
        length = length or max(float(np.abs(link.at).max()) for link in self.mechanism.links) or 1.0
        found = np.ones(self.nv)
        for link in self.mechanism.links:
            at, along = self.mechanism.slices(link.name)
            units = np.eye(link.joint.nv)
            turning = [np.any(link.joint.twist(state.q[at], unit)[0]) for unit in units]
            found[along] = np.where(turning, 1.0, length)
        return found

    def mass(self, state: State) -> Array:
        """Return the mass matrix M."""
        return algorithms.mass_matrix(self.tree, state.q)

    def bias(self, state: State) -> Array:
        """Return f: Coriolis forces, gravity and all forces of the mechanism on the left side."""
        tau = np.zeros((1, self.nv))
        time, zero = np.array([state.time]), np.zeros((1, self.nv))
        self.tree.states.inverses(time, np.array(state.q)[None], np.array(state.v)[None], zero, tau)
        return np.asarray(tau[0])

    @property
    def constrained(self) -> bool:
        """Whether there are loops or driven joints."""
        return bool(self.tree.constraints or self.tree.drives)

    def reduction(self, state: State) -> Reduction | None:
        """Return the accelerations that loops and driven joints allow; None if there are neither."""
        if not self.constrained:
            return None
        here, driven = LoopConstraints(self.tree, state.q), self.tree.driven_coordinates[1]
        here.check_freedom()
        held = self.drives(state.time)[2][driven]
        return Reduction(here.freedom, here.nearest(np.zeros(self.nv), here.bias(state.v), held))

    def broken_by(self, state: State, a: Array, rate: float, most: float) -> str:
        """Return what of a motion breaks loops or leaves drives by more than this part, or nothing.
        Speeds and accelerations are also compared with those of changes of the whole size at a rate."""
        if not self.constrained:
            return ""
        tree, here = self.tree, LoopConstraints(self.tree, state.q)
        at, driven = tree.driven_coordinates
        bias, Phi, given = here.bias(state.v), np.abs(here.Phi), self.drives(state.time)
        sizes = scales(tree, motions(self.mechanism, state.q[None], state.v[None]).values())
        own = self.sizes(state)[driven]
        plain = len(at) == len(driven)
        kinds = {
            "coordinates": (here.residuals, sizes, (state.q - given[0])[at] if plain else 0.0, own),
            "velocities": (
                here.Phi @ state.v, Phi @ np.abs(state.v) + rate * sizes,
                (state.v - given[1])[driven], np.abs(given[1][driven]) + rate * own,
            ),
            "accelerations": (
                here.Phi @ a + bias, Phi @ np.abs(a) + np.abs(bias) + rate * rate * sizes,
                (a - given[2])[driven], np.abs(given[2][driven]) + rate * rate * own,
            ),
        }  # fmt: skip
        for name, (off, size, left, speed) in kinds.items():
            if (np.abs(off) > most * size).any():
                return f"{name} open loop '{tree.loop_of(off / size)}'"
            if (np.abs(left) > most * speed).any():
                return f"{name} are not those of the drives"
        return ""

    def drives(self, t: float) -> tuple[Array, Array, Array]:
        """Return q, v and dv/dt with those of the driven joints at a time; all others are zero."""
        zero = np.zeros(self.tree.nq), np.zeros(self.nv)
        return self.tree.on_drives(t, *zero) if self.tree.drives else (*zero, np.zeros(self.nv))

    def moving(self, state: State, bodies: Sequence[str]) -> dict[str, Moving]:
        """Return the motion of some bodies; those of the last states are kept."""
        key, recent = (state.q.tobytes(), state.v.tobytes()), self._known.__dict__.setdefault("recent", {})
        known: dict[str, Moving] = recent.pop(key, {})
        missing = [name for name in bodies if name not in known]
        if missing:
            known.update(self._moving(state, missing))
        recent[key] = known
        while len(recent) > RECENT:
            recent.pop(next(iter(recent)))
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


def relative(a: Moving, b: Moving, v: Array) -> Moving:
    """Return the motion of b relative to a.

    G = G_a^-1 G_b,    J = J_b - P J_a,    J' = J_b' - P J_a' + ad(J v) P J_a,    P = Ad(G^-1)          (2)
    """
    G = pose_inverse(a.G) @ b.G
    P = Ad(pose_inverse(G))
    J = b.J - P @ a.J
    return Moving(G, J, b.Jd - P @ a.Jd + ad(J @ v) @ P @ a.J)


def pose_derivatives(R: Array, r: Array, twist: Array, rate: Array) -> list[float]:
    """Return a pose and its two derivatives, from its twist and the rate of it, each as R and r (36)."""
    w, v = hat(twist[:3]), twist[3:]
    turned = R @ (hat(rate[:3]) + w @ w)
    rows = (R, r), (R @ w, R @ v), (turned, R @ (rate[3:] + w @ v))
    return [float(x) for row in rows for part in row for x in part.ravel()]


RANK = 1e-9  # eigenvalues of a stiffness, relative to its diagonal, that are zero


def flat(parts: Sequence[Any]) -> Array:
    """Return numbers one after the other."""
    return np.concatenate([np.zeros(0), *(np.asarray(part, dtype=float).ravel() for part in parts)])


def pair_numbers(pair: "Pair") -> Array:
    """Return the numbers of a pair (`core.control.records.PairData`)."""
    moments = [
        x for P in (pair.inertia, pair.damping, pair.stiffness) for x in (P[:3, :3], P[:3, 3], P[3, 3])
    ]
    sizes = np.sqrt(np.abs(np.diag(pair.K)))
    sizes[sizes == 0] = 1.0
    values, vectors = np.linalg.eigh(pair.K / np.outer(sizes, sizes))
    seen = values > RANK * float(np.abs(values).max())
    root = np.zeros((6, 6))
    root[: int(seen.sum())] = np.sqrt(values[seen])[:, None] * vectors[:, seen].T * sizes
    return flat([*moments, pair.M, pair.D, pair.center, root])


def no_limits(nu: int) -> list[Array]:
    """Return the numbers of limits that there are not."""
    return [np.full(nu, -np.inf), np.full(nu, np.inf), np.zeros(nu)]


def with_plant(
    entry: Callable[[], Any],
    plant: Plant,
    inputs: Sequence[Input],
    pairs: "Sequence[Pair]",
    limits: tuple[int, Sequence[Array]],
    *,
    facts: tuple[int, int, int],
    width: int,
    more: Sequence[Array] = (),
) -> CompiledLaw:
    """Return a law that needs the mechanics of its mechanism.

    `limits` are the number of rows and the numbers, `facts` the kind, how many of the pairs belong to the
    template, and how many of these, the first ones, have stiffness; `more` are the numbers after the limits.
    """
    m, tree, nv = plant.mechanism, plant.tree, plant.nv
    names = [name for pair in pairs for name in (pair.relative_to, pair.body) if name != WORLD]
    names += [one.body for one in inputs if isinstance(one, OnBody)]
    order = {name: number for number, name in enumerate(dict.fromkeys(names))}
    seats = [tree.places.bodies[name] for name in order]
    ends = [number for pair in pairs for number in (order.get(pair.relative_to, -1), order[pair.body])]
    on, units, wrenches = [], [np.zeros((0, nv))], [np.zeros((0, 6))]
    for one in inputs:
        count = one.count(m)
        body = isinstance(one, OnBody)
        on += [order[one.body] if isinstance(one, OnBody) else -1] * count
        units.append(np.zeros((count, nv)) if body else one.columns(m, {}).T)
        wrenches.append(one.wrenches if isinstance(one, OnBody) else np.zeros((count, 6)))
    rows, bounds = limits
    kind, own, seen = facts
    links = {WORLD: 0, **{name: seat.link for name, seat in zip(order, seats, strict=True)}}
    moved = []
    for pair in pairs:
        active = sorted(_moved_by(tree, links[pair.body]) ^ _moved_by(tree, links[pair.relative_to]))
        moved += [len(active), *active, *[0] * (nv - len(active))]
    head = kind, rows, len(order), len(pairs), own, seen
    ints = np.array([*head, *(seat.link for seat in seats), *ends, *on, *moved], dtype=np.int64)
    placements = [part for seat in seats for part in (seat.R, seat.r)]
    numbers = flat([*placements, *map(pair_numbers, pairs), *units, *wrenches, *bounds, *more])
    size = workspace_size(tree.nq, nv, len(on), rows, len(order) + len(pairs), tree.links)
    return CompiledLaw(entry, tree, ints, numbers, len(on), width, size, plant=True)


def _moved_by(tree: Tree, link: int) -> set[int]:
    """Return the velocities of the joints between a link and the world."""
    at = tree.layout
    ends, found = np.cumsum([0, *(NV[kind] for kind in at.kinds)]).tolist(), set()
    while link > 0:
        found |= set(range(ends[link - 1], ends[link]))
        link = int(at.parents[link - 1])
    return found

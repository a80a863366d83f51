"""Modes of joints with hard stops and dry friction, and what happens where they change.

A joint moves, or it is held: at a stop, or by friction.  A joint that is held has an unknown force

    lam in [-f, f]    with friction f;    at the lower stop in [-f, oo),   at the upper one in (-oo, f]    (1)

and one that moves feels -f sgn v.  A mode ends where its margin, one of each event, falls below zero:

    event            moves                           is held
    joint.stop       min(q - lower, upper - q)       at a stop: distance of lam from its finite bound
    joint.friction   v along the direction of slip   off the stops: 1 - (lam/f)^2                          (2)

At a change of modes, all joints are looked at together.  With W the response M^-1 of the mechanism with its
loops and drives, and n = 1 at a lower stop, n = -1 at an upper one:

 1. Impact, if a joint at a stop moves into it.  With u = n v before, P impulses at all joints that are at
    stops then,

        P >= 0,    u+ + e u >= 0,    one of both is zero                                                   (3)

    (Moreau 1988).  One joint alone leaves with e times its speed.  Friction has no impulse.  The work of the
    stops is P.(u + u+)/2; if it is positive, which is possible only with different e, the run ends.
 2. If the joint would be back after a time shorter than the driver can resolve, or if its rebound is so slow
    against the largest impact, or so low, that what comes is rounding, e is zero for it: it stays (Zeno).
 3. Joints at rest are held, with lam of (1), or accelerate away from the bound of it that they need; this is
    `complementarity`.  A joint whose margin has ended leaves.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from poinsot.compile.modes import ModeTree
from poinsot.compile.tree import Tree
from poinsot.elementary.linear import dot
from poinsot.errors import ModelError
from poinsot.mechanics.algorithms import mass_matrix, response
from poinsot.mechanics.complementarity import SLACK, bounded_forces
from poinsot.mechanics.drive_forces import drive_forces
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.model.checks import EPSILON, Array, show
from poinsot.model.event import Event
from poinsot.model.forces.stops import ModeJoint, mode_joints
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

SMALL = 2.0**-30  # of the speed of the largest impact: what follows moves by SMALL^2
APART = 2.0**-44  # of the response of one joint to another, relative to their own: rounding
NOISE = 2.0**-44  # of the largest acceleration, in the metric of the masses: what is rounding in forces
GAIN = 2.0**-40  # of the work of an impact, by which it may be positive
BEYOND = 1e-9  # of the ends of a range, by which a start may lie beyond them
ULPS = 8 * EPSILON  # of an end, within which a joint that moves away from it is not beyond it
KINDS = STOP, FRICTION = "stop", "friction"


class Margin:
    """The function of an event at which a mode ends (2); it knows the modes once the run begins."""

    def __init__(self, joint: ModeJoint, number: int, kind: str) -> None:
        self.number, self.kind, self.name = number, kind, f"{joint.name}.{kind}"
        self.identity = f"mode {self.name}"  # for archives
        self.modes: JointModes | None = None

    def __call__(self, t: float, state: State) -> float:
        return float(self._values(np.array([t]), state.q[None], state.v[None])[0])

    def many(self, states: Any) -> Array:
        """Return the values at many states."""
        return self._values(states.time, states.q, states.v)

    def _values(self, time: Array, q: Array, v: Array) -> Array:
        return np.ones(len(q)) if self.modes is None else self.modes.margins(self, time, q, v)


def mode_events(mechanism: Mechanism) -> list[Event]:
    """Return the events at which modes end, in the order of the joints."""
    margins = []
    for number, joint in enumerate(mode_joints(mechanism)):
        if joint.lower > -math.inf or joint.upper < math.inf:
            margins.append(Margin(joint, number, STOP))
        if joint.friction > 0:
            margins.append(Margin(joint, number, FRICTION))
    return [Event(one, direction=-1, name=one.name) for one in margins]


def check_ranges(mechanism: Mechanism, state: State) -> None:
    """Raise a ModelError if a joint lies beyond its stops."""
    for joint in mode_joints(mechanism):
        q = float(state.q[mechanism.slices(joint.name)[0]][0])
        size = max(abs(x) for x in (joint.lower, joint.upper, q) if math.isfinite(x))
        if not joint.lower - BEYOND * size <= q <= joint.upper + BEYOND * size:
            ends = f"{show(joint.lower)} to {show(joint.upper)}"
            raise ModelError(f"'{joint.name}' is at {show(q)}, beyond its stops: they allow {ends}")


class JointModes:
    """The modes of one run."""

    def __init__(self, tree: ModeTree) -> None:
        self.tree, self.joints = tree, tree.joints
        n = len(self.joints)
        self.held = [False] * n
        self.slip = [0] * n  # direction of friction: that in which a joint moves
        self.speeds = [0.0] * n  # of the largest impact
        self.noise = [0.0] * n  # rounding of the force that holds a joint
        self.push = np.zeros(tree.nv)  # joint forces besides those of the model
        self._known: tuple[bytes, Array] = b"", np.zeros((0, 0))  # reactions that all margins ask for

    def data(self) -> list[list[float]]:
        """Return the modes as data of an archive."""
        columns = self.held, self.slip, self.speeds, self.noise
        return [list(map(float, row)) for row in zip(*columns, strict=True)]

    def restore(self, data: Sequence[Sequence[float]]) -> None:
        """Set the modes from their data."""
        held, slip, speeds, noise = zip(*data, strict=True)
        if len(held) != len(self.joints):
            raise ValueError("modes of another mechanism")
        self._change([bool(x) for x in held], [int(x) for x in slip])
        self.speeds, self.noise = [float(x) for x in speeds], [float(x) for x in noise]

    def _change(self, held: Sequence[bool], slip: Sequence[int]) -> None:
        self.held, self.slip = list(held), list(slip)
        forces = [-one.friction * s for one, s in zip(self.joints, slip, strict=True)]
        self.tree.change_modes(held, forces)

    def _side(self, k: int, q: Array) -> int:
        """Return n of joint k: 1 at its lower stop, -1 at its upper one, 0 between them."""
        x, joint = q[self.tree.q_seats[k]], self.joints[k]
        return 1 if x <= joint.lower else (-1 if x >= joint.upper else 0)

    def _bounds(self, k: int, side: int) -> tuple[float, float]:
        """Return the bounds of the force that holds joint k, by (1)."""
        f = self.joints[k].friction
        return -math.inf if side < 0 else -f, math.inf if side > 0 else f

    # margins

    def margins(self, margin: Margin, time: Array, q: Array, v: Array) -> Array:
        """Return the margin of (2) at many states."""
        k = margin.number
        joint, x, u = self.joints[k], q[:, self.tree.q_seats[k]], v[:, self.tree.v_seats[k]]
        side = self._side(k, q[0]) if self.held[k] else 0
        if margin.kind == STOP:
            if side:
                return side * self.reactions(time, q, v)[:, self._place(k)] + joint.friction + self.noise[k]
            ends = [(x - joint.lower, u, joint.lower), (joint.upper - x, -u, joint.upper)]
            gaps = [
                np.where(away >= 0, gap + ULPS * abs(end), gap)
                for gap, away, end in ends
                if math.isfinite(end)
            ]
            return np.asarray(np.minimum.reduce(gaps))
        if not self.held[k]:
            return np.asarray(self.slip[k] * u)
        if side:
            return np.ones(len(q))
        force = np.abs(self.reactions(time, q, v)[:, self._place(k)])
        part = np.maximum(force - self.noise[k], 0.0) / joint.friction
        return np.asarray(1.0 + 4 * SLACK - part * part)

    def _place(self, k: int) -> int:
        """Return where the reaction of joint k is, from the last one on."""
        return -sum(self.held[k:])

    def reactions(self, time: Array, q: Array, v: Array) -> Array:
        """Return the forces (n, ...) that hold joints at many states, the last ones those of the modes."""
        facts = time, q, v, self.tree.floats, np.array(self.held)
        key = b"".join(np.ascontiguousarray(one).tobytes() for one in facts)
        if self._known[0] != key:
            self._known = key, drive_forces(self.tree, time, q, v, np.zeros((len(q), 0)))
        return self._known[1]

    # a change of modes

    def begin(self, state: State) -> None:
        """Find the modes in a state, without impacts."""
        self._set_modes(state.time, state.q, state.v, {})

    def accelerate(self, state: State, push: Array) -> Array:
        """Find the modes in a state under these joint forces, and return dv/dt without loops."""
        self.push = push
        self.begin(state)
        return self._free(state.time, state.q, state.v)

    def follow(self, names: Sequence[str], before: State, after: State) -> float:
        """Change the modes as a run did where these margins ended, or another event; return the work."""
        kinds = {f"{one.name}.{kind}": (k, kind) for k, one in enumerate(self.joints) for kind in KINDS}
        ended = [Margin(self.joints[k], k, kind) for k, kind in map(kinds.__getitem__, names)]
        leaves = self._end(ended, before.time, before.q, before.v.copy())
        self._set_modes(after.time, after.q, after.v, leaves)
        if not names:
            return 0.0
        first, second = (self.tree.free.energies(one.q[None], one.v[None])[0][0] for one in (before, after))
        return float(second - first)

    def resolve(self, state: State, ended: Iterable[Margin], shortest: float) -> tuple[Array, Array, float]:
        """Change the modes where some of them have ended; return q and v after it, and the work of stops.
        The driver does not resolve flights that are shorter than `shortest`."""
        t, q, v = state.time, state.q.copy(), state.v.copy()
        leaves = self._end(ended, t, q, v)
        sides = [self._side(k, q) for k in range(len(self.joints))]
        for k, side in enumerate(sides):
            if side:
                q[self.tree.q_seats[k]] = self.joints[k].lower if side > 0 else self.joints[k].upper
        elastic, stay = [one.restitution for one in self.joints], [False] * len(self.joints)
        while True:
            after, work = self._impact(q, v, sides, elastic, stay)
            self._set_modes(t, q, after, leaves)
            last = self._last_impacts(t, q, after, sides, shortest) if after is not v else []
            if not last:
                return q, after, work
            for k in last:
                elastic[k], stay[k] = 0.0, True

    def _end(self, ended: Iterable[Margin], t: float, q: Array, v: Array) -> dict[int, int]:
        """Set the velocities of joints that stop to zero; return the direction in which others leave."""
        leaves = {}
        for margin in ended:
            k = margin.number
            if self.held[k]:
                side = self._side(k, q)
                force = self.reactions(np.array([t]), q[None], v[None])[0, self._place(k)]
                leaves[k] = side or (-1 if force > 0 else 1)
            elif margin.kind == FRICTION:
                v[self.tree.v_seats[k]] = 0.0
        return leaves

    def _responses(self, q: Array) -> tuple[Array, Array]:
        """Return the velocities (nv, n) after unit impulses at all joints, and W, those of the joints."""
        tree, m, seats = self.tree.free, len(self.tree.constraints), self.tree.v_seats
        still, columns, none = np.zeros(tree.nv), [], np.zeros((tree.links + 1, 6))
        here = LoopConstraints(tree, q) if m or tree.drives else None
        for seat in seats:
            push = still.copy()
            push[seat] = 1.0
            found = response(tree, q, still, push, none, gravity=False)
            if here is not None:
                found = here.nearest(found, np.zeros(m), np.zeros(len(here.driven)))
            columns.append(found)
        all_columns = np.array(columns).T
        W = all_columns[seats]
        own = np.sqrt(np.abs(np.diagonal(W)))
        W[np.abs(W) <= APART * own[:, None] * own] = 0.0  # what is apart stays at rest
        all_columns[seats] = W
        return all_columns, W

    def _impact(
        self, q: Array, v: Array, sides: Sequence[int], elastic: Sequence[float], stay: Sequence[bool]
    ) -> tuple[Array, float]:
        """Return the velocities after an impact (3), and the work of the stops; some joints stay at them."""
        at = [k for k, side in enumerate(sides) if side]
        seats, n = [self.tree.v_seats[k] for k in at], np.array([sides[k] for k in at])
        u = n * v[seats]
        if not (u < 0).any():
            return v, 0.0
        columns, W = self._responses(q)
        columns, W = columns[:, at], n[:, None] * W[np.ix_(at, at)] * n
        e = np.array([elastic[k] for k in at])
        least = np.array([-math.inf if stay[k] else 0.0 for k in at])
        P, place = bounded_forces(W, (1 + e) * u, least, np.full(len(at), math.inf))
        after = v.copy()
        for j, side in enumerate(n):
            after = after + columns[:, j] * (side * P[j])
        for j, seat in enumerate(seats):
            if place[j] == 0:
                after[seat] = -e[j] * v[seat] + 0.0
            self.speeds[at[j]] = max(self.speeds[at[j]], -float(u[j]))
        work = dot(P, u + n * after[seats]) / 2
        if work > GAIN * dot(np.abs(P), np.abs(u)):
            names = ", ".join(f"'{self.joints[k].name}'" for k in at)
            raise ModelError(f"an impact of {names} would give energy: give their stops the same restitution")
        return after, work

    def _last_impacts(self, t: float, q: Array, v: Array, sides: Sequence[int], shortest: float) -> list[int]:
        """Return the joints that leave their stops in an impact for flights too short to be followed."""
        flying = [k for k, side in enumerate(sides) if side * v[self.tree.v_seats[k]] > 0]
        found, a = [], self._acceleration(t, q, v) if flying else v
        for k in flying:
            seat = self.tree.v_seats[k]
            speed, pull = sides[k] * v[seat], -sides[k] * a[seat]
            size = EPSILON * abs(q[self.tree.q_seats[k]])
            low = speed <= SMALL * self.speeds[k] or speed * speed <= 8 * size * pull
            if pull > 0 and (low or 2 * speed <= shortest * pull):
                found.append(k)
        return found

    def _free(self, t: float, q: Array, v: Array) -> Array:
        """Return dv/dt in the present modes, without loops."""
        a = np.empty((1, self.tree.nv))
        self.tree.states.accelerations(np.array([t]), q[None], v[None], self.push[None], a)
        return np.asarray(a[0])

    def _acceleration(self, t: float, q: Array, v: Array) -> Array:
        """Return dv/dt in the present modes."""
        a = self._free(t, q, v)
        return LoopConstraints(self.tree, q).accelerate(v, a) if self.tree.constraints else a

    def _set_modes(self, t: float, q: Array, v: Array, leaves: dict[int, int]) -> None:
        """Set the modes: which joints are held, and in which direction the others slip."""
        speeds = [v[seat] for seat in self.tree.v_seats]
        slip = [int(np.sign(speed)) or leaves.get(k, 0) for k, speed in enumerate(speeds)]
        sides = [self._side(k, q) if speed == 0.0 else 0 for k, speed in enumerate(speeds)]
        rest = [
            k
            for k, speed in enumerate(speeds)
            if speed == 0.0 and k not in leaves and (sides[k] or self.joints[k].friction > 0)
        ]
        held = [False] * len(self.joints)
        self._change(held, slip)
        if rest:
            every, W = self._acceleration(t, q, v), self._responses(q)[1]
            a, sizes = every[self.tree.v_seats], np.sqrt(np.abs(np.diagonal(W)))
            sizes[sizes == 0.0] = math.inf
            masses = np.abs(np.diagonal(mass_matrix(self.tree.free, q)))
            noise = NOISE * np.max(np.abs(every) * np.sqrt(masses)) / sizes
            self.noise = noise.tolist()
            lower, upper = np.array([self._bounds(k, sides[k]) for k in rest]).T
            _, place = bounded_forces(W[np.ix_(rest, rest)], a[rest], lower, upper, noise[rest] / 4)
            for k, at in zip(rest, place, strict=True):
                held[k], slip[k] = at == 0, -at
            self._change(held, slip)


def modes_of(tree: Tree) -> JointModes | None:
    """Return modes of their own for a tree; None if it has none."""
    return JointModes(ModeTree(tree)) if mode_joints(tree.mechanism) else None

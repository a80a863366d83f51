"""Random trees with rolling bodies against Newton and Euler with contact forces, in maximal coordinates.

Unknown are the accelerations of all bodies in space, the force and torque of each joint, and the three
forces of each contact, found by one dense solve.  Nothing here knows of joint coordinates, of projections or
of support functions: a contact is a formula for its point, whose velocity comes from a complex step.
"""

import itertools
import warnings

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.cache import tree_for
from poinsot.core.tree.field import evaluation
from poinsot.core.tree.loops.field import closed_field
from poinsot.mechanics.assembly import assemble
from poinsot.model.kinematics import motions

JOINTS = ("revolute", "prismatic", "spherical")
SHAPES = ("sphere", "ellipsoid", "wheel", "tire", "capsule")
TINY = 1e-30  # of a complex step


def hat(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def direction(random):
    x = random.normal(size=3)
    return x / np.linalg.norm(x)


def body(random):
    moments = random.uniform(0.5, 1.0, 3) * 0.02
    A = np.linalg.qr(random.normal(size=(3, 3)))[0]
    return ps.Body(
        random.uniform(0.5, 2.0), A @ np.diag(moments) @ A.T, center_of_mass=0.05 * random.normal(size=3)
    )


def joint(random, kind):
    if kind == "spherical":
        return ps.Spherical()
    return (ps.Revolute if kind == "revolute" else ps.Prismatic)(direction(random))


def shape(random, kind):
    a, b, c, r = random.uniform(0.1, 0.3, 4)
    return {
        "sphere": ps.Sphere(a),
        "ellipsoid": ps.Ellipsoid((a, b, c)),
        "wheel": ps.Wheel(a),
        "tire": ps.Wheel(a, 0.2 * r),
        "capsule": ps.Capsule(0.5 * a, b),
    }[kind]


def forest(seed):
    """Return a mechanism of two trees, its contacts, and a state at which they roll; None: there is none."""
    random = np.random.default_rng(seed)
    m = ps.Mechanism(gravity=random.normal(size=3) * 5)
    roots = []
    for k in range(2):
        root = f"root{k}"
        m.add(
            root, body(random), ps.Free() if k == 0 or random.random() < 0.5 else joint(random, "prismatic")
        )
        names = [root]
        for i in range(random.integers(0, 3)):
            names.append(f"b{k}{i}")
            kind, parent = random.choice(JOINTS), str(random.choice(names[:-1]))
            m.add(names[-1], body(random), joint(random, kind), parent, at=0.2 * random.normal(size=3))
        roots.append(names)
    contacts = []
    for k in range(random.integers(1, 3)):
        moving, kind = str(random.choice(roots[0])), str(random.choice(SHAPES))
        given = shape(random, kind)
        on = "world" if random.random() < 0.5 else str(random.choice(roots[1]))
        surface = random.choice([None, ps.Sphere(0.8), ps.Bowl(0.9)]) if kind == "sphere" else None
        seat = dict(at=0.05 * random.normal(size=3), axis=direction(random), on=on)
        seat |= dict(point=0.2 * random.normal(size=3), normal=direction(random), surface=surface)
        m.close(ps.Rolling(moving, given, **seat, name=f"c{k}"))
        contacts.append((moving, given, seat))
    tree = tree_for(m)
    q = m.state().q + 0.3 * random.normal(size=tree.nq)
    for name in m.names:
        at = m.link(name).joint.quaternion
        if at is not None:
            first = m.slices(name)[0].start + at
            q[first : first + 4] = random.normal(size=4)
            q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            near = assemble(tree, ps.State(0.0, q, random.normal(size=tree.nv)))
    except ps.ModelError:
        return None
    rows = near.here.Phi
    if np.linalg.svd(rows / np.linalg.norm(rows, axis=1)[:, None])[1].min() < 1e-2:
        return None  # nearly redundant
    return m, contacts, near.state


class Placed:
    """A body in space; `point` and `axes` of its frame also after a small complex time."""

    def __init__(self, m, x, name):
        self.m, self.I, self.w, self.v = 0.0, np.zeros((3, 3)), np.zeros(3), np.zeros(3)
        self.R, self.c, self.origin = np.eye(3), np.zeros(3), np.zeros(3)
        if name != "world":
            own, given = x[name], m.link(name).body
            self.R, self.c, self.v = own.rotation[0], own.position[0], own.velocity[0]
            self.w, self.origin = self.R @ own.angular_velocity[0], own.origin[0]
            self.m, self.I = given.mass, self.R @ given.inertia @ self.R.T

    def after(self, dt):
        turn = np.eye(3) + dt * hat(self.w)
        at = self.origin + dt * (self.v + np.cross(self.w, self.origin - self.c))
        return turn @ self.R, at


def length(x):
    return np.sqrt(np.sum(x * x))  # of complex numbers, without conjugation


def touch(A, B, given, seat, dt):
    """Return the point of contact and the normal, as textbooks have them for each shape."""
    (P, p), (Q, c) = A.after(dt), B.after(dt)
    c, p, a = c + Q @ seat["at"], p + P @ seat["point"], Q @ seat["axis"]
    n = P @ seat["normal"]
    if isinstance(seat["surface"], ps.Sphere):
        n = (c - p) / length(c - p)
    elif isinstance(seat["surface"], ps.Bowl):
        n = (p - c) / length(c - p)
    if isinstance(given, ps.Sphere):
        return c - given.radius * n, n
    if isinstance(given, ps.Ellipsoid):  # of the surface sum (y_i/a_i)^2 = 1, with the gradient along -n
        third = np.asarray(seat["axis"])
        first = np.eye(3)[int(np.argmin(np.abs(third)))]
        first = first - (first @ third) * third
        first /= np.linalg.norm(first)
        E = Q @ np.column_stack([first, np.cross(third, first), third])
        g = E.T @ n * np.asarray(given.radii)
        return c - E @ (g * np.asarray(given.radii)) / length(g), n
    if isinstance(given, ps.Wheel):
        e = n - (a @ n) * a
        return c - given.radius * e / length(e) - given.tube * n, n
    side = np.sign((a @ n).real)
    return c - side * given.length / 2 * a - given.radius * n, n


class MaximalCoordinates:
    """The equations M x = f of all accelerations (6 of each body: linear, angular), joints and contacts."""

    def __init__(self, m, state, contacts):
        x = motions(m, state.q[None], state.v[None])
        self.m, self.names = m, m.names
        self.bodies = {name: Placed(m, x, name) for name in (*m.names, "world")}
        self.rows, self.right, self.columns = [], [], []
        for name in m.names:
            self.join(m.link(name))
        self.first = len(self.rows)
        self.directions = [self.contact(*one) for one in contacts]
        n = 6 * len(self.names)
        M, f = np.zeros((n, n)), np.zeros(n)
        for i, name in enumerate(self.names):
            one = self.bodies[name]
            M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = one.m * np.eye(3)
            M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = one.I
            f[6 * i : 6 * i + 3] = one.m * np.asarray(m.gravity)
            f[6 * i + 3 : 6 * i + 6] = -np.cross(one.w, one.I @ one.w)
        G = np.array(self.rows)
        whole = np.block([[M, -G.T], [G, np.zeros((len(G), len(G)))]])
        found = np.linalg.solve(whole, np.concatenate([f, self.right]))
        self.accelerations = dict(zip(self.names, found[:n].reshape(-1, 2, 3), strict=True))
        self.accelerations["world"] = np.zeros((2, 3))
        self.forces = found[n + self.first :].reshape(-1, 3)

    def row(self, A, B, linear, angular_a, angular_b, right):
        """Add linear.(a_B - a_A) + angular_b.w_B' + angular_a.w_A' = right; A and B are names."""
        row = np.zeros(6 * len(self.names))
        for name, sign, angular in ((A, -1.0, angular_a), (B, 1.0, angular_b)):
            if name != "world":
                i = 6 * self.names.index(name)
                row[i : i + 3] += sign * linear
                row[i + 3 : i + 6] += angular
        self.rows.append(row)
        self.right.append(right)

    def meet(self, A, B, e, x, rate_a, rate_b):
        """Equal accelerations along e of the points of A and B that meet at x; rates of x beside theirs."""
        a, b = self.bodies[A], self.bodies[B]
        arm_a, arm_b = x - a.c, x - b.c
        bias = np.cross(b.w, rate_b - b.v) - np.cross(a.w, rate_a - a.v)
        self.row(A, B, e, -np.cross(arm_a, e), np.cross(arm_b, e), -e @ bias)

    def join(self, link):
        A, B = self.bodies[link.parent], self.bodies[link.name]
        x, kind = B.origin, type(link.joint).__name__
        if kind == "Free":
            return
        at = B.v + np.cross(B.w, x - B.c)  # of the origin of B, which is fixed in B
        if kind in ("Revolute", "Spherical"):
            for e in np.eye(3):
                self.meet(link.parent, link.name, e, x, at, at)
        if kind == "Spherical":
            return
        u = A.R @ np.asarray(link.joint.axis)
        across = np.linalg.svd(u[None])[2][1:]
        if kind == "Prismatic":  # x slides along u, which turns with A
            slide = (at - A.v - np.cross(A.w, x - A.c)) @ u
            for e in across:
                here = A.v + np.cross(A.w, x - A.c) + slide * u
                a = self.bodies[link.parent]
                bias = np.cross(B.w, at - B.v) - np.cross(a.w, here - a.v) - slide * np.cross(a.w, u)
                self.row(link.parent, link.name, e, -np.cross(x - a.c, e), np.cross(x - B.c, e), -e @ bias)
        rate = (B.w - A.w) @ u if kind == "Revolute" else 0.0
        for e in across if kind == "Revolute" else np.eye(3):  # w_B = w_A + rate u
            self.row(link.parent, link.name, np.zeros(3), -e, e, rate * e @ np.cross(A.w, u))

    def contact(self, moving, given, seat):
        """No velocity between the points that touch, now and later; the contact moves along both bodies."""
        A, B = self.bodies[seat["on"]], self.bodies[moving]
        x, n = (y.real for y in touch(A, B, given, seat, 0j))
        rate = touch(A, B, given, seat, TINY * 1j)[0].imag / TINY
        for e in np.eye(3):
            self.meet(seat["on"], moving, e, x, rate, rate)
        if seat["surface"] is not None:
            return n[None]
        third = np.asarray(seat["normal"])
        first = np.eye(3)[int(np.argmin(np.abs(third)))]
        first = first - (first @ third) * third
        first /= np.linalg.norm(first)
        return (A.R @ np.column_stack([first, np.cross(third, first), third])).T

    def joint_accelerations(self):
        """Return the accelerations of the joint coordinates, as the mechanism has them."""
        found = []
        for name in self.names:
            link = self.m.link(name)
            A, B = self.bodies[link.parent], self.bodies[name]
            (aA, dA), (aB, dB) = self.accelerations[link.parent], self.accelerations[name]
            arm = B.origin - B.c
            a = aB + np.cross(dB, arm) + np.cross(B.w, np.cross(B.w, arm))  # of the origin
            v, kind = B.v + np.cross(B.w, arm), type(link.joint).__name__
            if kind == "Free":
                found += [B.R.T @ dB, B.R.T @ (a - np.cross(B.w, v))]
            elif kind == "Spherical":
                found.append(B.R.T @ (dB - dA - np.cross(B.w, B.w - A.w)))
            elif kind == "Revolute":
                found.append([A.R @ link.joint.axis @ (dB - dA)])
            else:
                d = B.origin - A.c
                there = aA + np.cross(dA, d) + np.cross(A.w, np.cross(A.w, d))
                found.append([A.R @ link.joint.axis @ (a - there)])
        return np.concatenate(found)


def compare(seed):
    made = forest(seed)
    if made is None:
        return False
    m, contacts, state = made
    other = MaximalCoordinates(m, state, contacts)
    want, a = other.joint_accelerations(), ps.dynamics.bind(m).acceleration(state.q, state.v)
    tree, y, f = (
        tree_for(m),
        np.concatenate([state.q, state.v, [0.0]]),
        np.zeros(len(state.q) + len(want) + 1),
    )
    evaluation()(closed_field(), *tree.functions(), 0.0, len(y), y, f, tree.model())
    for found in (a, f[tree.nq : -1]):
        assert np.abs(found - want).max() < 1e-11 * max(1.0, np.abs(want).max()), seed
    reactions = ps.dynamics.reactions(m, state)
    for k, (axes, force) in enumerate(zip(other.directions, other.forces, strict=True)):
        found = reactions[f"c{k}"][3:][-len(axes) :]
        assert np.abs(found - axes @ force).max() < 1e-11 * max(1.0, np.abs(other.forces).max()), seed
    return True


def test_random_trees_roll_as_newton_and_euler_say():
    assert sum(itertools.islice(filter(None, map(compare, itertools.count())), 8)) == 8


@pytest.mark.slow
def test_a_hundred_random_trees_roll_as_newton_and_euler_say():
    assert sum(itertools.islice(filter(None, map(compare, itertools.count())), 100)) == 100

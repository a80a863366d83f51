"""Springs, dampers, stiffness, damping and drag between bodies: their forces, energies and mistakes.

A force is seen in the joint forces tau that it adds: M a + b = tau, M and b of the oracle, a of the kernels.
Expected is J^T (force) at points that the oracle has placed, or minus the gradient of the energy.
"""

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.formats.data import to_data
from poinsot.mechanics.algorithms import acceleration
from poinsot.model.forces.constitutive import prime, vee_prime
from poinsot.model.kinematics import Sampled, motions
from support import oracle

BODY = ps.Body(1.3, (0.3, 0.4, 0.5), center_of_mass=(0.1, -0.2, 0.3))
A, B = np.array((0.3, 0.1, -0.2)), np.array((-0.1, 0.4, 0.2))
POINTS = np.array([(0.3, 0.1, 0.0), (-0.2, 0.4, 0.1), (0.1, -0.3, 0.5), (-0.1, -0.1, -0.4)])
D6 = np.diag([0.2, 0.3, 0.4, 2.0, 3.0, 1.0]) + 0.05
CLOSE = 1e-11  # tau is M a with |M a| up to 100


def mechanism(*forces):
    """arm - elbow - hand in general position, hand welded to a grip; a boat beside them."""
    m = ps.Mechanism().add("arm", BODY, ps.Revolute((1, 0.3, 0)), at=(0.1, 0, 0), rotation=(0.6, 0, 0.8, 0))
    m.add("hand", BODY, ps.Spherical(), "arm", at=(0, 0.5, 0.3), body_at=((0.2, 0, 0.1), (0.8, 0, 0, 0.6)))
    m.add("grip", BODY, ps.Fixed(), "hand", at=(0.1, 0.2, 0.3), rotation=(0, 0.6, 0.8, 0))
    m.add("boat", BODY, ps.Free(), at=(0.2, 0.2, -1.0), rotation=(0.8, 0.6, 0, 0))
    return m.apply(*forces)


def state(seed=1):
    random = np.random.default_rng(seed)
    q, v = random.normal(size=12), random.normal(size=10)
    for k in (1, 8):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q, v


def tau_of(force, q, v, t=0.0):
    """What the kernels add."""
    m = mechanism(force)
    M, b = oracle.equations(to_data(mechanism()), q, v)
    return M @ acceleration(compile_tree(m), t, q, v) + b


def push(name, point, force, q, v):
    """J^T of a force in space at a point of a body."""
    if name == "world":
        return np.zeros(len(v))
    body = next(x for x in oracle.place(to_data(mechanism()), q, v) if x.name == name)
    Jw, Jc, _, _ = oracle.jacobian(body, v)
    x = motions(mechanism(), q[None], v[None])[name]
    arm = x.origin[0] + x.rotation[0] @ point - body.c
    return Jc.T @ force + Jw.T @ np.cross(arm, force)


def points(force, q, v):
    """Where the two points are, and how they move."""
    found = motions(mechanism(), q[None], v[None])
    out = []
    for name, at in ((force.a, force.at_a), (force.b, force.at_b)):
        x = found[name]
        out.append(
            (
                x.origin[0] + x.rotation[0] @ at,
                x.origin_velocity[0] + x.rotation[0] @ np.cross(x.angular_velocity[0], at),
            )
        )
    return out


PAIRS = [
    ("world", "arm"),
    ("arm", "hand"),
    ("arm", "grip"),
    ("grip", "boat"),
    ("boat", "world"),
    ("hand", "grip"),
]


@pytest.mark.parametrize(("a", "b"), PAIRS)
@pytest.mark.parametrize("length", [0.0, 0.7])
def test_a_spring_pulls_along_its_line(a, b, length):
    """Force on b: -k (|d| - l) d/|d|, on a the opposite; inside one rigid body nothing."""
    q, v = state()
    spring = ps.Spring(a, b, 20.0, length, at_a=A, at_b=B)
    (xa, _), (xb, _) = points(spring, q, v)
    d = xb - xa
    f = -20.0 * (np.linalg.norm(d) - length) * d / np.linalg.norm(d)
    expected = push(b, B, f, q, v) - push(a, A, f, q, v)
    assert tau_of(spring, q, v) == pytest.approx(expected, abs=CLOSE)
    if {a, b} == {"hand", "grip"}:
        assert np.abs(expected).max() < CLOSE
    energy = spring.energy(Sampled(mechanism(), q[None], v[None]))
    assert energy[0] == pytest.approx(10.0 * (np.linalg.norm(d) - length) ** 2)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_a_damper_resists_the_change_of_its_length(a, b):
    q, v = state()
    damper = ps.Damper(a, b, 3.0, at_a=A, at_b=B)
    (xa, va), (xb, vb) = points(damper, q, v)
    e = (xb - xa) / np.linalg.norm(xb - xa)
    f = -3.0 * (e @ (vb - va)) * e
    assert tau_of(damper, q, v) == pytest.approx(push(b, B, f, q, v) - push(a, A, f, q, v), abs=CLOSE)


def test_a_spring_without_length_or_with_meeting_points_is_no_trouble():
    """Where the points meet and the rest length is not zero there is no direction, and no force."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", BODY, ps.Free())
    for force in (
        ps.Spring("world", "a", 5.0, 1.0),
        ps.Spring("world", "a", 5.0),
        ps.Damper("world", "a", 1.0),
    ):
        start = ps.State(0.0, np.array([0, 0, 0, 1, 0, 0, 0.0]), np.zeros(6))
        assert not acceleration(compile_tree(m.snapshot().apply(force)), 0.0, start.q, start.v).any()


def gradient(force, q, v):
    """Minus the slope of the energy along every velocity, by central differences of fourth order."""
    m, h, out = mechanism(), 1e-3, []
    data = to_data(m)
    for e in np.eye(len(v)):
        moved = []
        for s in (-2, -1, 1, 2):
            x = q.copy()
            for _ in range(200):  # dq = rates of e, by the midpoint rule
                mid = x + s * h / 400 * oracle.rates(data, x, e)
                x = x + s * h / 200 * oracle.rates(data, mid, e)
            moved.append(x)
        V = force.energy(Sampled(m, np.array(moved), np.tile(v, (4, 1))))
        out.append(-(8 * (V[2] - V[1]) - (V[3] - V[0])) / (12 * h))
    return np.array(out)


K4 = prime([50.0, 30.0, 40.0, 20.0], POINTS)
REST = np.eye(4)
REST[:3, :3], REST[:3, 3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]], (0.1, 0.2, 0.3)


@pytest.mark.parametrize(("a", "b"), [("world", "boat"), ("arm", "grip"), ("hand", "boat"), ("boat", "arm")])
@pytest.mark.parametrize("K", [K4, vee_prime(K4)], ids=["4x4", "6x6"])
def test_stiffness_is_the_gradient_of_its_energy(a, b, K):
    q, v = state()
    force = ps.Stiffness(a, b, K, REST)
    assert tau_of(force, q, v) == pytest.approx(gradient(force, q, v), abs=1e-7)  # h^4 of the differences


def test_springs_and_the_stiffness_they_amount_to_are_one_force():
    """Any springs without rest length, also stressed ones."""
    q, v = state()
    k, there = np.array((5.0, 3.0, 4.0, 2.0)), POINTS[::-1] + np.array((0.5, 0.2, -0.1))
    whole = ps.Stiffness.of_springs("arm", "boat", k, there, POINTS)
    parts = [ps.Spring("arm", "boat", x, at_a=a, at_b=b) for x, a, b in zip(k, there, POINTS, strict=True)]
    nothing = tau_of(ps.Spring("arm", "boat", 0.0), q, v)
    total = sum(tau_of(spring, q, v) - nothing for spring in parts)
    assert tau_of(whole, q, v) - nothing == pytest.approx(total, abs=CLOSE)


@pytest.mark.parametrize(("a", "b"), [("world", "boat"), ("arm", "grip"), ("boat", "hand")])
def test_damping_takes_out_what_it_should(a, b):
    """Power = -eta.D eta with the twist eta of b against a, in the frame of b; tau.v is that power."""
    q, v = state()
    x = motions(mechanism(), q[None], v[None])
    Xa, Xb = x[a], x[b]
    R = Xb.rotation[0]
    w_a = Xa.rotation[0] @ Xa.angular_velocity[0]
    carried = Xa.origin_velocity[0] + np.cross(w_a, Xb.origin[0] - Xa.origin[0])
    eta = np.concatenate([Xb.angular_velocity[0] - R.T @ w_a, R.T @ (Xb.origin_velocity[0] - carried)])
    tau = tau_of(ps.Damping(a, b, D6), q, v)
    assert tau @ v == pytest.approx(-eta @ D6 @ eta, rel=1e-11)
    wrench = -D6 @ eta
    turn, pull = R @ wrench[:3], R @ wrench[3:]
    on_b = push(b, np.zeros(3), pull, q, v) + _twisted(b, turn, q, v)
    arm = Xb.origin[0] - Xa.origin[0]
    on_a = push(a, np.zeros(3), -pull, q, v) + _twisted(a, -turn - np.cross(arm, pull), q, v)
    assert tau == pytest.approx(on_a + on_b, abs=CLOSE)


def _twisted(name, torque, q, v):
    if name == "world":
        return np.zeros(len(v))
    body = next(x for x in oracle.place(to_data(mechanism()), q, v) if x.name == name)
    return oracle.jacobian(body, v)[0].T @ torque


def test_drag_vanishes_in_a_body_that_goes_with_the_flow():
    """The flow is velocity + rotation x position, in space."""
    flow, spin = np.array((0.5, -0.2, 0.3)), np.array((0.1, 0.7, -0.4))
    q, v = state()
    x = motions(mechanism(), q[None], v[None])["boat"]
    R, r = x.rotation[0], x.origin[0]
    with_it = v.copy()
    with_it[4:] = np.concatenate([R.T @ spin, R.T @ (flow + np.cross(spin, r))])
    nothing = tau_of(ps.Spring("arm", "boat", 0.0), q, with_it)
    assert tau_of(ps.Drag("boat", D6, flow, spin), q, with_it) - nothing == pytest.approx(0 * v, abs=CLOSE)
    still, wind = (tau_of(ps.Drag("boat", D6, *given), q, v) for given in ((), (flow, spin)))
    assert np.abs(still - wind).max() > 0.1


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: ps.Spring("a", "a", 1.0), "spring from 'a' to 'a': must lie between two bodies"),
        (lambda: ps.Damper("a", "a", 1.0), "damper from 'a' to 'a': must lie between two bodies"),
        (lambda: ps.Stiffness("a", "a", K4), "stiffness from 'a' to 'a': must lie between two bodies"),
        (lambda: ps.Spring("a", "b", -1.0), "spring from 'a' to 'b': stiffness must not be negative, got -1"),
        (lambda: ps.Spring("a", "b", 1.0, -1.0), "spring from 'a' to 'b': length must not be negative"),
        (lambda: ps.Spring("a", "b", (1, 2, 3)), "spring from 'a' to 'b': stiffness must be a number"),
        (lambda: ps.Spring("a", "b", 1.0, at_a=(1, 2)), "spring from 'a' to 'b': at_a must be 3 numbers"),
        (lambda: ps.Damper("a", "b", -1.0), "damper from 'a' to 'b': damping must not be negative"),
        (lambda: ps.Stiffness("a", "b", np.eye(3)), "stiffness from 'a' to 'b': K must be a 4x4 or"),
        (lambda: ps.Stiffness("a", "b", -np.eye(4)), "stiffness from 'a' to 'b': the total must not"),
        (lambda: ps.Stiffness("a", "b", np.triu(np.ones((4, 4)))), "stiffness from 'a' to 'b': "),
        (lambda: ps.Stiffness("a", "b", np.diag([1, 1, 1, 1, 2, 1.0])), "stiffness from 'a' to 'b': "),
        (lambda: ps.Stiffness("a", "b", K4, np.ones((4, 4))), "stiffness from 'a' to 'b': rest_pose must"),
        (lambda: ps.Damping("a", "b", -np.eye(6)), "damping from 'a' to 'b': D must not be negative"),
        (lambda: ps.Damping("a", "b", np.triu(np.ones((6, 6)))), "damping from 'a' to 'b': D must be sym"),
        (lambda: ps.Damping("a", "b", np.triu(np.ones((4, 4)))), "damping from 'a' to 'b': "),
        (lambda: ps.Drag("a", -np.eye(6)), "drag on 'a': D must not be negative"),
        (lambda: mechanism(ps.Spring("arm", "hnad", 1.0)), "spring from 'arm' to 'hnad': unknown body 'hnad"),
        (lambda: mechanism(ps.Drag("world", D6)), "drag on 'world': unknown body 'world'"),
        (lambda: mechanism(ps.Stiffness("arm", "x", K4)), "stiffness from 'arm' to 'x': unknown body 'x'"),
    ],
)
def test_a_force_that_is_none(make, text):
    with pytest.raises(ps.ModelError) as caught:
        make()
    assert str(caught.value).startswith(text)
    assert "\n" not in str(caught.value)

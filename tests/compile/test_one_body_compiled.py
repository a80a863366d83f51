"""From what users write to the numbers of the core: frames must not matter, and physics must hold.

The witness for energy and momentum is a heap of point masses, which knows no inertia tensor, no
centre of mass and no parallel axes; for the motion, closed forms.
"""

from itertools import permutations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.special import ellipk

import poinsot as ps
from poinsot.compile.one_body import compile_body, principal
from poinsot.diagnostics.trajectory import Trajectory

RANDOM = np.random.default_rng(7)
JOINTS = {"spherical": ps.Spherical(), "free": ps.Free()}
METHODS = [method.name for method in ps.methods() if method.body is not None]  # others: tests/core/tree
EPS = np.finfo(float).eps
joints = pytest.mark.parametrize("joint", JOINTS)


@pytest.fixture(autouse=True)
def _same_numbers():
    RANDOM.bit_generator.state = np.random.PCG64(7).state


def turn():
    return Rotation.random(rng=RANDOM)


class Points:
    """A rigid heap of point masses at `x` in the body frame."""

    def __init__(self, count=7):
        self.m, self.x = RANDOM.uniform(0.2, 1.0, count), RANDOM.normal(size=(count, 3))
        self.mass, self.center = self.m.sum(), self.m @ self.x / self.m.sum()

    def body(self):
        y = self.x - self.center
        J = sum(m * (a @ a * np.eye(3) - np.outer(a, a)) for m, a in zip(self.m, y, strict=True))
        return ps.Body(self.mass, J, self.center)


def placed(points, joint):
    """A mechanism with the body in general position, and where its points are at given q and v."""
    at, frame, b, inner = RANDOM.normal(size=3), turn(), RANDOM.normal(size=3), turn()
    m = ps.Mechanism(gravity=(1.0, -2.0, -9.0))
    place = {} if joint == "free" else {"body_at": (b, inner.as_matrix())}
    m.add("link", points.body(), JOINTS[joint], at=at, rotation=frame.as_matrix(), **place)

    def motion(q, v):
        outer = frame * Rotation.from_quat(q[-4:], scalar_first=True)
        if joint == "free":
            x, w = points.x, v[:3]
            return at + frame.apply(q[:3]) + outer.apply(x), outer.apply(v[3:] + np.cross(w, x))
        x = b + inner.apply(points.x)
        return at + outer.apply(x), outer.apply(np.cross(v, x))

    return m, motion


def coordinates(joint, count):
    """Random q and v."""
    q = Rotation.random(count, rng=RANDOM).as_quat(scalar_first=True)
    if joint == "free":
        q = np.hstack([RANDOM.normal(size=(count, 3)), q])
    return q, RANDOM.normal(size=(count, 6 if joint == "free" else 3))


# principal axes


@pytest.mark.parametrize(
    "moments", [*permutations((1.0, 1.5, 2.0)), (1.0, 1.0, 1.5), (1.0, 1.5, 1.5), (1, 1, 1)]
)
@pytest.mark.parametrize("diagonal", [True, False])
def test_principal_axes(moments, diagonal):
    """E I E^T = J, right-handed; the second moment lies between the others, equal ones come first."""
    for _ in range(50):
        A = np.eye(3) if diagonal else turn().as_matrix()
        J = A @ np.diag(moments) @ A.T
        I, E = principal((J + J.T) / 2)
        assert np.abs(E @ np.diag(I) @ E.T - J).max() < 16 * EPS * max(moments)
        assert np.abs(E.T @ E - np.eye(3)).max() < 8 * EPS
        assert np.linalg.det(E) > 0
        assert min(I[0], I[2]) <= I[1] <= max(I[0], I[2])
        assert len(set(moments)) == 3 or I[0] == I[1]
        if diagonal:  # the user's own axes and numbers
            assert set(E.flat) <= {-1.0, 0.0, 1.0}
            assert sorted(I) == sorted(moments)


# states and what is measured on them


@joints
def test_the_way_to_the_core_and_back_changes_nothing(joint):
    for _ in range(20):
        m, _ = placed(Points(), joint)
        body, (q, v) = compile_body(m), coordinates(joint, 4)
        back, u = body.from_core(np.array([body.to_core(*one) for one in zip(q, v, strict=True)]))
        sign = np.sign(np.sum(back[:, -4:] * q[:, -4:], axis=1))
        back[:, -4:] *= sign[:, None]  # q and -q are one rotation
        assert np.abs(back - q).max() < 64 * EPS * np.abs(q).max()
        assert np.abs(u - v).max() < 64 * EPS * np.abs(v).max()


@joints
def test_energy_and_momenta_are_those_of_the_points(joint):
    for _ in range(20):
        points = Points()
        m, motion = placed(points, joint)
        body, (q, v) = compile_body(m), coordinates(joint, 3)
        run = Trajectory(m, np.arange(3.0), q.copy(), v.copy(), np.zeros(3), np.zeros(3))
        for k in range(3):
            x, u = motion(q[k], v[k])
            y = body.to_core(q[k], v[k])
            kinetic = points.m @ (u * u).sum(axis=1) / 2
            reference = points.m @ x / points.mass if joint == "free" else m.links[0].at
            spin = Rotation.from_quat(y[:4], scalar_first=True).apply(y[4:7])
            close = {"rel": 1e-12, "abs": 1e-12}  # sums of a dozen numbers of size 1 to 100
            assert run.kinetic[k] == pytest.approx(kinetic, **close)
            assert run.potential[k] == pytest.approx(-points.m @ (x @ m.gravity), **close)
            assert run.linear_momentum[k] == pytest.approx(points.m @ u, **close)
            assert run.angular_momentum[k] == pytest.approx(points.m @ np.cross(x, u), **close)
            assert spin == pytest.approx(points.m @ np.cross(x - reference, u), **close)
            core = y[4:7] ** 2 / body.moments / 2
            assert core.sum() + body.record.mobility * (y[10:] @ y[10:]) / 2 == pytest.approx(
                kinetic, **close
            )


# one motion


def spring(t, R, w, p, v):
    return 0.0, 0.0, 0.0, -3.0 * p[0], 2.0 - p[1] * p[1], -p[2]


def twins(joint):
    """One body written in two frames: x_body = A x' + d; the joint frame turned by Q, moved by e."""
    A, Q, place, inner, start = (turn() for _ in range(5))
    d, e, at, b, hook = RANDOM.normal(size=(5, 3))
    w, p, u = RANDOM.normal(size=(3, 3))
    body = Points().body()
    J = A.inv().as_matrix() @ body.inertia @ A.as_matrix()
    other = ps.Body(body.mass, J, A.inv().apply(body.center_of_mass - d))
    if joint == "free":
        first = (
            {"at": at, "rotation": place},
            {"rotation": start, "angular_velocity": w, "position": p, "velocity": u},
        )
        second = (
            {"at": at + place.apply(e), "rotation": place * Q},
            {
                "rotation": Q.inv() * start * A,
                "angular_velocity": A.inv().apply(w),
                "position": Q.inv().apply(p - e),
                "velocity": Q.inv().apply(u),
            },
        )
    else:
        first = (
            {"at": at, "rotation": place, "body_at": (b, inner)},
            {"rotation": start, "angular_velocity": w},
        )
        second = (
            {
                "at": at,
                "rotation": place * Q,
                "body_at": (Q.inv().apply(b + inner.apply(d)), Q.inv() * inner * A),
            },
            {"rotation": Q.inv() * start * Q, "angular_velocity": Q.inv().apply(w)},
        )
    pairs = []
    for (where, state), one, point in ((first, body, hook), (second, other, A.inv().apply(hook - d))):
        where["rotation"], state["rotation"] = where["rotation"].as_matrix(), state["rotation"].as_matrix()
        if "body_at" in where:
            where["body_at"] = where["body_at"][0], where["body_at"][1].as_matrix()
        m = ps.Mechanism().add("link", one, JOINTS[joint], **where).apply(ps.Wrench("link", spring, at=point))
        pairs.append((m, m.state({"link": state})))
    return A.as_matrix(), pairs


@joints
@pytest.mark.parametrize(
    "method", [method.name for method in ps.methods() if method.scope != "free" and method.body]
)
def test_one_body_written_in_two_frames_moves_in_one_way(joint, method):
    A, pairs = twins(joint)
    a, b = (ps.simulate(*pair, method, step=0.01, steps=200) for pair in pairs)
    close = 1e-10  # rounding of the two descriptions, 1e-15, grown along two seconds of motion
    assert np.abs(a.rotation("link") @ A - b.rotation("link")).max() < close
    assert np.abs(a.position("link") - b.position("link")).max() < close
    assert np.abs(a.velocity("link") - b.velocity("link")).max() < close
    assert np.abs(a.angular_velocity("link") @ A - b.angular_velocity("link")).max() < close
    assert np.abs(a.energy - a.work - (b.energy - b.work)).max() < 100 * close
    assert np.abs(a.rotation("link")[-1] - a.rotation("link")[0]).max() > 0.1  # it did move


@pytest.mark.parametrize("method", [method.name for method in ps.methods()])
def test_the_order_in_which_moments_are_written_does_not_matter(method):
    """The axes renamed (x, y, z) -> (y, x, -z): also for methods that turn about one axis after the other."""
    A = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    runs = []
    for J, w in (
        ((1.5, 1.2, 1.0), np.array([0.3, 2.0, 0.5])),
        ((1.2, 1.5, 1.0), A @ np.array([0.3, 2.0, 0.5])),
    ):
        m = ps.Mechanism(gravity=(0, 0, 0)).add("link", ps.Body(1.0, J), ps.Spherical())
        runs.append(ps.simulate(m, m.state({"link": dict(angular_velocity=w)}), method, step=0.05, steps=100))
    w = [run.angular_velocity("link") for run in runs]
    assert w[1] == pytest.approx(w[0] @ A.T, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("gravity", [(0.0, 0.0, 0.0), (0.5, -1.0, -9.81)])
def test_the_centre_of_mass_of_a_free_body_flies_along_its_parabola(method, gravity):
    """Its frame does not: the origin whirls about it.  All methods are exact on a constant force."""
    body = ps.Body(0.7, (1.0, 1.3, 1.7), center_of_mass=(0.5, -1.0, 2.0))
    m = ps.Mechanism(gravity=gravity).add("link", body, ps.Free(), at=(1, 2, 3), rotation=turn().as_matrix())
    start = m.state({"link": {"position": (3, 2, 1), "velocity": (1, -2, 3), "angular_velocity": (2, 1, 3)}})
    run = ps.simulate(m, start, method, step=1 / 64, steps=256)
    t, p, u = run.time[:, None], run.position("link")[0], run.velocity("link")[0]
    rounding = EPS * (np.abs(run.position("link")).max() + np.abs(run.velocity("link")).max())
    assert np.abs(run.position("link") - (p + u * t + 0.5 * t * t * np.array(gravity))).max() < 256 * rounding
    assert (
        np.abs(run.velocity("link") - (u + t * np.array(gravity))).max()
        < (256 if any(gravity) else 8) * rounding
    )
    assert np.ptp(run.joint("link")[:, 0] - run.position("link")[:, 0]) > 1


def test_a_compound_pendulum_has_the_period_of_the_elliptic_integral():
    """T = 4 sqrt(I/(m g d)) K(sin^2 a/2), I = J + m d^2; a quarter later it is fastest, at the bottom."""
    mass, J, arm, a = 1.7, 1.2, np.array([0.4, 0.0, -0.2]), 2.0
    d, hanging = np.linalg.norm(arm), np.arctan2(0.4, 0.2)
    body = ps.Body(mass, (0.9, J, 1.5), center_of_mass=(0.1, 0.0, 0.2))
    m = ps.Mechanism().add("link", body, ps.Spherical(), at=(1, 2, 3), body_at=(0.3, 0.0, -0.4))
    I, weight = J + mass * d * d, mass * 9.81 * d
    period = 4 * np.sqrt(I / weight) * ellipk(np.sin(a / 2) ** 2)
    start = m.state({"link": {"rotation": Rotation.from_rotvec([0, hanging - a, 0]).as_matrix()}})
    run = ps.simulate(m, start, "srkn4", step=period / 400, steps=400)
    away = run.position("link") - (1, 2, 3)
    angle, rate = np.arctan2(away[:, 0], -away[:, 2]), run.angular_velocity("link")[:, 1]
    fastest = np.sqrt(2 * weight * (1 - np.cos(a)) / I)
    close = 1e-9  # (h/T)^4 = 4e-11, with the constant of the method; measured 2e-10
    assert angle[[0, 100, 200, 300, 400]] == pytest.approx([a, 0, -a, 0, a], abs=close)
    assert np.abs(rate[[0, 100, 200, 300, 400]]) == pytest.approx([0, fastest, 0, fastest, 0], abs=close)
    assert np.abs(away[:, 1]).max() < 400 * EPS  # one rounding a step

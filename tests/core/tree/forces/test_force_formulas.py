"""Every force against an independent formula: the generalised force Q that it adds to M v. + c = Q.

    Q_j = sum of torque . w_j + force . (velocity of its point), both of the motion v = e_j            (1)
    Q_j = -dV along dq = rate(q, e_j)                                                               (2)

M and the motions are the oracle's; the wrenches are written here, for particles where there are some.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from test_energy import FORCES, K3, TURN

import poinsot as ps
from poinsot.compile.functions.potentials import potential_of
from poinsot.formats.data import to_data
from poinsot.model.forces.constitutive import prime
from poinsot.model.forces.stiffness import Stiffness
from poinsot.model.kinematics import Sampled
from support import oracle, zoo
from support.driver import Field, row

TIME = 0.7
BARE = zoo.bodies()
DATA = to_data(BARE)
START = zoo.start(BARE, seed=5)
Q0, V0 = np.array(START.q), np.array(START.v)
M, _ = oracle.equations(DATA, Q0, V0)
WEIGHTS = [5.0, 3.0, 4.0, 2.0]


def generalised(force):
    """Q of the force, from the accelerations with and without it, and the power that the field reports."""
    with_it, without = (Field(m)(TIME, row(START))[:, 0] for m in (zoo.bodies().apply(force), BARE))
    return M @ (with_it - without)[len(Q0) : -1], with_it[-1]


def placed(v=V0):
    """All bodies in space, by name."""
    return {body.name: body for body in oracle.place(DATA, Q0, v)}


UNITS = [placed(e) for e in np.eye(len(V0))]
HERE = placed()


def velocity(body, x):
    """Of the point of a body that is at x in space."""
    return body.dc + oracle.cross(body.w, x - body.c)


def at(name, point):
    """A point of a body, or of the world, in space."""
    return np.array(point) if name == "world" else HERE[name].origin + HERE[name].R @ point


def of_wrench(name, x, torque, force):
    """(1) for a torque and a force at x on one body."""
    if name == "world":
        return np.zeros(len(V0))
    return np.array([torque @ here[name].w + force @ velocity(here[name], x) for here in UNITS])


def of_pair(a, b, x_a, x_b, force):
    """(1) for a force on b at x_b and its opposite on a at x_a."""
    return of_wrench(b, x_b, np.zeros(3), force) - of_wrench(a, x_a, np.zeros(3), force)


def moving(name, x):
    return np.zeros(3) if name == "world" else velocity(HERE[name], x)


def close(found, expected):
    """Rounding: products with M of size 10."""
    return found == pytest.approx(expected, rel=0, abs=2e-12 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize(
    "name", [name for name, force in FORCES.items() if isinstance(force, ps.Spring | ps.Damper)]
)
def test_springs_and_dampers_between_points(name):
    f = FORCES[name]
    x_a, x_b = at(f.a, f.at_a), at(f.b, f.at_b)
    d = x_b - x_a
    length, n = np.linalg.norm(d), d / np.linalg.norm(d)
    if isinstance(f, ps.Spring):
        force, power = -f.stiffness * (length - f.length) * n, 0.0
    else:
        closing = n @ (moving(f.b, x_b) - moving(f.a, x_a))
        force, power = -f.damping * closing * n, -f.damping * closing**2
    Q, found = generalised(f)
    assert close(Q, of_pair(f.a, f.b, x_a, x_b, force))
    assert found == pytest.approx(power, abs=1e-13)


def test_stiffness_of_springs_is_their_sum():
    f = Stiffness.of_springs("weld", "boat", WEIGHTS, zoo.POINTS, zoo.POINTS[::-1])
    total = 0
    for k, p_a, p_b in zip(WEIGHTS, zoo.POINTS, zoo.POINTS[::-1], strict=True):
        x_a, x_b = at("weld", p_a), at("boat", p_b)
        total = total + of_pair("weld", "boat", x_a, x_b, -k * (x_b - x_a))
    assert close(generalised(f)[0], total)


@pytest.mark.parametrize("a", ["slide", "world"])
@pytest.mark.parametrize("b", ["boat", "weld"])
def test_damping_is_a_sum_of_dampers_in_all_directions(a, b):
    """Particles of b that move through the frame of a."""
    total, power = 0, 0.0
    for c, p in zip(WEIGHTS, zoo.POINTS, strict=True):
        x = at(b, p)
        slip = moving(b, x) - moving(a, x)
        total = total + of_pair(a, b, x, x, -c * slip)
        power -= c * slip @ slip
    Q, found = generalised(ps.Damping(a, b, prime(WEIGHTS, zoo.POINTS)))
    assert close(Q, total)
    assert found == pytest.approx(power, rel=1e-12)


def test_drag_of_particles_in_a_vortex():
    flow, turn = np.array([0.5, 0.1, 0.2]), np.array([0.1, 0.9, -0.2])
    total, power = 0, 0.0
    for c, p in zip(WEIGHTS, zoo.POINTS, strict=True):
        x = at("screw", p)
        force = -c * (moving("screw", x) - flow - np.cross(turn, x))
        total = total + of_wrench("screw", x, np.zeros(3), force)
        power += force @ moving("screw", x)
    Q, found = generalised(ps.Drag("screw", prime(WEIGHTS, zoo.POINTS), velocity=flow, rotation=turn))
    assert close(Q, total)
    assert found == pytest.approx(power, rel=1e-12)


CONSERVATIVE = [name for name, force in FORCES.items() if force.conservative]


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_conservative_forces_are_the_gradient_of_their_energy(name):
    """(2), by Richardson's combination of central differences: h^4, 1e-11."""
    f = FORCES[name]

    def energies(h):
        """Along each e_j; the sphere of quaternions is left by h^2 and reached again by division."""
        q = np.array([Q0 + s * h * oracle.rates(DATA, Q0, e) for e in np.eye(len(V0)) for s in (1, -1)])
        for link in BARE.links:
            if link.joint.quaternion is not None:
                first = BARE.slices(link.name)[0].start + link.joint.quaternion
                turn = q[:, first : first + 4]
                turn /= np.sqrt((turn**2).sum(axis=1))[:, None]
        V = potential_of(f, Sampled(BARE, q, np.zeros((len(q), len(V0))))).reshape(-1, 2)
        return (V[:, 0] - V[:, 1]) / (2 * h)

    Q, power = generalised(f)
    assert power == 0
    expected = -(4 * energies(1e-3) - energies(2e-3)) / 3
    assert pytest.approx(expected, rel=0, abs=1e-10 * max(1.0, np.abs(expected).max())) == Q


def joint(name):
    at_q, at_v = BARE.slices(name)
    return Q0[at_q], V0[at_v], at_v


def only(at_v, values):
    out = np.zeros(len(V0))
    out[at_v] = values
    return out


def ball_turn(rest=(1.0, 0.0, 0.0, 0.0)):
    q, _, _ = joint("ball")
    return Rotation.from_quat(rest, scalar_first=True).inv() * Rotation.from_quat(q, scalar_first=True)


def hat(w):
    return oracle.hat(np.asarray(w, dtype=float))


def expected_at_joints():
    """tau of the forces at joints, from their definitions."""
    W = np.trace(K3) / 2 * np.eye(3) - K3
    R = ball_turn(TURN).as_matrix()
    yaw, pitch, roll = ball_turn().as_euler("ZYX")
    damped, screw = np.diag([0.1, 0.2, 0.15]) + 0.02, joint("screw")
    return {
        "hinge spring": ("hinge", -8.0 * (joint("hinge")[0] - 0.3)),
        "cardan spring": ("cardan", -np.array([4.0, 5.0]) * (joint("cardan")[0] - (0.1, -0.2))),
        "planar spring": ("puck", -np.array([4.0, 5.0, 2.0]) * joint("puck")[0]),
        "ball spring, log": ("ball", -3.0 * ball_turn(TURN).as_rotvec()),
        "ball spring, trace": ("ball", np.array([np.trace(W @ R @ hat(e)) for e in np.eye(3)])),
        "ball spring, euler": ("ball", -0.5 * ball_turn().as_matrix().T @ [roll, pitch, yaw]),
        "thread spring": ("thread", -6.0 * (joint("thread")[0] - 0.2)),
        "joint damper, thread": ("thread", -0.3 * joint("thread")[1]),
        "joint damper": ("screw", -np.array([0.1, 0.3]) * screw[1]),
        "joint damper, matrix": ("ball", -damped @ joint("ball")[1]),
        "joint damper, free": ("boat", -0.1 * joint("boat")[1]),
        "joint torque": ("screw", np.array(zoo.drive(TIME, screw[0], screw[1]))),
    }


@pytest.mark.parametrize("name", expected_at_joints())
def test_forces_at_joints(name):
    where, tau = expected_at_joints()[name]
    _, v, at_v = joint(where)
    Q, power = generalised(FORCES[name])
    assert close(Q, only(at_v, tau))
    assert power == pytest.approx(0.0 if FORCES[name].conservative else tau @ v, abs=1e-13)


@pytest.mark.parametrize(
    "name", [name for name, force in FORCES.items() if isinstance(force, ps.Torque | ps.Wrench)]
)
def test_functions_of_the_motion_of_a_body(name):
    """R, w, p, v as DESIGN 3a has them, and what is returned acts where it should."""
    f = FORCES[name]
    here = HERE[f.body]
    y = np.array(f.function(TIME, here.R, here.R.T @ here.w, here.c, here.dc))
    torque, force = y[:3], y[3:] if len(y) == 6 else np.zeros(3)
    if f.frame == "body":
        torque, force = here.R @ torque, here.R @ force
    x = at(f.body, f.at)
    Q, power = generalised(f)
    assert close(Q, of_wrench(f.body, x, torque, force))
    work = torque @ here.w + force @ velocity(here, x)
    assert power == pytest.approx(0.0 if f.conservative else work, abs=1e-13)


def test_points_that_meet():
    """No direction, no force; without rest length there is no need for one."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", ps.Body(1.0, (1, 1, 1)), ps.Free())
    m.apply(ps.Spring("world", "a", 5.0, 1.0), ps.Spring("world", "a", 5.0), ps.Damper("world", "a", 2.0))
    state = m.state({"a": dict(velocity=(1, 0, 0))})
    assert (Field(m)(0.0, row(state))[7:, 0] == 0).all()


@pytest.mark.parametrize("form", ["log", "trace", "euler"])
@pytest.mark.parametrize("turn", [(0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)])
def test_ball_springs_at_half_a_turn(form, turn):
    """Where "log" and "euler" jump, either side is right, but it is a number."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("ball", ps.Body(1.0, (1, 1, 1)), ps.Spherical())
    m.apply(ps.JointSpring("ball", 2.0, form=form))
    torque = Field(m)(0.0, row(m.state({"ball": dict(rotation=turn)})))[4:7, 0]
    assert np.isfinite(torque).all()
    if form == "log":
        assert np.linalg.norm(torque) == pytest.approx(2 * np.pi, rel=1e-14)

"""Driven joints of all kinds: motion against rotation matrices, hybrid dynamics against a dense solve."""

import math

import mpmath as mp
import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.core.numbers.v4d import LANES
from poinsot.mechanics.drive_forces import drive_forces
from poinsot.model.rotations import matrix

T = 0.4
TIGHT = 2e-12  # rounding of a dense solve with condition 1e3, relative to the largest


def slide(t):
    return 0.3 * math.sin(2.0 * t)


def both(t):
    return 0.2 * t * t, math.cos(t)


def plane(t):
    return 0.1 * t, [0.2, 0.3][1] * t * t, math.sin(t)


def tumble(t):  # not of length 1 but at t = 0: only the direction counts
    return 1.0, 0.3 * t, -0.5 * t * t, math.sin(0.4 * t)


def flight(t):
    return 0.1 * t, math.sin(t), t * t, 1.0, 0.2 * math.sin(t), 0.4 * t, -0.3 * t * t


def tree():
    m = ps.Mechanism()
    rng = np.random.default_rng(3)
    parts = {
        "base": (ps.Free(), "world"),
        "slide": (ps.Prismatic((0.0, 0.6, 0.8)), "base"),
        "hinge": (ps.Revolute((1.0, 0.0, 0.0)), "slide"),
        "ball": (ps.Spherical(), "hinge"),
        "cross": (ps.Universal((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), "slide"),
        "tail": (ps.Revolute((0.0, 1.0, 0.0)), "cross"),
        "disc": (ps.Planar((0.0, 0.0, 1.0)), "base"),
        "screw": (ps.Helical((0.0, 0.0, 1.0), 0.1), "disc"),
        "tip": (ps.Spherical(), "screw"),
    }
    for name, (joint, parent) in parts.items():
        at = {} if isinstance(joint, ps.Free) else {"at": rng.normal(size=3), "body_at": rng.normal(size=3)}
        body = ps.Body(float(rng.uniform(0.5, 2)), rng.uniform(0.4, 0.5, 3), rng.normal(size=3) * 0.1)
        m.add(name, body, joint, parent, **at)
    return m.apply(
        ps.JointDamper("slide", 0.7), ps.Spring("world", "tip", 3.0, 0.2), ps.JointSpring("cross", 2.0)
    )


DRIVES = {"base": flight, "slide": slide, "ball": tumble, "cross": both, "disc": plane}


def state_of(m):
    rng = np.random.default_rng(5)
    q, v = m.state().q.copy(), rng.normal(size=m.lengths[1])
    for link in m.links:
        at, _ = m.slices(link.name)
        q[at] = rng.normal(size=link.joint.nq)
        if link.joint.quaternion is not None:
            first = at.start + link.joint.quaternion
            q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    return q, v


@pytest.fixture(scope="module")
def driven():
    return tree().apply(*(ps.Drive(name, f) for name, f in DRIVES.items()))


def rotation(f, first):
    """The rotation matrix of a drive as a function of time, in many digits."""

    def of(t):
        named = {"sin": mp.sin, "cos": mp.cos}
        f_mp = type(f)(f.__code__, {**f.__globals__, "math": type("m", (), named)})
        w, x, y, z = f_mp(t)[first : first + 4]
        n = mp.sqrt(w * w + x * x + y * y + z * z)
        w, x, y, z = w / n, x / n, y / n, z / n
        return mp.matrix(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )

    return of


def spin(R, t):
    """Angular velocity in the child frame: vee(R^T R.), by derivatives of the entries."""
    dR = mp.matrix(3, 3)
    for i in range(3):
        for j in range(3):
            dR[i, j] = mp.diff(lambda s, i=i, j=j: R(s)[i, j], t)
    W = R(t).T * dR
    return mp.matrix([W[2, 1], W[0, 2], W[1, 0]])


@pytest.mark.parametrize(("name", "first"), [("ball", 0), ("base", 3)])
def test_a_driven_rotation_has_the_rates_of_its_matrix(driven, name, first):
    t = compile_tree(driven)
    q, v, a = t.on_drives(T, *state_of(driven))
    at, along = driven.slices(name)
    with mp.workdps(30):
        R = rotation(DRIVES[name], first)
        w = spin(R, mp.mpf(T))
        dw = [mp.diff(lambda s, i=i: spin(R, s)[i], mp.mpf(T)) for i in range(3)]
        exact = np.array(R(mp.mpf(T)).tolist(), dtype=float)
    begin = at.start + first
    assert matrix(q[begin : begin + 4]) == pytest.approx(exact, abs=4e-16)
    assert v[along][:3] == pytest.approx([float(x) for x in w], abs=1e-14)
    assert a[along][:3] == pytest.approx([float(x) for x in dw], abs=1e-12)  # nested differences
    if name == "base":  # x' = R u: in space the derivatives are those of the position
        x1, x2 = np.array([0.1, math.cos(T), 2 * T]), np.array([0.0, -math.sin(T), 2.0])
        u, du = v[along][3:], a[along][3:]
        assert exact @ u == pytest.approx(x1, abs=1e-15)
        assert exact @ (du + np.cross(v[along][:3], u)) == pytest.approx(x2, abs=1e-14)


def test_hybrid_dynamics_is_the_dense_solution(driven):
    """Forces from the tree without drives: M a + c = f, with some a given and their forces unknown."""
    t, free = compile_tree(driven), tree()
    q, v, a = t.on_drives(T, *state_of(driven))
    known = t.driven_coordinates[1]
    rest = np.setdiff1d(np.arange(len(v)), known)
    M, c = ps.dynamics.bind(free).mass_matrix(q), ps.dynamics.bind(free).inverse_dynamics(q, v, 0 * v, time=T)
    a[rest] = np.linalg.solve(M[np.ix_(rest, rest)], -c[rest] - M[np.ix_(rest, known)] @ a[known])
    force = (M @ a + c)[known]
    start = ps.State(T, q, v)
    assert ps.dynamics.acceleration(driven, start) == pytest.approx(a, abs=TIGHT * np.abs(a).max())
    rows = np.tile(q, (LANES, 1)), np.tile(v, (LANES, 1))
    times = np.full(LANES, T)
    lanes = ps.dynamics.bind(driven).acceleration(*rows, time=times)
    assert (lanes == ps.dynamics.acceleration(driven, start)).all()
    found = drive_forces(t, times[:1], rows[0][:1], rows[1][:1], np.zeros((1, 0)))
    assert found[0] == pytest.approx(force, abs=TIGHT * np.abs(force).max())


def test_a_driven_joint_is_where_the_drive_says_whatever_the_state(driven):
    """The coordinates and velocities of driven joints in a state are not asked for."""
    q, v, _ = compile_tree(driven).on_drives(T, *state_of(driven))
    other, w = q.copy(), v.copy()
    at, along = driven.slices("slide")
    other[at], w[along] = 5.0, -7.0
    one, two = (ps.dynamics.acceleration(driven, ps.State(T, *x)) for x in ((q, v), (other, w)))
    assert (one == two).all()

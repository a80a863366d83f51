"""A body with welded parts is one body: its diagnostics are those of the merged body."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.model.kinematics import motions
from poinsot.view.codec import Packer
from poinsot.view.extract import Extract
from poinsot.view.look import Look
from poinsot.view.payload import describe
from support.data import ARCHIVES

TURN = ps.so3.exp(np.array([0.3, -0.2, 0.5]))
PLACE = np.array([0.25, 0.1, -0.05])
PARTS = [  # mass, moments, centre, axes and origin in the frame of the hub
    (2.0, (0.02, 0.03, 0.04), (0.01, 0.0, 0.0), np.eye(3), np.zeros(3)),
    (0.5, (0.01, 0.02, 0.025), (0.0, 0.02, 0.0), TURN, PLACE),
    (0.2, (0.001, 0.002, 0.002), (0.0, 0.0, 0.0), TURN @ TURN, PLACE + TURN @ (0.0, 0.2, 0.1)),
]
MOVING = {"angular_velocity": (0.05, 9.0, 0.02), "position": (1, 2, 3), "velocity": (0.4, 0.0, -0.1)}


def merged():
    """One body of point masses: six for each part, on its principal axes."""
    points, masses = [], []
    for m, J, c, R, r in PARTS:
        for k in range(3):
            far = np.sqrt((sum(J) / 2 - J[k]) * 3 / m)  # sum of m_i x_k^2 is (sum J)/2 - J_k
            points += [r + R @ (c + side * far * np.eye(3)[k]) for side in (1, -1)]
            masses += [m / 6] * 2
    x, m = np.array(points), np.array(masses)
    c = m @ x / m.sum()
    d = x - c
    J = np.einsum(
        "n,nij->ij", m, (d * d).sum(axis=1)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None, :]
    )
    return ps.Body(m.sum(), J, center_of_mass=c)


def three_parts(joint, gravity=(0, 0, 0), body_at=(0, 0, 0)):
    bodies = [ps.Body(m, J, center_of_mass=c) for m, J, c, _, _ in PARTS]
    m = ps.Mechanism(gravity).add("hub", bodies[0], joint, body_at=body_at)
    m.add("wing", bodies[1], ps.Fixed(), parent="hub", at=PLACE, rotation=TURN)
    return m.add("tail", bodies[2], ps.Fixed(), parent="wing", body_at=((0.0, 0.2, 0.1), TURN))


def one_body(joint, gravity=(0, 0, 0), body_at=(0, 0, 0)):
    return ps.Mechanism(gravity).add("hub", merged(), joint, body_at=body_at)


def both(joint, start, forces=lambda: (), **more):
    """Return the runs of the body in three parts and of the merged one."""
    found = []
    for m in (three_parts(joint, **more), one_body(joint, **more)):
        m.apply(*forces())
        found.append(ps.simulate(m, m.state({"hub": start}), "gauss3", step=0.01, until=2.0))
    return found


@pytest.fixture(scope="module")
def free():
    return both(ps.Free(), MOVING)


def same(a, b, size=1.0):
    assert a == pytest.approx(b, rel=0, abs=3e-12 * size)  # 200 steps, and an unstable axis


def test_motion_and_flips_are_those_of_the_merged_body(free):
    ours, theirs = free
    assert len(theirs.flips("hub")) == 2
    for name in ("hub", "wing", "tail"):
        same(ours.flips(name), theirs.flips("hub"))
    for quantity in ("position", "velocity", "rotation", "angular_velocity"):
        same(getattr(ours, quantity)("hub"), getattr(theirs, quantity)("hub"), 10)
    flight = np.add((1, 2, 3), 2.0 * np.array(MOVING["velocity"]))
    assert ours.position("hub")[-1] == pytest.approx(flight, abs=1e-9)  # sixth order
    same(ours.energy, theirs.energy)
    same(ours.angular_momentum, theirs.angular_momentum, 10)


def test_the_polhode_lies_on_the_ellipsoid_that_is_drawn(free):
    ours, theirs = free
    J = merged().inertia
    for run in free:
        surface, curve = (run.polhode("hub").axes[0].collections[0], run.polhode("hub").axes[0].lines[0])
        w = np.array(curve.get_data_3d()).T
        twice = np.einsum("ni,ij,nj->n", w, J, w)
        assert np.ptp(twice) < 1e-11 * twice[0]
        corners = np.array(surface._faces).reshape(-1, 3)
        on = np.einsum("ni,ij,nj->n", corners, J, corners)
        assert on == pytest.approx(np.full(len(on), twice[0]), rel=1e-11)
    wing, hub = (run.polhode(name).axes[0].lines[0] for run, name in ((ours, "wing"), (theirs, "hub")))
    same(np.array(wing.get_data_3d()), np.array(hub.get_data_3d()), 10)


def test_the_page_draws_one_arrow_and_the_inset_of_the_whole_body(free):
    ours, theirs = (describe("run", Extract(run, 1000), Packer(), 1.0, "", "", Look()) for run in free)
    assert [one["spin"] is None for one in ours["bodies"]] == [False, True, True]
    assert ours["kept"]
    assert theirs["kept"]
    for key in ("moments", "axes"):
        assert ours["bodies"][0][key] == pytest.approx(theirs["bodies"][0][key], rel=1e-12)


def test_parts_keep_their_own_centers(free):
    run = free[0]
    R, origin = run.rotation("hub"), run.position("hub") - run.rotation("hub") @ merged().center_of_mass
    for name, (mass, moments, c, A, r) in zip(("hub", "wing", "tail"), PARTS, strict=True):
        part = run.part(name)
        assert part.body.mass == mass
        assert part.body.principal_moments.tolist() == pytest.approx(moments)
        same(part.position, origin + R @ (r + A @ c), 10)
        change = np.gradient(part.position, run.time, axis=0, edge_order=2)
        assert part.velocity == pytest.approx(change, abs=0.05)  # second order in 0.01 s, at 9 rad/s
        if name != "hub":
            assert np.array_equal(part.position, run.position(name))


def test_numpy_and_the_core_agree(free):
    run = free[0]
    found = motions(run.mechanism, run.trajectory.q, run.trajectory.v)
    for name, x in found.items():
        if name != "world":
            same(x.position, run.position(name), 10)
            same(x.velocity, run.velocity(name), 10)


def test_a_dumbbell_without_a_velocity_stays_where_it_is():
    ball = ps.Body(1.0, (0.1, 0.1, 0.1))
    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", ball, ps.Free())
    m.add("b", ball, ps.Fixed(), parent="a", at=(1.0, 0.0, 0.0))
    run = ps.simulate(m, m.state({"a": dict(angular_velocity=(0, 0, 3.0))}), "gauss2", step=0.01, until=1.0)
    assert np.abs(run.linear_momentum[0]).max() < 1e-15
    assert np.abs(run.position("a")).max() < 1e-9  # fourth order; 1.5 m when it was the center of one ball
    assert run.part("a").position[0] == pytest.approx((-0.5, 0, 0))


def spring(t, R, w, p, v):
    return 0.0, 0.0, 0.0, -3.0 * p[0] - 0.2 * v[0], -4.0 * p[1], -5.0 * p[2]


def well(R, p):
    return (3.0 * p[0] ** 2 + 4.0 * p[1] ** 2 + 5.0 * p[2] ** 2) / 2


def force(t, R, w, p, v):
    return 0.0, 0.0, 0.0, -3.0 * p[0], -4.0 * p[1], -5.0 * p[2]


def test_forces_and_impulses_get_the_common_center():
    center = tuple(merged().center_of_mass)

    def forces():
        return (
            ps.Wrench("hub", spring, at=center),
            ps.Wrench("hub", force, at=center, potential=well),
            ps.Impulse("hub", 0.5, force=(0.3, 0.0, 1.0)),
        )

    ours, theirs = both(ps.Free(), {**MOVING, "angular_velocity": (1, 2, 3)}, forces, gravity=(0, 0, -1))
    for quantity in ("position", "angular_velocity"):
        same(getattr(ours, quantity)("hub"), getattr(theirs, quantity)("hub"), 100)
    same(ours.energy, theirs.energy, 100)


def test_a_body_on_a_ball_joint_has_its_moments_about_the_joint():
    start = {"angular_velocity": (0.05, 9.0, 0.02)}
    ours, theirs = both(ps.Spherical(), start, body_at=(0.1, 0.0, 0.2))
    assert len(theirs.flips("hub")) == 1
    same(ours.flips("hub"), theirs.flips("hub"))


def test_a_symmetric_body_of_parts_has_an_axial_momentum():
    disc, rod = ps.Body(1.0, (0.1, 0.1, 0.2)), ps.Body(0.3, (0.05, 0.05, 0.001))
    m = ps.Mechanism().add("disc", disc, ps.Spherical(), body_at=(0, 0, 0.5))
    m.add("rod", rod, ps.Fixed(), parent="disc", at=(0, 0, -0.25))
    start = m.state({"disc": dict(rotation=TURN, angular_velocity=(0, 0, 30.0))})
    found = ps.simulate(m, start, "gauss3", step=0.01, until=0.5).report().axial_momentum
    assert found.kept
    assert found.relative_band < 1e-12


def test_a_weld_below_a_fluid_drag_moves_the_center_that_it_needs():
    m = ps.Mechanism().add("leaf", ps.Body(1.0, (1, 1, 1)), ps.Free())
    m.apply(ps.FluidDrag("leaf", [0.1], [(0.1, 0, 0)], lambda t, p: (-p[1], p[0], 0.0)))
    with pytest.raises(ps.ModelError, match=r"center_of_mass must be that of the body, \(0.5, 0, 0\)"):
        m.add("stone", ps.Body(1.0, (1, 1, 1)), ps.Fixed(), parent="leaf", at=(1, 0, 0))
    assert m.names == ["leaf"]


FILE = """
step = 0.01
until = 1.0
[[bodies]]
name = "hub"
joint = "free"
mass = 1.0
inertia = [1.0, 2.0, 2.5]
[[bodies]]
name = "wing"
parent = "hub"
joint = "fixed"
at = [0.4, 0.0, 0.0]
mass = 3.0
inertia = [1.0, 2.0, 2.5]
[start.hub]
position = [1.0, 2.0, 3.0]
velocity = [0.5, 0.0, 0.25]
angular_velocity = [0.0, 0.0, 2.0]
"""


def test_a_file_means_the_common_center(tmp_path):
    path = tmp_path / "parts.toml"
    path.write_text(FILE)
    s = ps.scenario(path)
    assert s.start.q[:3] == pytest.approx((0.7, 2.0, 3.0))  # less 3/4 of 0.4 m
    assert s.start.v[3:] == pytest.approx((0.5, -0.6, 0.25))
    assert "position = [1.0, 2.0, 3.0]" in ps.to_toml(s)


def test_an_old_archive_holds_the_same_samples_and_shows_the_common_center():
    """Written before welded parts were one body: its q and v are as they were, its positions are not."""
    run = ps.load(ARCHIVES / "welded.poinsot")
    assert run.part("hub").position[0] == pytest.approx((1, 2, 3))  # what its start said then
    again = ps.simulate(run.mechanism, run.at(0.0), "gauss2", step=0.01, steps=10)
    assert np.array_equal(again.trajectory.q, run.trajectory.q)
    assert np.array_equal(again.trajectory.v, run.trajectory.v)
    masses = np.array([1.0, 0.5, 0.2])
    parts = np.stack([run.part(name).position for name in run.mechanism.names])
    assert run.position("hub") == pytest.approx(
        np.einsum("k,kni->ni", masses, parts) / masses.sum(), abs=1e-15
    )
    assert run.velocity("hub") == pytest.approx(run.linear_momentum / masses.sum(), abs=1e-14)

"""The data of a page: what is packed comes back, what is left out is said, nothing breaks out."""

import base64
import json
import re
import zlib
from dataclasses import replace

import numpy as np
import pytest

import poinsot as ps
from poinsot.model.rotations import apply, matrix
from poinsot.view.codec import Packer
from poinsot.view.frames import envelope, frames, thin
from poinsot.view.page import frame_of, page
from poinsot.view.payload import payload
from poinsot.view.scene import coarse, ellipsoid, joints, marks, principal, quaternion_of, rods, springs
from support import synthetic


def unpacked(one, data):
    """The inverse of `Packer`, as the page has it in TypeScript."""
    n, k = one["rows"], one["columns"]
    if one["kind"] == "float64":
        planes = np.frombuffer(data, np.uint8, 8 * n * k, one["at"]).reshape(8, n * k)
        return planes.T.copy().view("<f8").reshape(k, n).T
    planes = np.frombuffer(data, np.uint8, 4 * n * k, one["at"]).reshape(4, n * k)
    words = (planes.astype(np.uint32) << np.array([[0], [8], [16], [24]], np.uint32)).sum(
        axis=0, dtype=np.uint32
    )
    x = ((words >> np.uint32(1)) ^ (np.uint32(0) - (words & np.uint32(1)))).reshape(k, n)
    for _ in range(one["order"]):
        x = np.cumsum(x, axis=1, dtype=np.uint32)
    if one["kind"] == "float32":
        return x.view(np.float32).T
    return np.array(one["offset"]) + x.view(np.int32).T * one["scale"]


@pytest.mark.parametrize("shape", [(0, 3), (1, 4), (1000, 2)])
def test_tables_come_back(shape):
    x = np.random.default_rng(0).normal(size=shape)
    pack = Packer()
    one, two, three = pack.fixed(x), pack.floats(x), pack.fixed(x, 100.0)
    data = bytes(pack.data)
    assert np.abs(unpacked(pack.header[one], data) - x).max(initial=0) <= np.abs(x).max(initial=0) * 2**-24
    assert np.array_equal(unpacked(pack.header[two], data), x.astype(np.float32))
    assert np.abs(unpacked(pack.header[three], data) - x).max(initial=0) <= 100 * 2**-24
    pack.doubles(x)
    assert np.array_equal(unpacked(pack.header[-1], bytes(pack.data)), x)


def test_floats_that_are_not_numbers_come_back():
    pack = Packer()
    x = np.array([[np.nan], [np.inf], [-0.0], [1e300]])
    pack.floats(x)
    found = unpacked(pack.header[0], bytes(pack.data))
    assert np.array_equal(found, [[np.nan], [np.inf], [0], [np.inf]], equal_nan=True)


def test_numbers_far_from_zero_keep_their_digits():
    """An orbit of 7000 km with a motion of a metre, a clock that has run for a year."""
    x = 7e6 + np.random.default_rng(0).uniform(-1, 1, (100, 3))
    t = 3e7 + 0.01 * np.arange(100.0)
    pack = Packer()
    pack.fixed(x)
    pack.times(t)
    data = bytes(pack.data)
    assert np.abs(unpacked(pack.header[0], data) - x).max() < 1e-7
    assert np.abs(unpacked(pack.header[1], data)[:, 0] - t).max() < 1e-8


def test_the_smallest_numbers_there_are_do_not_stop_it():
    pack = Packer()
    pack.fixed(np.array([[0.0], [5e-324]]))
    assert np.abs(unpacked(pack.header[0], bytes(pack.data))).max() <= 5e-324


def test_quaternions_that_have_drifted_are_sent_as_rotations():
    run = synthetic.pendulum(1, 5)
    known = run.trajectory.known["link0"]
    long = known._replace(quaternion=known.quaternion * 1e6)
    grown = replace(run, trajectory=replace(run.trajectory, known={"link0": long}))
    sent = payload({"run": grown}, "")
    one = sent.header["arrays"][sent.header["runs"][0]["bodies"][0]["quaternion"]]
    assert np.abs(unpacked(one, zlib.decompress(sent.data)) - known.quaternion).max() < 1e-7


def test_a_smooth_motion_is_small():
    t = np.linspace(0, 20, 10_000)
    pack = Packer()
    pack.fixed(np.stack([np.cos(t), np.sin(t)], axis=1))
    assert len(zlib.compress(bytes(pack.data))) < 25_000  # of 160 000 bytes


def test_frames_hold_the_first_and_the_last_sample():
    assert frames(10, 3).rows.tolist() == [0, 3, 6, 9]
    assert frames(11, 3).rows.tolist() == [0, 3, 6, 9, 10]
    assert frames(1, 5).rows.tolist() == [0]
    assert frames(0, 5).rows.tolist() == []


def test_thinned_curves_keep_their_extremes():
    time = np.linspace(0, 1, 50_001)
    x = np.sin(300 * time)[:, None]
    x[31_234] = 7
    t, y = thin(time, x, 1000)
    assert len(t) == len(y) <= 1010
    assert (np.diff(t) > 0).all()
    assert (y.max(), y.min()) == (7, x.min())
    t, y = envelope(time, x, 100)
    assert y.max() == 7
    assert (t[-1], len(t)) == (1, 100)


def test_only_what_a_page_can_carry_is_sent():
    run = synthetic.waves(8, 4000)
    limit = len(base64.b64encode(payload({"run": run}, "").data)) * 3 // 4
    small = payload({"run": run}, "", limit=limit)
    assert len(base64.b64encode(small.data)) <= limit
    one = small.header["runs"][0]
    assert one["stride"] > 1
    assert one["samples"] == 4000
    assert f"4000 samples, of which one in {one['stride']} is shown" in one["note"]


def test_no_character_of_a_model_is_markup():
    evil = "</script><!--<b>&\u2028'\""
    text, data = payload({evil: synthetic.pendulum(1, 3)}, evil, evil).text()
    assert not set("<>&") & set(text + data)
    assert text.isascii()
    assert json.loads(text)["title"] == evil
    html = page(payload({evil: synthetic.pendulum(1, 3)}, evil, evil))
    assert html.count("<script") == html.count("</script") == 3
    assert "<b>" not in re.sub(r"<script>.*</script>", "", html, flags=re.S)
    assert '"' not in frame_of(html).partition('srcdoc="')[2].partition('" sandbox')[0]


def test_a_page_names_no_address_to_fetch_from():
    html = page(payload({"run": synthetic.pendulum(2, 3)}, "two"))
    assert "default-src 'none'" in html
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", html)


# the scene


def test_a_body_without_a_shape_is_the_ellipsoid_of_its_inertia():
    a, b, c = 0.3, 0.5, 0.9
    body = ps.Body(2.0, 2.0 / 5 * np.array([b * b + c * c, a * a + c * c, a * a + b * b]))
    assert sorted(ellipsoid(body)) == pytest.approx([a, b, c])
    flat = ps.Body(1.0, (1.0, 1.0, 2.0))  # a disc: no radius is zero
    assert min(ellipsoid(flat)) > 0


def test_moments_are_about_the_pivot():
    """w.J w / 2 of the page is the kinetic energy: Poinsot's ellipsoid is the right one."""
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, steps=5)
    moments, axes = principal(run.mechanism.links[0])
    w = run.angular_velocity("top") @ axes
    assert (w * w) @ moments / 2 == pytest.approx(run.kinetic, rel=1e-12)


def test_quaternions_of_matrices():
    random = np.random.default_rng(3)
    for q in [*random.normal(size=(50, 4)), *np.eye(4)]:
        q = q / np.linalg.norm(q)
        found = quaternion_of(matrix(q))
        assert min(np.abs(found - q).max(), np.abs(found + q).max()) < 1e-14


def test_rods_and_joints_meet_in_space():
    """The end of a link's rod lies where the next joint is, at every sample."""
    run = synthetic.pendulum(5, 20)
    drawn, placed = rods(run.mechanism), joints(run.mechanism)
    assert [one["body"] for one in drawn] == [0, 1, 2, 3, 4]

    def space(body, point):
        name = run.mechanism.names[body]
        return run.position(name) + apply(run.quaternion(name), np.array(point))

    for one, rod in zip(placed, drawn, strict=True):
        start = space(rod["body"], rod["from"])
        joint = space(one["parent"], one["at"]) if one["parent"] >= 0 else np.array(one["at"])
        assert np.abs(start - joint).max() < 1e-12
    ends = [space(rod["body"], rod["to"]) for rod in drawn]
    for one in placed[1:]:
        assert np.abs(ends[one["parent"]] - space(one["parent"], one["at"])).max() < 1e-12


def tooled():
    """An arm with a tool, and a frame of the world; and what the run says of them."""
    m = ps.Mechanism()
    body = ps.Body(1.0, (0.1, 0.1, 0.1), center_of_mass=(0.1, 0.0, 0.2))
    m.add("arm", body, ps.Revolute((0, 1, 0)), body_at=(0.2, 0, -0.5))
    m.frame("tool", "arm", at=(0.3, -0.1, 0.4), rotation=(0.5, 0.5, -0.5, 0.5))
    m.frame("desk", "world", at=(0.2, 0.1, -0.6))
    return ps.simulate(m, m.state({"arm": dict(angle=1.0)}), "rk4", step=0.01, steps=20)


def test_named_frames_are_where_the_run_says():
    run = tooled()
    tool, desk = marks(run.mechanism)
    assert (tool["name"], tool["body"]) == ("tool", 0)
    here = run.position("arm") + apply(run.quaternion("arm"), np.array(tool["at"]))
    assert np.abs(here - run.position("tool")).max() < 1e-14
    turned = matrix(run.quaternion("arm")) @ matrix(np.array(tool["rotation"]))
    assert np.abs(turned - run.rotation("tool")).max() < 1e-14
    assert (desk["name"], desk["body"], desk["at"]) == ("desk", -1, [0.2, 0.1, -0.6])


def test_forces_between_two_points_are_springs_or_dampers():
    m = synthetic.workshop().mechanism
    assert [(one["kind"], one["a"], one["b"]) for one in springs(m)] == [("spring", 0, 1), ("damper", 3, -1)]
    assert springs(m)[1]["at_b"] == [0, 1, -1]


def test_a_mesh_with_too_many_faces_is_made_coarser():
    u, v = np.meshgrid(np.arange(200), np.arange(100))
    a, b = u / 200 * 2 * np.pi, (v + 0.5) / 100 * np.pi
    ball = np.stack([np.cos(a) * np.sin(b), np.sin(a) * np.sin(b), np.cos(b)], axis=-1).reshape(-1, 3)
    i = (v[:-1] * 200 + u[:-1]).reshape(-1)
    j = (v[:-1] * 200 + (u[:-1] + 1) % 200).reshape(-1)
    faces = np.concatenate([np.stack([i, j, i + 200], axis=1), np.stack([j, j + 200, i + 200], axis=1)])
    assert coarse(ball, faces, 10**6)[1] is faces
    vertices, fewer = coarse(ball, faces, 5000)
    assert 500 < len(fewer) <= 5000
    assert np.abs(np.linalg.norm(vertices, axis=1) - 1).max() < 0.05
    assert fewer.max() < len(vertices)


def test_shapes_come_back_from_an_archive(tmp_path):
    for shape in (
        ps.Box((1, 2, 3)),
        ps.Cylinder(1, 2),
        ps.Sphere(1),
        ps.Capsule(1, 2),
        ps.Ellipsoid((1, 2, 3)),
        ps.Cone(1, 2),
        ps.Torus(2, 1),
        ps.Wheel(1),
        ps.Shapes([(ps.Sphere(1), (0, 0, 1), None, 2.0), (ps.Box(1.0), None, None, dict(density=3.0))]),
        synthetic.tetrahedron(),
    ):
        m = ps.Mechanism().add("thing", shape.body(mass=1), ps.Free())
        path = ps.simulate(m, m.state(), "exact", step=0.1, steps=1).save(tmp_path / "run.poinsot")
        assert ps.load(path).mechanism.links[0].body.shape == shape


def test_loops_are_joints_too_and_distances_are_rods():
    bar = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)
    m = ps.Mechanism()
    m.add("a", bar, ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    m.add("b", bar, ps.Revolute((0, 1, 0)), parent="a", at=(0, 0, -0.5), body_at=(0, 0, -0.5))
    m.close(
        ps.Loop("b", "world", ps.Axis((0, 0, 1)), at_a=(0, 0, -0.5), at_b=(0, 0, -2)),
        ps.Loop("a", "b", ps.Distance(1.0), at_b=(0, 0, 0), name="rod"),
    )
    slide, rod = joints(m)[2:]
    assert (slide["kind"], slide["body"], slide["parent"]) == ("axis", 1, -1)
    assert (slide["at"], slide["axes"]) == ([0, 0, -2], [[0, 0, 1]])
    assert (rod["kind"], rod["body"], rod["parent"]) == ("distance", 1, 0)
    assert [(one["kind"], one["a"], one["b"]) for one in springs(m)] == [("rod", 0, 1)]
    assert [0, 0, -0.5] in [one["to"] for one in rods(m) if one["body"] == 1]  # to the end that is held


def test_a_joint_is_sent_by_its_kind_with_its_axes():
    m = ps.Mechanism().add("nut", ps.Cylinder(0.1, 0.05).body(mass=1.0), ps.Helical((0, 0, 2), 0.02))
    assert [(one["kind"], one["axes"]) for one in joints(m)] == [("helical", [[0, 0, 1]])]


def test_the_apparatus_has_the_numbers_of_the_run():
    """All digits: `run.*` at the frames that are shown, and the residual of the last three samples."""
    s = ps.scenario("dzhanibekov")
    run = ps.simulate(s.mechanism, s.start, "rk4", step=0.03, steps=20)
    made = payload({"rk4": run}, "nut")
    data, (shown,) = zlib.decompress(made.data), made.header["runs"]
    table = lambda number: unpacked(made.header["arrays"][number], data)  # noqa: E731
    one = shown["apparatus"]
    values = table(one["bodies"][0]["values"])
    widths = [count for _, count in one["columns"]]
    cuts = np.split(values, np.cumsum(widths)[:-1], axis=1)
    read = {key: cut for (key, _), cut in zip(one["columns"], cuts, strict=True)}
    assert np.array_equal(table(one["time"])[:, 0], run.time)
    assert np.array_equal(read["w-body"], run.angular_velocity("nut"))
    assert np.allclose(read["L-space"], run.angular_momentum, rtol=0, atol=1e-16)
    assert np.allclose(read["kinetic"][:, 1], run.kinetic, rtol=1e-15)
    r = ps.dynamics.discrete_residual(s.mechanism, *run.trajectory.states()[:3], step=0.03)
    assert np.array_equal(table(one["residual"]["values"])[0], [np.sqrt((r**2).sum())])
    assert np.array_equal(table(one["residual"]["time"])[:, 0], run.time[2:])
    assert shown["free"]["spin"] == run.angular_velocity("nut")[0].tolist()
    rare = ps.simulate(s.mechanism, s.start, "rk4", step=0.03, steps=20, every=2)
    assert payload({"rk4": rare}, "nut").header["runs"][0]["apparatus"]["residual"] is None


def test_what_if_is_for_a_free_body_without_forces_alone():
    for name, free in (("fast-top", False), ("double-pendulum", False), ("dzhanibekov", True)):
        s = ps.scenario(name)
        run = ps.simulate(s.mechanism, s.start, step=0.01, steps=3)
        assert (payload({name: run}, name).header["runs"][0]["free"] is not None) == free

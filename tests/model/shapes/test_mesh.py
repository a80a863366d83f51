"""Meshes: exact moments against closed forms, files read back, broken files refused."""

import json
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poinsot.errors import ModelError
from poinsot.model.shapes.mesh import Mesh
from poinsot.model.shapes.solids import Box, Sphere

EPS = np.finfo(float).eps
TURN = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])  # a rotation in exact decimals
SIZE = np.array([1.0, 2.0, 3.0])

Arrays = tuple[Any, Any]  # vertices, faces


def box(size: Any = SIZE, center: Any = (0, 0, 0)) -> Arrays:
    """Corner i has the bits of i as signs."""
    corners = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)]) - 0.5
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    faces = [f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))]
    return corners * size + center, np.array(faces)


def tetrahedron() -> Arrays:
    corners = np.array([[0.1, 0.2, -0.3], [1.3, 0.1, 0.2], [0.4, 1.7, 0.1], [0.2, 0.3, 0.9]])
    return corners, np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


def joined(*parts: Arrays) -> Arrays:
    shifts = np.cumsum([0] + [len(vertices) for vertices, _ in parts])
    faces = [faces + shift for (_, faces), shift in zip(parts, shifts, strict=False)]
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces)


def icosphere(levels: int) -> Arrays:
    g = (1 + 5**0.5) / 2
    flat = [(0.0, s, t * g) for s in (-1, 1) for t in (-1, 1)]
    points = [np.roll(p, k) / np.hypot(1, g) for p in flat for k in range(3)]
    near = [{j for j in range(12) if 0 < np.linalg.norm(points[i] - points[j]) < 1.2} for i in range(12)]
    triples = [(i, j, k) for i in range(12) for j in near[i] for k in near[i] & near[j] if i < j < k]
    faces = [t if np.linalg.det([points[i] for i in t]) > 0 else t[::-1] for t in triples]
    for _ in range(levels):
        middle: dict[tuple[int, int], int] = {}
        for a, b in sorted({(min(e), max(e)) for i, j, k in faces for e in ((i, j), (j, k), (k, i))}):
            middle[a, b] = middle[b, a] = len(points)
            points.append((points[a] + points[b]) / np.linalg.norm(points[a] + points[b]))
        split = [(f, middle[f[0], f[1]], middle[f[1], f[2]], middle[f[2], f[0]]) for f in faces]
        faces = [t for (i, j, k), a, b, c in split for t in ((i, a, c), (a, j, b), (c, b, k), (a, b, c))]
    return np.array(points), np.array(faces)


def stl_text(vertices: Any, faces: Any) -> bytes:
    rows = ["solid part"]
    for face in faces:
        corners = ["vertex " + " ".join(map(repr, vertices[i].tolist())) for i in face]
        rows += ["facet normal 0 0 0", " outer loop", *corners, " endloop", "endfacet"]
    return "\n".join([*rows, "endsolid part", ""]).encode()


def stl_binary(vertices: Any, faces: Any, header: bytes = b"made by a test") -> bytes:
    corners = [struct.pack("<12fH", 0, 0, 0, *vertices[face].ravel(), 0) for face in faces]
    return header.ljust(80, b"\0") + struct.pack("<I", len(faces)) + b"".join(corners)


def obj(vertices: Any, faces: Any, form: str = "{}") -> bytes:
    rows = ["# made by a test", "o part", "vt 0 0", "vn 0 0 1"]
    rows += ["v " + " ".join(map(repr, v.tolist())) for v in vertices]
    rows += ["f " + " ".join(form.format(i + 1) for i in f) for f in faces]
    return "\n".join(rows).encode()


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def same_solid(one: Mesh, other: Mesh, tolerance: float) -> bool:
    scale = np.abs(other.inertia(1.0)).max()
    return (
        abs(one.volume / other.volume - 1) <= tolerance
        and np.abs(one.center - other.center).max() <= tolerance * scale**0.5
        and np.abs(one.inertia(1.0) - other.inertia(1.0)).max() <= tolerance * scale
    )


def parallel(inertia: Any, mass: float, shift: Any) -> Any:
    return inertia + mass * ((shift @ shift) * np.eye(3) - np.outer(shift, shift))


# moments


def test_box_mesh_is_the_box() -> None:
    mesh, exact = Mesh.from_arrays(*box()), Box(SIZE)
    assert mesh.volume == pytest.approx(6.0, rel=4 * EPS)
    assert np.abs(mesh.center).max() < EPS
    assert np.abs(mesh.inertia(2.5) - exact.inertia(2.5)).max() < 8 * EPS


def test_tetrahedron_agrees_with_quadrature_in_collapsed_coordinates() -> None:
    vertices, faces = tetrahedron()
    nodes, weights = np.polynomial.legendre.leggauss(6)
    t, dt = (nodes + 1) / 2, weights / 2
    u, v, w = np.meshgrid(t, t, t, indexing="ij")
    l1, l2, l3 = u, v * (1 - u), w * (1 - u) * (1 - v)  # the cube collapsed to barycentric coordinates
    jacobian = abs(np.linalg.det(vertices[1:] - vertices[0])) * (1 - u) ** 2 * (1 - v)
    dV = np.einsum("i,j,k->ijk", dt, dt, dt) * jacobian
    x = np.einsum("kpqr,ki->ipqr", np.array([1 - l1 - l2 - l3, l1, l2, l3]), vertices)
    volume = dV.sum()
    center = np.einsum("ipqr,pqr->i", x, dV) / volume
    y = x - center[:, None, None, None]
    C = np.einsum("ipqr,jpqr,pqr->ij", y, y, dV)
    mesh = Mesh.from_arrays(vertices, faces)
    assert mesh.volume == pytest.approx(volume, rel=1e-14)
    assert np.abs(mesh.center - center).max() < 1e-15
    assert np.abs(mesh.inertia(volume) - (np.trace(C) * np.eye(3) - C)).max() < 1e-15


def test_icosphere_converges_to_the_ball_with_order_two() -> None:
    exact, errors = Sphere(1.0), []
    for level in range(1, 5):
        mesh = Mesh.from_arrays(*icosphere(level))
        assert len(mesh.faces) == 20 * 4**level
        errors.append([exact.volume - mesh.volume, exact.inertia(1.0)[0, 0] - mesh.inertia(1.0)[0, 0]])
    assert np.min(errors) > 1e-4, "far above round-off"
    slopes = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert np.abs(slopes[-1] - 2).max() < 0.02


def test_rotation_and_shift_obey_their_laws() -> None:
    vertices, faces = tetrahedron()
    base, shift = Mesh.from_arrays(vertices, faces), np.array([0.5, -2.0, 1.5])
    moved = Mesh.from_arrays(vertices @ TURN.T + shift, faces)
    assert moved.volume == pytest.approx(base.volume, rel=1e-14)
    assert np.abs(moved.center - (TURN @ base.center + shift)).max() < 1e-15
    assert np.abs(moved.inertia(3.0) - TURN @ base.inertia(3.0) @ TURN.T).max() < 1e-14


def test_two_parts_obey_the_parallel_axis_law() -> None:
    mesh = Mesh.from_arrays(*joined(box(1.0, (0, 0, 0)), box((1, 1, 2), (3, 1, 0.5))))
    center = (np.zeros(3) + 2 * np.array([3, 1, 0.5])) / 3
    expected = parallel(Box(1.0).inertia(1.0), 1.0, center)
    expected = expected + parallel(Box((1, 1, 2)).inertia(2.0), 2.0, np.array([3, 1, 0.5]) - center)
    assert mesh.volume == pytest.approx(3.0, rel=4 * EPS)
    assert np.abs(mesh.center - center).max() < 4 * EPS
    assert np.abs(mesh.inertia(3.0) - expected).max() < 32 * EPS


def test_a_cavity_is_subtracted() -> None:
    vertices, faces = box(1.0, (0.25, 0, 0.5))
    mesh = Mesh.from_arrays(*joined(box(), (vertices, faces[:, ::-1])))
    whole, hole = Box(SIZE).inertia(6.0), Box(1.0).inertia(1.0)
    center = -np.array([0.25, 0, 0.5]) / 5
    expected = parallel(whole, 6.0, center) - parallel(hole, 1.0, np.array([0.25, 0, 0.5]) - center)
    assert mesh.volume == pytest.approx(5.0, rel=4 * EPS)
    assert np.abs(mesh.center - center).max() < 4 * EPS
    assert np.abs(mesh.inertia(5.0) - expected).max() < 64 * EPS


def test_a_mesh_far_from_its_origin_loses_no_digits() -> None:
    far = np.array([2.0**20, -(2.0**21), 2.0**20])  # the corners stay exact
    mesh = Mesh.from_arrays(*box(SIZE, far))
    assert mesh.volume == pytest.approx(6.0, rel=4 * EPS)
    assert np.array_equal(mesh.center, far)
    assert np.abs(mesh.inertia(2.5) - Box(SIZE).inertia(2.5)).max() < 8 * EPS


def test_uneven_vertices_lose_no_digits() -> None:
    """A thin rod whose one end carries nearly all vertices: the mean vertex is far off centre."""
    ring = np.arange(400) * (2 * np.pi / 400)
    end = np.stack([np.full(400, 0.5), 1e-3 * np.cos(ring), 1e-3 * np.sin(ring)], axis=1)
    vertices = np.concatenate([end, [[-0.5, 0, 0], [0.5, 0, 0]]])
    around = [(i, (i + 1) % 400) for i in range(400)]
    faces = [(401, i, j) for i, j in around] + [(400, j, i) for i, j in around]
    cone = Mesh.from_arrays(vertices, faces)
    n_gon = np.sin(2 * np.pi / 400) / (2 * np.pi / 400)  # area of the end relative to the circle
    assert cone.volume == pytest.approx(np.pi / 3 * 1e-6 * n_gon, rel=1e-13)
    assert cone.center[0] == pytest.approx(0.25, rel=1e-14)
    across = 3 / 80 + cone.inertia(1.0)[0, 0] / 2  # 3/80 l² along the axis, and half of the axial moment
    assert cone.inertia(1.0)[1, 1] == pytest.approx(across, rel=1e-13)


def test_an_inward_mesh_is_turned() -> None:
    vertices, faces = box()
    mesh = Mesh.from_arrays(vertices, faces[:, ::-1])
    assert mesh.volume == pytest.approx(6.0, rel=4 * EPS)
    assert np.abs(mesh.inertia(2.5) - Box(SIZE).inertia(2.5)).max() < 8 * EPS
    assert np.array_equal(mesh.faces, faces)


def test_body_has_its_center_of_mass_in_the_centroid() -> None:
    mesh = Mesh.from_arrays(*box(SIZE, (4, 5, 6)))
    body = mesh.body(density=0.5)
    assert body.mass == pytest.approx(3.0)
    assert np.abs(body.center_of_mass - [4, 5, 6]).max() < 4 * EPS * 6
    assert np.abs(body.inertia - Box(SIZE).inertia(3.0)).max() < 16 * EPS
    assert body.shape is mesh


# the mesh as an object


def test_arrays_are_kept_in_order_and_read_only() -> None:
    vertices, faces = tetrahedron()
    mesh = Mesh.from_arrays(vertices.tolist(), faces.tolist())
    assert np.array_equal(mesh.vertices, vertices)
    assert np.array_equal(mesh.faces, faces)
    for array in (mesh.vertices, mesh.faces):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    center = mesh.center
    center[:] = 9.0
    assert mesh.center[0] != 9.0
    assert json.loads(json.dumps(mesh.to_dict())) == {
        "kind": "mesh",
        "vertices": vertices.tolist(),
        "faces": faces.tolist(),
    }


def test_equality_and_repr(tmp_path: Path) -> None:
    one, two = Mesh.from_arrays(*box()), Mesh.from_arrays(*box())
    assert one == two
    assert hash(one) == hash(two)
    assert one != Mesh.from_arrays(*box(1.0))
    assert one != "mesh"
    assert repr(one) == "Mesh(12 faces, volume 6)"
    path = written(tmp_path, "box.obj", obj(*box()))
    assert repr(Mesh(path)) == f"Mesh('{path}', 12 faces, volume 6)"
    assert Mesh(path).path == path


def test_unused_and_repeated_vertices_and_empty_faces_are_dropped() -> None:
    vertices, faces = box()
    loose = np.concatenate([vertices[faces].reshape(-1, 3), [[9.0, 9.0, 9.0]]])
    corners = np.concatenate([np.arange(36).reshape(-1, 3), [[0, 0, 1]]])
    mesh = Mesh.from_arrays(loose, corners)
    assert len(mesh.vertices) == 8
    assert len(mesh.faces) == 12
    assert same_solid(mesh, Mesh.from_arrays(vertices, faces), 8 * EPS)


def test_rounded_vertices_are_welded_only_when_needed() -> None:
    vertices, faces = box()
    noise = np.random.default_rng(3).uniform(-1, 1, (36, 3))
    loose, corners = vertices[faces].reshape(-1, 3), np.arange(36).reshape(-1, 3)
    for offset in (0.0, 1000.0):
        mesh = Mesh.from_arrays(loose + 4e-8 * noise + offset, corners)  # gaps below 1e-7 of 3
        assert len(mesh.vertices) == 8
        assert same_solid(mesh, Mesh.from_arrays(vertices + offset, faces), 2e-7)
        with pytest.raises(ModelError, match="is not closed"):
            Mesh.from_arrays(loose + 4e-5 * noise + offset, corners)
    fine = Mesh.from_arrays(*joined(box(), box(1e-9, (2, 0, 0))))  # a closed mesh is not coarsened
    assert len(fine.vertices) == 16


# files


@pytest.mark.parametrize("arrays", [box(), tetrahedron(), icosphere(2)], ids=["box", "tetrahedron", "ball"])
def test_files_give_the_same_solid(tmp_path: Path, arrays: Arrays) -> None:
    exact = Mesh.from_arrays(*arrays)
    single = Mesh.from_arrays(arrays[0].astype(np.float32), arrays[1])
    text = Mesh(written(tmp_path, "text.stl", stl_text(*arrays)))
    assert same_solid(text, exact, 32 * EPS)
    for form in ("{}", "{}/1", "{}//1", "{}/1/1"):
        assert Mesh(written(tmp_path, "part.OBJ", obj(*arrays, form))) == exact
    for header in (b"made by a test", b"solid part", b"SOLID facet normal"):
        binary = Mesh(str(written(tmp_path, "binary.stl", stl_binary(*arrays, header))))
        assert same_solid(binary, single, 32 * EPS)
        assert len(binary.vertices) == len(exact.vertices)


def test_upper_case_and_several_solids_in_a_text_file(tmp_path: Path) -> None:
    two = stl_text(*box()).upper().replace(b"E-", b"e-") + b"\r\n" + stl_text(*box(1.0, (5, 0, 0)))
    assert Mesh(written(tmp_path, "a.stl", two)).volume == pytest.approx(7.0)


def test_bytes_after_a_binary_file_are_ignored(tmp_path: Path) -> None:
    path = written(tmp_path, "a.stl", stl_binary(*box()) + b"colours")
    assert Mesh(path).volume == pytest.approx(6.0)


def test_polygons_negative_indices_and_colours(tmp_path: Path) -> None:
    vertices, _ = box()
    rows = ["v " + " ".join(map(str, v)) + " 0.5 0.5 0.5" for v in vertices]
    quads = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "-6 -2 -1 -5", "-8 -4 -2 -6", "2//1 4//1 8//1 6//1 # last"]
    data = "\r\n".join([*rows, *("f " + q for q in quads)]).encode()
    mesh = Mesh(written(tmp_path, "a.obj", data))
    assert len(mesh.faces) == 12
    assert np.abs(mesh.inertia(2.5) - Box(SIZE).inertia(2.5)).max() < 8 * EPS


def test_scale(tmp_path: Path) -> None:
    path = written(tmp_path, "a.obj", obj(*tetrahedron()))
    vertices, faces = tetrahedron()
    assert Mesh(path, scale=1e-3).volume == pytest.approx(1e-9 * Mesh(path).volume, rel=1e-14)
    mirrored = Mesh(path, scale=(1, -2, 1))
    assert same_solid(mirrored, Mesh.from_arrays(vertices * [1, -2, 1], faces[:, ::-1]), 8 * EPS)


# errors

POINTS = b"v 1 2 3\n" * 3


def refusal(call: Any, *args: Any, **options: Any) -> str:
    with pytest.raises(ModelError) as caught:
        call(*args, **options)
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda v, f: (v, f[:-1]), "mesh: is not closed, open edges: 3, one from "),
        (lambda v, f: (v, f[:0]), "mesh: has no triangles"),
        (lambda v, f: (v[:0], f[:0]), "mesh: has no triangles"),
        (lambda v, f: (v * 0, f), "mesh: has no triangles"),
        (lambda v, f: (v * [1, 1, 0], f), "mesh: is not a surface, edges with more than two faces: "),
        (
            lambda v, f: (v, np.concatenate([f[:1, ::-1], f[1:]])),
            "mesh: is not oriented, edges that both faces use in the same direction: 3, one from ",
        ),
        (
            lambda v, f: joined((v, f), (v + np.array([1, 2, 0]), f)),
            "mesh: is not a surface, edges with more than two faces: 1, "
            "one from (0.5, 1, 1.5) to (0.5, 1, -1.5)",
        ),
        (lambda v, f: (v * 1e60, f), "mesh: coordinates must be at most 1e+50, got 1.5e+60"),
        (lambda v, f: (v, f + 1), "mesh: faces must index 8 vertices, got 8"),
        (lambda v, f: (v, f - 1), "mesh: faces must index 8 vertices, got -1"),
        (lambda v, f: (v, f + 0.5), "mesh: faces must index 8 vertices, got 0.5"),
        (lambda v, f: (v[:, :2], f), "mesh: vertices must be an (n, 3) array, got "),
        (lambda v, f: (v, f[:, :2]), "mesh: faces must be an (m, 3) array of indices, got "),
        (lambda v, f: (v * np.nan, f), "mesh: vertices must be finite, got ((nan, nan, nan), "),
    ],
)
def test_arrays_that_enclose_nothing_are_refused(change: Any, text: str) -> None:
    assert refusal(Mesh.from_arrays, *change(*box())).startswith(text)


def test_a_flat_mesh_has_no_volume() -> None:
    flat = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.3, 0.4, 0]])
    for turn in (np.eye(3), TURN):
        text = refusal(Mesh.from_arrays, flat @ turn.T, tetrahedron()[1])
        assert text.startswith("mesh: encloses no volume (")
    thin = Mesh.from_arrays(*box((1.0, 1.0, 1e-9)))
    assert thin.volume == pytest.approx(1e-9)


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("a.ply", b"ply", "ending '.ply' is not known, use .stl or .obj"),
        ("a.stl", b"", "the file is empty"),
        ("a.obj", b"", "the file is empty"),
        ("a.obj", b"# nothing\n", "has no triangles"),
        ("a.obj", b"\xff\xfe\x00\x01", "has no triangles"),
        ("a.stl", b"solid a\nendsolid a\n", "has no triangles"),
        ("a.stl", b"short", "0 triangles need 84 bytes, the file has 5"),
        ("a.stl", stl_binary(*box())[:-1], "12 triangles need 684 bytes, the file has 683"),
        ("a.stl", stl_binary(*box(), b"solid")[:400], "12 triangles need 684 bytes, the file has 400"),
        (
            "a.stl",
            bytes(80) + b"\xff" * 4 + bytes(50),
            "4294967295 triangles need 214748364834 bytes, the file has 134",
        ),
        (
            "a.stl",
            stl_binary(*box())[: 84 + 50]
            + stl_binary(*box())[84 + 50 :].replace(struct.pack("<f", 1.5), b"\1\0\x80\x7f", 1),
            "triangle 3 has a vertex that is not finite",
        ),
        ("a.stl", b"solid a\nfacet\nvertx 1 2 3", "line 3: 'vertx' is not known, did you mean 'vertex'?"),
        ("a.stl", b"solid a\n\n vertex 1 2", "line 3: 'vertex' needs 3 finite numbers, got '1 2'"),
        ("a.stl", b"solid a\nvertex 1 2 nan", "line 2: 'vertex' needs 3 finite numbers, got '1 2 nan'"),
        ("a.stl", b"solid a\nvertex 1 2 z", "line 2: 'vertex' needs 3 finite numbers, got '1 2 z'"),
        ("a.stl", b"solid a\nvertex 1 2 3\nendfacet", "line 3: 1 facets need 3 vertices, got 1"),
        ("a.stl", b"solid a\nvertex 1 2 3\nendsolid", "line 3: 0 facets need 0 vertices, got 1"),
        ("a.stl", stl_text(*box())[:-15], "line 85: the file ends without 'endsolid'"),
        ("a.obj", b"v 1 2 3\nv 1 2\n", "line 2: 'v' needs 3 finite numbers, got '1 2'"),
        ("a.obj", b"v 1 2 1e999\n", "line 1: 'v' needs 3 finite numbers, got '1 2 1e999'"),
        ("a.obj", b"v 1 2 -inf\n", "line 1: 'v' needs 3 finite numbers, got '1 2 -inf'"),
        ("a.obj", b"v 1 2 exit()\n", "line 1: 'v' needs 3 finite numbers, got '1 2 exit()'"),
        ("a.obj", POINTS + b"f 1 2", "line 4: 'f' needs 3 finite numbers, got '1 2'"),
        ("a.obj", POINTS + b"f 1 2 x/1", "line 4: 'f' needs 3 finite numbers, got '1 2 x'"),
        ("a.obj", POINTS + b"f 1 2 1.5", "line 4: 'f' needs 3 finite numbers, got '1 2 1.5'"),
        ("a.obj", POINTS + b"f 1 2 4", "line 4: 'f' needs vertices out of 3 so far, got (1, 2, 4)"),
        ("a.obj", POINTS + b"f 1 2 -4", "line 4: 'f' needs vertices out of 3 so far, got (1, 2, -4)"),
        ("a.obj", POINTS + b"f 0 1 2", "line 4: 'f' needs vertices out of 3 so far, got (0, 1, 2)"),
        ("a.obj", b"f 1 2 3", "line 1: 'f' needs vertices out of 0 so far, got (1, 2, 3)"),
        ("a.obj", POINTS + b"f 1 1 " + b"9" * 400, "line 4: 'f' needs vertices out of 3 so far, got (1, 1, "),
        ("a.obj", POINTS + b"f 1 1 " + b"9" * 5000, "line 4: 'f' needs 3 finite numbers, got '1 1 9"),
        ("a.obj", obj(*box())[:-8], "is not closed, open edges: 3, one from "),
        ("a.obj", POINTS + b"v 1e200 0 0\nf 1 2 4", "coordinates must be at most 1e+50, got 1e+200"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path: Path, name: str, data: bytes, text: str) -> None:
    path = written(tmp_path, name, data)
    got = refusal(Mesh, path)
    assert got.startswith(f"mesh '{path}': {text}")


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "missing.stl"
    assert refusal(Mesh, path) == f"mesh '{path}': cannot be read, No such file or directory"
    (tmp_path / "folder.obj").mkdir()
    path = tmp_path / "folder.obj"
    assert refusal(Mesh, path) == f"mesh '{path}': cannot be read, Is a directory"
    assert refusal(Mesh, "a\0.stl") == "mesh 'a\0.stl': cannot be read, embedded null byte"


def test_bad_scales(tmp_path: Path) -> None:
    path = written(tmp_path, "a.obj", obj(*box()))
    assert refusal(Mesh, path, scale=0) == f"mesh '{path}': scale must not be zero, got 0"
    assert refusal(Mesh, path, (1, 0, 1)) == f"mesh '{path}': scale must not be zero, got (1, 0, 1)"
    assert refusal(Mesh, path, "big") == f"mesh '{path}': scale must be a number or 3 numbers, got 'big'"
    text = refusal(Mesh, path, scale=1e308)
    assert text == f"mesh '{path}': coordinates must be at most 1e+50, got 1.5e+308"
    assert refusal(Mesh, path, scale=1.5e308).endswith("coordinates must be at most 1e+50, got inf")


def test_one_far_vertex_costs_no_memory(tmp_path: Path) -> None:
    """All other vertices fall within the welding distance of each other; that must not become n² pairs."""
    vertices, faces = icosphere(4)
    vertices[0] *= 1e30
    path = written(tmp_path, "a.obj", obj(vertices, faces[1:]))
    tracemalloc.start()
    assert "is not closed" in refusal(Mesh, path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("name", "data"),
    [("a.stl", stl_text(*box())), ("b.stl", stl_binary(*icosphere(1))), ("a.obj", obj(*icosphere(1)))],
    ids=["text", "binary", "obj"],
)
def test_damaged_files_raise_nothing_but_model_errors(tmp_path: Path, name: str, data: bytes) -> None:
    random = np.random.default_rng(7)
    refused = []
    for case in range(300):
        damaged = bytearray(data)
        if case % 3 == 0:
            del damaged[random.integers(len(data)) :]
        for _ in range(random.integers(1, 6) if damaged and case % 3 else 0):
            damaged[random.integers(len(damaged))] ^= 1 << random.integers(8)
        try:
            mesh = Mesh(written(tmp_path, name, bytes(damaged)))
        except ModelError as error:
            refused.append(str(error))
        else:
            assert mesh.volume > 0
            assert np.isfinite(mesh.inertia(1.0)).all()
    assert len(refused) > 150
    assert not any("\n" in text for text in refused)

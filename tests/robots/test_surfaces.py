"""Mesh files that are drawn: COLLADA and glTF where their nodes put them, and files that cannot be read."""

import json
import struct

import numpy as np
import pytest

import poinsot as ps
from poinsot.view.surfaces import surface

TRIANGLE = "0 0 0 1 0 0 0 1 0 0 0 1"
DAE = f"""<COLLADA><asset><unit meter="0.5"/></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="f">{TRIANGLE}</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="NORMAL" source="#n" offset="1"/>
<vcount>3 4</vcount><p>0 0 1 0 2 0 0 0 1 0 2 0 3 0</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene><node><translate>0 0 2</translate><node><rotate>0 0 1 90</rotate>
<instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes></COLLADA>"""


def test_collada(tmp_path):
    path = tmp_path / "a.dae"
    path.write_text(DAE)
    vertices, faces = surface(ps.MeshFile(str(path), scale=2.0))
    assert vertices == pytest.approx(np.array([[0, 0, 2], [0, 1, 2], [-1, 0, 2], [0, 0, 3]]), abs=1e-15)
    assert faces.tolist() == [[0, 1, 2], [0, 1, 2], [0, 2, 3]]


def glb(folder):
    blob = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4").tobytes() + np.array([0, 1, 2], "<u2").tobytes()
    blob += b"\0\0"
    model = {
        "scenes": [{"nodes": [0]}],
        "nodes": [{"translation": [0, 0, 3], "children": [1]}, {"mesh": 0, "rotation": [0, 0, 1, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
    }
    text = json.dumps(model).encode()
    text += b" " * (-len(text) % 4)
    whole = (
        struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(blob), 0x004E4942) + blob
    )
    path = folder / "a.glb"
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(whole)) + whole)
    return path


def test_gltf(tmp_path):
    vertices, faces = surface(ps.MeshFile(str(glb(tmp_path))))
    assert vertices == pytest.approx(np.array([[0, 0, 3], [-1, 0, 3], [0, -1, 3]]), abs=1e-15)
    assert faces.tolist() == [[0, 1, 2]]


@pytest.mark.parametrize("name", ["a.dae", "a.glb", "a.stl", "a.obj", "a.txt"])
def test_what_cannot_be_read_is_not_drawn(tmp_path, name):
    path = tmp_path / name
    assert len(surface(ps.MeshFile(str(path)))[1]) == 0
    for data in (b"", b"<a/>", b"glTF\x02\0\0\0\0\0\0\0", b"f 1 2 9\n", b"\xff" * 200):
        path.write_bytes(data)
        surface.__globals__["_read"].cache_clear()
        assert len(surface(ps.MeshFile(str(path)))[1]) == 0


def test_a_broken_model_gives_an_error_or_nothing(tmp_path):
    data, rng = glb(tmp_path).read_bytes(), np.random.default_rng(0)
    path = tmp_path / "b.glb"
    for _ in range(200):
        broken = bytearray(data)
        for i in rng.integers(0, len(data), 3):
            broken[i] = rng.integers(0, 256)
        path.write_bytes(broken)
        surface.__globals__["_read"].cache_clear()
        surface(ps.MeshFile(str(path)))
